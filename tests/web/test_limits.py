"""Limits at the door, seen over a real socket."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest
import uvicorn
from looping import in_a_loop

from rubrica.web.limits import LimitedProtocol


class Strict(LimitedProtocol):
    head_limit = 2_000
    body_limit = 5_000
    large_body_limit = 50_000
    large_bodies_under = (b"/upload",)
    seconds = 0.2


async def count(scope: Any, receive: Any, send: Any) -> None:
    size, more = 0, True
    while more:
        message = await receive()
        size, more = size + len(message.get("body", b"")), message.get("more_body", False)
    await send({"type": "http.response.start", "status": 200, "headers": [(b"content-length", b"5")]})
    await send({"type": "http.response.body", "body": b"%05d" % size})


class Quiet(uvicorn.Server):
    @contextmanager
    def capture_signals(self) -> Iterator[None]:
        yield


async def exchange(*parts: bytes) -> bytes:
    """What the server answers to these bytes, until it closes the connection."""
    config = uvicorn.Config(count, http=Strict, ws="none", port=0, log_level="critical", lifespan="off")
    server = Quiet(config)
    running = asyncio.create_task(server.serve())
    while not server.started:
        await asyncio.sleep(0)
    port = server.servers[0].sockets[0].getsockname()[1]
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    for part in parts:
        writer.write(part)
        await writer.drain()
    answer = await reader.read()
    writer.close()
    server.should_exit = True
    await running
    return answer


def send(*parts: bytes) -> bytes:
    return in_a_loop(exchange(*parts))


def post(size: int, path: bytes = b"/") -> bytes:
    head = b"POST %s HTTP/1.1\r\nhost: a\r\nconnection: close\r\ncontent-length: %d\r\n\r\n"
    return head % (path, size) + b"x" * size


def test_an_ordinary_request_passes() -> None:
    assert send(post(4_000)).endswith(b"04000")


def test_a_large_body_passes_only_where_uploads_go() -> None:
    assert send(post(6_000)).startswith(b"HTTP/1.1 413")
    assert send(post(40_000, b"/upload/x")).endswith(b"40000")


def test_who_still_sends_gets_the_answer_too() -> None:
    assert send(post(6_000_000)).startswith(b"HTTP/1.1 413")


@pytest.mark.parametrize("whole", [b"", b"\r\n\r\n"])
def test_a_long_head_is_refused_before_and_after_its_end(whole: bytes) -> None:
    assert send(b"GET / HTTP/1.1\r\nhost: a\r\nx: " + b"y" * 4_000 + whole).startswith(b"HTTP/1.1 431")


@pytest.mark.parametrize("half", [b"GET / HTTP/1.1\r\nhos", b"", post(100)[:-50]])
def test_a_request_that_never_gets_whole_is_ended(half: bytes) -> None:
    assert b"408 Request Timeout" in send(half)
