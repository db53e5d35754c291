"""`rubrica serve`: open studies for raters in the browser."""

from __future__ import annotations

from collections.abc import Callable, Collection
from pathlib import Path
from typing import Annotated

import typer

from rubrica.accounts.entering import has_password, link, local_person
from rubrica.annotator.site import Served
from rubrica.app import build, desk_site, site_for
from rubrica.cli.opening import Database, Opened, SkipBad, opened_together
from rubrica.cli.talk import beside
from rubrica.coordinator.rules import NO_ACCOUNT
from rubrica.coordinator.site import BASE, Watched
from rubrica.errors import Problem
from rubrica.items.media import media_root
from rubrica.storage.open import Store
from rubrica.web.server import Listening, is_this_machine, serve


def command(
    studies: Annotated[list[Path], typer.Argument(help="The folders of the studies to open.")],
    db: Database = None,
    host: Annotated[
        str, typer.Option(help="The address to listen at; 0.0.0.0 for the whole network.")
    ] = ("127.0.0.1"),
    port: Annotated[int, typer.Option(help="The port; 0 for any free one.")] = 8000,
    name: Annotated[
        list[str] | None, typer.Option(help="A host name the server is reached by; may be repeated.")
    ] = None,
    secure: Annotated[
        bool, typer.Option("--secure", help="Raters come by https (through a proxy): cookies say so.")
    ] = False,
    skip_bad: SkipBad = False,
    with_holes: Annotated[
        bool, typer.Option("--with-holes", help="Open although images, sounds or films are missing.")
    ] = False,
) -> int:
    """Open studies for raters in the browser, until Ctrl-C."""
    with opened_together(studies, db, skip_bad=skip_bad) as there:
        for one in there if not with_holes else ():
            one.refuse_holes()
        serve_studies(there, host, port, names=name or [], secure=secure)
    return 0


def serve_studies(
    there: list[Opened],
    host: str,
    port: int,
    *,
    names: Collection[str] = (),
    secure: bool = False,
    when_ready: Callable[[list[str]], None] = lambda _: None,
) -> None:
    """Serve until Ctrl-C; `when_ready` is given the address of each study."""
    store = there[0].store
    here_only = is_this_machine(host)
    if not here_only and not has_password(store.people):
        raise Problem(NO_ACCOUNT)
    studies = {one.name: Served(one.desk(), media_root(one.loaded)) for one in there}
    watched = {one.name: _watched(one, studies[one.name]) for one in there}
    site = site_for(studies, store.sessions, secure=secure)
    app = build(site, names, desk_site(watched, store, secure=secure))

    def ready(listening: Listening) -> None:
        addresses = [f"{listening.url}{served.base}" for served in studies.values()]
        for address in addresses:
            _say(f"{address}  (for raters)")
        desk = f"{listening.url}{BASE}"
        _say(
            f"{desk}/enter#{_link(store)}  (for you, works once)" if here_only else f"{desk}  (for you)"
        )
        when_ready(addresses)

    serve(app, host, port, ready)


def _watched(one: Opened, served: Served) -> Watched:
    holes = [hole.problem().message for hole in one.media.holes]
    return Watched(served.desk, served.media, holes, folder=one.loaded.folder)


def _link(store: Store) -> str:
    """The secret of a link for whoever sits at this machine."""
    return link(store.people, local_person(store.people), "sign-in", "this machine")


def _say(line: str) -> None:
    beside().print(line, highlight=False, soft_wrap=True)
