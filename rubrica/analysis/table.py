"""The tidy table: what goes in. One row per rating, one column per fact.

Values are numbers: the level itself for a scale, the place among `labels` for a choice without order.
A missing value is NaN with a reason beside it; it is never a number.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from rubrica.analysis.alpha import Metric
from rubrica.analysis.arrays import Bools, Floats, Ints

WHY_MISSING = (
    "answered",
    "not applicable",
    "cannot judge",
    "left open",
    "the item was skipped",
    "asked in other words by another version of the study",
)
"""What the codes of `Answers.why` mean, by their place."""

FLAGS = ("settled", "pilot", "gold", "excluded", "surplus", "repeat", "revised", "superseded")
"""Ratings kept apart, in the order in which the reason is given when several hold."""


@dataclass(frozen=True, slots=True)
class Factor:
    """Names as codes; -1 is no name."""

    codes: Ints
    names: tuple[str, ...]

    @classmethod
    def of(cls, values: Iterable[str | None]) -> Factor:
        """Names keep the order in which they first come."""
        places: dict[str, int] = {}
        codes = [-1 if v is None else places.setdefault(v, len(places)) for v in values]
        return cls(np.array(codes, dtype=np.int64), tuple(places))

    @classmethod
    def none(cls, size: int) -> Factor:
        return cls(np.full(size, -1, dtype=np.int64), ())

    def name(self, row: int) -> str | None:
        code = int(self.codes[row])
        return None if code < 0 else self.names[code]


@dataclass(frozen=True, slots=True)
class Question:
    """What the statistics need to know of a question, or of a score derived from its answers.

    `levels` are the values that can occur, lowest first; None for a free number. `metric` follows
    from the kind of scale. For two unordered answers the second one counts as yes.
    """

    name: str
    metric: Metric
    levels: tuple[float, ...] | None = None
    labels: tuple[str, ...] | None = None

    def __post_init__(self) -> None:
        if self.levels is not None and any(b <= a for a, b in pairwise(self.levels)):
            raise ValueError(f"the levels of {self.name} do not rise")

    @property
    def values(self) -> Floats:
        return np.array(self.levels or (), dtype=np.float64)

    @property
    def binary(self) -> bool:
        return self.levels is not None and len(self.levels) == 2

    @property
    def numeric(self) -> bool:
        """Whether a mean makes sense."""
        return self.metric != "nominal" or self.binary

    def label(self, code: int) -> str:
        if self.labels is not None:
            return self.labels[code]
        return f"{self.values[code]:g}"

    def codes(self, value: Floats) -> Ints:
        """The place of each value among the levels, -1 for none of them."""
        if self.levels is None or len(value) == 0:
            return np.full(len(value), -1, dtype=np.int64)
        levels = self.values
        place = np.clip(np.searchsorted(levels, value), 0, len(levels) - 1)
        return np.asarray(np.where(levels[place] == value, place, -1), dtype=np.int64)

    def fraction(self, value: Floats) -> Floats:
        """Between 0 (lowest level) and 1 (highest)."""
        if self.levels is None:
            return value
        return np.asarray((value - self.levels[0]) / (self.levels[-1] - self.levels[0]))


@dataclass(frozen=True, slots=True)
class Judge:
    """An automatic score per item, NaN where there is none.

    `scale` says how it relates to the question: the same `levels`, the `fraction` between lowest (0)
    and highest (1) level, or its `own` (a metric: only order and correlation mean anything).
    """

    name: str
    question: str
    scores: Floats
    scale: Literal["levels", "fraction", "own"] = "levels"
    says: str | None = None
    """A warning that goes with every number of this judge."""
    asked: Bools | None = None
    """The items this judge was asked about, where several judges shared them; None for all."""


@dataclass(frozen=True, slots=True)
class Items:
    """What is known of items.

    `input` is what the output answers: systems are compared on the same inputs. `thread` holds items
    that are not independent, which are resampled together. Either may be None.
    """

    names: tuple[str, ...]
    system: Factor | None = None
    input: Factor | None = None
    thread: Factor | None = None
    wave: Factor | None = None
    fields: Mapping[str, Factor] = field(default_factory=dict)
    judges: Sequence[Judge] = ()

    def clusters(self) -> Ints:
        """The independent unit each item belongs to; an item without a thread is one of its own."""
        return _own_where_none(self.thread or self.input, len(self.names))

    def inputs(self) -> Ints:
        return _own_where_none(self.input or self.thread, len(self.names))


@dataclass(frozen=True, slots=True)
class Answers:
    """One question's answers, aligned with the ratings."""

    final: Floats
    first: Floats | None = None
    """The first choice, where it was recorded; NaN means it was the final one."""
    why: NDArray[np.uint8] | None = None

    def value(self, choice: Literal["first", "final"]) -> Floats:
        if choice == "final" or self.first is None:
            return self.final
        return np.where(np.isnan(self.first), self.final, self.first)


@dataclass(frozen=True, slots=True)
class Table:
    """The ratings. Arrays are aligned; `rater` -1 is an unnamed place, `order` the time order."""

    items: Items
    item: Ints
    rater: Factor
    answers: Mapping[str, Answers]
    order: Ints | None = None
    seconds: Floats | None = None
    language: Factor | None = None
    flags: Mapping[str, Bools] = field(default_factory=dict)

    def __len__(self) -> int:
        return len(self.item)

    @property
    def times(self) -> Ints:
        """The time order, or the order of the rows."""
        return np.arange(len(self)) if self.order is None else self.order


@dataclass(frozen=True, slots=True)
class Options:
    """What was declared: nothing here is guessed from the data."""

    choice: Literal["first", "final"] = "first"
    include: frozenset[str] = frozenset()
    """Flags whose ratings take part all the same: `pilot`, `surplus`, `excluded`."""
    groups: tuple[str, ...] = ()
    reference: str | None = None
    leave_out: frozenset[str] = frozenset()
    """Items left out by name."""
    rater_waves: Mapping[str, str] = field(default_factory=dict)
    """The wave of each rater, by name, where raters came in several."""
    family: Literal["question", "study"] = "question"
    """Which comparisons are corrected together."""
    expertise: Literal["expert", "skilled", "crowd"] = "skilled"
    mismatch_from: float = 0.4
    mismatches: int = 100
    groups_shown: int = 60
    raters_shown: int = 30
    replicates: int = 1_000
    level: float = 0.95


def _own_where_none(factor: Factor | None, size: int) -> Ints:
    if factor is None:
        return np.arange(size)
    return np.where(factor.codes < 0, len(factor.names) + np.arange(size), factor.codes)
