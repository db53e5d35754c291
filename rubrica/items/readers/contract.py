"""What a reader gives: records in the order of the file, and problems where a record is bad."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal, NamedTuple

from rubrica.errors import Problem


class Record(NamedTuple):
    """One record. `source` are its exact bytes; formats that have none give it as JSON."""

    place: int
    """The line, row or number in the file, from 1."""
    data: Any
    source: bytes


Read = Callable[[Path, str | None], Iterator[Record | Problem]]
"""Reads lazily; a bad record is given as a problem with its line, and reading goes on."""


@dataclass(frozen=True, slots=True)
class Reader:
    name: str
    suffixes: tuple[str, ...]
    says: str
    """One or two sentences for the reference."""
    read: Read
    place: Literal["line", "row", "number"] = "line"
    """What a record's place counts."""
    json: bool = True
    """Whether a record's source is the JSON of its data."""
    at: str = ""
    """What `items: at` means here; empty where it has no meaning."""
