"""`rubrica serve`: open studies for raters in the browser."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from pathlib import Path
from socket import socket
from threading import Thread
from typing import Annotated

import typer

from rubrica.accounts.entering import has_password, link, local_person
from rubrica.annotator.site import Served, base_of
from rubrica.app import build, desk_site, site_for
from rubrica.cli.opening import Database, Opened, SkipBad, opened_together
from rubrica.coordinator.computing import Computer
from rubrica.coordinator.rules import NO_ACCOUNT
from rubrica.coordinator.site import BASE, Watched
from rubrica.errors import Problem
from rubrica.items.holes import MediaReport
from rubrica.items.media import media_root
from rubrica.items.model import Loaded
from rubrica.storage.open import Store, open_store
from rubrica.study.load import LoadedStudy
from rubrica.web.server import Listening, is_this_machine, listen, serve
from rubrica.web.workers import keep_serving


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
    workers: Annotated[
        int | None,
        typer.Option(
            min=1,
            max=64,
            help="How many processes answer. [default: 1 on SQLite, where one writes at a time; on "
            "PostgreSQL one for each processor]",
        ),
    ] = None,
    skip_bad: SkipBad = False,
    with_holes: Annotated[
        bool, typer.Option("--with-holes", help="Open although images, sounds or films are missing.")
    ] = False,
) -> int:
    """Open studies for raters in the browser, until Ctrl-C."""
    with opened_together(studies, db, skip_bad=skip_bad) as there:
        for one in there if not with_holes else ():
            one.refuse_holes()
        how = How(tuple(name or ()), secure)
        return 0 if serve_studies(there, host, port, how, workers=workers) else 1


@dataclass(frozen=True, slots=True)
class How:
    """How studies are served, whichever process does it. `names` are hosts it is reached by."""

    names: Collection[str] = ()
    secure: bool = False


def serve_studies(
    there: list[Opened],
    host: str,
    port: int,
    how: How = How(),
    *,
    workers: int | None = 1,
    when_ready: Callable[[list[str]], None] = lambda _: None,
) -> bool:
    """Serve until asked to stop; `when_ready` is given the address of each study. Whether it could."""
    store = there[0].store
    here_only = is_this_machine(host)
    if not here_only and not has_password(store.people):
        raise Problem(NO_ACCOUNT)
    with listen(host, port) as bound:
        listening = Listening(host, bound.getsockname()[1])

        def ready() -> None:
            addresses = [f"{listening.url}{base_of(one.name)}" for one in there]
            for address in addresses:
                _say(f"{address}  (for raters)")
            desk = f"{listening.url}{BASE}"
            alone = f"{desk}/enter#{_link(store)}  (for you, works once)"
            _say(alone if here_only else f"{desk}  (for you)")
            when_ready(addresses)

        count = workers or (1 if store.database.one_writer else os.cpu_count() or 1)
        if count > 1:
            common = Common(tuple((one.loaded, one.media) for one in there), store.database.name, how)
            return keep_serving(count, _work, common, bound, ready)
        _serve(there, how, bound, ready)
        return True


def _serve(there: list[Opened], how: How, bound: socket, ready: Callable[[], None]) -> None:
    store = there[0].store
    studies = {one.name: Served(one.desk(), media_root(one.loaded)) for one in there}
    watched = {one.name: _watched(one, studies[one.name]) for one in there}
    computer = Computer(store.database.name)
    desk = desk_site(watched, store, compute=computer, secure=how.secure)
    app = build(site_for(studies, store.sessions, secure=how.secure), how.names, desk)

    def stopping() -> None:
        desk.stopping.set()
        computer.close()

    def ready_for_all() -> None:
        ready()
        Thread(target=desk.warm, name="rubrica-warm", daemon=True).start()

    serve(app, bound, ready_for_all, stopping)


@dataclass(frozen=True, slots=True)
class Common:
    """What workers are given: studies as they were when the first process loaded them."""

    studies: Sequence[tuple[LoadedStudy, MediaReport]]
    database: str
    how: How


def _work(common: Common, bound: socket, ready: Callable[[], None]) -> None:
    with open_store(common.database) as store:
        there = [Opened(loaded, store, Loaded(), {}, media) for loaded, media in common.studies]
        _serve(there, common.how, bound, ready)


def _watched(one: Opened, served: Served) -> Watched:
    holes = [hole.name for hole in one.media.holes]
    return Watched(served.desk, served.media, holes, one.loaded.source.text)


def _link(store: Store) -> str:
    """The secret of a link for whoever sits at this machine."""
    return link(store.people, local_person(store.people), "sign-in", "this machine")


def _say(line: str) -> None:
    print(line, file=sys.stderr, flush=True)  # noqa: T201
