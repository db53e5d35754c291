"""One level of an ordered scale, each level with its label and meaning.

The browser sends the level as a number: `2`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Annotated, Any, ClassVar

from pydantic import Field

from rubrica.errors import Problem
from rubrica.kinds.answers import not_offered, whole_number, wrong_type
from rubrica.kinds.contract import Column, Entries, Kind, Question, Robot
from rubrica.kinds.declared import implied_problems
from rubrica.kinds.implied import Implied
from rubrica.kinds.named import Bare, Named, shown_named


class ScaleQuestion(Question):
    """One level of an ordered scale."""

    levels: dict[int, Annotated[Named, Bare]] = Field(min_length=2)
    """The levels by their number."""
    implied: Implied | None = None
    """The level that follows from evidence."""


class Scale(Kind[ScaleQuestion]):
    name: ClassVar[str] = "scale"
    says: ClassVar[str] = "The rater picks one level of an ordered scale."
    question = ScaleQuestion
    example: ClassVar[str] = """\
kind: scale
ask: How correct is the answer?
levels:
  1: {label: Wrong, means: nothing in it holds}
  2: {label: Mixed, means: some of it holds}
  3: {label: Right, means: all of it holds}
"""

    def schema(self, question: ScaleQuestion, entries: Entries = ()) -> dict[str, Any]:
        return {"type": "integer", "enum": sorted(question.levels)}

    def check(self, question: ScaleQuestion, value: Any, entries: Entries = ()) -> Iterator[Problem]:
        level = whole_number(value)
        if level is None:
            yield wrong_type("a whole number", value)
        elif level not in question.levels:
            yield not_offered(value, sorted(question.levels))

    def clean(self, question: ScaleQuestion, value: Any, entries: Entries = ()) -> Any:
        return int(value)

    def columns(self, question: ScaleQuestion) -> Sequence[Column]:
        return (Column("", "integer", "the level chosen"),)

    def cells(self, question: ScaleQuestion, value: Any, entries: Entries = ()) -> Mapping[str, Any]:
        return {"": value}

    def robot(self, question: ScaleQuestion, robot: Robot, entries: Entries = ()) -> Any:
        levels = sorted(question.levels)
        return levels[round(robot.sees() * (len(levels) - 1))]

    def declares(self, question: ScaleQuestion) -> Iterator[Problem]:
        yield from implied_problems(question.implied, sorted(question.levels))

    def measures(self, question: ScaleQuestion) -> Sequence[str]:
        return ("fraction",)

    def measure(self, question: ScaleQuestion, value: Any) -> Mapping[str, float]:
        return {"fraction": self.fraction(question, value)}

    def fraction(self, question: ScaleQuestion, value: Any) -> float:
        low, high = min(question.levels), max(question.levels)
        return (int(value) - low) / (high - low)

    def levels(self, question: ScaleQuestion) -> Sequence[Any]:
        return sorted(question.levels)

    def page_data(self, question: ScaleQuestion, languages: tuple[str, ...]) -> Mapping[str, Any]:
        levels = sorted(question.levels)
        return {"options": [shown_named(v, question.levels[v], languages) for v in levels]}


KIND = Scale()
