"""One of several named options: yes or no, which of these.

The browser sends the key of the option as text: `"Yes"`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Annotated, Any, ClassVar

from pydantic import Field

from rubrica.errors import Problem
from rubrica.kinds.answers import bad_key
from rubrica.kinds.contract import Column, Entries, Kind, Question, Robot
from rubrica.kinds.declared import implied_problems
from rubrica.kinds.implied import Implied
from rubrica.kinds.named import Bare, Key, Named, shown_named


class Option(Named):
    """One option."""

    worth: float | None = Field(default=None, ge=0, le=1)
    """Between 0 (worst) and 1 (best), for scores; options without it have no rank."""


class ChoiceQuestion(Question):
    """One of several options, without an order."""

    options: dict[Key, Annotated[Option, Bare]] = Field(min_length=2)
    """The options by the value that is recorded."""
    implied: Implied | None = None
    """The level that follows from evidence."""


class Choice(Kind[ChoiceQuestion]):
    name: ClassVar[str] = "choice"
    says: ClassVar[str] = "The rater picks one of several options that have no order of their own."
    question = ChoiceQuestion
    example: ClassVar[str] = """\
kind: choice
ask: Does the answer resist the false hint?
options:
  resists: {label: It resists, worth: 1}
  gives_in: {label: It gives in, worth: 0}
cannot_judge: true
"""

    def schema(self, question: ChoiceQuestion, entries: Entries = ()) -> dict[str, Any]:
        return {"type": "string", "enum": list(question.options)}

    def check(self, question: ChoiceQuestion, value: Any, entries: Entries = ()) -> Iterator[Problem]:
        yield from bad_key(value, question.options, "the key of an option, as text")

    def columns(self, question: ChoiceQuestion) -> Sequence[Column]:
        return (Column("", "text", "the key of the option chosen"),)

    def cells(self, question: ChoiceQuestion, value: Any, entries: Entries = ()) -> Mapping[str, Any]:
        return {"": value}

    def robot(self, question: ChoiceQuestion, robot: Robot, entries: Entries = ()) -> Any:
        seen = robot.sees()
        worths = {key: o.worth for key, o in question.options.items() if o.worth is not None}
        if not worths:
            return list(question.options)[round(seen * (len(question.options) - 1))]
        return min(worths, key=lambda key: abs(worths[key] - seen))

    def declares(self, question: ChoiceQuestion) -> Iterator[Problem]:
        yield from implied_problems(question.implied, list(question.options))

    def measures(self, question: ChoiceQuestion) -> Sequence[str]:
        ranked = any(option.worth is not None for option in question.options.values())
        return ("fraction",) if ranked else ()

    def measure(self, question: ChoiceQuestion, value: Any) -> Mapping[str, float]:
        fraction = self.fraction(question, value)
        return {} if fraction is None else {"fraction": fraction}

    def fraction(self, question: ChoiceQuestion, value: Any) -> float | None:
        return question.options[value].worth

    def levels(self, question: ChoiceQuestion) -> Sequence[Any]:
        return list(question.options)

    def page_data(self, question: ChoiceQuestion, languages: tuple[str, ...]) -> Mapping[str, Any]:
        return {
            "options": [
                shown_named(key, option, languages, fraction=option.worth)
                for key, option in question.options.items()
            ]
        }


KIND = Choice()
