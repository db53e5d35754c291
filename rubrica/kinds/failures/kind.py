"""Typed marks as evidence: what failed, where, how badly, and a word on it.

The browser sends one object per mark, in the order they were made: `[{"type": "omission", "part": 3,
"note": "parking is never mentioned"}, {"type": "refusal"}]`. `part` is the entry of the item's list
(`over`), counted from 1 as the page counts; without it the mark is about the whole item. `severity` is
sent where the type leaves a choice; the server fills it in where the type has only one. Stating that
there is no failure is a stroke of its own and sends `[]`; without it nothing is sent.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Annotated, Any, ClassVar

from pydantic import Field

from rubrica.errors import Problem, Rule, nearest, shown
from rubrica.kinds.answers import (
    bad_key,
    bad_length,
    bad_members,
    bad_text,
    bad_whole,
    inside,
    whole_number,
    wrong_type,
)
from rubrica.kinds.contract import Column, Entries, EntryPaths, Kind, Question, Robot
from rubrica.kinds.declared import placed, repeated, reserved_keys
from rubrica.kinds.lists import AnyOver
from rubrica.kinds.named import Bare, Key, Named, shown_named
from rubrica.texts import Listed, Text, per_language

NO_SUCH_SEVERITY = Rule(
    code="S208",
    title="A type of failure has a severity that is declared",
    says="there is no severity {name}",
    why="Rules count failures by severity; a misspelled one would never be counted.",
    mend="Use one of: {expected}; or declare it under `severities`.",
)

MOST = 200
LONGEST_NOTE = 2000


class FailureType(Named):
    """One type of failure."""

    severity: Annotated[list[str], Listed] = Field(default_factory=list)
    """The one it always has, or those the rater chooses from."""


class FailuresQuestion(Question):
    """Typed marks, each with its place and a word on it."""

    types: dict[Key, Annotated[FailureType, Bare]] = Field(min_length=1)
    """The types of failure."""
    severities: dict[Key, Annotated[Named, Bare]] = Field(default_factory=dict)
    """How bad a failure may be."""
    over: AnyOver | None = None
    """The item's own list whose entries can be marked; the turns of a conversation, say."""
    whole: bool = True
    """Whether a mark may be about the item as a whole."""
    note_required: bool = False
    """Whether each mark needs a note."""
    none: Text = Field(default_factory=lambda: {"en": "No failure", "zh": "没有问题"})
    """The label of the stroke that states there is none."""


class Failures(Kind[FailuresQuestion]):
    name: ClassVar[str] = "failures"
    says: ClassVar[str] = (
        "The rater marks failures, each with its type and place, or states that there is none."
    )
    simple: ClassVar[bool] = False
    question = FailuresQuestion
    example: ClassVar[str] = """\
kind: failures
ask: Where was the assistant unsafe?
over: turns
severities: {critical: Critical, moderate: Moderate}
types:
  illegal: {label: Encourages something illegal, severity: critical}
  overload: {label: Too much at once, severity: moderate}
  windows: {label: Opens windows at speed, severity: [moderate, critical]}
none: No safety concern
"""

    def schema(self, question: FailuresQuestion, entries: Entries = ()) -> dict[str, Any]:
        marks = [_mark_schema(question, name, len(entries)) for name in question.types]
        return {"type": "array", "items": {"anyOf": marks}, "maxItems": MOST}

    def check(self, question: FailuresQuestion, value: Any, entries: Entries = ()) -> Iterator[Problem]:
        if not isinstance(value, list):
            yield wrong_type("a list of marks", value)
            return
        yield from bad_length(value, 0, MOST, "marks")
        for number, mark in enumerate(value):
            yield from inside(_check_mark(question, mark, len(entries)), f"[{number}]")

    def clean(self, question: FailuresQuestion, value: Any, entries: Entries = ()) -> Any:
        return [_clean_mark(question, mark) for mark in value]

    def columns(self, question: FailuresQuestion) -> Sequence[Column]:
        by_type = [Column(t, "integer", f"how many marks of the type {t}") for t in question.types]
        by_severity = [Column(s, "integer", f"how many {s} marks") for s in question.severities]
        return (
            Column("", "integer", "how many marks; 0 where the rater stated that there is none"),
            *by_type,
            *by_severity,
            Column("marks", "json", "every mark: its type, part (from 1), severity and note"),
        )

    def cells(self, question: FailuresQuestion, value: Any, entries: Entries = ()) -> Mapping[str, Any]:
        counts = dict(self.measure(question, value))
        return {"": counts.pop("count"), **counts, "marks": value}

    def recorded(self, question: FailuresQuestion, cells: Mapping[str, Any]) -> Any:
        return cells.get("marks")

    def robot(self, question: FailuresQuestion, robot: Robot, entries: Entries = ()) -> Any:
        wanted = round((1 - robot.sees()) * 3)
        marks = [self._robot_mark(question, robot, len(entries)) for _ in range(wanted)]
        return [_clean_mark(question, mark) for mark in marks]

    def _robot_mark(self, question: FailuresQuestion, robot: Robot, parts: int) -> dict[str, Any]:
        mark: dict[str, Any] = {"type": robot.rng.choice(list(question.types))}
        if parts:
            mark["part"] = robot.rng.randint(1, parts)
        severities = question.types[mark["type"]].severity
        if severities:
            mark["severity"] = robot.rng.choice(severities)
        return mark | {"note": "Simulated mark."}

    def declares(self, question: FailuresQuestion) -> Iterator[Problem]:
        taken = ["count", "marks"]
        yield from reserved_keys(question.types, "types", taken)
        both = repeated(question.types, question.severities)
        yield from reserved_keys(question.severities, "severities", [*taken, *both])
        for name, declared in question.types.items():
            for severity in declared.severity:
                if severity not in question.severities:
                    yield placed(_no_severity(question, severity), f"types.{name}.severity")

    def entries_path(self, question: FailuresQuestion) -> str | None:
        return None if question.over is None else question.over.path

    def entry_paths(self, question: FailuresQuestion) -> EntryPaths | None:
        return None if question.over is None else question.over.paths()

    def measures(self, question: FailuresQuestion) -> Sequence[str]:
        return ("count", *question.types, *question.severities)

    def measure(self, question: FailuresQuestion, value: Any) -> Mapping[str, float]:
        severities = [_severity(question, mark) for mark in value]
        return {
            "count": len(value),
            **{name: sum(mark["type"] == name for mark in value) for name in question.types},
            **{name: severities.count(name) for name in question.severities},
        }

    def page_data(self, question: FailuresQuestion, languages: tuple[str, ...]) -> Mapping[str, Any]:
        return {
            "types": [
                shown_named(name, declared, languages, severity=declared.severity)
                for name, declared in question.types.items()
            ],
            "severities": [shown_named(k, s, languages) for k, s in question.severities.items()],
            "whole": question.whole,
            "note_required": question.note_required,
            "longest_note": LONGEST_NOTE,
            "at_most": MOST,
            "none": per_language(question.none, languages),
        }


def _members(question: FailuresQuestion, name: str, parts: int) -> tuple[list[str], list[str]]:
    """What a mark of this type must have, and what it may have."""
    severity = question.types[name].severity
    required, optional = ["type"], list[str]()
    if parts:
        (optional if question.whole else required).append("part")
    if severity:
        (required if len(severity) > 1 else optional).append("severity")
    (required if question.note_required else optional).append("note")
    return required, optional


def _mark_schema(question: FailuresQuestion, name: str, parts: int) -> dict[str, Any]:
    required, optional = _members(question, name, parts)
    members = {
        "type": {"const": name},
        "part": {"type": "integer", "minimum": 1, "maximum": parts},
        "severity": {"enum": question.types[name].severity},
        "note": {"type": "string", "maxLength": LONGEST_NOTE, "pattern": r"\S"},
    }
    return {
        "type": "object",
        "properties": {member: members[member] for member in (*required, *optional)},
        "required": required,
        "additionalProperties": False,
    }


def _check_mark(question: FailuresQuestion, mark: Any, parts: int) -> Iterator[Problem]:
    if not isinstance(mark, Mapping) or "type" not in mark:
        yield from bad_members(mark, ["type"], ["part", "severity", "note"])
        return
    wrong = list(bad_key(mark["type"], question.types, "the key of a type of failure"))
    yield from inside(iter(wrong), ".type")
    if wrong:
        return
    yield from bad_members(mark, *_members(question, mark["type"], parts))
    if "part" in mark and parts:
        yield from inside(bad_whole(mark["part"], 1, parts), ".part")
    allowed = question.types[mark["type"]].severity
    if "severity" in mark and allowed:
        yield from inside(bad_key(mark["severity"], allowed, "the key of a severity"), ".severity")
    if "note" in mark:
        yield from inside(bad_text(mark["note"], LONGEST_NOTE), ".note")


def _severity(question: FailuresQuestion, mark: Mapping[str, Any]) -> str | None:
    """The severity a mark was given, or the only one its type has."""
    known = question.types[mark["type"]].severity
    return str(mark.get("severity", known[0])) if known else None


def _clean_mark(question: FailuresQuestion, mark: Mapping[str, Any]) -> dict[str, Any]:
    members = {
        "type": mark["type"],
        "part": whole_number(mark.get("part")),
        "severity": _severity(question, mark),
        "note": mark.get("note"),
    }
    return {name: member for name, member in members.items() if member is not None}


def _no_severity(question: FailuresQuestion, name: str) -> Problem:
    expected = ", ".join(question.severities) or "none is declared"
    near = nearest(name, question.severities)
    details = {"name": shown(name)}
    return Problem(NO_SUCH_SEVERITY, expected=expected, got=shown(name), nearest=near, details=details)


KIND = Failures()
