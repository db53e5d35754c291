"""Limits at the door: how long a request may take to arrive and how large it may be.

As uvicorn comes it keeps a half-sent header open for as long as the sender likes, and takes any
body into memory before the application can object.
"""

from __future__ import annotations

import asyncio
from typing import Any, ClassVar

from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

_ANSWER = (
    "HTTP/1.1 {status}\r\ncontent-type: text/plain; charset=utf-8\r\ncontent-length: {size}\r\n"
    "connection: close\r\n\r\n{text}"
)


class LimitedProtocol(HttpToolsProtocol):
    """uvicorn's protocol with a limit on head and body, and a deadline for a request to be whole."""

    head_limit: ClassVar[int] = 32_768
    body_limit: ClassVar[int] = 8_000_000
    large_body_limit: ClassVar[int] = 1_000_000_000
    large_bodies_under: ClassVar[tuple[bytes, ...]] = ()
    """Paths (uploads of coordinators) that may send up to the larger limit."""
    seconds: ClassVar[float] = 20.0
    lingers: ClassVar[float] = 2.0
    """How long a refused sender may go on sending before the connection is cut: cut at once, it would
    meet a broken connection instead of the answer."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._head = 0
        self._body = 0
        self._in_head = True
        self._head_ended = False
        """Whether a head came to its end in what was received last; a whole request may have."""
        self._deadline: asyncio.TimerHandle | None = None
        self._refused = False

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        self._start_deadline()

    def connection_lost(self, exc: Exception | None) -> None:
        self._stop_deadline()
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        if self._refused:
            return
        if self._deadline is None:
            self._start_deadline()
        self._head_ended = False
        in_head = self._in_head
        super().data_received(data)
        if in_head and not self._head_ended:
            self._head += len(data)
            if self._head > self.head_limit:
                self._refuse("431 Request Header Fields Too Large", "These headers are too long.")

    def on_headers_complete(self) -> None:
        self._in_head, self._head_ended = False, True
        head = len(self.url) + sum(len(name) + len(value) + 4 for name, value in self.headers)
        if head > self.head_limit:
            self._refuse("431 Request Header Fields Too Large", "These headers are too long.")
        else:
            super().on_headers_complete()

    def on_body(self, body: bytes) -> None:
        self._body += len(body)
        if self._body > self._limit():
            self._refuse("413 Content Too Large", "This is too large to be sent here.")
        if self._refused:
            return
        super().on_body(body)
        if self._limit() > self.body_limit:
            self._start_deadline()  # a large upload may take long, as long as it moves

    def on_message_complete(self) -> None:
        if self._refused:
            return
        self._stop_deadline()
        self._in_head, self._head, self._body = True, 0, 0
        super().on_message_complete()

    def _limit(self) -> int:
        return (
            self.large_body_limit if self.url.startswith(self.large_bodies_under) else self.body_limit
        )

    def _start_deadline(self) -> None:
        self._stop_deadline()
        late = ("408 Request Timeout", "The request took too long to arrive.")
        self._deadline = self.loop.call_later(self.seconds, self._refuse, *late)

    def _stop_deadline(self) -> None:
        if self._deadline is not None:
            self._deadline.cancel()
            self._deadline = None

    def _refuse(self, status: str, text: str) -> None:
        if self._refused or self.transport.is_closing():
            return
        self._refused = True
        self._stop_deadline()
        self.flow.resume_reading()
        self.transport.write(_ANSWER.format(status=status, size=len(text), text=text).encode())
        self.transport.write_eof()
        self.loop.call_later(self.lingers, self.transport.close)
