"""One item a line."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from rubrica.errors import Problem
from rubrica.items.readers.contract import Reader, Record
from rubrica.items.readers.decoding import REFUSED, decode, fast
from rubrica.items.readers.lines import lines


def read(path: Path, _at: str | None = None) -> Iterator[Record | Problem]:
    for number, line in enumerate(lines(path), 1):
        if isinstance(line, Problem):
            yield line
            continue
        raw = line.rstrip(b"\r\n")
        try:
            yield Record(number, fast(raw), raw)
        except REFUSED:
            if raw and not raw.isspace():
                yield _slowly(raw, number, cut=not line.endswith(b"\n"))


def _slowly(raw: bytes, number: int, cut: bool) -> Record | Problem:
    try:
        return Record(number, decode(raw, number, cut=cut), raw)
    except Problem as problem:
        return problem


READER = Reader(
    name="jsonl",
    suffixes=(".jsonl", ".ndjson"),
    says="One JSON object a line. Blank lines are skipped; the line numbers count them.",
    read=read,
)
