"""Hidden scores as judges: which question each is about, on which scale, and what is missing."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from rubrica.analysis.arrays import Floats, Ints
from rubrica.analysis.table import Judge, Question
from rubrica.review.coding import Coded, Listed
from rubrica.review.things import Things
from rubrica.study.model import Study, Verdict
from rubrica.texts import in_language

JUDGE = "judge"
"""What a judge is called whose verdict has the question's own name and says no other."""

ANYWHERE = (-math.inf, math.inf)

_WORDS = {
    "pass": 1.0, "passed": 1.0, "success": 1.0, "yes": 1.0, "true": 1.0,
    "fail": 0.0, "failed": 0.0, "failure": 0.0, "no": 0.0, "false": 0.0,
}  # fmt: skip


@dataclass(slots=True)
class Judged:
    """What became of the verdicts."""

    judges: list[Judge] = field(default_factory=list)
    of_entries: dict[str, list[Judge]] = field(default_factory=dict)
    """By the name of a question seen entry by entry; one score per entry of every item."""
    groups: dict[str, list[str | None]] = field(default_factory=dict)
    """Truth values that are no judge's score split the items in two groups."""
    unread: dict[str, int] = field(default_factory=dict)
    """Per verdict, values that are no score of anything."""
    set_aside: dict[str, int] = field(default_factory=dict)
    """Per verdict, values that mean the judge gave no score."""


def judged(study: Study, coded: Sequence[Coded], listed: Sequence[Listed], things: Things) -> Judged:
    found = Judged()
    for name, verdict in study.items.verdict.items():
        one = _Verdict(name, verdict, things, found)
        about = _about(one, study, coded)
        entries = _about_entries(one, study, listed)
        for column in about:
            found.judges += one.judges(column.question, _reader(column.question, verdict))
        for question in entries:
            found.of_entries.setdefault(question.question.name, []).extend(one.entry_judges(question))
        if not about and not entries and one.all_of(bool):
            found.groups[name] = [None if v is None else str(v).lower() for v in one.values]
    return found


def _about(one: _Verdict, study: Study, coded: Sequence[Coded]) -> list[Coded]:
    """The columns it is compared with: the one it names; a number without a name, every scale."""
    named = one.verdict.question or (one.name if one.name in study.questions else None)
    if named is not None:
        return [c for c in coded if c.name == named]
    if one.all_of(str):
        words = all(v.lower() in _WORDS for v in one.known)
        passes = [c for c in coded if c.role == "score" and c.question.labels is not None]
        return passes[:1] if words else []
    if one.all_of(int, float) and not one.all_of(bool):
        return [c for c in coded if c.question.metric == "ordinal" or _is_mean(c)]
    return []


def _is_mean(column: Coded) -> bool:
    return column.role == "score" and column.question.labels is None


def _about_entries(one: _Verdict, study: Study, listed: Sequence[Listed]) -> list[Listed]:
    if not one.all_of(list):
        return []
    named = one.verdict.question or (one.name if one.name in study.questions else None)
    if named is not None:
        return [q for q in listed if q.of == named]
    labels = {label for v in one.known for part in v if isinstance(part, list) for label in part}
    return [q for q in listed if q.labels & {x for x in labels if isinstance(x, str)}]


def _reader(question: Question, verdict: Verdict) -> Callable[[Any], float]:
    if verdict.scale is not None:
        low, high = verdict.scale
        return lambda value: (_as_number(value) - low) / (high - low)
    if question.labels is None:
        return _as_number
    places = {label: float(place) for place, label in enumerate(question.labels)}
    return lambda value: _as_label(value, places)


def _as_number(value: Any) -> float:
    """A number, or one written as text; anything else is no score."""
    try:
        number = float(value) if isinstance(value, int | float | str) else math.nan
    except ValueError:
        return math.nan
    return number if math.isfinite(number) else math.nan


def _as_label(value: Any, places: dict[str, float]) -> float:
    if isinstance(value, str) and value in places:
        return places[value]
    if len(places) != 2:
        return math.nan
    if isinstance(value, bool) or value in (0, 1):
        return float(value)
    return _WORDS.get(value.lower(), math.nan) if isinstance(value, str) else math.nan


@dataclass(slots=True)
class _Verdict:
    name: str
    verdict: Verdict
    things: Things
    found: Judged

    @property
    def values(self) -> list[Any]:
        return self.things.verdicts.get(self.name, [])

    @property
    def known(self) -> Iterator[Any]:
        return (v for v in self.values if v is not None and not self._means_none(v))

    def all_of(self, *types: type) -> bool:
        known = list(self.known)
        return bool(known) and all(isinstance(v, types) for v in known)

    def _means_none(self, value: Any) -> bool:
        missing = self.verdict.missing
        return any(value == m and isinstance(value, bool) == isinstance(m, bool) for m in missing)

    def judges(self, question: Question, read: Callable[[Any], float]) -> Iterator[Judge]:
        """One judge, or one for each that the items name."""
        if self.all_of(list):
            if question.levels is None:
                yield from self._shares(question)
            return
        ends = self._ends(question)
        scores = np.fromiter((self._score(v, read, ends) for v in self.values), np.float64)
        yield from self._split(question, scores, self._scale(question))

    def _ends(self, question: Question) -> tuple[float, float]:
        """What lies beyond the ends of the scale is no score on it."""
        if self.verdict.scale is not None:
            return 0.0, 1.0
        if self._scale(question) == "levels" and question.labels is None and question.levels:
            return min(question.levels), max(question.levels)
        return ANYWHERE

    def _score(
        self, value: Any, read: Callable[[Any], float], ends: tuple[float, float] = ANYWHERE
    ) -> float:
        if value is None:
            return math.nan
        if self._means_none(value):
            self.found.set_aside[self.name] = self.found.set_aside.get(self.name, 0) + 1
            return math.nan
        number = read(value)
        if not ends[0] <= number <= ends[1]:
            number = math.nan
        if math.isnan(number):
            self.found.unread[self.name] = self.found.unread.get(self.name, 0) + 1
        return number

    def _scale(self, question: Question) -> Any:
        named = self.verdict.question or self.name
        if self.verdict.scale is not None:
            return "fraction" if question.levels is not None else "levels"
        return "levels" if named == question.name or question.labels is not None else "own"

    def _shares(self, question: Question) -> Iterator[Judge]:
        """A list of statuses against the share a rater gave: the mean of those that are known."""
        scores = np.full(len(self.values), math.nan)
        for place, value in enumerate(self.values):
            marks = [_as_number(v) for v in value or () if not self._means_none(v)]
            known = [m for m in marks if not math.isnan(m)]
            scores[place] = sum(known) / len(known) if known else math.nan
        yield from self._split(question, scores, "levels")

    def _split(
        self, question: Question, scores: Floats, scale: Any, of: Ints | None = None
    ) -> Iterator[Judge]:
        """`of` is the item of each score, where an item has several."""
        note = self.verdict.note
        says = None if note is None else in_language(note, "en")
        names = self.things.judges.get(self.name, [])
        if self.verdict.judge is None or not any(names):
            own = JUDGE if self.name == question.name else self.name
            yield Judge(own, question.name, scores, scale, says)
            return
        for judge in sorted({n for n in names if n is not None}):
            mine = np.fromiter((n == judge for n in names), np.bool_, count=len(names))
            mine = mine if of is None else mine[of]
            kept = np.where(mine, scores, math.nan)
            yield Judge(judge, question.name, kept, scale, says, mine)

    def entry_judges(self, one: Listed) -> Iterator[Judge]:
        """One score per entry; a list of another length than the item's cannot be matched."""
        sizes = self.things.sizes[one.of]
        scores: list[float] = []
        for value, size in zip(self.values, sizes, strict=True):
            scores += self._entry_scores(one, value, size)
        of = np.repeat(np.arange(len(sizes)), sizes)
        yield from self._split(one.question, np.array(scores, dtype=np.float64), "levels", of)

    def _entry_scores(self, one: Listed, value: Any, size: int) -> list[float]:
        if not isinstance(value, list) or len(value) != size:
            if value is not None:
                self.found.unread[self.name] = self.found.unread.get(self.name, 0) + 1
            return [math.nan] * size
        if one.labels:
            return [_marked(v, one.labels) for v in value]
        return [self._score(v, _as_number) for v in value]


def _marked(labels: Any, types: frozenset[str]) -> float:
    if not isinstance(labels, list):
        return math.nan
    return float(any(label in types for label in labels if isinstance(label, str)))
