"""What load balancers and process managers ask: does this process live, and can it serve?"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any

from litestar import Response, get
from litestar.handlers import HTTPRouteHandler

from rubrica.errors import Problem

SECONDS = 3.0


def health_routes(check: Callable[[], Any]) -> list[HTTPRouteHandler]:
    """`/health` says that the process answers; `/ready` that `check` passes too, and in time."""
    asking = asyncio.Lock()

    @get("/health", sync_to_thread=False)
    def health() -> Response[dict[str, str]]:
        return _told(200, "alive")

    @get("/ready")
    async def ready() -> Response[dict[str, str]]:
        # A check that hangs must not take one thread after the other with it.
        if asking.locked():
            return _told(503, "the check before this one has not come back")
        try:
            return await asyncio.wait_for(asyncio.shield(_checked()), SECONDS)
        except TimeoutError:
            return _told(503, "the database does not answer in time")

    async def _checked() -> Response[dict[str, str]]:
        async with asking:
            try:
                await asyncio.to_thread(check)
            except Problem as problem:
                return _told(503, problem.message)
        return _told(200, "ready")

    return [health, ready]


def _told(status: int, text: str) -> Response[dict[str, str]]:
    return Response({"status": text}, status_code=status)
