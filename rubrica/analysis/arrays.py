"""Short names for the arrays of this room, and the few operations everything shares."""

from __future__ import annotations

from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

Floats: TypeAlias = NDArray[np.float64]
Ints: TypeAlias = NDArray[np.int64]
Bools: TypeAlias = NDArray[np.bool_]


def ratio(top: Floats, bottom: Floats, floor: float = 1e-12) -> Floats:
    """top / bottom, NaN where the bottom is nothing: an undefined value must never look like one."""
    safe = np.abs(bottom) > floor
    return np.asarray(np.where(safe, top / np.where(safe, bottom, 1.0), np.nan), dtype=np.float64)


def sums(groups: NDArray[Any], values: Floats, size: int) -> Floats:
    """The sum of `values` per group; columns of a matrix are summed one by one."""
    if values.ndim == 1:
        return np.bincount(groups, weights=values, minlength=size).astype(np.float64)
    columns = [np.bincount(groups, weights=column, minlength=size) for column in values.T]
    return np.stack(columns, axis=1) if columns else np.zeros((size, 0))


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


def known(value: float | np.floating[Any]) -> float | None:
    """A number for a record: None where it is not one."""
    return float(value) if np.isfinite(value) else None
