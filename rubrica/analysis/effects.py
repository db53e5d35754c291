"""How answers are distributed, and whether something moves them that should not: place, language."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import numpy as np

from rubrica.analysis import notes
from rubrica.analysis.answered import Answered
from rubrica.analysis.arrays import Ints, dense, ratio, sums
from rubrica.analysis.notes import note
from rubrica.analysis.raters import ENOUGH, Against, against_others, regression
from rubrica.analysis.results import Effect, Share
from rubrica.analysis.systems import Mean, item_mean
from rubrica.analysis.table import Table


def shares(answered: Answered, by_rater: bool) -> list[Share]:
    """Distributions for all, per system and, where asked, per rater."""
    question, levels = answered.question, answered.question.levels
    if levels is None or len(answered) == 0:
        return []
    found = _shares(answered, None, None)
    system = answered.items.system
    if system is not None:
        code = system.codes[answered.item]
        for k in np.unique(code[code >= 0]):
            found += _shares(answered.where(code == k), system.names[k], None)
    if by_rater and answered.named:
        for who in np.unique(answered.rater):
            found += _shares(answered.where(answered.rater == who), None, answered.raters[who])
    return [replace(s, question=question.name) for s in found]


def _shares(part: Answered, system: str | None, rater: str | None) -> list[Share]:
    size = np.bincount(part.code, minlength=len(part.question.values))
    return [
        Share("", system, part.question.label(k), int(n), float(n / size.sum()), rater)
        for k, n in enumerate(size)
    ]


def effects(answered: Answered, table: Table, level: float) -> list[Effect]:
    """Position in the rater's list, and the page's language, on the same items."""
    if not answered.question.numeric or len(answered) == 0:
        return []
    found = []
    if answered.named:
        against = against_others(answered, table.times[answered.row])
        found.append(_position(answered, against, level))
    if table.language is not None:
        found += _languages(answered, table.language.codes[answered.row], table.language.names, level)
    return found


def _position(answered: Answered, against: Against, level: float) -> Effect:
    """From a rater's first answer to the last; raters are the sample where there are five or more."""
    shared = np.isfinite(against.off)
    name, off, position = answered.question.name, against.off[shared], against.position[shared]
    slopes = regression(position, off)
    if slopes is None or len(off) < ENOUGH:
        why = note(notes.FEW_ANSWERS, n=len(off), what="a position effect", needed=ENOUGH)
        return Effect(name, "position", None, None, None, len(off), why)
    centred = position - position.mean()
    rest = (off - off.mean() - slopes.value * centred) * centred / (centred @ centred)
    rater = dense(answered.rater[shared])[1]
    many = int(rater.max()) + 1
    if many >= 5:
        error = float(np.sqrt((sums(rater, rest, many) ** 2).sum() * many / (many - 1)))
        slopes = Mean(slopes.value, error, many - 1.0, len(off))
    return Effect(name, "position", slopes.value, *slopes.interval(level), len(off))


def _languages(
    answered: Answered, code: Ints, names: tuple[str, ...], level: float
) -> Iterator[Effect]:
    """Mean difference of the first language to each other one, over items rated in both."""
    items, item = dense(answered.item)
    for k in range(1, len(names)):
        sides = []
        for one in (0, k):
            mine = code == one
            size = np.bincount(item[mine], minlength=len(items)).astype(np.float64)
            sides.append(ratio(sums(item[mine], answered.value[mine], len(items)), size))
        gap = sides[1] - sides[0]
        both = np.isfinite(gap)
        says = f"language {names[k]} against {names[0]}"
        if both.sum() < 2:
            why = note(notes.FEW_PAIRS, n=int(both.sum()), what="a language effect", needed=2)
            yield Effect(answered.question.name, says, None, None, None, int(both.sum()), why)
            continue
        mean = item_mean(gap[both], answered.clusters_of(items[both]))
        yield Effect(answered.question.name, says, mean.value, *mean.interval(level), mean.n)
