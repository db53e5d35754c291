"""A number of stars.

The browser sends how many: `4`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, ClassVar

from pydantic import Field

from rubrica.errors import Problem
from rubrica.kinds.answers import out_of_range, whole_number, wrong_type
from rubrica.kinds.contract import Column, Entries, Kind, Question, Robot


class StarsQuestion(Question):
    """A number of stars."""

    most: int = Field(default=5, ge=2, le=9)
    """How many there can be."""


class Stars(Kind[StarsQuestion]):
    name: ClassVar[str] = "stars"
    says: ClassVar[str] = "The rater gives a number of stars."
    question = StarsQuestion
    example: ClassVar[str] = "kind: stars\nask: How much do you like it?\nmost: 5\n"

    def schema(self, question: StarsQuestion, entries: Entries = ()) -> dict[str, Any]:
        return {"type": "integer", "minimum": 1, "maximum": question.most}

    def check(self, question: StarsQuestion, value: Any, entries: Entries = ()) -> Iterator[Problem]:
        stars = whole_number(value)
        if stars is None:
            yield wrong_type("a whole number", value)
        elif not 1 <= stars <= question.most:
            yield out_of_range(value, 1, question.most)

    def clean(self, question: StarsQuestion, value: Any, entries: Entries = ()) -> Any:
        return int(value)

    def columns(self, question: StarsQuestion) -> Sequence[Column]:
        return (Column("", "integer", "how many stars"),)

    def cells(self, question: StarsQuestion, value: Any, entries: Entries = ()) -> Mapping[str, Any]:
        return {"": value}

    def robot(self, question: StarsQuestion, robot: Robot, entries: Entries = ()) -> Any:
        return 1 + round(robot.sees() * (question.most - 1))

    def levels(self, question: StarsQuestion) -> Sequence[Any] | None:
        return range(1, question.most + 1)

    def measures(self, question: StarsQuestion) -> Sequence[str]:
        return ("fraction",)

    def measure(self, question: StarsQuestion, value: Any) -> Mapping[str, float]:
        return {"fraction": self.fraction(question, value)}

    def fraction(self, question: StarsQuestion, value: Any) -> float:
        return float((value - 1) / (question.most - 1))

    def page_data(self, question: StarsQuestion, languages: tuple[str, ...]) -> Mapping[str, Any]:
        return {"most": question.most}


KIND = Stars()
