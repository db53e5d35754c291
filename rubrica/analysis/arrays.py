"""Short names for the arrays of this room, and the few operations everything shares."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

Floats: TypeAlias = NDArray[np.float64]
Ints: TypeAlias = NDArray[np.int64]
Bools: TypeAlias = NDArray[np.bool_]


def ratio(top: Floats, bottom: Floats, floor: float = 1e-12) -> Floats:
    """top / bottom, NaN where the bottom is nothing: an undefined value must never look like one."""
    safe = np.abs(bottom) > floor
    return np.asarray(np.where(safe, top / np.where(safe, bottom, 1.0), np.nan), dtype=np.float64)


def sums(groups: NDArray[Any], values: Floats, size: int) -> Floats:
    """The sum of `values` per group, of every column where there are several."""
    if values.ndim == 1:
        return np.bincount(groups, weights=values, minlength=size).astype(np.float64)
    rows = len(values)
    member = sparse.csc_matrix((np.ones(rows), groups, np.arange(rows + 1)), shape=(size, rows))
    return np.asarray(member @ values)


def means(groups: NDArray[Any], values: Floats, size: int) -> Floats:
    """The mean of `values` per group; NaN for a group without any."""
    return ratio(sums(groups, values, size), np.bincount(groups, minlength=size).astype(np.float64))


def dense(codes: NDArray[Any]) -> tuple[Ints, Ints]:
    """The codes that occur, in order, and each code's place among them."""
    top = int(codes.max()) + 1 if len(codes) else 0
    if top > 20 * len(codes) + 1_000 or (len(codes) and codes.min() < 0):
        values, place = np.unique(codes, return_inverse=True)
        return values.astype(np.int64), place.astype(np.int64)
    # Counting up to the highest code is many times faster than sorting.
    seen = np.zeros(top, dtype=bool)
    seen[codes] = True
    return np.flatnonzero(seen), (np.cumsum(seen) - 1)[codes]


def present(codes: NDArray[Any]) -> Ints:
    """The codes that occur, in order."""
    return dense(codes)[0]


def sorted_by(codes: NDArray[Any], times: NDArray[Any]) -> Ints:
    """Rows by code and, within one, by time."""
    order = np.argsort(times, kind="stable")
    # Sixteen bits are sorted by counting, which is what most of the time goes into otherwise.
    small = codes.astype(np.int16) if len(codes) and codes.max() < 2**15 else codes
    return np.asarray(order[np.argsort(small[order], kind="stable")])


def runs(codes: NDArray[Any], order: Ints) -> Iterator[tuple[int, Ints]]:
    """Each code with its rows, in `order` (rows sorted by code)."""
    edges = np.flatnonzero(np.diff(codes[order])) + 1
    for rows in np.split(order, edges) if len(order) else ():
        yield int(codes[rows[0]]), rows


def known(value: float | np.floating[Any]) -> float | None:
    """A number for a record: None where it is not one."""
    return float(value) if np.isfinite(value) else None
