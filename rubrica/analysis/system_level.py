"""A judge's order of systems beside the raters' order, with intervals that resample inputs."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rubrica.analysis import notes
from rubrica.analysis.answered import Answered
from rubrica.analysis.arrays import Bools, Floats, dense, ratio
from rubrica.analysis.bootstrap import Sampler, Statistic
from rubrica.analysis.judges import Paired, Statistics
from rubrica.analysis.notes import note
from rubrica.analysis.results import Estimate

SYSTEMS = 3


def system_statistics(answered: Answered, pairs: Paired, sampler: Sampler) -> Iterator[Statistics]:
    """Pearson, tau-b and pairwise accuracy of the systems' means."""
    systems = answered.items.system
    if systems is None:
        return
    code = systems.codes[pairs.items]
    present = np.unique(code[code >= 0])
    if len(present) < SYSTEMS:
        why = note(notes.FEW_SYSTEMS, systems=len(present), what="an order of systems", needed=SYSTEMS)
        yield Statistics("system_pearson", Estimate(None, n=len(present), note=why))
        return
    rows = _rows(pairs, np.searchsorted(present, code), code >= 0, len(present))
    cluster = dense(pairs.cluster)[1]
    for name, of in (
        ("system_pearson", _pearson),
        ("system_tau_b", _tau_b),
        ("system_pairwise_accuracy", _accuracy),
    ):
        got = sampler.estimate(rows, _of_means(of, len(present)), clusters=cluster, n=len(present))
        if got.value is None:
            got = Estimate(None, n=len(present), note=note(notes.CONSTANT, side="the systems' mean"))
        yield Statistics(name, got)


def _rows(pairs: Paired, code: NDArray[Any], named: Bools, systems: int) -> Floats:
    rows = np.zeros((pairs.n, 3 * systems))
    item = np.flatnonzero(named)
    for part, values in enumerate((pairs.human, pairs.score, np.ones(pairs.n))):
        rows[item, part * systems + code[item]] = values[item]
    return rows


def _of_means(of: Statistic, systems: int) -> Statistic:
    def statistic(totals: Floats) -> Floats:
        human, score, size = (totals[:, k * systems : (k + 1) * systems] for k in range(3))
        return of(np.stack([ratio(human, size), ratio(score, size)], axis=1))

    return statistic


def _pearson(means: Floats) -> Floats:
    off = means - means.mean(axis=2, keepdims=True)
    spread = np.sqrt((off**2).sum(axis=2))
    return ratio((off[:, 0] * off[:, 1]).sum(axis=1), spread[:, 0] * spread[:, 1])


def _signs(means: Floats) -> tuple[Floats, Floats]:
    a, b = np.triu_indices(means.shape[2], 1)
    gaps = means[:, :, a] - means[:, :, b]
    signs = np.where(np.abs(gaps) < 1e-9, 0.0, np.sign(gaps))
    return signs[:, 0], signs[:, 1]


def _tau_b(means: Floats) -> Floats:
    human, score = _signs(means)
    both = np.sqrt((human**2).sum(axis=1) * (score**2).sum(axis=1))
    return ratio((human * score).sum(axis=1), both)


def _accuracy(means: Floats) -> Floats:
    human, score = _signs(means)
    defined = np.isfinite(human + score).all(axis=1)
    return np.where(defined, (human == score).mean(axis=1), np.nan)
