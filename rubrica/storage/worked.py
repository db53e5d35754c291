"""How long raters really worked: a sum over all of a rater's ratings that is added to, not made anew.

Ratings are only added, so what was summed stays. On PostgreSQL one may come to be seen after another
with a higher number: the count tells, and that rater's sum is made anew.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from threading import Lock
from typing import Any

from sqlalchemy import bindparam, func, select

from rubrica.storage.codec import pace_out
from rubrica.storage.core import Core
from rubrica.storage.sql import Tx, as_rows, given, one_of
from rubrica.storage.tables import ratings

MOST = 20_000

_SINCE = given("since", rater=ratings.c.rater, number=ratings.c.number)
# From the raters to their ratings: an outer join, which no database turns round.
NEW = select(ratings.c.number, ratings.c.rater, ratings.c.pace).outerjoin_from(
    _SINCE,
    ratings,
    (ratings.c.study == bindparam("study"))
    & (ratings.c.rater == _SINCE.c.rater)
    & (ratings.c.number > _SINCE.c.number),
)
COUNTS = (
    select(ratings.c.rater, func.count())
    .where(ratings.c.study == bindparam("study"), one_of(ratings.c.rater, "raters"))
    .group_by(ratings.c.rater)
)


@dataclass(frozen=True, slots=True)
class Sum:
    last: int = 0
    count: int = 0
    seconds: float = 0.0

    def plus(self, rows: Sequence[Any]) -> Sum:
        """With ratings of higher numbers, in their order."""
        if not rows:
            return self
        seconds = sum((pace_out(row[2]).active_seconds or 0.0 for row in rows), self.seconds)
        return Sum(rows[-1][0], self.count + len(rows), seconds)


class Worked:
    def __init__(self, core: Core) -> None:
        self._core = core
        self._sums: dict[tuple[int, int], Sum] = {}
        self._lock = Lock()

    def seconds(self, study: int, raters: Sequence[int]) -> Mapping[int, float]:
        known = {rater: self._sums.get((study, rater), Sum()) for rater in raters}
        with self._core.database.read() as tx:
            found = _added(tx, study, known)
            there: dict[int, int] = dict(tx.gathered(COUNTS, study=study, raters=list(raters)))
            missed = [rater for rater in raters if there.get(rater, 0) != found[rater].count]
            found |= _added(tx, study, dict.fromkeys(missed, Sum()))
        with self._lock:
            if len(self._sums) > MOST:
                self._sums.clear()
            self._sums.update(((study, rater), one) for rater, one in found.items())
        return {rater: one.seconds for rater, one in found.items()}


def _added(tx: Tx, study: int, known: Mapping[int, Sum]) -> dict[int, Sum]:
    """These sums with what has come since."""
    if not known:
        return {}
    since = as_rows({"rater": rater, "number": one.last} for rater, one in known.items())
    new: dict[int, list[Any]] = {rater: [] for rater in known}
    for row in sorted(row for row in tx.gathered(NEW, study=study, since=since) if row[0]):
        new[row[1]].append(row)
    return {rater: one.plus(new[rater]) for rater, one in known.items()}
