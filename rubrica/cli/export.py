"""Ratings as a file, or as the files another tool writes."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Annotated, Any

import typer

from rubrica.cli.opening import Database, Opened, SkipBad, here, opened
from rubrica.cli.talk import AsJson, StudyPath, counted, give, problems_as_json, progress, size, warn
from rubrica.exchange.bundle import Packed, pack
from rubrica.exchange.contract import Wrote
from rubrica.exchange.exporting import export_ratings
from rubrica.storage.backup import study_file


def command(
    study: StudyPath,
    to: Annotated[
        Path,
        typer.Option(
            "--to",
            metavar="FILE|DIR",
            help="The file to write, as in ratings.jsonl (.csv, .xlsx, .parquet); a folder where the "
            "layout takes several files.",
        ),
    ],
    layout: Annotated[
        str,
        typer.Option(
            "--layout",
            help="`tidy`: a row for each rating, raters as numbers; `native`: the files of the tool "
            "the study comes from; or the name of a layout.",
        ),
    ] = "tidy",
    rater: Annotated[
        str | None, typer.Option("--rater", metavar="ID", help="Only this rater's, by id or number.")
    ] = None,
    all_revisions: Annotated[
        bool, typer.Option("--all-revisions", help="Also ratings that were revised later (tidy).")
    ] = False,
    with_names: Annotated[
        bool,
        typer.Option("--with-names", help="Also annotator ids (tidy); without, raters are numbers."),
    ] = False,
    bundle: Annotated[
        bool,
        typer.Option(
            "--bundle",
            help="The whole study as one .zip: its files, media, versions, items and ratings, with "
            "checksums; `rubrica restore` opens it elsewhere.",
        ),
    ] = False,
    without_withdrawn: Annotated[
        bool,
        typer.Option("--without-withdrawn", help="No byte of raters who withdrew (bundle)."),
    ] = False,
    db: Database = None,
    skip_bad: SkipBad = False,
    as_json: AsJson = False,
) -> None:
    """Ratings as a file: one row for each, or in the layout of the tool the study comes from."""
    with problems_as_json(as_json), opened(study, db, skip_bad=skip_bad, to_read=True) as found:
        if bundle:
            packed = bundled(found, to, without_withdrawn=without_withdrawn, with_names=with_names)
            give(asdict(packed), _packed_text(packed), as_json)
            return
        wrote = export_ratings(
            here(found), to, layout, rater, all_revisions=all_revisions, with_names=with_names
        )
        if not as_json:
            warn(wrote.notes)
        give(_result(wrote), _text(wrote), as_json)


def bundled(found: Opened, to: Path, *, without_withdrawn: bool, with_names: bool) -> Packed:
    """The study with a copy of its part of the database, in one archive."""
    missing = [hole.name for hole in found.media.holes]
    with TemporaryDirectory(prefix="rubrica-bundle-") as folder, progress("Bundling", 2.0) as told:
        database, choice = Path(folder) / "rubrica.db", (without_withdrawn, with_names)
        study_file(found.store, found.name, database, *choice, told)
        return pack(
            found.loaded, database, found.media.names, missing, to, lambda part: told(1.0 + part)
        )


def _packed_text(packed: Packed) -> str:
    lines = [f"{packed.file}: {packed.study} in {counted(packed.files, 'file')}, {size(packed.bytes)}"]
    if packed.media_missing:
        missing = counted(len(packed.media_missing), "image, sound or film", "images, sounds or films")
        lines.append(f"  without {missing} that the study names and that are not there")
    return "\n".join(lines)


def _result(wrote: Wrote) -> dict[str, Any]:
    return {**asdict(wrote), "notes": [problem.as_json() for problem in wrote.notes]}


def _text(wrote: Wrote) -> str:
    """What was written, and everything that was not."""
    files = wrote.files[0] if len(wrote.files) == 1 else counted(len(wrote.files), "file")
    came = f"{counted(wrote.ratings - wrote.skips, 'rating')} and {counted(wrote.skips, 'skip')}"
    lines = [f"{files}: {came} in {counted(wrote.rows, 'row')}"]
    notes = (
        (wrote.surplus, "surplus, after their place was filled"),
        (wrote.superseded_left_out, "revised later, left out"),
        (wrote.withdrawn_raters_left_out, "withdrawn raters, their ratings left out"),
        (len(wrote.excluded_raters), "excluded raters, their ratings in"),
    )
    return "\n".join([*lines, *(f"  {says}: {number:,}" for number, says in notes if number)])
