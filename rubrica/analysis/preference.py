"""Strengths from pairwise preferences.

R. A. Bradley and M. E. Terry (1952); R. R. Davidson (1970) for ties. Both are one multinomial model
whose log-likelihood is concave, so Newton's method finds the one maximum, if there is one: L. R. Ford
(1957) shows there is exactly when every option can be reached from every other along wins.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy import stats
from scipy.sparse import csr_matrix
from scipy.sparse.csgraph import connected_components

from rubrica.analysis.arrays import Floats, Ints
from rubrica.analysis.notes import NO_ANSWERS, NOT_CONNECTED, NOT_CONVERGED, note
from rubrica.errors import Problem

STEPS = 100


@dataclass(frozen=True, slots=True)
class Strengths:
    """Log strengths against the first option, `None` when they do not exist."""

    log: Floats | None
    error: Floats | None = None
    tie: float | None = None
    """Davidson's nu: how common ties are between equals."""
    likelihood: float | None = None
    covariance: Floats | None = None
    note: Problem | None = None

    @property
    def shares(self) -> Floats:
        """Strengths that add up to one."""
        if self.log is None:
            return np.zeros(0)
        power = np.exp(self.log - self.log.max())
        return np.asarray(power / power.sum())

    def intervals(self, level: float = 0.95) -> tuple[Floats, Floats] | None:
        """Normal intervals of the log strengths; the first option has none, being the reference."""
        if self.log is None or self.error is None:
            return None
        reach = stats.norm.ppf((1 + level) / 2) * self.error
        return self.log - reach, self.log + reach


def components(wins: Floats, ties: Floats | None = None) -> Ints:
    """The strongly connected group of every option; one group means strengths exist."""
    links = (wins + (0 if ties is None else ties)) > 0
    _, group = connected_components(csr_matrix(links), directed=True, connection="strong")
    return np.asarray(group, dtype=np.int64)


def bradley_terry(wins: Floats, names: tuple[str, ...] | None = None) -> Strengths:
    """From how often row beat column."""
    return _fit(wins, None, names)


def davidson(wins: Floats, ties: Floats, names: tuple[str, ...] | None = None) -> Strengths:
    """From wins and a symmetric table of ties."""
    return _fit(wins, ties, names)


def _fit(wins: Floats, ties: Floats | None, names: tuple[str, ...] | None) -> Strengths:
    refused = _refusal(wins, ties, names or tuple(str(i) for i in range(len(wins))))
    if refused is not None:
        return Strengths(None, note=refused)
    features, times, meetings = _design(wins, ties)
    point = np.zeros(features.shape[2])
    for _ in range(STEPS):
        value, slope, bend = _likelihood(point, features, times, meetings)
        step = np.asarray(np.linalg.solve(bend, slope), dtype=np.float64)
        point = _climb(point, step, value, features, times, meetings)
        if float(np.abs(step).max()) < 1e-10:
            return _strengths(point, features, times, meetings, ties is not None)
    return Strengths(None, note=note(NOT_CONVERGED, steps=STEPS))


def _refusal(wins: Floats, ties: Floats | None, names: tuple[str, ...]) -> Problem | None:
    if len(wins) < 2 or (wins.sum() == 0 and (ties is None or ties.sum() == 0)):
        return note(NO_ANSWERS)
    group = components(wins, ties)
    if ties is not None and (ties.sum() == 0 or wins.sum() == 0):
        return note(NOT_CONNECTED, groups="there are no ties" if ties.sum() == 0 else "all are ties")
    if group.max() == 0:
        return None
    parts = [
        ", ".join(n for n, g in zip(names, group, strict=True) if g == k)
        for k in range(group.max() + 1)
    ]
    return note(NOT_CONNECTED, groups=" | ".join(parts))


def _design(wins: Floats, ties: Floats | None) -> tuple[Floats, Floats, Floats]:
    """Per pair and outcome (first wins, second wins, tie): features, and how often it happened."""
    first, second = np.triu_indices(len(wins), 1)
    outcomes = 2 if ties is None else 3
    options = np.eye(len(wins))[:, 1:]
    features = np.zeros((len(first), outcomes, len(wins) - 1 + (ties is not None)))
    features[:, 0, : len(wins) - 1] = options[first]
    features[:, 1, : len(wins) - 1] = options[second]
    columns = [wins[first, second], wins[second, first]]
    if ties is not None:
        features[:, 2, : len(wins) - 1] = (options[first] + options[second]) / 2
        features[:, 2, -1] = 1.0
        columns.append(ties[first, second])
    times = np.stack(columns, axis=1)
    return features, times, times.sum(axis=1)


def _likelihood(
    point: Floats, features: Floats, times: Floats, meetings: Floats
) -> tuple[float, Floats, Floats]:
    score = features @ point
    log = score - np.logaddexp.reduce(score, axis=1, keepdims=True)
    chance = np.exp(log)
    slope = np.einsum("po,pof->f", times - meetings[:, None] * chance, features)
    mean = np.einsum("po,pof->pf", chance, features)
    second = np.einsum("p,po,pof,pog->fg", meetings, chance, features, features)
    bend = second - np.einsum("p,pf,pg->fg", meetings, mean, mean)
    return float((times * log).sum()), slope, bend


def _climb(
    point: Floats, step: Floats, value: float, features: Floats, times: Floats, meetings: Floats
) -> Floats:
    """A Newton step, halved until it goes up."""
    for _ in range(40):
        if _likelihood(point + step, features, times, meetings)[0] >= value - 1e-12 * abs(value):
            return point + step
        step = step / 2
    return point


def _strengths(
    point: Floats, features: Floats, times: Floats, meetings: Floats, tied: bool
) -> Strengths:
    value, _, bend = _likelihood(point, features, times, meetings)
    covariance = np.asarray(np.linalg.inv(bend), dtype=np.float64)
    free = len(point) - tied
    error = np.sqrt(np.diag(covariance))
    return Strengths(
        log=np.concatenate([[0.0], point[:free]]),
        error=np.concatenate([[0.0], error[:free]]),
        tie=float(np.exp(point[-1])) if tied else None,
        likelihood=value,
        covariance=covariance,
    )
