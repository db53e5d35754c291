"""Composition: stores and studies in, one application out."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from dataclasses import replace
from typing import Any, cast

from litestar import Litestar, Request, Response
from litestar.datastructures import State
from litestar.plugins import PluginProtocol
from litestar.plugins.core import MsgspecDIPlugin

from rubrica.annotator import words
from rubrica.annotator.api import API
from rubrica.annotator.crowd import Crowd
from rubrica.annotator.errors import on_error
from rubrica.annotator.files import FILES
from rubrica.annotator.pages import PAGES
from rubrica.annotator.quick import Quick
from rubrica.annotator.scripts import STATIC, style
from rubrica.annotator.site import Served, Site, base_of
from rubrica.coordinator import api as desk_api
from rubrica.coordinator import pages as desk_pages
from rubrica.coordinator.errors import is_desk, on_desk_error
from rubrica.coordinator.site import Compute, DeskSite, DeskStores, Given, Watched
from rubrica.coordinator.trying import Trials
from rubrica.web.door import App, Door
from rubrica.web.health import health_routes
from rubrica.web.sessions import Sessions

DESK = [*desk_api.ROUTES, *desk_pages.ROUTES]
LENT = Given(words.HERE / "templates", STATIC, style, words.CATALOGUE)
"""What the rater's side lends the desk, so that both have one look."""


class _Plain(Litestar):
    """Without the adapters for pydantic and attrs: unused here, and a good part of the start and of
    the memory, for they load all of pydantic's first version."""

    @staticmethod
    def _get_default_plugins(plugins: list[PluginProtocol]) -> list[PluginProtocol]:
        return [*plugins, MsgspecDIPlugin()]


def site_for(studies: Mapping[str, Served], sessions: Any, *, secure: bool = False) -> Site:
    """The rater's side of these studies; `sessions` fulfils `SessionStore`."""
    return Site(studies, Sessions(sessions, "rater", path=base_of, secure=secure), sessions)


def desk_site(
    studies: Mapping[str, Watched],
    stores: DeskStores,
    *,
    compute: Compute | None = None,
    secure: bool = False,
) -> DeskSite:
    """The coordinators' side of these studies."""
    sessions = Sessions(stores.sessions, "coordinator", secure=secure)
    return DeskSite(studies, stores, sessions, LENT, compute, secure=secure)


def build(site: Site, names: Collection[str] = (), desk: DeskSite | None = None) -> Door:
    """The whole application. `names` are hosts it answers to besides this machine's addresses."""
    if desk is not None:
        site = replace(site, trials=_trials(desk))
    made = _Plain(
        route_handlers=[
            *PAGES,
            *API,
            *FILES,
            *health_routes(site.store.answers),
            *(DESK if desk else ()),
        ],
        state=State({"site": site, "desk": desk}),
        exception_handlers={Exception: on_problem},
        openapi_config=None,
        logging_config=None,
    )
    return Door(cast(App, made), names, quick=Quick(Crowd(site)).of)


def _trials(desk: DeskSite) -> Callable[[str], Served | None]:
    """Where coordinators try their studies, served as raters are."""
    begun = Trials(desk)

    def find(name: str) -> Served | None:
        found = begun(name)
        return None if found is None else Served(found[0], desk.studies[found[1]].media)

    return find


def on_problem(request: Request[Any, Any, Any], error: Exception) -> Response[bytes]:
    """Each side tells its own people what went wrong, in its own words."""
    with_desk = request.app.state.desk is not None
    told = on_desk_error if with_desk and is_desk(request.url.path) else on_error
    return told(request, error)
