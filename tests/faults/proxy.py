"""A link between two programs that can be cut and mended."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from concurrent.futures import Future
from contextlib import suppress
from pathlib import Path
from threading import Thread
from typing import Any


class Proxy:
    """Passes bytes on from a port of its own to another one, or to a socket file; what comes back may
    be `told` otherwise."""

    def __init__(self, to: int | Path, told: Callable[[bytes], bytes] = bytes) -> None:
        self._to, self._told = to, told
        self._open: set[asyncio.StreamWriter] = set()
        self._whole = True
        self._loop = asyncio.new_event_loop()
        self._thread = Thread(target=self._loop.run_forever, daemon=True)
        self._thread.start()
        self._server = self._do(asyncio.start_server(self._pass_on, "127.0.0.1", 0))
        self.port = int(self._server.sockets[0].getsockname()[1])

    def cut(self) -> None:
        """Whoever speaks through it is cut off, and nobody comes through."""
        self._whole = False
        self._loop.call_soon_threadsafe(self._break)

    def mend(self) -> None:
        self._whole = True

    def close(self) -> None:
        self.cut()
        self._loop.call_soon_threadsafe(self._server.close)
        self._do(asyncio.sleep(0.05))
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join()
        self._loop.close()

    def _do(self, what: Any) -> Any:
        done: Future[Any] = asyncio.run_coroutine_threadsafe(what, self._loop)
        return done.result(30)

    def _break(self) -> None:
        for writer in list(self._open):
            writer.transport.abort()

    async def _pass_on(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._open.add(writer)
        try:
            if self._whole:
                with suppress(OSError):
                    await self._join(reader, writer)
        finally:
            self._open.discard(writer)
            writer.transport.abort()

    async def _join(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        if isinstance(self._to, Path):
            there, away = await asyncio.open_unix_connection(str(self._to))
        else:
            there, away = await asyncio.open_connection("127.0.0.1", self._to)
        self._open.add(away)
        copies = _copy(reader, away), _copy(there, writer, self._told)
        both = [asyncio.ensure_future(one) for one in copies]
        try:
            await asyncio.wait(both, return_when=asyncio.FIRST_COMPLETED)
        finally:
            for one in both:
                one.cancel()
            self._open.discard(away)
            away.transport.abort()


async def _copy(
    reader: asyncio.StreamReader,
    writer: asyncio.StreamWriter,
    told: Callable[[bytes], bytes] = bytes,
) -> None:
    with suppress(OSError):
        while piece := await reader.read(65536):
            writer.write(told(piece))
            await writer.drain()
