"""Which answers a statistic uses, and the count of every one it does not, with the reason."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from rubrica.analysis.arrays import Bools, Floats, Ints, present
from rubrica.analysis.results import LeftOut
from rubrica.analysis.table import FLAGS, WHY_MISSING, Items, Options, Question, Table


@dataclass(frozen=True, slots=True)
class Answered:
    """The usable answers to one question: one row each, no rater twice on an item."""

    question: Question
    items: Items
    raters: tuple[str, ...]
    row: Ints
    item: Ints
    rater: Ints
    value: Floats
    code: Ints
    """The place among the question's levels; -1 for a free number."""

    def __len__(self) -> int:
        return len(self.item)

    @property
    def named(self) -> bool:
        return len(self) > 0 and int(self.rater.min()) >= 0

    @property
    def many_raters(self) -> int | None:
        return len(present(self.rater)) if self.named else None

    def where(self, rows: Bools) -> Answered:
        return Answered(
            self.question,
            self.items,
            self.raters,
            self.row[rows],
            self.item[rows],
            self.rater[rows],
            self.value[rows],
            self.code[rows],
        )

    def clusters_of(self, items: Ints) -> Ints:
        return self.items.clusters()[items]

    def clusters(self) -> Ints | None:
        """The independent unit of every item, None where each item is one."""
        if self.items.thread is None and self.items.input is None:
            return None
        return self.items.clusters()


def standing(table: Table, options: Options) -> tuple[Bools, list[LeftOut]]:
    """Ratings that take part at all. Repeats are seen apart, for test-retest."""
    used = np.ones(len(table), dtype=bool)
    lost = list(_named_out(table, options, used))
    for flag in FLAGS:
        marked = table.flags.get(flag)
        if marked is None or flag in options.include:
            continue
        lost += _counted("ratings", used & marked, _FLAG_SAYS[flag])
        used &= ~marked
    again = used & ~first_of_pair(table, used)
    lost += _counted("ratings", again, "the same rater had rated the item before (test-retest)")
    return used & ~again, lost


def select(
    table: Table, question: Question, options: Options, used: Bools
) -> tuple[Answered, list[LeftOut]]:
    """The question's usable answers among the ratings that take part."""
    answers = table.answers[question.name]
    value = answers.value(options.choice)
    code = question.codes(value)
    missing = ~np.isfinite(value)
    off_scale = (
        (code < 0) & ~missing if question.levels is not None else np.zeros(len(table), dtype=bool)
    )
    lost = _reasons(answers.why, used & missing, question.name)
    lost += _counted("answers", used & off_scale, "not a level of the question", question.name)
    row = np.flatnonzero(used & ~missing & ~off_scale)
    chosen = (row, table.item[row], table.rater.codes[row], value[row], code[row])
    return Answered(question, table.items, table.rater.names, *chosen), lost


def first_of_pair(table: Table, used: Bools) -> Bools:
    """True for a named rater's first rating of an item, and for every unnamed one."""
    rows = np.flatnonzero(used & (table.rater.codes >= 0))
    first = np.ones(len(table), dtype=bool)
    pair = table.item[rows] * max(len(table.rater.names), 1) + table.rater.codes[rows]
    order = np.lexsort((table.times[rows], pair))
    same = np.diff(pair[order], prepend=-1) == 0
    first[rows[order[same]]] = False
    return first


_FLAG_SAYS = {
    "settled": "settled answers are no independent ratings",
    "pilot": "pilot or calibration round",
    "gold": "item with a known answer, used to see whether raters read",
    "excluded": "the rater was excluded",
    "surplus": "surplus: the item had all its raters",
    "repeat": "planned repeat, used for test-retest only",
    "revised": "revision made after the score was shown; the first rating counts",
    "superseded": "superseded by a revision",
}


def _named_out(table: Table, options: Options, used: Bools) -> Iterator[LeftOut]:
    names = [i for i, name in enumerate(table.items.names) if name in options.leave_out]
    if names:
        gone = np.isin(table.item, names)
        yield from _counted("ratings", used & gone, "the item was left out by name")
        used &= ~gone
    for name in sorted(options.leave_out - set(table.items.names)):
        yield LeftOut("items", 0, f"to be left out by name, but there is no item {name!r}")


def _reasons(why: NDArray[np.uint8] | None, missing: Bools, question: str) -> list[LeftOut]:
    if why is None:
        return _counted("answers", missing, "missing", question)
    found: list[LeftOut] = []
    for code, says in enumerate(WHY_MISSING):
        text = "no usable value" if code == 0 else says
        found += _counted("answers", missing & (why == code), text, question)
    return found


def _counted(what: str, rows: Bools, why: str, question: str | None = None) -> list[LeftOut]:
    count = int(np.count_nonzero(rows))
    return [LeftOut(what, count, why, question)] if count else []


def changed_answers(table: Table, answered: Answered) -> int:
    """How many of the used answers have a final choice other than the first."""
    answers = table.answers[answered.question.name]
    if answers.first is None:
        return 0
    first, final = answers.first[answered.row], answers.final[answered.row]
    return int((np.isfinite(first) & np.isfinite(final) & (first != final)).sum())
