"""What every request passes before any route, and every answer on its way out."""

from __future__ import annotations

import gzip
from collections.abc import Awaitable, Callable, Collection, MutableMapping
from functools import lru_cache
from ipaddress import ip_address
from typing import Any
from urllib.parse import urlsplit

from rubrica.errors import Problem, Rule
from rubrica.web.problems import problem_bytes

Scope = MutableMapping[str, Any]
Message = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]
App = Callable[[Scope, Receive, Send], Awaitable[None]]

WRONG_HOST = Rule(
    code="W001",
    title="A request names this server as its host",
    says="this server is not called {got}",
    why="A page on another site could otherwise reach this server under a name of its own.",
    mend="Use the address that was printed at start, or start with `--name {got}`.",
)
FOREIGN = Rule(
    code="W002",
    title="A change comes from a page of this server",
    says="this request came from another site",
    why="Another site could otherwise answer in the name of whoever is signed in here.",
    mend="Open the page on this server and try again.",
)
NOT_JSON = Rule(
    code="W003",
    title="A change is sent as JSON",
    says="this request has a body of another type",
    why="Only JSON bodies cannot be sent by a form of another site.",
    mend="Send `content-type: application/json`.",
)

POLICY = "; ".join(
    (
        "default-src 'none'",
        "script-src 'self'",
        "style-src 'self'",
        "img-src 'self' data: blob:",
        "media-src 'self'",
        "connect-src 'self'",
        "manifest-src 'self'",
        "worker-src 'self'",
        "form-action 'self'",
        "base-uri 'none'",
        "frame-ancestors 'none'",
    )
)
HEADERS = {
    b"content-security-policy": POLICY.encode(),
    b"x-content-type-options": b"nosniff",
    b"x-frame-options": b"DENY",
    b"referrer-policy": b"same-origin",
    b"cross-origin-opener-policy": b"same-origin",
    b"cross-origin-resource-policy": b"same-origin",
    b"permissions-policy": b"camera=(), microphone=(), geolocation=(), payment=(), usb=()",
    b"cache-control": b"no-store",
}
SAFE_METHODS = ("GET", "HEAD", "OPTIONS")
WORTH_ZIPPING = 1_000
ZIPPED_TYPES = (b"text/", b"application/json", b"application/problem+json")


class Door:
    """Checks the host, refuses foreign changes, adds the headers, compresses texts."""

    def __init__(
        self,
        app: App,
        names: Collection[str] = (),
        upload_paths: tuple[str, ...] = (),
        quick: Callable[[Scope], App | None] = lambda _: None,
    ) -> None:
        """`quick` finds another way to answer a request than through the application."""
        self.app = app
        self.names = frozenset(name.lower() for name in names)
        self.upload_paths = upload_paths
        self.quick = quick
        self._is_ours = lru_cache(maxsize=1_000)(self._has_name)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        headers = dict(scope["headers"])
        answer = _Answer(send, b"gzip" in headers.get(b"accept-encoding", b""))
        problem = self._wrong(scope, headers)
        if problem is None:
            await (self.quick(scope) or self.app)(scope, receive, answer)
        else:
            await _refuse(answer, problem)

    def _wrong(self, scope: Scope, headers: dict[bytes, bytes]) -> Problem | None:
        host = headers.get(b"host", b"").decode("latin-1")
        if not self._is_ours(host):
            return Problem(WRONG_HOST, got=host)
        if scope["method"] in SAFE_METHODS:
            return None
        if not _same_origin(headers, host):
            return Problem(FOREIGN)
        typed = headers.get(b"content-type", b"").split(b";")[0].strip() == b"application/json"
        free = scope["path"].startswith(self.upload_paths) if self.upload_paths else False
        return None if typed or free else Problem(NOT_JSON)

    def _has_name(self, host: str) -> bool:
        name = (urlsplit(f"//{host}").hostname or "").lower()
        return name == "localhost" or name in self.names or _is_address(name)


def _is_address(name: str) -> bool:
    """A numeric address cannot be rebound to another site by its owner's name server."""
    try:
        ip_address(name)
    except ValueError:
        return False
    return True


def _same_origin(headers: dict[bytes, bytes], host: str) -> bool:
    """Browsers say where a request comes from; programs without a browser say nothing."""
    site = headers.get(b"sec-fetch-site")
    if site is not None and site not in (b"same-origin", b"none"):
        return False
    origin = headers.get(b"origin")
    return origin is None or _netloc(origin) == host.lower()


@lru_cache(maxsize=1_000)
def _netloc(origin: bytes) -> str:
    return urlsplit(origin.decode("latin-1")).netloc.lower()


async def _refuse(send: Send, problem: Problem) -> None:
    status, body = problem_bytes(problem)
    headers = [(b"content-type", b"application/problem+json"), (b"content-length", b"%d" % len(body))]
    await send({"type": "http.response.start", "status": status, "headers": headers})
    await send({"type": "http.response.body", "body": body})


class _Answer:
    """Passes an answer on with the headers added; zips it where it comes in one piece."""

    def __init__(self, send: Send, zips: bool) -> None:
        self.send = send
        self.zips = zips
        self.start: Message | None = None

    async def __call__(self, message: Message) -> None:
        if message["type"] == "http.response.start":
            self.start = message
            return
        if self.start is not None and message["type"] == "http.response.body":
            await self._begin(self.start, message)
            self.start = None
        await self.send(message)

    async def _begin(self, start: Message, message: Message) -> None:
        given = [(name.lower(), value) for name, value in start["headers"]]
        headers = {name: value for name, value in given if name != b"set-cookie"}
        cookies = [one for one in given if one[0] == b"set-cookie"] if len(headers) < len(given) else ()
        if self._zippable(headers, message):
            message["body"] = gzip.compress(message["body"], 5, mtime=0)
            headers[b"content-encoding"] = b"gzip"
            headers[b"content-length"] = b"%d" % len(message["body"])
            headers[b"vary"] = b"accept-encoding"
        start["headers"] = [*{**HEADERS, **headers}.items(), *cookies]
        await self.send(start)

    def _zippable(self, headers: dict[bytes, bytes], message: Message) -> bool:
        return (
            self.zips
            and not message.get("more_body")
            and len(message.get("body", b"")) >= WORTH_ZIPPING
            and b"content-encoding" not in headers
            and headers.get(b"content-type", b"").startswith(ZIPPED_TYPES)
        )
