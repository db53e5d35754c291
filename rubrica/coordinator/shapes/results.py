"""Results and exports."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from msgspec import Meta, Struct

from rubrica.coordinator.shapes.fields import Number, Short


class ResultsShown(Struct):
    made: str | None
    current: bool
    """Whether nothing has changed since."""
    computing: bool
    failed: dict[str, str] | None
    """Why the last computation gave nothing, by language."""
    looked: int
    """Looks while the study was open; another one at the same ratings is the same look."""
    open: bool
    report: dict[str, Any] | None


class ResultsFile(Struct):
    study: str
    name: Short
    language: Literal["en", "zh"] = "en"


class ExportChoices(Struct):
    tidy: list[str]
    native: list[str]
    says: dict[str, dict[str, str]]
    """What each layout is, by language."""


class ExportAsked(Struct):
    study: str
    layout: Short = "tidy"
    """`tidy`, `native`, or the name of a layout."""
    format: Literal["jsonl", "csv", "xlsx", "parquet"] = "jsonl"
    """Of the tidy table; another layout has its own."""
    names: bool = False
    """With annotator ids; without, raters are numbers."""
    all_revisions: bool = False
    rater: Short = ""


class AgainAsked(Struct):
    study: str
    version: Short


class AgainLine(Struct):
    rater: int
    name: str | None
    numbers: str
    """As ranges, by the rater's own numbers."""
    items: int


class AskAgain(Struct, forbid_unknown_fields=True):
    text: Annotated[str, Meta(min_length=1, max_length=2_000)]


class StudyLog(Struct):
    study: str
    before: Number | None = None
    count: Annotated[int, Meta(ge=1, le=200)] = 50


class Trial(Struct):
    address: str
