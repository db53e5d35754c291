"""A judge against the raters of one question: pairing, statistics per item, human ceiling.

The reference of an item is the mean of its raters. The ceiling compares judge and left-out rater
with the same other raters; against the mean of all, a judge would look better than any of them.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from scipy import stats

from rubrica.analysis import notes
from rubrica.analysis.answered import Answered
from rubrica.analysis.arrays import Bools, Floats, Ints, known, present, ratio, sums
from rubrica.analysis.bootstrap import Sampler, Statistic
from rubrica.analysis.chance import chance_of, kappa_of, weights
from rubrica.analysis.notes import note
from rubrica.analysis.ranks import rank_estimates
from rubrica.analysis.results import Estimate
from rubrica.analysis.table import Items, Judge, Question
from rubrica.errors import Problem


@dataclass(frozen=True, slots=True)
class Paired:
    """Items with ratings and a judge's score, in the judge's unit; and the single ratings."""

    question: Question
    judge: Judge
    items: Ints
    human: Floats
    score: Floats
    ratings: Ints
    """How many ratings each item has."""
    cluster: Ints
    clustered: Ints | None
    """The clusters again, None where every item is its own: the faster way to resample."""
    levels: Ints | None
    """The judge's scores as places among the levels; None if one of them is no level."""
    place: Ints
    """Per single rating: the place of its item above."""
    rater: Ints
    value: Floats
    code: Ints
    missing: int
    items_table: Items

    @property
    def n(self) -> int:
        return len(self.items)


@dataclass(frozen=True, slots=True)
class Statistics:
    """One statistic with its ceiling."""

    name: str
    got: Estimate
    p: float | None = None
    same: Estimate | None = None
    ceiling: Estimate | None = None


def paired(answered: Answered, judge: Judge) -> Paired:
    """Items that have both sides; rated items without a score are counted as missing."""
    question = answered.question
    rated = present(answered.item)
    scored = np.isfinite(judge.scores[rated])
    items = rated[scored]
    place_of = np.full(len(judge.scores), -1, dtype=np.int64)
    place_of[items] = np.arange(len(items))
    rows = place_of[answered.item] >= 0
    place = place_of[answered.item[rows]]
    value = answered.value[rows]
    value = question.fraction(value) if judge.scale == "fraction" else value
    ratings = np.bincount(place, minlength=len(items))
    cluster = answered.clusters_of(items)
    human = sums(place, value, len(items)) / np.maximum(ratings, 1)
    return Paired(
        question=question,
        judge=judge,
        items=items,
        human=human,
        score=judge.scores[items],
        ratings=ratings,
        cluster=cluster,
        clustered=None if len(present(cluster)) == len(items) else cluster,
        levels=_levels(question, judge, judge.scores[items]),
        place=place,
        rater=answered.rater[rows],
        value=value,
        code=answered.code[rows],
        missing=int((~scored).sum()),
        items_table=answered.items,
    )


def _levels(question: Question, judge: Judge, scores: Floats) -> Ints | None:
    if question.levels is None or judge.scale == "own":
        return None
    values = question.fraction(question.values) if judge.scale == "fraction" else question.values
    edges = (values[1:] + values[:-1]) / 2
    near = np.searchsorted(edges, scores)
    return near if bool((np.abs(values[near] - scores) < 1e-9).all()) else None


def statistics(pairs: Paired, sampler: Sampler, ranks: bool = True) -> list[Statistics]:
    """All that compares one judge with the raters item by item; with `ranks`, their order too."""
    if pairs.n == 0:
        why = note(notes.FEW_PAIRS, n=0, what="a comparison", needed=1)
        return [Statistics("pearson", Estimate(None, note=why))]
    numeric = pairs.question.numeric
    found = [*_correlations(pairs, sampler, ranks)] if numeric else []
    if pairs.judge.scale != "own":
        found += _errors(pairs, sampler) if numeric else []
        found += _tables(pairs, sampler)
    return found


def accuracy_table(pairs: Paired) -> Floats | None:
    """Levels of the raters x levels of the judge; every item adds up to one."""
    scored = pairs.levels
    if scored is None:
        return None
    many = len(pairs.question.values)
    cell = pairs.code * many + scored[pairs.place]
    weight = 1 / pairs.ratings[pairs.place]
    return sums(cell, weight, many**2).reshape(many, many)


# --- correlations -----------------------------------------------------------------------------------


def _correlations(pairs: Paired, sampler: Sampler, ranks: bool) -> list[Statistics]:
    why = _uncorrelatable(pairs)
    names = ("pearson", "spearman", "tau_b") if ranks else ("pearson",)
    if why is not None:
        empty = Estimate(None, n=pairs.n, note=why)
        return [Statistics(name, empty) for name in names]
    x, y = pairs.score, pairs.human
    rows = _moment_rows(x, y)
    pearson = sampler.estimate(rows, _pearson, clusters=pairs.clustered, n=pairs.n)
    same, ceiling = _moment_ceiling(pairs, sampler)
    found = [Statistics("pearson", pearson, known(stats.pearsonr(x, y).pvalue), same, ceiling)]
    if not ranks:
        return found
    rho, tau = rank_estimates(x, y, sampler, pairs.clustered)
    return [
        *found,
        Statistics("spearman", rho, known(stats.spearmanr(x, y).pvalue)),
        Statistics("tau_b", tau, known(stats.kendalltau(x, y).pvalue)),
    ]


def _uncorrelatable(pairs: Paired) -> Problem | None:
    if pairs.n < 3:
        return note(notes.FEW_PAIRS, n=pairs.n, what="a correlation", needed=3)
    if np.ptp(pairs.score) <= 1e-12:
        return note(notes.CONSTANT, side="the judge's score")
    if np.ptp(pairs.human) <= 1e-12:
        return note(notes.CONSTANT, side="the raters' mean")
    return None


def _moment_rows(x: Floats, y: Floats) -> Floats:
    # Centred, so that sums of squares keep their digits.
    x, y = x - x.mean(), y - y.mean()
    return np.column_stack([np.ones(len(x)), x, y, x * x, y * y, x * y])


def _pearson(totals: Floats) -> Floats:
    n, x, y, xx, yy, xy = totals.T
    spread_x, spread_y = xx - ratio(x**2, n), yy - ratio(y**2, n)
    product = np.maximum(spread_x, 0) * np.maximum(spread_y, 0)
    return np.clip(ratio(xy - ratio(x * y, n), np.sqrt(product), floor=1e-9), -1, 1)


def _moment_ceiling(pairs: Paired, sampler: Sampler) -> tuple[Estimate | None, Estimate | None]:
    """Judge, and each left-out rater, against the mean of the same others; items count once.

    With m ratings of sum S and sum of squares Q, the means of the others sum to S, their squares to
    ((m - 2) S^2 + Q) / (m - 1)^2, and their products with the left-out rating to (S^2 - Q) / (m - 1).
    """
    several = pairs.ratings >= 2
    if not several.any():
        return None, None
    centre = pairs.human.mean()
    m = pairs.ratings[several].astype(np.float64)
    total = (pairs.human[several] - centre) * m
    squares = sums(pairs.place, (pairs.value - centre) ** 2, pairs.n)[several]
    score = pairs.score[several] - pairs.score[several].mean()
    others = ((m - 2) * total**2 + squares) / (m - 1) ** 2
    judge = [m, m * score, total, m * score**2, others, score * total]
    human = [m, total, total, squares, others, (total**2 - squares) / (m - 1)]
    found = []
    for columns in (judge, human):
        rows = np.column_stack(columns) / m[:, None]
        found.append(sampler.estimate(rows, _pearson, clusters=pairs.cluster[several]))
    return found[0], found[1]


# --- errors -----------------------------------------------------------------------------------------


def _errors(pairs: Paired, sampler: Sampler) -> list[Statistics]:
    off = pairs.score - pairs.human
    ones = np.ones(pairs.n)
    mae = sampler.estimate(np.column_stack([ones, np.abs(off)]), _mean, clusters=pairs.clustered)
    bias = sampler.estimate(np.column_stack([ones, off]), _mean, clusters=pairs.clustered)
    same, ceiling = _distance_ceiling(pairs, sampler)
    found = [
        Statistics("mae", replace(mae, n=pairs.n), same=same, ceiling=ceiling),
        Statistics("bias", replace(bias, n=pairs.n)),
    ]
    if pairs.n >= 2:
        reach = 1.96 * float(off.std(ddof=1))
        centre = float(off.mean())
        limits = Estimate(centre, centre - reach, centre + reach, pairs.n)
        found.append(Statistics("limits_of_agreement", limits))
    return found


def _distance_ceiling(pairs: Paired, sampler: Sampler) -> tuple[Estimate | None, Estimate | None]:
    """Mean distance of judge, and of each left-out rater, to the mean of the same others."""
    several = pairs.ratings >= 2
    if not several.any():
        return None, None
    size = pairs.ratings[pairs.place].astype(np.float64)
    others = ratio(pairs.human[pairs.place] * size - pairs.value, size - 1)
    found = []
    for side in (pairs.score[pairs.place], pairs.value):
        total = sums(pairs.place, np.abs(side - others), pairs.n)[several]
        rows = np.column_stack([np.ones(len(total)), total / pairs.ratings[several]])
        found.append(sampler.estimate(rows, _mean, clusters=pairs.cluster[several]))
    return found[0], found[1]


def _mean(totals: Floats) -> Floats:
    return ratio(totals[:, 1], totals[:, 0])


# --- tables of levels -------------------------------------------------------------------------------


def _tables(pairs: Paired, sampler: Sampler) -> list[Statistics]:
    scored = pairs.levels
    ordered = pairs.question.metric != "nominal"
    names = ("quadratic_kappa" if ordered else "kappa", "AC2" if ordered else "AC1", "accuracy")
    if scored is None:
        why = note(notes.NOT_LEVELS, what="a table of levels")
        return [Statistics(name, Estimate(None, n=pairs.n, note=why)) for name in names]
    weight = weights("quadratic" if ordered else "identity", pairs.question.values)
    rows = _table_rows(pairs, scored[pairs.place], pairs.code)
    ceiling_rows, several = _ceiling_rows(pairs)
    found = []
    for name, statistic in zip(names, _table_statistics(weight), strict=True):
        got = sampler.estimate(rows, statistic, clusters=pairs.clustered, n=pairs.n)
        got = got if got.value is not None else _one_value(pairs.n, name)
        same = ceiling = None
        if len(several):
            cluster = pairs.cluster[several]
            same = sampler.estimate(rows[several], statistic, clusters=cluster, n=len(several))
            ceiling = sampler.estimate(ceiling_rows, statistic, clusters=cluster, n=len(several))
        found.append(Statistics(name, got, same=same, ceiling=ceiling))
    if pairs.question.binary:
        found += _yes_and_no(rows, pairs, sampler)
    return found


def _table_statistics(weight: Floats) -> tuple[Statistic, Statistic, Statistic]:
    many = len(weight)

    def gwet(totals: Floats) -> Floats:
        return chance_of("gwet", weight)(_pair_totals(totals, weight))

    def accuracy(totals: Floats) -> Floats:
        table = totals.reshape(-1, many, many)
        return ratio(np.einsum("bii->b", table), table.sum(axis=(1, 2)))

    return kappa_of(weight), gwet, accuracy


def _pair_totals(totals: Floats, weight: Floats) -> Floats:
    """Totals of two-rater tables as totals of `chance_rows`."""
    many = len(weight)
    table = totals.reshape(-1, many, many)
    n = table.sum(axis=(1, 2))
    shares = (table.sum(axis=1) + table.sum(axis=2)) / 2
    return np.column_stack([n, (table * weight).sum(axis=(1, 2)), n, shares])


def _table_rows(pairs: Paired, column: Ints, row: Ints) -> Floats:
    many = len(pairs.question.values)
    flat = pairs.place * many**2 + row * many + column
    weight = 1 / pairs.ratings[pairs.place]
    return sums(flat, weight, pairs.n * many**2).reshape(pairs.n, many**2)


def _ceiling_rows(pairs: Paired) -> tuple[Floats, Ints]:
    """Per item with two ratings or more: its pairs of ratings as a table that adds up to one."""
    many = len(pairs.question.values)
    flat = np.bincount(pairs.place * many + pairs.code, minlength=pairs.n * many)
    several: Bools = pairs.ratings >= 2
    counts = flat.reshape(pairs.n, many)[several].astype(np.float64)
    size = pairs.ratings[several].astype(np.float64)
    both = counts[:, :, None] * counts[:, None, :]
    both[:, np.arange(many), np.arange(many)] -= counts
    rows = both.reshape(len(counts), many**2) / (size * (size - 1))[:, None]
    return rows, np.flatnonzero(several)


def _yes_and_no(rows: Floats, pairs: Paired, sampler: Sampler) -> list[Statistics]:
    """Sensitivity and specificity from flat 2 x 2 rows [human no/judge no, no/yes, yes/no, yes/yes]."""
    found = []
    for name, hit, miss in (("sensitivity", 3, 2), ("specificity", 0, 1)):

        def share(totals: Floats, hit: int = hit, miss: int = miss) -> Floats:
            return ratio(totals[:, hit], totals[:, hit] + totals[:, miss])

        got = sampler.estimate(rows, share, clusters=pairs.clustered, n=pairs.n)
        found.append(Statistics(name, got if got.value is not None else _one_value(pairs.n, name)))
    return found


def _one_value(n: int, name: str) -> Estimate:
    return Estimate(None, n=n, note=note(notes.ONE_VALUE, coefficient=name))
