"""Any number of several named options.

The browser sends the keys of those chosen, in any order: `["blurry", "cropped"]`. Where the question
declares `none`, a stroke of its own sends `[]`; without that stroke nothing is sent.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Annotated, Any, ClassVar

from pydantic import Field

from rubrica.errors import Problem, shown
from rubrica.kinds.answers import WRONG_LENGTH, bad_key, bad_length, inside, wrong_type
from rubrica.kinds.contract import Column, Entries, Kind, Question, Robot
from rubrica.kinds.declared import limits, reserved_keys
from rubrica.kinds.named import Bare, Key, Named, shown_named
from rubrica.texts import Text, per_language


class ManyQuestion(Question):
    """Several of several options."""

    options: dict[Key, Annotated[Named, Bare]] = Field(min_length=1)
    """The options by the value that is recorded."""
    at_least: int = Field(default=1, ge=1)
    """How many must be chosen."""
    at_most: int | None = Field(default=None, ge=1)
    """How many may be chosen."""
    none: Text | None = None
    """The label of the stroke that states that none of them holds; without it, one must."""


class Many(Kind[ManyQuestion]):
    name: ClassVar[str] = "many"
    says: ClassVar[str] = "The rater picks any number of several options, or states that none holds."
    question = ManyQuestion
    example: ClassVar[str] = """\
kind: many
ask: What is wrong with the picture?
options:
  blurry: Out of focus
  cropped: {label: Cropped, means: something that matters is cut off}
  dark: Too dark
none: Nothing is wrong
"""

    def schema(self, question: ManyQuestion, entries: Entries = ()) -> dict[str, Any]:
        some = {
            "type": "array",
            "items": {"type": "string", "enum": list(question.options)},
            "uniqueItems": True,
            "minItems": question.at_least,
            "maxItems": _most(question),
        }
        return some if question.none is None else {"anyOf": [{"type": "array", "maxItems": 0}, some]}

    def check(self, question: ManyQuestion, value: Any, entries: Entries = ()) -> Iterator[Problem]:
        if not isinstance(value, list):
            yield wrong_type("a list of keys of options", value)
            return
        if value or question.none is None:
            yield from bad_length(value, question.at_least, _most(question), "different options")
        for number, key in enumerate(value):
            yield from inside(bad_key(key, question.options, "the key of an option"), f"[{number}]")
        if len({str(key) for key in value}) < len(value):
            details = {"length": len(value)}
            yield Problem(WRONG_LENGTH, expected="each option once", got=shown(value), details=details)

    def clean(self, question: ManyQuestion, value: Any, entries: Entries = ()) -> Any:
        return [key for key in question.options if key in value]

    def columns(self, question: ManyQuestion) -> Sequence[Column]:
        chosen = (Column(key, "boolean", f"whether {key} was chosen") for key in question.options)
        return (Column("", "json", "the keys of the options chosen"), *chosen)

    def cells(self, question: ManyQuestion, value: Any, entries: Entries = ()) -> Mapping[str, Any]:
        return {"": value, **{key: key in value for key in question.options}}

    def robot(self, question: ManyQuestion, robot: Robot, entries: Entries = ()) -> Any:
        wanted = round((1 - robot.sees()) * len(question.options))
        if not wanted and question.none is not None:
            return []
        wanted = min(max(wanted, question.at_least), _most(question))
        return self.clean(question, robot.rng.sample(list(question.options), wanted))

    def declares(self, question: ManyQuestion) -> Iterator[Problem]:
        yield from limits(question.at_least, _most(question), "at_least")
        yield from reserved_keys(question.options, "options", ["count"])

    def measures(self, question: ManyQuestion) -> Sequence[str]:
        return ("count", *question.options)

    def measure(self, question: ManyQuestion, value: Any) -> Mapping[str, float]:
        return {"count": len(value), **{key: int(key in value) for key in question.options}}

    def page_data(self, question: ManyQuestion, languages: tuple[str, ...]) -> Mapping[str, Any]:
        none = None if question.none is None else per_language(question.none, languages)
        options = [shown_named(key, o, languages) for key, o in question.options.items()]
        return {
            "options": options,
            "at_least": question.at_least,
            "at_most": _most(question),
            "none": none,
        }


def _most(question: ManyQuestion) -> int:
    given = question.at_most
    return len(question.options) if given is None else min(given, len(question.options))


KIND = Many()
