"""Parquet tables, by the optional package polars."""

from __future__ import annotations

from collections.abc import Iterator
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from rubrica.errors import Problem
from rubrica.items.readers.contract import Reader, Record
from rubrica.items.readers.decoding import encode
from rubrica.items.readers.tables import plain
from rubrica.items.rules import NEEDS_EXTRA, UNREADABLE

ROWS = 10_000
"""Rows held at a time."""


def read(path: Path, _at: str | None = None) -> Iterator[Record | Problem]:
    if find_spec("polars") is None:
        yield Problem(NEEDS_EXTRA)
        return
    # Polars takes long to import, and most programs that know this reader never use it.
    polars = import_module("polars")
    try:
        for place, row in enumerate(_rows(polars, path), 1):
            data = plain(row)
            yield Record(place, data, encode(data))
    except polars.exceptions.PolarsError as error:
        yield Problem(UNREADABLE, details={"reason": str(error).partition("\n")[0]})


def _rows(polars: Any, path: Path) -> Iterator[dict[str, Any]]:
    table = polars.scan_parquet(path, glob=False)
    start = 0
    while len(part := table.slice(start, ROWS).collect()):
        yield from part.iter_rows(named=True)
        start += len(part)


READER = Reader(
    name="parquet",
    suffixes=(".parquet",),
    says="A Parquet table, one row an item (needs the extra `parquet`). Dates become ISO texts, "
    "durations seconds, binary values base 64.",
    read=read,
    place="row",
)
