"""An endpoint: a thing the desk shows or does, said once for pages, programs and the API's document."""

from __future__ import annotations

import asyncio
import json
import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Literal, Protocol, TypeVar

import msgspec
from litestar import Response, get, post
from litestar.background_tasks import BackgroundTask
from litestar.datastructures import Cookie
from litestar.handlers import HTTPRouteHandler
from litestar.response import Stream

from rubrica.accounts.people import Scope, StudyRole
from rubrica.coordinator.rules import UNREADABLE
from rubrica.coordinator.site import AnyRequest, DeskSite, Watched
from rubrica.coordinator.who import Visitor, may, visitor
from rubrica.errors import Problem
from rubrica.web.bodies import whole

API = "/api"
PIECE = 1_000_000
"""Bytes of a file that are held at once while it is sent."""
Who = StudyRole | Literal["anybody", "person"]


class Nothing(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """No members: there is nothing to say, or to be said."""


@dataclass(frozen=True, slots=True)
class At:
    """Where a call happens: the site, who asks, and the study it is about."""

    site: DeskSite
    visitor: Visitor | None = None
    watched: Watched | None = None
    address: str = ""
    token: str | None = None
    origin: str = ""
    """Where the asker reaches this server, as in `https://study.example`."""
    counted: list[int] = field(default_factory=list)

    @property
    def me(self) -> Visitor:
        assert self.visitor is not None  # noqa: S101
        return self.visitor

    @property
    def study(self) -> Watched:
        assert self.watched is not None  # noqa: S101
        return self.watched

    @property
    def name(self) -> str:
        return self.study.name

    def refresh(self) -> int:
        """Count what came in, once for all that is shown; how much is left to be counted."""
        if not self.counted:
            self.counted.append(self.site.counters.refresh(self.name))
        return self.counted[0]

    def is_at_least(self, role: StudyRole) -> bool:
        return self.me.is_at_least(role, self.watched.name if self.watched else "")


@dataclass(frozen=True, slots=True)
class Answered:
    """An answer that brings cookies along."""

    content: Any
    cookies: Sequence[Cookie] = ()


@dataclass(frozen=True, slots=True)
class File:
    """An answer that is a file: its bytes, or where it lies. Without a name it is shown, not saved.

    `done` is called once it has been sent.
    """

    name: str
    type: str
    body: bytes = b""
    path: Path | None = None
    headers: Mapping[str, str] = field(default_factory=dict)
    done: Callable[[], None] | None = None


@dataclass(frozen=True, slots=True)
class Endpoint:
    """`path` is below `/api`, its parameters in braces; `asks` are parameters of path and query,
    `takes` the body of a change, `gives` the answer (the media types of a file)."""

    method: Literal["GET", "POST"]
    path: str
    does: str
    call: Callable[..., Any]
    gives: Any = Nothing
    asks: type[msgspec.Struct] = Nothing
    takes: type[msgspec.Struct] | None = None
    who: Who = "reviewer"
    needs: Scope = "read"

    @property
    def name(self) -> str:
        return str(self.call.__name__)

    @property
    def parameters(self) -> list[str]:
        return [part[1:-1] for part in self.path.split("/") if part.startswith("{")]


T = TypeVar("T")


def read(body: bytes, shape: type[T]) -> T:
    """The body as that shape; lone surrogates, which people do type, are let through."""
    try:
        return msgspec.convert(json.loads(body or b"{}"), shape)
    except (ValueError, msgspec.MsgspecError, RecursionError) as error:
        raise Problem(UNREADABLE, details={"reason": str(error)[:200]}) from None


def asked(given: dict[str, Any], shape: type[T]) -> T:
    try:
        return msgspec.convert(given, shape, strict=False)
    except (ValueError, msgspec.MsgspecError) as error:
        raise Problem(UNREADABLE, details={"reason": str(error)[:200]}) from None


def plain(value: Any) -> Any:
    """JSON has no NaN or infinity; such a number is given as its name."""
    if isinstance(value, float) and not math.isfinite(value):
        return str(value)
    if isinstance(value, dict):
        return {str(key): plain(part) for key, part in value.items()}
    return [plain(part) for part in value] if isinstance(value, list | tuple) else value


def answer(content: Any, cookies: Sequence[Cookie] = ()) -> Response[Any]:
    if isinstance(content, File):
        return _file(content)
    body = json.dumps(plain(msgspec.to_builtins(content)), separators=(",", ":")).encode()
    return Response(body, media_type="application/json", cookies=list(cookies))


def _file(found: File) -> Response[Any]:
    headers = dict(found.headers)
    headers["content-disposition"] = f'attachment; filename="{found.name}"' if found.name else "inline"
    if found.path is None:
        return Response(found.body, media_type=found.type, headers=headers)
    headers["content-length"] = str(found.path.stat().st_size)
    after = None if found.done is None else BackgroundTask(found.done)
    pieces = _pieces(found.path)
    return Stream(pieces, media_type=found.type, headers=headers, background=after)


def _pieces(path: Path) -> Iterator[bytes]:
    with path.open("rb") as file:
        while piece := file.read(PIECE):
            yield piece


def site_of(request: AnyRequest) -> DeskSite:
    site: DeskSite = request.app.state.desk
    return site


class Guarded(Protocol):
    """Whatever not everybody may see or do."""

    @property
    def who(self) -> Who: ...
    @property
    def needs(self) -> Scope: ...


def enter(guarded: Guarded, request: AnyRequest, study: str | None) -> At:
    """Who asks, once they may."""
    site = site_of(request)
    address = request.client.host if request.client else ""
    origin = f"{'https' if site.secure else request.url.scheme}://{request.headers['host']}"
    at = At(site, address=address, token=site.token(request), origin=origin)
    if guarded.who == "anybody":
        return at
    found = visitor(site, request)
    if guarded.who != "person":
        may(found, guarded.who, guarded.needs, study or "")
    elif not found.scope_holds(guarded.needs):
        may(found, "reviewer", guarded.needs, "")
    watched = None if study is None else site.study(study)
    return replace(at, visitor=found, watched=watched)


def called(endpoint: Endpoint, at: At, given: dict[str, Any], body: bytes = b"") -> Any:
    """The call itself, with its parameters and body in their shapes."""
    arguments: list[Any] = [at]
    if endpoint.asks is not Nothing:
        arguments.append(asked(given, endpoint.asks))
    if endpoint.takes is not None:
        arguments.append(read(body, endpoint.takes))
    return endpoint.call(*arguments)


def given_by(request: AnyRequest) -> dict[str, Any]:
    """Parameters of path and query; of a query parameter that comes twice, the last counts."""
    return {**dict(request.query_params), **request.path_params}


def route(endpoint: Endpoint) -> HTTPRouteHandler:
    """The endpoint as the framework knows it."""

    async def handle(request: AnyRequest) -> Response[Any]:
        body = await whole(request.receive) if endpoint.method == "POST" else b""
        return await asyncio.to_thread(_handle, endpoint, request, body)

    handle.__name__ = endpoint.name
    path = API + endpoint.path.replace("}", ":str}")
    made = get(path) if endpoint.method == "GET" else post(path, status_code=200)
    return made(handle)


def _handle(endpoint: Endpoint, request: AnyRequest, body: bytes) -> Response[Any]:
    at = enter(endpoint, request, request.path_params.get("study"))
    found = called(endpoint, at, given_by(request), body)
    if isinstance(found, Answered):
        return answer(found.content, found.cookies)
    return answer(found)
