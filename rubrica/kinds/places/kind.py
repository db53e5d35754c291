"""A short list the rater writes: the places a user asked to visit.

The browser sends one object per entry, in the order they were written: `[{"name": "the airport",
"mark": "asked"}, {"name": "a pharmacy", "mark": "dropped"}]`. `mark` is one of the marks the question
declares, and is not sent where it declares none. Stating that there is no entry is a stroke of its
own and sends `[]`; without it nothing is sent.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Annotated, Any, ClassVar

from pydantic import Field

from rubrica.errors import Problem
from rubrica.kinds.answers import bad_key, bad_length, bad_members, bad_text, inside, wrong_type
from rubrica.kinds.contract import Column, Entries, Kind, Question, Robot
from rubrica.kinds.declared import reserved_keys
from rubrica.kinds.named import Bare, Key, Named, shown_named
from rubrica.texts import Text, per_language

LONGEST_NAME = 200


class Mark(Named):
    """One mark."""

    counts: bool = True
    """Whether an entry so marked is an active one."""


class PlacesQuestion(Question):
    """A short list the rater writes."""

    marks: dict[Key, Annotated[Mark, Bare]] = Field(default_factory=dict)
    """What is said of each entry, one mark each."""
    at_most: int = Field(default=30, ge=1, le=200)
    """How many entries it may have."""
    none: Text = Field(default_factory=lambda: {"en": "None", "zh": "没有"})
    """The label of the stroke that states there is none."""


class Places(Kind[PlacesQuestion]):
    name: ClassVar[str] = "places"
    says: ClassVar[str] = (
        "The rater writes a short list and marks each entry, or states that it is empty."
    )
    simple: ClassVar[bool] = False
    question = PlacesQuestion
    example: ClassVar[str] = """\
kind: places
ask: Which places did the driver ask to visit?
marks:
  asked: Asked for
  dropped: {label: Dropped again, counts: false}
  apart: {label: Not part of one route, counts: false}
none: No place was asked for
"""

    def schema(self, question: PlacesQuestion, entries: Entries = ()) -> dict[str, Any]:
        members: dict[str, Any] = {
            "name": {"type": "string", "maxLength": LONGEST_NAME, "pattern": r"\S"},
            "mark": {"type": "string", "enum": list(question.marks)},
        }
        entry = {
            "type": "object",
            "properties": {member: members[member] for member in _members(question)},
            "required": _members(question),
            "additionalProperties": False,
        }
        return {"type": "array", "items": entry, "maxItems": question.at_most}

    def check(self, question: PlacesQuestion, value: Any, entries: Entries = ()) -> Iterator[Problem]:
        if not isinstance(value, list):
            yield wrong_type("a list of entries", value)
            return
        yield from bad_length(value, 0, question.at_most, "entries")
        for number, entry in enumerate(value):
            yield from inside(_check_entry(question, entry), f"[{number}]")

    def columns(self, question: PlacesQuestion) -> Sequence[Column]:
        by_mark = [Column(m, "integer", f"how many are marked {m}") for m in question.marks]
        return (
            Column("", "integer", "how many entries are active"),
            Column("listed", "integer", "how many entries there are"),
            *by_mark,
            Column("entries", "json", "every entry with its mark"),
        )

    def cells(self, question: PlacesQuestion, value: Any, entries: Entries = ()) -> Mapping[str, Any]:
        counts = dict(self.measure(question, value))
        return {"": counts.pop("count"), **counts, "entries": value}

    def recorded(self, question: PlacesQuestion, cells: Mapping[str, Any]) -> Any:
        return cells.get("entries")

    def robot(self, question: PlacesQuestion, robot: Robot, entries: Entries = ()) -> Any:
        wanted = robot.rng.randint(0, min(4, question.at_most))
        return [self._robot_entry(question, robot, number) for number in range(wanted)]

    def _robot_entry(self, question: PlacesQuestion, robot: Robot, number: int) -> dict[str, Any]:
        entry = {"name": f"Simulated entry {number + 1}"}
        marked = {"mark": robot.rng.choice(list(question.marks))} if question.marks else {}
        return entry | marked

    def declares(self, question: PlacesQuestion) -> Iterator[Problem]:
        yield from reserved_keys(question.marks, "marks", ["count", "listed", "entries"])

    def measures(self, question: PlacesQuestion) -> Sequence[str]:
        return ("count", "listed", *question.marks)

    def measure(self, question: PlacesQuestion, value: Any) -> Mapping[str, float]:
        marks = [entry.get("mark") for entry in value]
        active = [mark for mark in marks if mark is None or question.marks[mark].counts]
        by_mark = {name: marks.count(name) for name in question.marks}
        return {"count": len(active), "listed": len(value), **by_mark}

    def page_data(self, question: PlacesQuestion, languages: tuple[str, ...]) -> Mapping[str, Any]:
        marks = [shown_named(k, m, languages, counts=m.counts) for k, m in question.marks.items()]
        return {
            "marks": marks,
            "at_most": question.at_most,
            "longest_name": LONGEST_NAME,
            "none": per_language(question.none, languages),
        }


def _members(question: PlacesQuestion) -> list[str]:
    return ["name", "mark"] if question.marks else ["name"]


def _check_entry(question: PlacesQuestion, entry: Any) -> Iterator[Problem]:
    problems = list(bad_members(entry, _members(question)))
    yield from problems
    if problems:
        return
    yield from inside(bad_text(entry["name"], LONGEST_NAME), ".name")
    if question.marks:
        yield from inside(bad_key(entry["mark"], question.marks, "the key of a mark"), ".mark")


KIND = Places()
