"""Simulated raters over HTTP, in a process of their own: join, next, drafts, submits.

    python benchmarks/crowd/raters.py --url http://127.0.0.1:8000 --study load --raters 200 --seconds 10

Prints one line of JSON. Written on bare sockets, so that it costs far less than what it measures
(`load.py` measures that too). With `--acks` every acknowledged id is on the disk before the next
request; with `--patient` raters outlive any fault, as a browser's outbox does.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import secrets
import sys
from array import array
from collections import Counter
from collections.abc import Callable, Coroutine
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from time import perf_counter
from typing import Any
from urllib.parse import urlsplit

AHEAD = 5
LONGEST_REQUEST = 20.0
WAIT = 0.2
"""Seconds before the same is sent again; a browser waits longer."""


class Broken(Exception):
    """The link broke, or nothing came."""


class Link(asyncio.Protocol):
    """One connection that is kept, one request at a time."""

    def __init__(self, host: str, port: int, name: str) -> None:
        self._host, self._port = host, port
        self._fixed = f"host: {host}:{port}\r\nx-forwarded-for: {name}\r\n"
        self._transport: Any = None
        self._answer: asyncio.Future[tuple[int, bytes, bytes]] | None = None
        self._buffer = b""
        self.cookie = ""

    async def ask(self, method: str, path: str, body: Any = None) -> tuple[int, bytes, bytes]:
        """Status, head and body of the answer."""
        loop = asyncio.get_running_loop()
        if self._transport is None or self._transport.is_closing():
            try:
                await loop.create_connection(lambda: self, self._host, self._port)
            except OSError as error:
                raise Broken(str(error)) from None
        content = b"" if body is None else json.dumps(body).encode()
        head = f"{method} {path} HTTP/1.1\r\n{self._fixed}{self.cookie}"
        if body is not None:
            head += f"content-type: application/json\r\ncontent-length: {len(content)}\r\n"
        self._buffer, self._answer = b"", loop.create_future()
        self._transport.write(head.encode() + b"\r\n" + content)
        watch = loop.call_later(LONGEST_REQUEST, self.close)
        try:
            return await self._answer
        finally:
            watch.cancel()

    def connection_made(self, transport: Any) -> None:
        self._transport = transport

    def data_received(self, data: bytes) -> None:
        self._buffer += data
        end = self._buffer.find(b"\r\n\r\n")
        if end < 0:
            return
        head = self._buffer[:end].lower()
        at = head.find(b"content-length: ")
        length = int(head[at + 16 :].split(b"\r", 1)[0]) if at >= 0 else 0
        if len(self._buffer) >= end + 4 + length and self._answer and not self._answer.done():
            status = int(self._buffer[9:12])
            body = self._buffer[end + 4 : end + 4 + length]
            self._answer.set_result((status, self._buffer[:end], body))

    def connection_lost(self, _: Exception | None) -> None:
        if self._answer and not self._answer.done():
            self._answer.set_exception(Broken("the link broke"))

    def close(self) -> None:
        if self._transport is not None:
            self._transport.abort()


@dataclass
class Told:
    """What all raters saw together."""

    acknowledged: int = 0
    refused: Counter[str] = field(default_factory=Counter)
    broken: int = 0
    submit: array[float] = field(default_factory=lambda: array("d"))
    others: dict[str, array[float]] = field(default_factory=dict)
    finished: int = 0

    def took(self, what: str, seconds: float) -> None:
        if what == "submit":
            self.submit.append(seconds)
        else:
            self.others.setdefault(what, array("d")).append(seconds)


@dataclass
class Crowd:
    url: str
    study: str
    told: Told
    until: float
    think: float = 0.0
    drafts: bool = False
    patient: bool = False
    acks: int | None = None
    measuring: Callable[[], bool] = lambda: True

    @property
    def going(self) -> bool:
        return perf_counter() < self.until


class Rater:
    def __init__(self, crowd: Crowd, name: str, number: int) -> None:
        self.crowd, self.name = crowd, name
        at = urlsplit(crowd.url)
        # An address of its own: the server counts attempts to join by address.
        address = f"10.{number >> 16 & 255}.{number >> 8 & 255}.{number & 255}"
        self.link = Link(at.hostname or "", at.port or 80, address)
        self.base = f"/s/{crowd.study}"
        self.version = ""

    async def live(self) -> None:
        try:
            await self._join()
            while self.crowd.going and await self._some():
                pass
            self.crowd.told.finished += 1
        except Broken:
            self.crowd.told.broken += 1
        finally:
            self.link.close()

    async def _join(self) -> None:
        for attempt in range(1000):
            body = {"name": f"{self.name}.{attempt}", "attempt": secrets.token_urlsafe(24)}
            status, head, _ = await self._ask("join", "POST", "/api/join", body)
            if status == 200:
                cookie = head.lower().split(b"set-cookie: ")[1]
                start = head.lower().index(cookie)
                self.link.cookie = f"cookie: {head[start:].split(b';')[0].decode()}\r\n"
                return
            if not self.crowd.patient:
                raise Broken(f"joining was refused with {status}")
            await asyncio.sleep(WAIT)

    async def _some(self) -> bool:
        """The next places, all rated; whether there were any."""
        status, _, content = await self._ask("next", "POST", "/api/next", {"count": AHEAD})
        if status != 200:
            return False
        given = json.loads(content)
        self.version = given["version"]
        for place in given["open"]:
            if not self.crowd.going:
                break
            await self._rate(place)
        return bool(given["open"])

    async def _rate(self, place: int) -> None:
        if self.crowd.think:
            await asyncio.sleep(self.crowd.think * (0.5 + secrets.randbelow(1000) / 1000))
        answers = {"quality": {"value": 1 + place % 5}, "clear": {"value": "yes"}}
        if self.crowd.drafts:
            typed = {"place": place, "revision": 1, "content": {"answers": answers}}
            await self._ask("draft", "POST", "/api/draft", typed)
        sent = {
            "id": secrets.token_urlsafe(16),
            "place": place,
            "version": self.version,
            "answers": answers,
            "pace": {"active_seconds": 4.2, "wall_seconds": 5.0},
        }
        status, _, _ = await self._ask("submit", "POST", "/api/submit", sent)
        if status == 200:
            self.crowd.told.acknowledged += 1
            if self.crowd.acks is not None:
                os.write(self.crowd.acks, f"{sent['id']}\n".encode())

    async def _ask(
        self, what: str, method: str, path: str, body: Any = None
    ) -> tuple[int, bytes, bytes]:
        """One request; a patient rater sends the same until the server can say yes or no to it."""
        while True:
            start = perf_counter()
            try:
                answer = await self.link.ask(method, self.base + path, body)
            except Broken:
                self.crowd.told.broken += 1
                if not self.crowd.patient:
                    raise
            else:
                if self.crowd.measuring():
                    self.crowd.told.took(what, perf_counter() - start)
                if answer[0] < 400:
                    return answer
                self.crowd.told.refused[f"{what} {answer[0]}"] += 1
                if answer[0] < 500 or not self.crowd.patient:
                    return answer
            if not self.crowd.going:
                raise Broken("time is up")
            await asyncio.sleep(WAIT)

    async def look(self) -> None:
        """At a human rate: read a page, type, never submit."""
        with suppress(Broken):
            await self._join()
            _, _, content = await self._ask("next", "POST", "/api/next", {"count": 1})
            (place,) = json.loads(content)["open"]
            revision = 0
            while self.crowd.going:
                await asyncio.sleep(0.5 + secrets.randbelow(1000) / 1000)
                revision += 1
                typed = {
                    "place": place,
                    "revision": revision,
                    "base": revision - 1,
                    "content": {"t": "x" * 80},
                }
                await self._ask("draft", "POST", "/api/draft", typed)
                if revision % 10 == 0:
                    await self._ask("page", "GET", "/work")
        self.link.close()


class Echo:
    """Somebody who only posts what a rater posts, to a bare application."""

    def __init__(self, crowd: Crowd) -> None:
        at = urlsplit(crowd.url)
        self.crowd, self.link = crowd, Link(at.hostname or "", at.port or 80, "10.0.0.1")

    async def live(self) -> None:
        sent = {
            "id": "x" * 22,
            "place": 12345,
            "version": "v" * 16,
            "answers": {"quality": {"value": 1}},
        }
        while self.crowd.going:
            start = perf_counter()
            status, _, _ = await self.link.ask("POST", "/", sent)
            if self.crowd.measuring():
                self.crowd.told.took("submit", perf_counter() - start)
            self.crowd.told.acknowledged += status < 300
        self.link.close()


def processor(pid: int) -> float:
    """Seconds of processor time that a process and its children have used."""
    listed = Path(f"/proc/{pid}/task/{pid}/children").read_text().split()
    words = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    own = (int(words[11]) + int(words[12])) / os.sysconf("SC_CLK_TCK")
    return own + sum(processor(int(child)) for child in listed)


async def spent(pid: int | None, begin: float, end: float) -> float | None:
    """The processor time the server uses while it is measured."""
    if pid is None:
        return None
    await asyncio.sleep(begin - perf_counter())
    before = processor(pid)
    await asyncio.sleep(end - perf_counter())
    return processor(pid) - before


async def run(asked: argparse.Namespace) -> dict[str, Any]:
    told = Told()
    start = perf_counter()
    begin = start + asked.warm
    end = begin + asked.seconds
    acks = os.open(asked.acks, os.O_WRONLY | os.O_CREAT | os.O_APPEND) if asked.acks else None
    crowd = Crowd(
        *(asked.url, asked.study, told, end, asked.think, asked.drafts, asked.patient, acks),
        lambda: perf_counter() >= begin,
    )
    lives: list[Coroutine[Any, Any, None]] = []
    if asked.echo:
        lives = [Echo(crowd).live() for _ in range(asked.raters)]
    else:
        names = [f"{asked.names}-{n}" for n in range(asked.raters + asked.beside)]
        raters = [Rater(crowd, name, asked.first + n) for n, name in enumerate(names)]
        lives = [rater.live() for rater in raters[: asked.raters]]
        lives += [rater.look() for rater in raters[asked.raters :]]
    used, *_ = await asyncio.gather(spent(asked.pid, begin, end), *lives)
    # What was under way at the end still counts, so the time until then does too.
    seconds = perf_counter() - begin
    return {
        "raters": asked.raters,
        "seconds": seconds,
        "acknowledged": told.acknowledged,
        "per_second": len(told.submit) / seconds,
        "processor": None if used is None else used / max(1, len(told.submit)),
        "submit": cuts(told.submit),
        **{what: cuts(took) for what, took in told.others.items()},
        "refused": dict(told.refused),
        "broken": told.broken,
        "finished": told.finished,
    }


def cuts(took: array[float]) -> dict[str, float]:
    """p50, p95, p99 and the longest, in milliseconds."""
    if not took:
        return {}
    ordered = sorted(took)
    at = {f"p{p}": ordered[min(len(ordered) - 1, len(ordered) * p // 100)] for p in (50, 95, 99)}
    return {"count": len(ordered), **{k: v * 1000 for k, v in {**at, "most": ordered[-1]}.items()}}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--url", required=True)
    parser.add_argument("--study", default="load")
    parser.add_argument("--raters", type=int, default=10)
    parser.add_argument(
        "--beside", type=int, default=0, help="people who read and type at a human rate"
    )
    parser.add_argument("--seconds", type=float, default=5.0)
    parser.add_argument("--warm", type=float, default=0.0)
    parser.add_argument("--think", type=float, default=0.0)
    parser.add_argument("--drafts", action="store_true")
    parser.add_argument("--patient", action="store_true")
    parser.add_argument("--names", default="rater")
    parser.add_argument("--first", type=int, default=1, help="number of the first rater's address")
    parser.add_argument("--acks")
    parser.add_argument("--pid", type=int, help="the server, whose processor time is told")
    parser.add_argument("--echo", action="store_true", help="post to `/` and nothing else")
    asked = parser.parse_args()
    if sys.platform != "win32":
        import uvloop

        found = uvloop.run(run(asked))
    else:
        found = asyncio.run(run(asked))
    print(json.dumps(found))


if __name__ == "__main__":
    main()
