"""`rubrica serve` as an operator runs it: several processes that share everything, and a good end."""

from __future__ import annotations

import os
import signal
import socket
from pathlib import Path

import httpx
import pytest
from serving import Served, served

from rubrica.cli import run
from tests.waiting import is_alive, until

pytestmark = pytest.mark.slow


def is_ready(url: str) -> bool:
    """On a connection of its own, so that any worker may answer."""
    try:
        return httpx.get(f"{url}/ready").status_code == 200
    except httpx.TransportError:
        return False


def test_workers_share_everything_are_replaced_and_end_well(tmp_path: Path) -> None:
    assert run(["new", str(tmp_path / "tryout")]) == 0
    with served(tmp_path / "log", tmp_path / "tryout", "--port", 0, "--workers", 2) as app:
        api = f"{app.url}/s/tryout/api"
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
        assert app.process.wait(60) == 0
        assert not any(map(is_alive, workers))
        assert "Traceback" not in app.said()


def pair(app: Served) -> list[int] | None:
    workers = app.workers()
    return workers if len(workers) == 2 else None


def what_has_begun_is_answered(app: Served) -> None:
    """A request half sent when the end is asked for."""
    host, port = app.url.removeprefix("http://").split(":")
    body = b'{"name": "Bea"}'
    head = (
        f"POST /s/tryout/api/join HTTP/1.1\r\nhost: {host}\r\ncontent-type: application/json\r\n"
        f"content-length: {len(body)}\r\n\r\n"
    )
    with socket.create_connection((host, int(port))) as link:
        link.sendall(head.encode() + body[:4])
        assert is_ready(app.url)
        app.process.terminate()
        until(lambda: not is_ready(app.url), "the end")
        link.sendall(body[4:])
        assert link.recv(65536).startswith(b"HTTP/1.1 200")
