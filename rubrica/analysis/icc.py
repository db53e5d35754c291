"""Intraclass correlations, in McGraw and Wong's names.

P. E. Shrout and J. L. Fleiss (1979); K. O. McGraw and S. P. Wong (1996). ICC(1) needs no raters'
names and takes items with different numbers of ratings; the two-way forms need a full table.
"""

from __future__ import annotations

from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from rubrica.analysis.arrays import Floats, ratio, sums
from rubrica.analysis.bootstrap import Statistic

Form = Literal["ICC(A,1)", "ICC(A,k)", "ICC(C,1)", "ICC(C,k)"]


def table_rows(table: Floats) -> Floats:
    """Per item of a full items x raters table: its ratings, their squares and their sum's square."""
    total = table.sum(axis=1)
    return np.column_stack([table, (table**2).sum(axis=1), total**2, np.ones(len(table))])


def two_way_of(form: Form) -> Statistic:
    """A two-way ICC as a function of totals of `table_rows`."""

    def statistic(totals: Floats) -> Floats:
        item, rater, rest, n, k = mean_squares(totals)
        if form == "ICC(C,k)":
            return ratio(item - rest, item)
        if form == "ICC(C,1)":
            return ratio(item - rest, item + (k - 1) * rest)
        if form == "ICC(A,k)":
            return ratio(item - rest, item + (rater - rest) / n)
        return ratio(item - rest, item + (k - 1) * rest + k * (rater - rest) / n)

    return statistic


def mean_squares(totals: Floats) -> tuple[Floats, Floats, Floats, Floats, int]:
    """Mean squares of items, raters and rest, with the numbers of items and raters."""
    k = totals.shape[1] - 3
    n = totals[:, -1]
    per_rater, squares, item_squares = totals[:, :k], totals[:, k], totals[:, k + 1]
    centre = per_rater.sum(axis=1) ** 2 / (n * k)
    between_items = item_squares / k - centre
    between_raters = (per_rater**2).sum(axis=1) / n - centre
    rest = squares - centre - between_items - between_raters
    items, raters = np.maximum(n - 1, 1), max(k - 1, 1)
    return between_items / items, between_raters / raters, rest / (items * raters), n, k


def one_way_rows(item: NDArray[Any], value: Floats, items: int) -> Floats:
    """Per item with two or more ratings: how many, that squared, sum, sum squared over it, squares."""
    centred = value - value.mean() if len(value) else value
    size = np.bincount(item, minlength=items).astype(np.float64)
    kept = size >= 2
    total = sums(item, centred, items)
    squares = sums(item, centred**2, items)
    rows = np.column_stack(
        [np.ones(items), size, size**2, total, total**2 / np.maximum(size, 1), squares]
    )
    return np.asarray(rows * kept[:, None])


def one_way_of(average: bool) -> Statistic:
    """ICC(1) for one rating, or for the mean of as many as an item has on average."""

    def statistic(totals: Floats) -> Floats:
        n, size, size2, total, between, squares = totals.T
        k = ratio(size - ratio(size2, size), n - 1)
        item = ratio(between - ratio(total**2, size), n - 1)
        within = ratio(squares - between, size - n)
        return ratio(item - within, item if average else item + (k - 1) * within)

    return statistic


def icc(table: Floats, form: Literal["ICC(1)", "ICC(k)"] | Form) -> float:
    """One coefficient of a full items x raters table; NaN where undefined."""
    if form in ("ICC(1)", "ICC(k)"):
        item = np.repeat(np.arange(len(table)), table.shape[1])
        rows = one_way_rows(item, table.ravel(), len(table))
        return float(one_way_of(form == "ICC(k)")(rows.sum(axis=0, keepdims=True))[0])
    centred = table - table.mean()
    statistic = two_way_of(form)  # type: ignore[arg-type]
    return float(statistic(table_rows(centred).sum(axis=0, keepdims=True))[0])
