"""Reading what a request brings."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Any

from rubrica.errors import Problem, Rule

CUT_OFF = Rule(
    code="W021",
    title="A request arrives whole",
    says="the connection broke off in the middle of a request",
    why="Nothing of it was saved; the browser keeps it and sends it again.",
    mend="Nothing needs to be done.",
)


async def whole(receive: Callable[[], Awaitable[Any]]) -> bytes:
    """The body of a request, unless the connection broke off."""
    parts: list[bytes] = []
    more: Any = True
    while more:
        message: Any = await receive()
        if message["type"] == "http.disconnect":
            raise Problem(CUT_OFF)
        parts.append(message.get("body", b""))
        more = message.get("more_body", False)
    return b"".join(parts)
