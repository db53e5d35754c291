"""Ratings made elsewhere, from files."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path
from typing import Annotated, Any

import typer

from rubrica.cli.opening import Database, SkipBad, here, opened
from rubrica.cli.talk import AsJson, StudyPath, counted, give, problems_as_json, progress, warn
from rubrica.exchange.importing import Brought, import_files


def command(
    study: StudyPath,
    file: Annotated[
        list[Path], typer.Argument(help="Files of ratings, or folders of them, of any known layout.")
    ],
    rater: Annotated[
        str | None,
        typer.Option(
            "--rater",
            metavar="ID",
            help="Whose ratings they are, where the files do not say. Without it they are nobody's.",
        ),
    ] = None,
    dry_run: Annotated[
        bool, typer.Option("--dry-run", help="Say what would happen, and change nothing.")
    ] = False,
    db: Database = None,
    skip_bad: SkipBad = False,
    as_json: AsJson = False,
) -> None:
    """Ratings made elsewhere, from files: all of them or, if one is wrong, none."""
    with problems_as_json(as_json), opened(study, db, skip_bad=skip_bad) as found:
        with progress("Importing", None) as told:
            brought = import_files(here(found), file, rater, dry_run=dry_run, told=told)
        if not as_json:
            warn(brought.warnings, brought.more_warnings)
        give(_result(brought), _text(found.name, brought), as_json)


def _result(brought: Brought) -> dict[str, Any]:
    told = {name: value for name, value in asdict(brought).items() if name != "problems"}
    return {**told, "warnings": [problem.as_json() for problem in brought.warnings]}


def _text(study: str, brought: Brought) -> str:
    verb = "would come in" if brought.dry_run else "came in"
    taken = brought.taken
    lines = [f"{study}: {counted(taken.new + taken.revised, 'rating')} {verb}"]
    notes = (
        (brought.read, "read"),
        (brought.matched, "for items of the study"),
        (brought.unmatched, "for no item of it, left out"),
        (brought.unfilled, "not filled in"),
        (brought.duplicates, "more than once in the files"),
        (brought.skips, "skips, the whole item unjudged"),
        (taken.same, "there already"),
        (taken.revised, "revising what their rater had said before"),
        (taken.surplus, "more than the study asks for (surplus)"),
        (taken.raters, "new raters or unnamed places"),
        (len(brought.passed_over), "files of the folder without ratings, passed over"),
    )
    return "\n".join([*lines, *(f"  {says}: {number:,}" for number, says in notes if number)])
