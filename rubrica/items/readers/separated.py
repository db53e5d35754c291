"""Tables as text: CSV and TSV, with quotes and line breaks inside cells."""

from __future__ import annotations

import csv
from collections.abc import Callable, Iterator
from pathlib import Path

from rubrica.errors import Problem, Where
from rubrica.items.readers.contract import Reader, Record
from rubrica.items.readers.lines import LONGEST, lines, not_text, text_of
from rubrica.items.readers.tables import columns, row_problem
from rubrica.items.rules import QUOTES

csv.field_size_limit(LONGEST)


class _Feed:
    """Lines on their way into the csv module, remembered until their row is complete."""

    def __init__(self, path: Path) -> None:
        self._lines = lines(path)
        self._taken: list[bytes] = []
        self._line = 0
        self.start = 1

    def __iter__(self) -> Iterator[str]:
        for line in self._lines:
            self._line += 1
            if isinstance(line, Problem):
                raise line
            self._taken.append(line)
            try:
                yield text_of(line)
            except UnicodeDecodeError as error:
                raise not_text(error, self._line) from None

    def take(self) -> tuple[int, bytes]:
        """The line a row started at and its bytes."""
        start, raw = self.start, b"".join(self._taken).rstrip(b"\r\n")
        self.start = self._line + 1
        self._taken.clear()
        return start, raw


def _comma(header: str) -> str:
    return ";" if header.count(";") > header.count(",") else ","


def _tab(_header: str) -> str:
    return "\t"


def _reads(separator: Callable[[str], str]) -> Callable[[Path, str | None], Iterator[Record | Problem]]:
    def read(path: Path, _at: str | None = None) -> Iterator[Record | Problem]:
        feed = _Feed(path)
        try:
            yield from _rows(feed, separator)
        except csv.Error as error:
            yield Problem(QUOTES, Where(line=feed.start), details={"reason": str(error)})
        except Problem as problem:
            yield problem

    return read


def _rows(feed: _Feed, separator: Callable[[str], str]) -> Iterator[Record | Problem]:
    texts = iter(feed)
    header = next(texts, "")
    rows = csv.reader(_chain(header, texts), delimiter=separator(header), strict=True)
    names = columns(next(rows, []))
    feed.take()
    for row in rows:
        place, source = feed.take()
        if len(row) == len(names):
            yield Record(place, dict(zip(names, row, strict=True)), source)
        elif row:
            yield row_problem(place, len(row), len(names))


def _chain(first: str, rest: Iterator[str]) -> Iterator[str]:
    yield first
    yield from rest


_TABLE = (
    "The first row names the columns; a column without a name is called `column_N`. Every value is a "
    "text. A cell may hold line breaks and separators inside quotes. "
)
CSV = Reader(
    name="csv",
    suffixes=(".csv",),
    says=_TABLE + "The separator is a comma, or a semicolon where the header has more of those.",
    read=_reads(_comma),
    json=False,
)
TSV = Reader(
    name="tsv",
    suffixes=(".tsv", ".tab"),
    says=_TABLE + "The separator is a tab.",
    read=_reads(_tab),
    json=False,
)
