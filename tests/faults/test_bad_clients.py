"""Clients that misbehave, on purpose or not, while an honest rater works: the rater notices nothing."""

from __future__ import annotations

import json
import resource
import socket
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from typing import Any

import httpx
import pytest
from stage import Server

from benchmarks.load import write_study

pytestmark = pytest.mark.slow

IDLE = 1_000


@pytest.fixture(scope="module")
def app(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    folder = tmp_path_factory.mktemp("bad")
    server = Server([write_study(folder / "load", 60)], folder / "rubrica.db").start()
    yield server
    server.stop()
    assert "Traceback" not in "".join(server.log)


class Rater:
    """An honest one, who is never kept waiting and never refused."""

    def __init__(self, client: httpx.Client, name: str) -> None:
        self.client = client
        self.client.headers["x-forwarded-for"] = f"10.1.0.{abs(hash(name)) % 250}"
        self.post("join", {"name": name})
        given = self.post("next", {"count": 10})
        self.version, self.places = given["version"], list(given["open"])

    def post(self, path: str, body: Any) -> Any:
        answer = self.client.post(path, json=body)
        assert answer.status_code == 200, answer.text
        return answer.json()

    def sent(self, **more: Any) -> dict[str, Any]:
        place = self.places.pop()
        answers = {"quality": {"value": 3}, "clear": {"value": "yes"}}
        id_ = f"{self.client.headers['x-forwarded-for']}-{place:012d}".replace(".", "_")
        return {"id": id_, "place": place, "version": self.version, "answers": answers, **more}

    def rates(self) -> None:
        assert self.post("submit", self.sent())["replay"] is False


@contextmanager
def rating(app: Server, name: str) -> Iterator[Rater]:
    with httpx.Client(base_url=f"{app.base('load')}/api/", timeout=20) as client:
        yield Rater(client, name)


@pytest.fixture
def rater(app: Server, request: pytest.FixtureRequest) -> Iterator[Rater]:
    with rating(app, request.node.name) as made:
        yield made


def link(app: Server) -> socket.socket:
    return socket.create_connection(("127.0.0.1", app.port), 30)


def answer_to(app: Server, *parts: bytes) -> bytes:
    """What comes back for these bytes until the server closes."""
    with link(app) as made:
        with suppress(ConnectionError):
            for part in parts:
                made.sendall(part)
        found = b""
        with suppress(ConnectionError):
            while piece := made.recv(65536):
                found += piece
        return found


HEAD = b"POST /s/load/api/submit HTTP/1.1\r\nhost: 127.0.0.1\r\ncontent-type: application/json\r\n"


def test_a_thousand_idle_and_half_open_links(app: Server, rater: Rater) -> None:
    """Some say nothing, some stop in the middle of a header or a body, some are gone without a word."""
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    many = min(IDLE, most - 200)
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (min(hard, max(soft, many + 200)), hard))
    halves = (b"", b"GET /s/load HT", HEAD + b"x-slow: ", HEAD + b"content-length: 100\r\n\r\n{")
    try:
        with ExitStack() as stack:
            for number in range(many):
                made = stack.enter_context(link(app))
                made.sendall(halves[number % len(halves)])
            for _ in range(5):
                rater.rates()
            assert httpx.get(f"{app.url}/ready").status_code == 200
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))
    rater.rates()


def test_giant_heads_and_bodies_are_refused(app: Server, rater: Rater) -> None:
    giant = answer_to(app, HEAD, b"x-giant: " + b"x" * 200_000 + b"\r\n")
    assert giant.startswith(b"HTTP/1.1 431")
    many = b"".join(b"x-%d: %s\r\n" % (n, b"y" * 50) for n in range(5_000))
    assert answer_to(app, HEAD, many).startswith(b"HTTP/1.1 431")
    said = HEAD + b"content-length: 50000000\r\n\r\n"
    assert answer_to(app, said, *[b" " * 1_000_000] * 10).startswith(b"HTTP/1.1 413")
    deep = b"[" * 200_000
    answered = answer_to(
        app, HEAD + b"connection: close\r\ncontent-length: %d\r\n\r\n" % len(deep), deep
    )
    assert answered.startswith((b"HTTP/1.1 422", b"HTTP/1.1 401"))
    rater.rates()


def test_what_is_no_http_at_all(app: Server, rater: Rater) -> None:
    for noise in (b"\x16\x03\x01\x02\x00\x01\x00", b"\x00" * 999, b"SSH-2.0-x\r\n\r\n", b"GET\r\n\r\n"):
        assert not answer_to(app, noise).startswith(b"HTTP/1.1 2")
    rater.rates()


def test_submits_that_are_repeated_reordered_and_mixed_up(app: Server, rater: Rater) -> None:
    first, second = rater.sent(), rater.sent()
    assert [rater.post("submit", one)["replay"] for one in (second, first)] == [False, False]
    assert [rater.post("submit", one)["replay"] for one in (first, second, first)] == [True] * 3
    changed = rater.client.post(
        "submit", json={**first, "answers": second["answers"] | {"clear": {"value": "no"}}}
    )
    assert changed.status_code == 422
    with rating(app, "somebody else") as other:
        assert other.client.post("submit", json=first).status_code in (404, 422)
        assert json.dumps(first["answers"]) not in changed.text
        other.rates()
    late = rater.client.post("draft", json={"place": first["place"], "revision": 9, "content": {}})
    assert late.status_code == 200
    rater.rates()


@pytest.mark.parametrize("year", ["1970-01-01T00:00:00Z", "2999-12-31T23:59:59Z", "no time at all"])
def test_a_browser_whose_clock_is_wrong(app: Server, rater: Rater, year: str) -> None:
    """Its times are kept as its own word; when a rating came is the server's."""
    pace = {"started": year, "ended": year, "wall_seconds": 1e9, "active_seconds": 0.5}
    assert rater.post("submit", rater.sent(pace=pace))["replay"] is False
    rater.rates()


def test_a_page_from_before_an_upgrade_goes_on(app: Server, rater: Rater) -> None:
    """The study has a new version while the page still shows the one before."""
    old, study = rater.sent(), app.studies[0] / "study.yaml"
    before = study.read_text()
    app.stop()
    try:
        study.write_text(before.replace("How good?", "How good is it?"))
        app.start()
        assert rater.post("submit", old)["replay"] is False
        assert rater.post("next", {})["version"] != old["version"]
        unknown = rater.client.post("submit", json=rater.sent(version="0" * 64))
        assert unknown.status_code == 422
    finally:
        study.write_text(before)
