"""The report of a study: pages, tables, figures and numbers."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Annotated, Any

import typer

from rubrica.cli.opening import Database, Opened, SkipBad, opened
from rubrica.cli.talk import AsJson, StudyPath, counted, give, problems_as_json, progress, tally, warn
from rubrica.errors import Problem, Problems, Rule, nearest
from rubrica.reports.files import Made, Written, write_report
from rubrica.reports.language import Language
from rubrica.review.gather import Gathered, gather
from rubrica.review.looks import log_look
from rubrica.review.results import Reviewed, reviewed

NO_LANGUAGE = Rule(
    code="C030",
    title="A report is written in a language there is",
    says="there is no report in {got!r}",
    why="Nothing was written.",
    mend="Give `--lang en` or `--lang zh`.",
)
NO_SYSTEM = Rule(
    code="C031",
    title="The reference is a system of the study",
    says="no item of the study is from a system {got!r}",
    why="The other systems would be compared with nothing.",
    mend="Name one of: {known}.",
)
LANGUAGES: dict[str, Language] = {"en": "en", "zh": "zh"}


def command(
    study: StudyPath,
    out: Annotated[
        Path | None,
        typer.Option("--out", metavar="DIR", help="The folder to write to. [default: STUDY/report]"),
    ] = None,
    lang: Annotated[str, typer.Option("--lang", help="The language: en or zh.")] = "en",
    seed: Annotated[
        int | None,
        typer.Option("--seed", min=0, help="The seed of intervals and tests. [default: the study's]"),
    ] = None,
    reference: Annotated[
        str | None,
        typer.Option("--reference", metavar="SYSTEM", help="Compare the others with this system."),
    ] = None,
    leave_out: Annotated[
        list[str] | None,
        typer.Option("--leave-out", metavar="ITEM", help="Leave this item out, by key; repeatable."),
    ] = None,
    db: Database = None,
    skip_bad: SkipBad = False,
    as_json: AsJson = False,
) -> None:
    """Write report.html, report.md, tables.tex, report.json and the figures of a study."""
    with problems_as_json(as_json):
        language = _language(lang)
        with opened(study, db, skip_bad=skip_bad, to_read=True) as found:
            results = _results(found, seed, reference, leave_out or [])
            folder = out or found.loaded.folder / "report"
            with progress("Writing figures", 1.0) as told:
                wrote = write_report(Made(results, language), folder, told)
        if not as_json:
            warn(wrote.notes)
        give(_result(results, wrote), _text(results, wrote), as_json)


def _language(lang: str) -> Language:
    if lang not in LANGUAGES:
        raise Problems([Problem(NO_LANGUAGE, got=lang, nearest=nearest(lang, LANGUAGES))])
    return LANGUAGES[lang]


def _results(found: Opened, seed: int | None, reference: str | None, out: list[str]) -> Reviewed:
    with progress("Reading ratings", None) as told:
        gathered = gather(found.store, found.name, found.loaded.version, seed, told)
    gathered = _told(gathered, reference, out)
    with progress("Computing", 1.0) as told:
        results = reviewed(found.store, gathered, told)
    if not gathered.closed:
        log_look(found.store.accounts, found.name, "command line", len(gathered.whole.table))
    return results


def _told(gathered: Gathered, reference: str | None, out: list[str]) -> Gathered:
    """What the command line asks for on top of what the study declares."""
    options = gathered.options
    if reference is not None:
        systems = gathered.whole.table.items.system
        known = systems.names if systems is not None else ()
        if reference not in known:
            raise Problem(
                NO_SYSTEM,
                got=reference,
                nearest=nearest(reference, known),
                details={"known": ", ".join(known) or "(the study names no system)"},
            )
        options = replace(options, reference=reference)
    if out:
        options = replace(options, leave_out=options.leave_out | gathered.things.named(out))
    return replace(gathered, options=options)


def _result(results: Reviewed, wrote: Written) -> dict[str, Any]:
    gathered = results.gathered
    return {
        "study": gathered.name,
        "version": gathered.version.hash,
        "seed": gathered.seed,
        "folder": str(wrote.folder),
        "files": list(wrote.files),
        "asked": dict(results.results.asked),
        "notes": [problem.as_json() for problem in wrote.notes],
    }


def _text(results: Reviewed, wrote: Written) -> str:
    asked, folder = results.results.asked, wrote.folder
    gathered = results.gathered
    ratings = asked["ratings"] - gathered.skips - gathered.revisions
    came = tally(ratings, gathered.skips, gathered.revisions)
    out = asked["ratings"] - asked["ratings_used"]
    figures = counted(sum(name.endswith(".svg") for name in wrote.files), "figure")
    return "\n".join(
        [
            f"{gathered.name}: {came} of {counted(asked['rated_items'], 'item')}, {out:,} left out",
            f"  {folder / 'report.html'} is the one to read",
            f"  report.md, tables.tex and report.json stand beside it, and {figures} in figures",
        ]
    )
