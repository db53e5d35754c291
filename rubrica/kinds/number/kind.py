"""A number the rater types, with bounds and a unit.

The browser sends it as a JSON number: `12` or `0.5`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from math import ceil, floor, isfinite
from typing import Any, ClassVar, Literal

from pydantic import Field

from rubrica.errors import Problem
from rubrica.kinds.answers import out_of_range, whole_number, wrong_type
from rubrica.kinds.contract import Column, Entries, Kind, Question, Robot
from rubrica.kinds.declared import limits
from rubrica.texts import Text, per_language

LARGEST = 10**15
"""Beyond this, browsers and spreadsheets no longer keep every whole number exactly."""


class NumberQuestion(Question):
    """A number."""

    at_least: float = Field(default=-LARGEST, ge=-LARGEST, le=LARGEST)
    """The smallest."""
    at_most: float = Field(default=LARGEST, ge=-LARGEST, le=LARGEST)
    """The largest."""
    whole: bool = False
    """Whether it is a whole number."""
    unit: Text | None = None
    """The unit shown beside it."""
    better: Literal["high", "low"] | None = None
    """Which end is the best; with both limits given, that ranks the number for scores."""


class Number(Kind[NumberQuestion]):
    name: ClassVar[str] = "number"
    says: ClassVar[str] = "The rater types a number."
    question = NumberQuestion
    example: ClassVar[str] = """\
kind: number
ask: How many of the people in the picture does the answer mention?
at_least: 0
at_most: 50
whole: true
"""

    def schema(self, question: NumberQuestion, entries: Entries = ()) -> dict[str, Any]:
        bounds = {"minimum": question.at_least, "maximum": question.at_most}
        return {"type": "integer" if question.whole else "number", **bounds}

    def check(self, question: NumberQuestion, value: Any, entries: Entries = ()) -> Iterator[Problem]:
        if isinstance(value, bool) or not isinstance(value, int | float):
            yield wrong_type("a number", value)
        elif isinstance(value, float) and not isfinite(value):
            yield wrong_type("a finite number", value)
        elif question.whole and whole_number(value) is None:
            yield wrong_type("a whole number", value)
        elif not question.at_least <= value <= question.at_most:
            yield out_of_range(value, question.at_least, question.at_most)

    def clean(self, question: NumberQuestion, value: Any, entries: Entries = ()) -> Any:
        whole = whole_number(value)
        return value if whole is None else whole

    def columns(self, question: NumberQuestion) -> Sequence[Column]:
        return (Column("", "integer" if question.whole else "number", "the number given"),)

    def cells(self, question: NumberQuestion, value: Any, entries: Entries = ()) -> Mapping[str, Any]:
        return {"": value}

    def robot(self, question: NumberQuestion, robot: Robot, entries: Entries = ()) -> Any:
        seen = 1 - robot.sees() if question.better == "low" else robot.sees()
        low, high = _bounds(question)
        usual = low if low > -LARGEST else min(0, high - 100)
        number = round(usual + seen * (min(high, max(usual, 0) + 100) - usual), 6)
        return min(max(round(number) if question.whole else number, low), high)

    def declares(self, question: NumberQuestion) -> Iterator[Problem]:
        yield from limits(*_bounds(question), "at_least")

    def measures(self, question: NumberQuestion) -> Sequence[str]:
        return ("fraction",) if _ranked(question) else ()

    def measure(self, question: NumberQuestion, value: Any) -> Mapping[str, float]:
        fraction = self.fraction(question, value)
        return {} if fraction is None else {"fraction": fraction}

    def fraction(self, question: NumberQuestion, value: Any) -> float | None:
        if not _ranked(question):
            return None
        share = (value - question.at_least) / (question.at_most - question.at_least)
        return float(share if question.better == "high" else 1 - share)

    def page_data(self, question: NumberQuestion, languages: tuple[str, ...]) -> Mapping[str, Any]:
        return {
            "at_least": question.at_least if question.at_least > -LARGEST else None,
            "at_most": question.at_most if question.at_most < LARGEST else None,
            "whole": question.whole,
            "unit": None if question.unit is None else per_language(question.unit, languages),
            "better": question.better if _ranked(question) else None,
        }


def _bounds(question: NumberQuestion) -> tuple[float, float]:
    """The lowest and the highest answer there can be."""
    if question.whole:
        return ceil(question.at_least), floor(question.at_most)
    return question.at_least, question.at_most


def _ranked(question: NumberQuestion) -> bool:
    low, high = question.at_least, question.at_most
    return question.better is not None and -LARGEST < low < high < LARGEST


KIND = Number()
