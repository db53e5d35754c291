"""`rubrica serve`: open studies for raters in the browser."""

from __future__ import annotations

from collections.abc import Callable, Collection
from pathlib import Path
from typing import Annotated

import typer

from rubrica.cli.opening import Database, Opened, SkipBad, opened_together


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
    from rubrica.annotator.site import Served
    from rubrica.app import build, site_for
    from rubrica.cli.talk import beside
    from rubrica.items.media import media_root
    from rubrica.web.server import Listening, serve

    studies = {one.name: Served(one.desk(), media_root(one.loaded)) for one in there}
    site = site_for(studies, there[0].store.sessions, secure=secure)
    app = build(site, names)

    def ready(listening: Listening) -> None:
        addresses = [f"{listening.url}{served.base}" for served in studies.values()]
        for address in addresses:
            beside().print(address, highlight=False, soft_wrap=True)
        when_ready(addresses)

    serve(app, host, port, ready)
