"""The report as blocks, before it takes a form: every format is written from the same document."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Literal

from rubrica.reports.figures import Drawing
from rubrica.reports.language import NONE

Tone = Literal["plain", "lead", "soft"]


@dataclass(frozen=True, slots=True)
class Paragraph:
    text: str
    tone: Tone = "plain"


@dataclass(frozen=True, slots=True)
class Bullets:
    """Each line with the words it begins with, which stand out."""

    lines: Sequence[tuple[str, str]]


@dataclass(frozen=True, slots=True)
class Caution:
    """What a reader must know before trusting a number."""

    texts: Sequence[str]


@dataclass(frozen=True, slots=True)
class Head:
    """A column: its title, what the title means, and whether it holds numbers."""

    title: str
    means: str = ""
    numbers: bool = False


@dataclass(frozen=True, slots=True)
class Table:
    heads: Sequence[Head]
    rows: Sequence[Sequence[str]]
    caption: str = ""
    notes: Sequence[str] = ()
    emphasis: frozenset[int] = frozenset()
    """Rows that stand out."""


def table_of(
    heads: Sequence[Head], rows: Sequence[Sequence[str]], caption: str = "", notes: Sequence[str] = ()
) -> Table:
    """Without columns of numbers in which no row has one: a table should fit a page."""
    kept = [i for i, h in enumerate(heads) if not h.numbers or any(row[i] != NONE for row in rows)]
    return Table([heads[i] for i in kept], [[row[i] for i in kept] for row in rows], caption, notes)


@dataclass(frozen=True, slots=True)
class Figure:
    drawing: Drawing
    caption: str
    wide: bool = True
    """Small figures stand side by side."""


@dataclass(frozen=True, slots=True)
class Fold:
    """What most readers skip; open on paper."""

    title: str
    blocks: Sequence[Block]


@dataclass(frozen=True, slots=True)
class Terms:
    entries: Sequence[tuple[str, str]]


@dataclass(frozen=True, slots=True)
class Quote:
    """Text to paste elsewhere."""

    paragraphs: Sequence[str]


Block = Paragraph | Bullets | Caution | Table | Figure | Fold | Terms | Quote


@dataclass(frozen=True, slots=True)
class Section:
    id: str
    title: str
    blocks: Sequence[Block]
    asks: str = ""
    """The question a reader comes with."""


@dataclass(frozen=True, slots=True)
class Document:
    language: str
    title: str
    subtitle: str
    facts: Sequence[tuple[str, str]]
    sections: Sequence[Section]
    cautions: Sequence[str] = ()
    """What holds for all of it: ratings nobody gave, parts that could not be made here."""
    drawings: Sequence[Drawing] = field(default_factory=tuple)


def drawings_of(sections: Sequence[Section]) -> list[Drawing]:
    return [d for section in sections for d in _drawings(section.blocks)]


def _drawings(blocks: Sequence[Block]) -> list[Drawing]:
    found = []
    for block in blocks:
        if isinstance(block, Figure):
            found.append(block.drawing)
        elif isinstance(block, Fold):
            found += _drawings(block.blocks)
    return found
