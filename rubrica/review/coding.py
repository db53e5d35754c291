"""How answers become numbers: one column of the analysis for each thing a question records.

It follows from what the question's kind declares, so that a new kind is analysed like a bundled one.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Literal

from rubrica.analysis.table import Question
from rubrica.kinds.contract import Kind
from rubrica.kinds.contract import Question as Declared
from rubrica.kinds.registry import kind
from rubrica.ratings.scores import score_names
from rubrica.study.model import Study

Read = Callable[[Any], float]
Role = Literal["answer", "part", "score", "entries"]

NOTHING = math.nan
SCORE = "score."
ENTRIES = ".entries"


@dataclass(frozen=True, slots=True)
class Coded:
    """A column: its question for the analysis, the study's question it comes from, how it is read."""

    question: Question
    of: str
    role: Role
    read: Read

    @property
    def name(self) -> str:
        return self.question.name


def coded(study: Study) -> list[Coded]:
    """The columns of all questions, then of the scores."""
    found = [one for name, question in study.questions.items() for one in _of(name, question)]
    return [*found, *_scores(study)]


def uncoded(study: Study) -> list[str]:
    """Questions without anything to count, such as comments."""
    have = {one.of for one in coded(study)}
    return [name for name in study.questions if name not in have]


def _of(name: str, question: Declared) -> Iterator[Coded]:
    of = kind(question.kind)
    levels = of.levels(question)
    main, *others = of.columns(question)
    if levels is not None:
        yield _levelled(name, of, question, list(levels))
    elif main.type in ("integer", "number"):
        whole = Question(name, "interval")
        yield Coded(whole, name, "answer", _cell(of, question, ""))
    elif main.type == "boolean":
        yield _yes_or_no(name, name, of, question, "")
    else:
        for column in others:
            if column.type == "boolean":
                yield _yes_or_no(f"{name}.{column.name}", name, of, question, column.name)


def _levelled(name: str, of: Kind[Any], question: Declared, levels: list[Any]) -> Coded:
    if all(isinstance(level, int | float) for level in levels):
        values = tuple(float(level) for level in sorted(levels))
        return Coded(Question(name, "ordinal", values), name, "answer", _number)
    ordered = _by_worth(of, question, levels)
    places = tuple(float(place) for place in range(len(ordered)))
    labels = tuple(str(level) for level in ordered)
    codes = dict(zip(ordered, places, strict=True))
    return Coded(
        Question(name, "nominal", places, labels),
        name,
        "answer",
        lambda value: codes.get(value, NOTHING),
    )


def _by_worth(of: Kind[Any], question: Declared, levels: list[Any]) -> list[Any]:
    """The worst first where all have a worth, so that of yes and no the better one counts as yes."""
    worth = {level: of.fraction(question, level) for level in levels}
    if any(one is None for one in worth.values()):
        return levels
    return sorted(levels, key=lambda level: worth[level] or 0.0)


def _yes_or_no(name: str, of: str, how: Kind[Any], question: Declared, column: str) -> Coded:
    binary = Question(name, "nominal", (0.0, 1.0), ("no", "yes"))
    return Coded(binary, of, "part" if name != of else "answer", _cell(how, question, column))


def _cell(of: Kind[Any], question: Declared, column: str) -> Read:
    return lambda value: _number(of.cells(question, value).get(column))


def _number(value: Any) -> float:
    return float(value) if isinstance(value, int | float) else NOTHING


def _scores(study: Study) -> Iterator[Coded]:
    for name in score_names(study):
        if name.endswith(".pass"):
            question = Question(SCORE + name, "nominal", (0.0, 1.0), ("fail", "pass"))
        else:
            question = Question(SCORE + name, "interval")
        yield Coded(question, name, "score", _number)


# --- one answer per entry of the item's own list ----------------------------------------------------


@dataclass(frozen=True, slots=True)
class Listed:
    """A question about the item's own list, seen entry by entry: a goal, a turn.

    `read` gives one number per entry of an answer; `size` is how many the item has, where the answer
    does not say it. `labels` are names a judge may give an entry, where marks have types.
    """

    question: Question
    of: str
    read: Callable[[Any, int], list[float]]
    path: str
    labels: frozenset[str] = frozenset()


def listed(study: Study) -> list[Listed]:
    found = []
    for name, question in study.questions.items():
        path = kind(question.kind).entries_path(question)
        one = None if path is None else _entries(name, question, path)
        if one is not None:
            found.append(one)
    return found


def _entries(name: str, question: Declared, path: str) -> Listed | None:
    inner = getattr(question, "answer", None)
    if inner is not None:
        (first, *_) = [*_of(name + ENTRIES, inner), None]
        return None if first is None else Listed(first.question, name, _each(first.read), path)
    types: Mapping[str, Any] | None = getattr(question, "types", None)
    if types is None:
        return None
    binary = Question(name + ENTRIES, "nominal", (0.0, 1.0), ("none", "marked"))
    return Listed(binary, name, _marked, path, frozenset(types))


def _each(read: Read) -> Callable[[Any, int], list[float]]:
    return lambda value, _: [read(entry["value"]) for entry in value]


def _marked(value: Any, size: int) -> list[float]:
    parts = {mark.get("part") for mark in value}
    return [float(part in parts) for part in range(1, size + 1)]
