"""A text in the rater's own words.

The browser sends it as text, as it was written; a text of nothing but blanks is not sent.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, ClassVar

from pydantic import Field

from rubrica.errors import Problem
from rubrica.kinds.answers import bad_text
from rubrica.kinds.contract import Column, Entries, Kind, Question, Robot


class TextQuestion(Question):
    """A text in the rater's own words."""

    longest: int = Field(default=20_000, ge=1, le=1_000_000)
    """How many characters it may have."""
    lines: int = Field(default=3, ge=1, le=40)
    """How many lines the box shows."""


class TextKind(Kind[TextQuestion]):
    name: ClassVar[str] = "text"
    says: ClassVar[str] = "The rater writes a text in their own words."
    question = TextQuestion
    example: ClassVar[str] = """\
kind: text
ask: What should we know about this answer?
required: false
longest: 2000
"""

    def schema(self, question: TextQuestion, entries: Entries = ()) -> dict[str, Any]:
        return {"type": "string", "maxLength": question.longest, "pattern": r"\S"}

    def check(self, question: TextQuestion, value: Any, entries: Entries = ()) -> Iterator[Problem]:
        yield from bad_text(value, question.longest)

    def columns(self, question: TextQuestion) -> Sequence[Column]:
        return (Column("", "text", "what the rater wrote"),)

    def cells(self, question: TextQuestion, value: Any, entries: Entries = ()) -> Mapping[str, Any]:
        return {"": value}

    def robot(self, question: TextQuestion, robot: Robot, entries: Entries = ()) -> Any:
        words = ("good", "fair", "poor") if robot.sees() > 0.5 else ("poor", "wrong", "unclear")
        return f"Simulated note: {robot.rng.choice(words)}."[: question.longest]

    def measures(self, question: TextQuestion) -> Sequence[str]:
        return ("length",)

    def measure(self, question: TextQuestion, value: Any) -> Mapping[str, float]:
        return {"length": len(value)}

    def page_data(self, question: TextQuestion, languages: tuple[str, ...]) -> Mapping[str, Any]:
        return {"longest": question.longest, "lines": question.lines}


KIND = TextKind()
