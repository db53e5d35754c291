"""Ratings as a file."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path
from typing import Annotated

import typer

from rubrica.cli.opening import Database, SkipBad, StudyPath, opened
from rubrica.cli.talk import AsJson, counted, give, problems_as_json
from rubrica.errors import Problem, Rule, Where, nearest
from rubrica.exchange.files import write_jsonl
from rubrica.exchange.tidy import Tidy, Told

WRITERS = {".jsonl": write_jsonl}

UNKNOWN_FORMAT = Rule(
    code="C030",
    title="An export names a kind of file there is a writer for",
    says="there is no writer for {got}",
    why="The end of the file's name decides how it is written.",
    mend="Give a name that ends in one of: {expected}.",
)


def command(
    study: StudyPath,
    to: Annotated[
        Path, typer.Option("--to", metavar="FILE", help="The file to write, as in ratings.jsonl.")
    ],
    all_revisions: Annotated[
        bool, typer.Option("--all-revisions", help="Also ratings that were revised later.")
    ] = False,
    with_names: Annotated[
        bool, typer.Option("--with-names", help="Also annotator ids; without, raters are numbers.")
    ] = False,
    db: Database = None,
    skip_bad: SkipBad = False,
    as_json: AsJson = False,
) -> None:
    """Ratings as a file: one line for each question of each rating, raters as numbers."""
    with problems_as_json(as_json):
        writer = WRITERS.get(to.suffix.lower())
        if writer is None:
            raise _unknown(to)
        with opened(study, db, skip_bad=skip_bad) as found:
            tidy = Tidy(found.store, found.name, all_revisions, with_names)
            writer(to, tidy.rows())
        give({"file": str(to), **asdict(tidy.told)}, _text(to, tidy.told), as_json)


def _unknown(to: Path) -> Problem:
    return Problem(
        UNKNOWN_FORMAT,
        where=Where(file=str(to)),
        expected=", ".join(WRITERS),
        got=to.suffix or to.name,
        nearest=nearest(to.suffix, WRITERS),
    )


def _text(to: Path, told: Told) -> str:
    """What was written, and every row that was not."""
    lines = [f"{to}: {counted(told.ratings, 'rating')} in {counted(told.rows, 'row')}"]
    notes = (
        (told.skips, "are skips: cannot judge for the whole item"),
        (told.surplus, "came after their place was filled (surplus)"),
        (told.superseded_left_out, "were revised later and are left out (--all-revisions has them)"),
        (told.withdrawn_raters_left_out, "raters withdrew; their ratings are left out"),
        (len(told.excluded_raters), "raters are excluded; their rows say so in rater_state"),
    )
    return "\n".join([*lines, *(f"  {number:,} {says}" for number, says in notes if number)])
