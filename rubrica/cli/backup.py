"""A copy of a database while it is in use."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path
from typing import Annotated

import typer

from rubrica.cli.opening import Database, database_beside
from rubrica.cli.talk import AsJson, give, problems_as_json, progress, size
from rubrica.storage.backup import back_up


def command(
    to: Annotated[Path, typer.Option("--to", metavar="FILE", help="The new file for the copy.")],
    study: Annotated[
        Path | None, typer.Argument(help="The study whose database is copied, unless --db says which.")
    ] = None,
    db: Database = None,
    as_json: AsJson = False,
) -> None:
    """A copy of a database as it stands now, while raters go on: all studies in it, in one file."""
    with problems_as_json(as_json), progress("Backing up", 1.0) as told:
        made = back_up(database_beside(study, db), to, told)
    give(asdict(made), f"{made.where}: {size(made.bytes)}", as_json)
