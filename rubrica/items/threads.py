"""Threads: which run an item belongs to, its turn there, and its position in the study's order."""

from __future__ import annotations

from array import array
from collections.abc import Iterator
from datetime import UTC, datetime
from itertools import groupby
from math import isnan, nan
from typing import Any, NamedTuple

from rubrica.errors import Problem
from rubrica.items.lookup import name_of
from rubrica.items.rules import UNREADABLE
from rubrica.paths import compile_path
from rubrica.study.model import Thread

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)

Rank = tuple[int, float, str]
"""Which sort of value comes first, the amount of numbers and times, the text of all others."""


class Spot(NamedTuple):
    """Where an item stands: its thread, its turn there, its position among the rated items."""

    thread: str | None
    turn: int
    position: int


NOWHERE = Spot(None, 0, -1)


class _Runs:
    """Numbers the items of each thread, which must come in their order.

    With `restarts`, a new run begins where that number does not rise; runs are called `name#1`,
    `name#2`. An item without the number goes on with the run.
    """

    def __init__(self, thread: Thread) -> None:
        self._restarts = compile_path(thread.restarts) if thread.restarts else None
        self._state: dict[str, tuple[int, int, float | None]] = {}

    def number(self, data: Any) -> float | None:
        return as_number(self._restarts(data)) if self._restarts else None

    def next(self, name: str, number: float | None) -> tuple[str, int]:
        run, turn, last = self._state.get(name, (1, -1, None))
        if number is not None and last is not None and number <= last:
            run, turn = run + 1, -1
        self._state[name] = (run, turn + 1, last if number is None else number)
        return (f"{name}#{run}" if self._restarts else name), turn + 1


class InFileOrder:
    """Spots given at once, for threads whose items stand in their order (or studies without any)."""

    def __init__(self, thread: Thread | None) -> None:
        self._by = compile_path(thread.by) if thread else None
        self._runs = _Runs(thread) if thread else None
        self._rated = 0

    def spot(self, data: Any, rated: bool) -> Spot:
        name = name_of(self._by(data)) if self._by else None
        thread, turn = None, 0
        if name is not None and self._runs is not None:
            thread, turn = self._runs.next(name, self._runs.number(data))
        self._rated += rated
        return Spot(thread, turn, self._rated - 1 if rated else -1)


class InOrderOf:
    """Spots for threads ordered by a value: seen once to be sorted, then given in the file's order.

    Of each item only thread, order and restart number are kept.
    """

    def __init__(self, thread: Thread, order: str) -> None:
        self._by, self._order = compile_path(thread.by), compile_path(order)
        self._runs = _Runs(thread)
        self._names: dict[str, int] = {}
        self._thread, self._rated = array("l"), array("b")
        self._sort, self._amount = array("b"), array("d")
        self._text: dict[int, str] = {}
        self._number = array("d")
        self._labels: dict[str, int] = {}
        self._spots: Iterator[Spot] | None = None

    def see(self, data: Any, rated: bool) -> Spot:
        name, (sort, amount, text) = name_of(self._by(data)), rank(self._order(data))
        number = self._runs.number(data)
        if text:
            self._text[len(self._thread)] = text
        self._thread.append(-1 if name is None else self._names.setdefault(name, len(self._names)))
        self._sort.append(sort)
        self._amount.append(amount)
        self._number.append(nan if number is None else number)
        self._rated.append(rated)
        return NOWHERE

    def spot(self, _data: Any, _rated: bool) -> Spot:
        """The spot of the next item, in the order they were seen."""
        self._spots = self._spots or self._sorted()
        try:
            return next(self._spots)
        except StopIteration:
            raise Problem(UNREADABLE, details={"reason": "it changed while it was read"}) from None

    def _sorted(self) -> Iterator[Spot]:
        threads, turns = self._numbered()
        names, rated = list(self._labels), 0
        for thread, turn, counts in zip(threads, turns, self._rated, strict=True):
            yield Spot(None if thread < 0 else names[thread], turn, rated if counts else -1)
            rated += counts

    def _numbered(self) -> tuple[array[int], array[int]]:
        """Each item's run and turn; threads are sorted one by one, which takes little memory."""
        size = len(self._thread)
        threads, turns = array("l", [-1]) * size, array("l", [0]) * size
        together = sorted(range(size), key=self._thread.__getitem__)
        names = iter(self._names)
        for thread, members in groupby(together, key=self._thread.__getitem__):
            name = next(names) if thread >= 0 else ""
            for i in sorted(members, key=self._rank) if name else ():
                number = None if isnan(self._number[i]) else self._number[i]
                label, turns[i] = self._runs.next(name, number)
                threads[i] = self._labels.setdefault(label, len(self._labels))
        return threads, turns

    def _rank(self, i: int) -> Rank:
        return self._sort[i], self._amount[i], self._text.get(i, "")


def as_number(value: Any) -> float | None:
    """A number, also where a table holds it as text."""
    if isinstance(value, bool) or not isinstance(value, int | float | str):
        return None
    try:
        number = float(value)
    except (ValueError, OverflowError):
        return None
    return None if isnan(number) else number


def rank(value: Any) -> Rank:
    """How values are put in order: numbers, then times, then other texts, then what says nothing."""
    number = as_number(value)
    if number is not None:
        return (0, number, "")
    name = name_of(value)
    if name is None or value != value:
        return (3, 0.0, "")
    return _time(name) or (2, 0.0, name)


def _time(text: str) -> Rank | None:
    """An ISO time; without a zone it is taken as UTC, so that both kinds can be compared."""
    try:
        moment = datetime.fromisoformat(text)
    except ValueError:
        return None
    aware = moment if moment.tzinfo else moment.replace(tzinfo=UTC)
    return (1, (aware - _EPOCH).total_seconds(), "")
