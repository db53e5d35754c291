"""How many items and raters a study needs: spreads assumed or seen in a pilot, tried out by robots.

Robots answer by the question's own kind: what they see is as spread as the plan assumes, but they can
say only what the question offers, so that rounding and the ends of the scale cost what they would cost.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from random import Random
from typing import Any

import numpy as np

from rubrica.analysis.answered import select, standing
from rubrica.analysis.arrays import Floats
from rubrica.analysis.compare import pilot
from rubrica.analysis.plan import Plan, Spread, items_for_difference, items_for_interval
from rubrica.analysis.systems import SHARED_RATERS, item_mean, two_way_mean
from rubrica.kinds.contract import Robot
from rubrica.kinds.registry import kind
from rubrica.review.coding import Coded
from rubrica.review.gather import Gathered

ASSUMED = {False: (0.1, 0.175), True: (0.2, 0.4)}
"""Item by system and noise of one rating, as shares of the scale; the second for yes and no."""
BIAS = 0.08
"""How far robots differ in severity, as a share of the scale; it cancels between systems."""
QUALITY = 0.15
"""How far items differ in quality, whatever the system."""

MOST_ANSWERS = 3_000_000
"""Answers robots give to try one plan; a plan that takes more is not tried."""


@dataclass(frozen=True, slots=True)
class Wanted:
    """What the study is to find, in the question's own units: a difference, or an interval's reach."""

    difference: float
    width: float | None = None
    power: float = 0.8
    level: float = 0.95


@dataclass(frozen=True, slots=True)
class Tried:
    """A plan, and the share of robot studies of that size that found the difference."""

    plan: Plan
    found: float | None


def plannable(gathered: Gathered) -> list[Coded]:
    """Questions raters answer by levels whose mean makes sense."""
    return [
        c
        for c in gathered.coded
        if c.role == "answer" and c.question.levels is not None and c.question.numeric
    ]


def piloted_spread(gathered: Gathered, coded: Coded) -> Spread | None:
    """Spreads in the ratings there are; None where no rater rated two systems on the same inputs."""
    used, _ = standing(gathered.whole.table, gathered.options)
    answered, _ = select(gathered.whole.table, coded.question, gathered.options, used)
    return pilot(answered) if len(answered) else None


def assumed_spread(coded: Coded) -> Spread:
    """Spreads of middling size, where there is nothing to go by."""
    item, noise = ASSUMED[coded.question.binary]
    return Spread(item * scale(coded), noise * scale(coded))


def scale(coded: Coded) -> float:
    """From the lowest level to the highest."""
    levels = coded.question.levels or (0.0, 1.0)
    return levels[-1] - levels[0]


def planned(
    gathered: Gathered,
    coded: Coded,
    spread: Spread,
    wanted: Wanted,
    raters: Sequence[int],
    times: int,
    told: Callable[[float], None] | None = None,
) -> list[Tried]:
    """A plan for each number of raters, and how robots fared with it."""
    made = []
    for number, many in enumerate(raters):
        plan = _plan(spread, wanted, many)
        seed = f"{gathered.seed}:plan:{coded.name}:{many}"
        found = None
        if times and wanted.width is None and _affordable(plan, times):
            robots = Rehearsal(gathered, coded, spread, wanted)
            found = robots.found(plan.items or 0, many, times, Random(seed))
        made.append(Tried(plan, found))
        if told is not None:
            told((number + 1) / len(raters))
    return made


def _affordable(plan: Plan, times: int) -> bool:
    """Robots are quick, but not as quick as a formula."""
    return plan.items is not None and 2 * plan.items * plan.raters * times <= MOST_ANSWERS


def _plan(spread: Spread, wanted: Wanted, raters: int) -> Plan:
    if wanted.width is not None:
        return items_for_interval(spread, wanted.width, raters, wanted.level)
    return items_for_difference(spread, wanted.difference, raters, wanted.power, wanted.level)


class Rehearsal:
    """Robots rate two systems that differ as much as wanted, again and again."""

    def __init__(self, gathered: Gathered, coded: Coded, spread: Spread, wanted: Wanted) -> None:
        declared = gathered.study.questions[coded.of]
        self._kind, self._declared, self._read = kind(declared.kind), declared, coded.read
        self._level, unit = wanted.level, 1 / scale(coded)
        self._shift = wanted.difference * unit / 2
        self._item, self._rater = spread.item_system * unit, spread.rater_system * unit
        self._skill = 1 - 2 * spread.noise * unit

    def found(self, items: int, raters: int, times: int, rng: Random) -> float:
        """The share of studies of this size in which the report's test finds the difference."""
        return sum(self._finds(items, raters, rng) for _ in range(times)) / times

    def _finds(self, items: int, raters: int, rng: Random) -> bool:
        difference = self.differences(items, raters, rng)
        if raters >= SHARED_RATERS:
            item, rater = np.divmod(np.arange(items * raters), raters)
            p = two_way_mean(item, rater, difference.ravel()).p
        else:
            p = item_mean(difference.mean(axis=1)).p
        return p is not None and p <= 1 - self._level

    def differences(self, items: int, raters: int, rng: Random) -> Floats:
        """First system minus second, items by raters."""
        bias = [rng.gauss(0, BIAS) for _ in range(raters)]
        quality = [rng.gauss(0.5, QUALITY) for _ in range(items)]
        sides = [self._system(quality, bias, shift, rng) for shift in (self._shift, -self._shift)]
        return np.asarray(sides[0] - sides[1])

    def _system(self, quality: list[float], bias: list[float], shift: float, rng: Random) -> Floats:
        own = [rng.gauss(0, self._rater) for _ in bias]
        rows = []
        for of_item in quality:
            truth = of_item + shift + rng.gauss(0, self._item)
            rows.append([self._says(truth + o, b, rng) for o, b in zip(own, bias, strict=True)])
        return np.array(rows, dtype=np.float64)

    def _says(self, truth: float, bias: float, rng: Random) -> float:
        answer: Any = self._kind.robot(self._declared, Robot(rng, self._skill, bias, truth))
        return self._read(answer)
