"""Corrections for many comparisons: Holm (1979), Benjamini and Hochberg (1995), Benjamini and
Yekutieli (2001).
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from rubrica.analysis.arrays import Floats


def holm(p: Sequence[float]) -> list[float]:
    """For a declared family: the chance of any false finding stays at the level."""
    values, order = _sorted(p)
    stepped = np.maximum.accumulate(values * np.arange(len(values), 0, -1))
    return _restored(stepped, order)


def benjamini_hochberg(p: Sequence[float]) -> list[float]:
    """For exploration: the share of false findings stays at the level."""
    values, order = _sorted(p)
    n = len(values)
    scaled = values * n / np.arange(1, n + 1)
    return _restored(np.minimum.accumulate(scaled[::-1])[::-1], order)


def benjamini_yekutieli(p: Sequence[float]) -> list[float]:
    """Like Benjamini-Hochberg, whatever the tests depend on."""
    factor = float((1 / np.arange(1, len(p) + 1)).sum())
    return [min(1.0, v * factor) for v in _uncut(p)]


def _uncut(p: Sequence[float]) -> list[float]:
    values, order = _sorted(p)
    scaled = values * len(values) / np.arange(1, len(values) + 1)
    back = np.empty(len(values))
    back[order] = np.minimum.accumulate(scaled[::-1])[::-1]
    return back.tolist()


def _sorted(p: Sequence[float]) -> tuple[Floats, np.ndarray[tuple[int], np.dtype[np.intp]]]:
    values = np.asarray(p, dtype=np.float64)
    order = np.argsort(values, kind="stable")
    return values[order], order


def _restored(values: Floats, order: np.ndarray[tuple[int], np.dtype[np.intp]]) -> list[float]:
    back = np.empty(len(values))
    back[order] = np.minimum(values, 1.0)
    return back.tolist()
