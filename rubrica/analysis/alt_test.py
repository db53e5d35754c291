"""The alternative annotator test: may the judge stand in for a rater?

N. Calderon, R. Reichart and R. Dror, The Alternative Annotator Test for LLM-as-a-Judge (2025). Each
rater is left out in turn; on every item judge and left-out rater are compared with the others. It
is withheld where raters do not agree among themselves: against noise, noise is as good as anyone.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray
from scipy import stats

from rubrica.analysis.arrays import Floats, runs, sorted_by, sums
from rubrica.analysis.multiple import benjamini_yekutieli
from rubrica.analysis.notes import FEW_RATERS, HUMANS_DISAGREE, note
from rubrica.analysis.results import Estimate
from rubrica.errors import Problem

EPSILON = {"expert": 0.2, "skilled": 0.15, "crowd": 0.1}
RATERS = 3
ITEMS = 30


@dataclass(frozen=True, slots=True)
class AltTest:
    """`winning` is the share of raters the judge may replace; it passes from one half on."""

    winning: float | None
    advantage: float | None
    """The chance that the judge is at least as close to the others as the left-out rater."""
    raters: int
    epsilon: float
    p: tuple[float, ...] = ()
    note: Problem | None = None

    @property
    def passes(self) -> bool | None:
        return None if self.winning is None else self.winning >= 0.5


def alt_test(
    item: NDArray[Any],
    rater: NDArray[Any],
    value: Floats,
    judge: Floats,
    agreement: Estimate,
    *,
    ordered: bool,
    expertise: Literal["expert", "skilled", "crowd"] = "skilled",
    level: float = 0.95,
) -> AltTest:
    """From one row per rating with a judge's score; `agreement` is the raters' alpha on these items."""
    epsilon = EPSILON[expertise]
    human, machine = closeness(item, value, judge, ordered)
    usable = np.isfinite(human)
    of = np.bincount(rater[usable], minlength=int(rater.max(initial=-1)) + 1)
    tested = np.flatnonzero(of >= ITEMS)
    if len(tested) < RATERS:
        what = {"what": "the alternative annotator test", "needed": RATERS, "items": ITEMS}
        return AltTest(
            None, None, len(tested), epsilon, note=note(FEW_RATERS, raters=len(tested), **what)
        )
    if agreement.value is None or agreement.low is None or agreement.low <= 0:
        return AltTest(None, None, len(tested), epsilon, note=note(HUMANS_DISAGREE))
    ps, advantages = [], []
    rows = np.flatnonzero(usable & (of[rater] >= ITEMS))
    for _, mine in runs(rater, rows[sorted_by(rater[rows], rows)]):
        judge_wins, human_wins = machine[mine] >= human[mine], human[mine] >= machine[mine]
        ps.append(_less(human_wins.astype(float) - judge_wins.astype(float), epsilon))
        advantages.append(float(judge_wins.mean()))
    adjusted = benjamini_yekutieli(ps)
    winning = float(np.mean([p < 1 - level for p in adjusted]))
    return AltTest(winning, float(np.mean(advantages)), len(tested), epsilon, tuple(adjusted))


def closeness(item: NDArray[Any], value: Floats, judge: Floats, ordered: bool) -> tuple[Floats, Floats]:
    """Per rating, how close it and the judge are to the item's other ratings; NaN where none is.

    For ordered levels minus the root mean square distance, otherwise the share that is the same.
    """
    size = np.bincount(item)
    others = (size - 1)[item].astype(np.float64)
    some = others > 0
    if not ordered:
        return _shares(item, value, judge, others, some)
    total, squares = sums(item, value, len(size))[item], sums(item, value**2, len(size))[item]
    first, second = total - value, squares - value**2

    def root(guess: Floats) -> Floats:
        spread = others * guess**2 - 2 * guess * first + second
        return np.where(some, -np.sqrt(np.maximum(spread, 0) / np.where(some, others, 1)), np.nan)

    # Rounding keeps equal distances equal, whatever order they were summed in.
    return np.round(root(value), 9), np.round(root(judge), 9)


def _shares(
    item: NDArray[Any], value: Floats, judge: Floats, others: Floats, some: NDArray[np.bool_]
) -> tuple[Floats, Floats]:
    levels, code = np.unique(np.concatenate([value, judge]), return_inverse=True)
    said, scored = code[: len(value)], code[len(value) :]
    votes = np.bincount(item * len(levels) + said, minlength=(int(item.max()) + 1) * len(levels))
    like_me = votes[item * len(levels) + said] - 1
    like_judge = votes[item * len(levels) + scored] - (said == scored)
    safe = np.where(some, others, 1)
    return np.where(some, like_me / safe, np.nan), np.where(some, like_judge / safe, np.nan)


def _less(difference: Floats, epsilon: float) -> float:
    """One-sided t test that the mean is below epsilon; a constant needs no test."""
    spread = float(difference.std(ddof=1))
    gap = float(difference.mean()) - epsilon
    if spread < 1e-12:
        return 0.0 if gap < 0 else 1.0
    return float(stats.t.cdf(gap / (spread / len(difference) ** 0.5), len(difference) - 1))
