"""`rubrica serve` as an operator runs it: several processes that share everything, and a good end."""

from __future__ import annotations

import os
import signal
import socket
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest
from stage import Server

from rubrica.cli import run
from tests.waiting import is_alive, until

pytestmark = pytest.mark.slow


def is_ready(url: str) -> bool:
    """On a connection of its own, so that any worker may answer."""
    try:
        return httpx.get(f"{url}/ready").status_code == 200
    except httpx.TransportError:
        return False


@pytest.fixture
def app(tmp_path: Path) -> Iterator[Server]:
    assert run(["new", str(tmp_path / "tryout")]) == 0
    server = Server([tmp_path / "tryout"], tmp_path / "rubrica.db", "--workers", "2").start()
    yield server
    server.stop()
    assert "Traceback" not in "".join(server.log)


def test_workers_share_everything_are_replaced_and_end_well(app: Server) -> None:
    api = f"{app.base('tryout')}/api"
    assert is_ready(app.url)
    assert httpx.get(f"{app.url}/health").json() == {"status": "alive"}
    cookies = httpx.post(f"{api}/join", json={"name": "Ann"}).cookies
    before = until(lambda: pair(app), "two workers")
    os.kill(before[0], signal.SIGKILL)
    until(lambda: len(set(app.workers()) - set(before)) == 1, "another worker")
    for _ in range(10):
        asked = httpx.post(f"{api}/language", json={"language": "en"}, cookies=cookies)
        assert asked.status_code == 200
    workers = app.workers()
    what_has_begun_is_answered(app)
    assert app.process is not None
    assert app.process.wait(60) == 0
    assert not any(map(is_alive, workers))


def pair(app: Server) -> list[int] | None:
    workers = app.workers()
    return workers if len(workers) == 2 else None


def what_has_begun_is_answered(app: Server) -> None:
    """A request half sent when the end is asked for."""
    body = b'{"name": "Bea"}'
    head = (
        "POST /s/tryout/api/join HTTP/1.1\r\nhost: 127.0.0.1\r\ncontent-type: application/json\r\n"
        f"content-length: {len(body)}\r\n\r\n"
    )
    with socket.create_connection(("127.0.0.1", app.port)) as link:
        link.sendall(head.encode() + body[:4])
        assert is_ready(app.url)
        assert app.process is not None
        app.process.terminate()
        until(lambda: not is_ready(app.url), "the end")
        link.sendall(body[4:])
        assert link.recv(65536).startswith(b"HTTP/1.1 200")
