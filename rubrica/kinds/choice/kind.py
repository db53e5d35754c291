from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Annotated, Any, ClassVar

from pydantic import BeforeValidator, Field

from rubrica.errors import Problem
from rubrica.kinds.answers import not_offered, wrong_type
from rubrica.kinds.contract import Column, Entries, Kind, Question, Robot
from rubrica.kinds.implied import Implied
from rubrica.texts import Model, Text, per_language


class Option(Model):
    label: Text
    means: Text | None = None
    worth: float | None = Field(default=None, ge=0, le=1)
    """Between 0 (worst) and 1 (best), for scores; options without it have no rank."""


def _key_as_text(value: Any) -> Any:
    return str(value) if isinstance(value, int) and not isinstance(value, bool) else value


Options = dict[Annotated[str, BeforeValidator(_key_as_text)], Text | Option]


class ChoiceQuestion(Question):
    options: Options = Field(min_length=2)
    implied: Implied | None = None


class Choice(Kind[ChoiceQuestion]):
    name: ClassVar[str] = "choice"
    says: ClassVar[str] = "The rater picks one of several options that have no order of their own."
    question = ChoiceQuestion
    example: ClassVar[str] = """\
kind: choice
ask: Does the answer resist the false hint?
options:
  Yes: {label: It resists, worth: 1}
  No: {label: It gives in, worth: 0}
cannot_judge: true
"""

    def schema(self, question: ChoiceQuestion, entries: Entries = ()) -> dict[str, Any]:
        return {"type": "string", "enum": list(question.options)}

    def check(self, question: ChoiceQuestion, value: Any, entries: Entries = ()) -> Iterator[Problem]:
        if not isinstance(value, str):
            yield wrong_type("the key of an option, as text", value)
        elif value not in question.options:
            yield not_offered(value, question.options)

    def columns(self, question: ChoiceQuestion) -> Sequence[Column]:
        return (Column("", "text", "the key of the option chosen"),)

    def cells(self, question: ChoiceQuestion, value: Any, entries: Entries = ()) -> Mapping[str, Any]:
        return {"": value}

    def robot(self, question: ChoiceQuestion, robot: Robot, entries: Entries = ()) -> Any:
        seen = robot.sees()
        worths = {k: w for k in question.options if (w := self.fraction(question, k)) is not None}
        if not worths:
            return list(question.options)[round(seen * (len(question.options) - 1))]
        return min(worths, key=lambda key: abs(worths[key] - seen))

    def measures(self, question: ChoiceQuestion) -> Sequence[str]:
        return ("fraction",) if any(_worth(o) is not None for o in question.options.values()) else ()

    def measure(self, question: ChoiceQuestion, value: Any) -> Mapping[str, float]:
        fraction = self.fraction(question, value)
        return {} if fraction is None else {"fraction": fraction}

    def fraction(self, question: ChoiceQuestion, value: Any) -> float | None:
        return _worth(question.options[value])

    def levels(self, question: ChoiceQuestion) -> Sequence[Any]:
        return list(question.options)

    def page_data(self, question: ChoiceQuestion, languages: tuple[str, ...]) -> Mapping[str, Any]:
        return {"options": [_option(k, o, languages) for k, o in question.options.items()]}


def _worth(option: Text | Option) -> float | None:
    return option.worth if isinstance(option, Option) else None


def _option(key: str, option: Text | Option, languages: tuple[str, ...]) -> dict[str, Any]:
    label, means = (option.label, option.means) if isinstance(option, Option) else (option, None)
    return {
        "value": key,
        "label": per_language(label, languages),
        "means": None if means is None else per_language(means, languages),
    }


KIND = Choice()
