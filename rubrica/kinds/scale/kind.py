from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, ClassVar

from pydantic import Field

from rubrica.errors import Problem
from rubrica.kinds.answers import not_offered, wrong_type
from rubrica.kinds.contract import Column, Entries, Kind, Question, Robot
from rubrica.kinds.implied import Implied
from rubrica.texts import Model, Text, per_language


class Level(Model):
    label: Text
    means: Text | None = None


class ScaleQuestion(Question):
    levels: dict[int, Text | Level] = Field(min_length=2)
    implied: Implied | None = None


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
        if not isinstance(value, int) or isinstance(value, bool):
            yield wrong_type("a whole number", value)
        elif value not in question.levels:
            yield not_offered(value, sorted(question.levels))

    def columns(self, question: ScaleQuestion) -> Sequence[Column]:
        return (Column("", "integer", "the level chosen"),)

    def cells(self, question: ScaleQuestion, value: Any, entries: Entries = ()) -> Mapping[str, Any]:
        return {"": value}

    def robot(self, question: ScaleQuestion, robot: Robot, entries: Entries = ()) -> Any:
        levels = sorted(question.levels)
        return levels[round(robot.sees() * (len(levels) - 1))]

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
        return {"options": [_option(v, question.levels[v], languages) for v in sorted(question.levels)]}


def _option(value: int, level: Text | Level, languages: tuple[str, ...]) -> dict[str, Any]:
    label, means = (level.label, level.means) if isinstance(level, Level) else (level, None)
    return {
        "value": value,
        "label": per_language(label, languages),
        "means": None if means is None else per_language(means, languages),
    }


KIND = Scale()
