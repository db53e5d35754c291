"""A page: what the desk shows at an address, filled by the same endpoints programs call."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, cast
from urllib.parse import quote

from litestar import Response, get
from litestar.handlers import HTTPRouteHandler
from litestar.response import Redirect

from rubrica.accounts.people import RANK, Scope, StudyRole
from rubrica.coordinator.endpoint import API, At, Endpoint, Who, called, enter, given_by
from rubrica.coordinator.messages_api import unanswered
from rubrica.coordinator.rules import SIGN_IN
from rubrica.coordinator.site import BASE, AnyRequest, DeskSite
from rubrica.coordinator.who import studies_of
from rubrica.errors import Problem
from rubrica.texts import LANGUAGES
from rubrica.web.assets import Asset

FOR_EVER = "public, max-age=31536000, immutable"

More = Callable[[At, Mapping[str, Any]], Mapping[str, Any]]
"""What a page needs besides its endpoints' answers, made from them."""


@dataclass(frozen=True, slots=True)
class Page:
    """`path` is below `/desk`; `shows` are the endpoints it is filled by, under the names its
    template has for their answers."""

    path: str
    template: str
    title: str
    shows: Mapping[str, Endpoint] = field(default_factory=dict)
    who: Who = "reviewer"
    more: More | None = None
    needs: Scope = "read"
    tab: str = ""
    """The part of the study's navigation it belongs to; by default its address says."""

    @property
    def name(self) -> str:
        return self.template.removesuffix(".html")

    @property
    def part(self) -> str:
        first = self.path.removeprefix("/s/{study}").strip("/").partition("/")[0]
        return self.tab or first or "progress"


def html(text: str, status: int = 200) -> Response[bytes]:
    body = text.encode("utf-8", "replace")
    return Response(body, media_type="text/html", status_code=status)


def for_ever(request: AnyRequest, found: Asset) -> Response[bytes]:
    """A file whose address changes with its content, so that browsers may keep it."""
    zips = "gzip" in request.headers.get("accept-encoding", "")
    headers = {"cache-control": FOR_EVER, "vary": "accept-encoding"}
    if zips:
        headers["content-encoding"] = "gzip"
    return Response(found.zipped if zips else found.body, media_type=found.type, headers=headers)


def route(page: Page) -> HTTPRouteHandler:
    """The page as the framework knows it."""

    async def handle(request: AnyRequest) -> Response[Any]:
        return await asyncio.to_thread(_show, page, request)

    handle.__name__ = f"page_{page.name}"
    made: HTTPRouteHandler = get(BASE + page.path.replace("}", ":str}"))(handle)
    return made


def _show(page: Page, request: AnyRequest) -> Response[Any]:
    try:
        at = enter(page, request, request.path_params.get("study"))
    except Problem as problem:
        if problem.rule is SIGN_IN:
            return _to_sign_in(request)
        raise
    return html(drawn(page, request, at))


def _to_sign_in(request: AnyRequest) -> Redirect:
    """Back here once signed in; what the address asked for is kept."""
    query = f"?{request.url.query}" if request.url.query else ""
    return Redirect(f"{BASE}/enter?to={quote(request.url.path + query, safe='')}", status_code=303)


def drawn(page: Page, request: AnyRequest, at: At) -> str:
    given = given_by(request)
    values = {name: _answer(endpoint, at, given) for name, endpoint in page.shows.items()}
    if page.more is not None:
        language = at.site.look(request, LANGUAGES).language
        values |= page.more(at, {**values, "given": given, "language": language})
    frame = framed(at, request, page.part if at.watched else page.name)
    return at.site.page(request, page.template, page.title, **{**frame, "given": given, **values})


def _answer(endpoint: Endpoint, at: At, given: dict[str, Any]) -> Any:
    """None where it is not for this visitor: the page then leaves that part out."""
    if endpoint.who in RANK and not at.is_at_least(cast(StudyRole, endpoint.who)):
        return None
    return called(endpoint, at, given)


def framed(at: At, request: AnyRequest, tab: str) -> Mapping[str, Any]:
    """What every page says of who is here, and where."""
    site, watched = at.site, at.watched
    me = at.visitor
    return {
        "visitor": me,
        "is_owner": me is not None and me.is_at_least("owner", ""),
        "coordinates": watched is not None and at.is_at_least("coordinator"),
        "owns": watched is not None and at.is_at_least("owner"),
        "watched": watched,
        "api": f"{API}/studies/{watched.quoted}" if watched else API,
        "tab": tab,
        "unanswered": 0 if watched is None else len(unanswered(at)),
        "switch": [] if me is None else _switch(site, studies_of(site, me)),
        "here": request.url.path,
    }


def _switch(site: DeskSite, names: list[str]) -> list[tuple[str, Any]]:
    return [(site.studies[name].base, site.studies[name].desk.version.study.title) for name in names]
