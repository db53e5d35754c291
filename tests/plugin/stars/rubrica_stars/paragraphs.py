"""Items from plain text: one a paragraph, with the fields `number` and `text`."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import groupby
from pathlib import Path

from rubrica.errors import Problem
from rubrica.items.readers.contract import Reader, Record


def read(path: Path, _at: str | None = None) -> Iterator[Record | Problem]:
    with path.open(encoding="utf-8") as file:
        numbered = enumerate(file, start=1)
        filled = (
            group for blank, group in groupby(numbered, lambda one: not one[1].strip()) if not blank
        )
        for number, group in enumerate(filled, start=1):
            lines = list(group)
            text = "".join(line for _, line in lines).strip()
            yield Record(lines[0][0], {"number": number, "text": text}, text.encode())


READER = Reader(
    name="paragraphs",
    suffixes=(".txt",),
    says="One item a paragraph.",
    read=read,
    json=False,
)
