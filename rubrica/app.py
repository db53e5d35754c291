"""Composition: stores and studies in, one application out."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any, cast

from litestar import Litestar
from litestar.datastructures import State

from rubrica.annotator.api import API
from rubrica.annotator.errors import on_error
from rubrica.annotator.files import FILES
from rubrica.annotator.pages import PAGES
from rubrica.annotator.site import Served, Site, base_of
from rubrica.web.door import App, Door
from rubrica.web.sessions import Sessions


def site_for(studies: Mapping[str, Served], sessions: Any, *, secure: bool = False) -> Site:
    """The rater's side of these studies; `sessions` fulfils `SessionStore`."""
    return Site(studies, Sessions(sessions, "rater", path=base_of, secure=secure), sessions)


def build(site: Site, names: Collection[str] = ()) -> Door:
    """The whole application. `names` are hosts it answers to besides this machine's addresses."""
    made = Litestar(
        route_handlers=[*PAGES, *API, *FILES],
        state=State({"site": site}),
        exception_handlers={Exception: on_error},
        openapi_config=None,
        logging_config=None,
    )
    return Door(cast(App, made), names)
