"""Requests of one sort are handled together: all that came while those before were being looked at.

One question to the database then serves them all, and threads change once for all. A request that
comes alone is handled alone, at once.
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Callable, Sequence
from typing import Any, Generic, TypeVar

T = TypeVar("T")
Tell = Callable[[int, Any], None]
"""Says what became of the request at this place of those given: an answer, or what it failed with."""
Act = Callable[[Sequence[T], Tell], None]
"""Handles requests in a thread; answers may be told later, from any thread."""

MOST = 256


class Together(Generic[T]):
    def __init__(self, act: Act[T], lanes: int = 1) -> None:
        """`lanes`: how many threads may act at once; more than one where acting waits for a commit."""
        self._act, self._lanes = act, lanes
        self._loop: asyncio.AbstractEventLoop | None = None
        self._begin_in(None)

    def _begin_in(self, loop: asyncio.AbstractEventLoop | None) -> None:
        self._loop = loop
        self._waiting: list[tuple[asyncio.Future[Any], T]] = []
        self._acting = 0
        self._told: deque[tuple[asyncio.Future[Any], Any]] = deque()
        self._called = self._starting = False

    def __call__(self, request: T) -> asyncio.Future[Any]:
        loop = asyncio.get_running_loop()
        if loop is not self._loop:
            self._begin_in(loop)
        future: asyncio.Future[Any] = loop.create_future()
        self._waiting.append((future, request))
        if self._acting < self._lanes and not self._starting:
            self._acting, self._starting = self._acting + 1, True
            # What has come at the same moment goes along.
            loop.call_soon(self._start, loop)
        return future

    def _start(self, loop: asyncio.AbstractEventLoop) -> None:
        self._starting = False
        batch, self._waiting = self._waiting[:MOST], self._waiting[MOST:]
        loop.run_in_executor(None, self._run, loop, batch)

    def _run(
        self, loop: asyncio.AbstractEventLoop, batch: Sequence[tuple[asyncio.Future[Any], T]]
    ) -> None:
        def tell(at: int, answer: Any) -> None:
            self._told.append((batch[at][0], answer))
            if not self._called:
                self._called = True
                loop.call_soon_threadsafe(self._deliver)

        try:
            self._act([request for _, request in batch], tell)
        except BaseException as error:
            for at in range(len(batch)):
                tell(at, error)
        loop.call_soon_threadsafe(self._ended, loop)

    def _ended(self, loop: asyncio.AbstractEventLoop) -> None:
        if self._waiting:
            self._start(loop)
        else:
            self._acting -= 1

    def _deliver(self) -> None:
        self._called = False
        while self._told:
            future, answer = self._told.popleft()
            if future.done():
                continue
            if isinstance(answer, BaseException):
                future.set_exception(answer)
            else:
                future.set_result(answer)
