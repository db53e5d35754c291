"""Ratings as files, made by a process of their own; and which ratings to ask for again."""

from __future__ import annotations

import shutil
import tempfile
from functools import partial
from pathlib import Path
from typing import Any
from zipfile import ZIP_DEFLATED, ZipFile

from rubrica.coordinator.endpoint import At, Endpoint, File
from rubrica.coordinator.names import name_of, raters
from rubrica.coordinator.results_api import needs_computer
from rubrica.coordinator.rules import NOTHING
from rubrica.coordinator.shapes.results import (
    AgainAsked,
    AgainLine,
    AskAgain,
    ExportAsked,
    ExportChoices,
)
from rubrica.coordinator.shapes.studies import StudyOf
from rubrica.coordinator.tables import csv_file
from rubrica.errors import Problem
from rubrica.exchange.contract import formats, native_formats
from rubrica.exchange.files import safe_name
from rubrica.fieldwork.asking import LONGEST_MESSAGE
from rubrica.fieldwork.ranges import as_ranges
from rubrica.fieldwork.store import Message

TYPES = {
    ".jsonl": "application/jsonl",
    ".csv": "text/csv",
    ".json": "application/json",
    ".xlsx": "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
    ".parquet": "application/vnd.apache.parquet",
    ".zip": "application/zip",
}
ANYTHING = "application/octet-stream"


def export_choices(at: At, asked: StudyOf) -> ExportChoices:
    native = [one.name for one in native_formats(at.study.desk.version.study)]
    tidy = ["jsonl", "csv", "xlsx", "parquet"]
    words = at.site.words
    says = {name: words.texts(formats()[name].says) for name in (*native, "tidy")}
    return ExportChoices(tidy, native, says)


def export(at: At, asked: ExportAsked) -> File:
    """One file, or several in an archive; names only where they are asked for."""
    compute = needs_computer(at)
    folder = Path(tempfile.mkdtemp(prefix="rubrica-export-"))
    try:
        to = folder / (f"ratings.{asked.format}" if asked.layout == "tidy" else "ratings")
        given = {"to": str(to), "layout": asked.layout, "names": asked.names}
        more = {"all_revisions": asked.all_revisions, "rater": asked.rater or None}
        version = at.study.desk.version.hash
        compute("export", {"study": at.name, "version": version, **given, **more})
        path = _one_file(folder)
    except BaseException:
        shutil.rmtree(folder, ignore_errors=True)
        raise
    details = {"layout": asked.layout, "format": asked.format, "names": asked.names}
    at.site.stores.accounts.log(at.name, at.me.who, "exported ratings", details)
    name = f"{safe_name(at.name)}-{asked.layout}{path.suffix}".encode("ascii", "replace").decode()
    done = partial(shutil.rmtree, folder, ignore_errors=True)
    return File(name.replace("?", "_"), TYPES.get(path.suffix, ANYTHING), path=path, done=done)


def _one_file(folder: Path) -> Path:
    files = sorted(path for path in folder.rglob("*") if path.is_file())
    if not files:
        raise Problem(NOTHING)
    if len(files) == 1:
        return files[0]
    archive = folder / "ratings.zip"
    with ZipFile(archive, "w", ZIP_DEFLATED) as made:
        for path in files:
            made.write(path, path.relative_to(folder).as_posix().removeprefix("ratings/"))
    return archive


# --- what was rated before something changed --------------------------------------------------------


def again(at: At, asked: AgainAsked) -> list[AgainLine]:
    """By rater, the numbers of items whose ratings were made before this version."""
    return [
        AgainLine(rater, name, as_ranges(numbers), len(numbers))
        for rater, name, numbers in _again(at, asked.version)
    ]


def _again(at: At, version: str) -> list[tuple[int, str | None, list[int]]]:
    if at.site.stores.studies.version(at.name, version) is None:
        raise Problem(NOTHING)
    asked: dict[str, Any] = {"study": at.name, "version": version}
    known, found = raters(at), needs_computer(at)("again", asked)["raters"]
    return [
        (int(number), name_of(at, known.get(int(number))), [one["number"] for one in items])
        for number, items in found.items()
    ]


def again_csv(at: At, asked: AgainAsked) -> File:
    """The same as `rater,item` lines: a list a study can be declared with."""
    if at.site.stores.studies.version(at.name, asked.version) is None:
        raise Problem(NOTHING)
    known = raters(at)
    found = needs_computer(at)("again", {"study": at.name, "version": asked.version})["raters"]
    rows = [[known[int(number)].name, one["item"]] for number, items in found.items() for one in items]
    return csv_file("again.csv", [["rater", "item"], *rows])


def ask_again(at: At, of: AgainAsked, asked: AskAgain) -> list[AgainLine]:
    """Send every rater concerned a notice with their own numbers."""
    lines = again(at, of)
    for line in lines:
        text = f"{asked.text.strip()}\n\n{line.numbers}".strip()[:LONGEST_MESSAGE]
        at.site.stores.messages.add_message(Message(at.name, "notice", text, rater=line.rater))
    details = {"version": of.version, "raters": [line.rater for line in lines]}
    at.site.stores.accounts.log(at.name, at.me.who, "asked to rate again", details)
    return lines


ENDPOINTS = [
    Endpoint(
        "GET",
        "/studies/{study}/export/choices",
        "The layouts this study's ratings can be written in.",
        export_choices,
        ExportChoices,
        asks=StudyOf,
        who="coordinator",
    ),
    Endpoint(
        "GET",
        "/studies/{study}/export",
        "Ratings as a file, tidy or in the layout of the tool the study comes from.",
        export,
        (*TYPES.values(), ANYTHING),
        asks=ExportAsked,
        who="coordinator",
    ),
    Endpoint(
        "GET",
        "/studies/{study}/again",
        "Which of whose ratings were made before a version of the study.",
        again,
        list[AgainLine],
        asks=AgainAsked,
        who="coordinator",
    ),
    Endpoint(
        "GET",
        "/studies/{study}/again.csv",
        "The same as a list of raters and items.",
        again_csv,
        "text/csv",
        asks=AgainAsked,
        who="coordinator",
    ),
    Endpoint(
        "POST",
        "/studies/{study}/again",
        "Ask those raters to look at these items again, each by their own numbers.",
        ask_again,
        list[AgainLine],
        asks=AgainAsked,
        takes=AskAgain,
        who="coordinator",
        needs="write",
    ),
]
