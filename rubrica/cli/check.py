"""Every problem in a study's file and its items."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import typer
from rich.text import Text

from rubrica.cli.talk import AsJson, StudyPath, counted, give, out, progress
from rubrica.errors import Level, Problem
from rubrica.items.check import check_items
from rubrica.study.load import Examined, LoadedStudy, examine

STYLES: dict[Level, str] = {"error": "bold red", "warning": "bold yellow", "note": "bold blue"}


def command(study: StudyPath, as_json: AsJson = False) -> None:
    """Every problem in a study's file and its items."""
    examined = examine(study)
    problems = list(examined.problems)
    if examined.loaded is not None:
        with progress("Checking items", 1.0) as told:
            problems += _from_here(check_items(examined.loaded, progress=told), examined.loaded)
    counts = Counter(problem.level for problem in problems)
    if as_json:
        give(_result(examined, problems, counts), "", as_json)
    else:
        _print(examined, problems, counts)
    if counts["error"]:
        raise typer.Exit(1)


def _from_here(problems: Iterator[Problem], loaded: LoadedStudy) -> Iterator[Problem]:
    """Data files are named from the study's folder; a terminal wants to open them from here."""
    for problem in problems:
        file = problem.where.file
        inside = file is not None and file != loaded.source.file
        where = replace(problem.where, file=str(loaded.folder / str(file)))
        yield problem.at(where) if inside else problem


def _result(examined: Examined, problems: list[Problem], counts: Counter[Level]) -> dict[str, Any]:
    loaded = examined.loaded
    return {
        "study": loaded and loaded.name,
        "version": loaded and loaded.version.hash,
        "items_checked": loaded is not None,
        **{f"{level}s": counts[level] for level in STYLES},
        "problems": [problem.as_json() for problem in problems],
    }


def _print(examined: Examined, problems: list[Problem], counts: Counter[Level]) -> None:
    for problem in problems:
        head, *rest = str(problem).split("\n")
        text = Text(f"{problem.level:<8}", STYLES[problem.level])
        out().print(text.append(f"{head}\n", "default").append("\n".join(rest), "dim"))
    told = ", ".join(counted(counts[level], level) for level in STYLES if counts[level])
    style = "bold red" if counts["error"] else "bold green"
    if examined.loaded is None:
        out().print(Text(f"{told}. Once the study file is mended, its items are checked too.", style))
    else:
        version = examined.loaded.version.hash
        out().print(Text(f"{examined.loaded.name}, version {version}: {told or 'no problems'}.", style))
