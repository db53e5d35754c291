"""Ratings as columns: one pass over the stream, arrays of numbers, no record kept."""

from __future__ import annotations

import math
from array import array
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from rubrica.analysis.arrays import Bools, Floats, Ints
from rubrica.analysis.table import Answers
from rubrica.ratings.facts import answer_fact
from rubrica.ratings.model import Answer, Rating
from rubrica.ratings.scores import score_fact
from rubrica.review.coding import Coded, Listed
from rubrica.study.model import Study

ANSWERED, NOT_APPLICABLE, CANNOT_JUDGE, LEFT_OPEN, SKIPPED, OTHER_WORDS = range(6)
"""Places in `analysis.table.WHY_MISSING`."""

_STATE = {
    "answered": ANSWERED,
    "not_applicable": NOT_APPLICABLE,
    "cannot_judge": CANNOT_JUDGE,
    "left_out": LEFT_OPEN,
}
Told = Callable[[float], None]


@dataclass(slots=True)
class Column:
    final: array[float] = field(default_factory=lambda: array("d"))
    first: dict[int, float] = field(default_factory=dict)
    """By row, where there was another choice first: few have one."""
    why: array[int] = field(default_factory=lambda: array("b"))

    def put(self, final: float, why: int = ANSWERED) -> None:
        self.final.append(final)
        self.why.append(why)

    def put_first(self, first: float | None) -> None:
        """The first choice of the row that was put last."""
        if first is not None and math.isfinite(first):
            self.first[len(self.final) - 1] = first

    def answers(self) -> Answers:
        final = np.frombuffer(self.final, dtype=np.float64)
        return Answers(final, self._first(len(final)), np.frombuffer(self.why, dtype=np.uint8))

    def _first(self, size: int) -> Floats | None:
        if not self.first:
            return None
        first = np.full(size, math.nan)
        first[list(self.first)] = list(self.first.values())
        return first


@dataclass(slots=True)
class Entries:
    """Answers entry by entry: the rating's row, the entry's place in its item, the value."""

    row: array[int] = field(default_factory=lambda: array("q"))
    entry: array[int] = field(default_factory=lambda: array("q"))
    value: array[float] = field(default_factory=lambda: array("d"))


@dataclass(slots=True)
class Rows:
    """All ratings of known items; whatever is not in a column is counted."""

    item: array[int] = field(default_factory=lambda: array("q"))
    rater: array[int] = field(default_factory=lambda: array("q"))
    place: array[int] = field(default_factory=lambda: array("q"))
    order: array[int] = field(default_factory=lambda: array("q"))
    seconds: array[float] = field(default_factory=lambda: array("d"))
    surplus: array[int] = field(default_factory=lambda: array("b"))
    language: list[str] = field(default_factory=list)
    columns: dict[str, Column] = field(default_factory=dict)
    entries: dict[str, Entries] = field(default_factory=dict)
    versions: dict[str, int] = field(default_factory=dict)
    skips: int = 0
    revisions: int = 0
    conflicts: int = 0
    imported: int = 0
    elsewhere: int = 0
    """Ratings of items the study no longer has."""

    def __len__(self) -> int:
        return len(self.item)


@dataclass(frozen=True, slots=True)
class Reading:
    """What reading needs to know: the columns wanted, and which of them each version asked."""

    study: Study
    coded: Sequence[Coded]
    listed: Sequence[Listed]
    same: Mapping[str, frozenset[str]]
    """By version: the columns it asked in the same words."""
    index: Mapping[int, int]
    sizes: Mapping[str, Sequence[int]]


def read_rows(ratings: Iterable[Rating], reading: Reading, told: Told | None = None) -> Rows:
    rows = Rows(
        columns={one.name: Column() for one in reading.coded},
        entries={one.question.name: Entries() for one in reading.listed},
    )
    for number, rating in enumerate(ratings):
        _add(rows, reading, rating)
        if told is not None and number % 5_000 == 0:
            told(number)
    return rows


def _add(rows: Rows, reading: Reading, rating: Rating) -> None:
    sent = rating.submission
    item = reading.index.get(sent.item)
    if item is None:
        rows.elsewhere += 1
        return
    row = len(rows.item)
    rows.item.append(item)
    rows.rater.append(sent.rater)
    rows.place.append(sent.place)
    rows.order.append(rating.number)
    seconds = sent.pace.active_seconds
    rows.seconds.append(math.nan if seconds is None else seconds)
    rows.surplus.append(rating.surplus)
    rows.language.append(sent.language)
    rows.versions[sent.version] = rows.versions.get(sent.version, 0) + 1
    rows.skips += sent.answers is None
    rows.revisions += sent.supersedes is not None and sent.answers is not None
    rows.conflicts += rating.conflict
    rows.imported += rating.imported
    same = reading.same.get(sent.version, frozenset())
    if sent.answers is None:
        for name, column in rows.columns.items():
            column.put(math.nan, SKIPPED if name in same else OTHER_WORDS)
        return
    _add_answers(rows, reading, rating, sent.answers, same)
    for one in reading.listed:
        if one.question.name in same:
            _add_entries(rows.entries[one.question.name], one, sent.answers, row, item, reading.sizes)


def _add_answers(
    rows: Rows,
    reading: Reading,
    rating: Rating,
    answers: Mapping[str, Answer],
    same: frozenset[str],
) -> None:
    before: dict[str, float | None] | None = None
    for one in reading.coded:
        column = rows.columns[one.question.name]
        if one.question.name not in same:
            column.put(math.nan, OTHER_WORDS)
            continue
        if one.role == "score":
            if before is None:
                before = first_scores(reading.study, answers)
            value = rating.submission.scores.get(one.of)
            column.put(_known(value), LEFT_OPEN if value is None else ANSWERED)
            column.put_first(before.get(one.of))
            continue
        answer = answers.get(one.of)
        if answer is None:
            column.put(math.nan, LEFT_OPEN)
        elif answer.state != "answered":
            column.put(math.nan, _STATE[answer.state])
        else:
            column.put(one.read(answer.value))
            if answer.first is not None:
                column.put_first(one.read(answer.first))


def _known(value: float | None) -> float:
    return math.nan if value is None else value


def first_scores(study: Study, answers: Mapping[str, Answer]) -> dict[str, float | None]:
    """The scores of the first choices, where they differ from the last ones."""
    changed = {
        name: answer
        for name, answer in answers.items()
        if answer.first is not None and answer.state == "answered" and answer.first != answer.value
    }
    if not changed or not study.score:
        return {}

    def fact(name: str) -> Any:
        room, _, rest = name.partition(".")
        if room == "score":
            return score_fact(study, rest, fact)
        question, _, measure = rest.partition(".")
        declared, answer = study.questions.get(question), answers.get(question)
        if answer is not None and question in changed:
            answer = Answer("answered", answer.first)
        return None if declared is None else answer_fact(declared, answer, measure)

    names = [*study.score, *(f"{name}.pass" for name in study.score)]
    return {name: score_fact(study, name, fact) for name in names}


def _add_entries(
    entries: Entries,
    one: Listed,
    answers: Mapping[str, Answer],
    row: int,
    item: int,
    sizes: Mapping[str, Sequence[int]],
) -> None:
    answer = answers.get(one.of)
    if answer is None or answer.state != "answered":
        return
    size = sizes[one.of][item]
    values = one.read(answer.value, size)[:size]
    entries.row.extend([row] * len(values))
    entries.entry.extend(range(len(values)))
    entries.value.extend(values)


# --- which of a place's ratings stands ---------------------------------------------------------------


def last_of_place(place: Ints, order: Ints) -> Bools:
    """True for the rating that stands: the last by the server's order."""
    return _edge_of_place(place, order, last=True)


def first_of_place(place: Ints, order: Ints) -> Bools:
    return _edge_of_place(place, order, last=False)


def _edge_of_place(place: Ints, order: Ints, *, last: bool) -> Bools:
    edge = np.zeros(len(place), dtype=bool)
    if len(place) == 0:
        return edge
    sorting = np.lexsort((order, place))
    cut = np.flatnonzero(np.diff(place[sorting]))
    ends = np.append(cut, len(place) - 1) if last else np.append(0, cut + 1)
    edge[sorting[ends]] = True
    return edge


def ints(values: array[int]) -> Ints:
    return np.frombuffer(values, dtype=np.int64)


def floats(values: array[float]) -> Floats:
    return np.frombuffer(values, dtype=np.float64)
