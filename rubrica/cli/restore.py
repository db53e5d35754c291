"""A backup or a bundle, made usable again."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path
from typing import Annotated

import typer

from rubrica.cli.opening import DATABASE
from rubrica.cli.talk import AsJson, give, problems_as_json, progress, size
from rubrica.exchange.bundle import is_bundle, unpack
from rubrica.storage.backup import restore
from rubrica.storage.open import open_store


def command(
    file: Annotated[
        Path, typer.Argument(help="What `rubrica backup` or `rubrica export --bundle` wrote.")
    ],
    to: Annotated[
        str,
        typer.Option(
            "--to",
            metavar="WHERE",
            help="For a backup: the new database, a file, a study's folder or a PostgreSQL address. "
            "For a bundle: the folder in which the study's own folder is made.",
        ),
    ],
    as_json: AsJson = False,
) -> None:
    """A backup as a database again, or a bundle as a study's folder; nothing is overwritten."""
    with problems_as_json(as_json), progress("Restoring", 1.0) as told:
        if is_bundle(file):
            study = unpack(file, Path(to), told)
            home = study if study.is_dir() else study.parent
            open_store(home / DATABASE).close()
            result, text = {"study": str(study)}, f"{study}: rubrica serve {study} opens it"
        else:
            made = restore(file, _database(to), told)
            result, text = asdict(made), f"{made.where}: {size(made.bytes)}, checked"
    give(result, text, as_json)


def _database(to: str) -> str:
    """A folder stands for the database beside a study."""
    return str(Path(to) / DATABASE) if Path(to).is_dir() else to
