"""Lines of JSON on their way in: read with their places, and looked at before they are believed."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any, NamedTuple

from rubrica.errors import Problem, Where, shown
from rubrica.exchange.reading import first_record
from rubrica.exchange.rules import BAD_SHAPE
from rubrica.items.readers import json_files, json_lines
from rubrica.items.readers.lines import lines as raw_lines
from rubrica.items.rules import UNREADABLE


class Line(NamedTuple):
    where: Where
    data: Mapping[str, Any]


def read_lines(path: Path) -> Iterator[Line | Problem]:
    """Every object of a file of lines, or of a file that is one object; problems with their place."""
    reader = json_lines if path.suffix.lower() != ".json" else json_files
    try:
        for record in reader.read(path):
            if isinstance(record, Problem):
                yield record.at(replace(record.where, file=str(path)))
                continue
            where = Where(str(path), record.place)
            if isinstance(record.data, dict):
                yield Line(where, record.data)
            else:
                got = shown(record.data)
                yield Problem(BAD_SHAPE, where, "an object", got, details={"what": "the line"})
    except OSError as error:
        yield Problem(UNREADABLE, Where(str(path)), details={"reason": error.strerror or str(error)})


def begins_with(path: Path, endings: tuple[str, ...], *names: str) -> set[str]:
    """Which of these fields the first record of a file has, or at least mentions."""
    if path.suffix.lower() not in endings:
        return set()
    first = first_record(path)
    if first:
        return {name for name in names if name in first}
    text = first_line(path, endings)
    return {name for name in names if f'"{name}"' in text}


def first_line(path: Path, endings: tuple[str, ...]) -> str:
    """The text of the first line that is not blank; empty where there is none or it is another file."""
    if path.suffix.lower() not in endings:
        return ""
    try:
        for line in raw_lines(path):
            if isinstance(line, Problem):
                return ""
            if not line.isspace():
                return line.decode("utf-8", "replace")
    except OSError:
        return ""
    return ""
