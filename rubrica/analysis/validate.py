"""Judges of one question as records: the whole, per group, per system; mismatches; corrected means."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np

from rubrica.analysis import notes
from rubrica.analysis.agreement import groups_of, question_alpha
from rubrica.analysis.alt_test import alt_test
from rubrica.analysis.answered import Answered
from rubrica.analysis.arrays import Bools, Floats, dense, known, means, ratio
from rubrica.analysis.bootstrap import Sampler
from rubrica.analysis.judges import Paired, Statistics, accuracy_table, paired, statistics
from rubrica.analysis.metrics import MAX_PAIRS, held_out_accuracy, soft_pairwise_accuracy
from rubrica.analysis.notes import note
from rubrica.analysis.ppi import ppi_mean, rogan_gladen_estimate
from rubrica.analysis.results import Confusion, Difference, Estimate, JudgeStatistic, LeftOut, Mismatch
from rubrica.analysis.system_level import system_statistics
from rubrica.analysis.table import Judge, Options
from rubrica.errors import Problem

POINTS = 2_000
FEW = 3
UNGROUPED = 1_500
"""Outputs per half that are compared with each other where inputs have one output each."""


@dataclass(frozen=True, slots=True)
class Validation:
    statistics: list[JudgeStatistic]
    mismatches: list[Mismatch]
    confusion: list[Confusion]
    differences: list[Difference]
    left_out: list[LeftOut]


def validation(answered: Answered, judge: Judge, options: Options, sampler: Sampler) -> Validation:
    """All that is said of one judge in one question."""
    answered = of_judge(answered, judge)
    pairs = paired(answered, judge)
    records = _records(pairs, None, statistics(pairs, sampler))
    if pairs.n:
        records += _records(pairs, None, list(_once(answered, pairs, options, sampler)))
        records += _corrected_means(answered, pairs, options)
    for name, group, rows in groups_of(answered, options):
        part = paired(answered.where(rows), judge)
        records += _records(part, f"{name}={group}", _of_group(part, options, sampler))
    mismatches, differences = _mismatches(pairs, options), _differences(pairs)
    far = _far(pairs, options)
    many = 0 if far is None else int(far.sum())
    lost = _cut(pairs, many, len(mismatches), "mismatches", "the largest are listed")
    points = len(_points(pairs))
    lost += _cut(
        pairs, points, len(differences), "points of the difference figure", "most common shown"
    )
    return Validation(records, mismatches, _confusion(pairs), differences, lost)


def _of_group(part: Paired, options: Options, sampler: Sampler) -> list[Statistics]:
    """Of a handful of items only how many mismatch is worth a number. Ranks are told for the whole:
    their intervals take longest, and a group has too few items to need all three correlations.
    """
    mismatches = list(_mismatch_share(part, options, sampler))
    if part.n >= FEW or part.n == 0:
        return [*statistics(part, sampler, ranks=False), *mismatches]
    why = note(notes.FEW_PAIRS, n=part.n, what="a correlation", needed=FEW)
    return [Statistics("pearson", Estimate(None, n=part.n, note=why)), *mismatches]


def of_judge(answered: Answered, judge: Judge) -> Answered:
    """The answers to items this judge was asked about: the others are no missing scores."""
    return answered if judge.asked is None else answered.where(judge.asked[answered.item])


def _cut(pairs: Paired, all_of: int, kept: int, what: str, why: str) -> list[LeftOut]:
    if all_of == kept:
        return []
    return [LeftOut(what, all_of - kept, f"judge {pairs.judge.name}: {why}", pairs.question.name)]


def _records(pairs: Paired, group: str | None, found: list[Statistics]) -> list[JudgeStatistic]:
    return [
        JudgeStatistic(
            question=pairs.question.name,
            judge=pairs.judge.name,
            group=group,
            statistic=one.name,
            value=one.got.value,
            low=one.got.low,
            high=one.got.high,
            n=one.got.n,
            missing=pairs.missing,
            note=_why(pairs, one.got),
            p=one.p,
            ceiling=one.ceiling.value if one.ceiling else None,
            ceiling_low=one.ceiling.low if one.ceiling else None,
            ceiling_high=one.ceiling.high if one.ceiling else None,
            same=one.same.value if one.same else None,
        )
        for one in found
    ]


def _why(pairs: Paired, got: Estimate) -> Problem | None:
    """Why there is no value; else what the judge's score means; else how far the number carries."""
    if got.value is not None and pairs.judge.says:
        return note(notes.JUDGE_SAYS, says=pairs.judge.says)
    if got.note is not None:
        return got.note
    if pairs.missing:
        return note(notes.JUDGE_MISSING, missing=pairs.missing, rated=pairs.missing + pairs.n)
    return None


def _once(
    answered: Answered, pairs: Paired, options: Options, sampler: Sampler
) -> Iterator[Statistics]:
    """What is computed for the whole only."""
    if pairs.question.numeric:
        yield from _mismatch_share(pairs, options, sampler)
        yield from _order(answered, pairs, sampler)
        yield from system_statistics(answered, pairs, sampler)
        yield from _soft(answered, pairs, sampler)
    if pairs.judge.scale != "own":
        yield from _alternative(answered, pairs, options, sampler)
    if pairs.question.binary and pairs.levels is not None:
        yield Statistics("rogan_gladen", _rogan_gladen(pairs, options))


# --- mismatches and figures -------------------------------------------------------------------------


def _sizes(pairs: Paired) -> tuple[Floats, Floats] | None:
    """Raters' mean and judge's score as shares of the scale."""
    if pairs.judge.scale == "own" or pairs.question.levels is None or not pairs.question.numeric:
        return None
    if pairs.judge.scale == "fraction":
        return pairs.human, pairs.score
    return pairs.question.fraction(pairs.human), pairs.question.fraction(pairs.score)


def _mismatch_share(pairs: Paired, options: Options, sampler: Sampler) -> Iterator[Statistics]:
    far = _far(pairs, options)
    if far is None or pairs.n == 0:
        return
    rows = np.column_stack([np.ones(pairs.n), far])

    def share(totals: Floats) -> Floats:
        return totals[:, 1] / totals[:, 0]

    got = sampler.estimate(rows, share, clusters=pairs.clustered, n=pairs.n)
    yield Statistics("mismatch_share", got)


def _far(pairs: Paired, options: Options) -> Bools | None:
    """Whether judge and raters are so far apart that somebody should look; None without a scale."""
    sides = _sizes(pairs)
    return None if sides is None else np.abs(sides[0] - sides[1]) > options.mismatch_from + 1e-9


def _mismatches(pairs: Paired, options: Options) -> list[Mismatch]:
    """The worst first."""
    sides, is_far = _sizes(pairs), _far(pairs, options)
    if sides is None or is_far is None:
        return []
    size, far = np.abs(sides[0] - sides[1]), np.flatnonzero(is_far)
    worst = far[np.lexsort((far, -np.round(size[far], 12)))][: options.mismatches]
    return [_mismatch(pairs, int(k), sides, float(size[k]), options) for k in worst]


def _mismatch(
    pairs: Paired, k: int, sides: tuple[Floats, Floats], size: float, options: Options
) -> Mismatch:
    items, item = pairs.items_table, int(pairs.items[k])
    fields = {name: items.fields[name].name(item) for name in options.groups if name in items.fields}
    return Mismatch(
        question=pairs.question.name,
        judge=pairs.judge.name,
        item=items.names[item],
        system=None if items.system is None else items.system.name(item),
        human=float(sides[0][k]),
        score=float(sides[1][k]),
        size=size,
        ratings=int(pairs.ratings[k]),
        groups={name: value for name, value in fields.items() if value is not None},
    )


def _confusion(pairs: Paired) -> list[Confusion]:
    table = accuracy_table(pairs) if pairs.n else None
    if table is None:
        return []
    question, name = pairs.question, pairs.judge.name
    share, within = table / table.sum(), ratio(table, table.sum(axis=1, keepdims=True))
    return [
        Confusion(
            question=question.name,
            judge=name,
            human=question.label(h),
            score=question.label(s),
            count=float(table[h, s]),
            share=float(share[h, s]),
            within=known(within[h, s]),
        )
        for h in range(len(table))
        for s in range(len(table))
    ]


def _points(pairs: Paired) -> Floats:
    """Mean, difference and how often, points that fall together as one."""
    if pairs.judge.scale == "own" or not pairs.question.numeric or pairs.n == 0:
        return np.zeros((0, 3))
    points = np.column_stack([(pairs.score + pairs.human) / 2, pairs.score - pairs.human])
    seen, times = np.unique(np.round(points, 3) + 0.0, axis=0, return_counts=True)
    return np.column_stack([seen, times])


def _differences(pairs: Paired) -> list[Difference]:
    points = _points(pairs)
    kept = np.sort(np.argsort(-points[:, 2], kind="stable")[:POINTS])
    name, judge = pairs.question.name, pairs.judge.name
    return [Difference(name, judge, float(m), float(d), int(t)) for m, d, t in points[kept]]


# --- order ------------------------------------------------------------------------------------------


def _order(answered: Answered, pairs: Paired, sampler: Sampler) -> Iterator[Statistics]:
    """Pairwise accuracy per item, ties calibrated on held-out pairs."""
    group = answered.items.inputs()[pairs.items]
    rows = np.arange(pairs.n)
    if len(np.unique(group)) == pairs.n:
        # Inputs with one output each: two random halves, each compared within itself.
        rows = sampler.rng.permutation(pairs.n)[: 2 * UNGROUPED]
        group = np.arange(len(rows)) % 2
    got = held_out_accuracy(pairs.human[rows], pairs.score[rows], group, sampler.rng)
    why = None if got.value is not None else note(notes.FEW_PAIRS, n=pairs.n, what="an order", needed=4)
    yield Statistics("pairwise_accuracy", Estimate(got.value, n=min(got.pairs, MAX_PAIRS), note=why))
    if got.value is not None:
        yield Statistics("tie_epsilon", Estimate(got.epsilon, n=got.pairs))


def _soft(answered: Answered, pairs: Paired, sampler: Sampler) -> Iterator[Statistics]:
    """Soft pairwise accuracy over inputs that every system has."""
    systems = answered.items.system
    if systems is None or len(systems.names) < 2:
        return
    inputs, place = dense(answered.items.inputs()[pairs.items])
    flat = systems.codes[pairs.items] * len(inputs) + place
    named = systems.codes[pairs.items] >= 0
    size = len(systems.names) * len(inputs)
    shape = (len(systems.names), len(inputs))
    human = means(flat[named], pairs.human[named], size).reshape(shape)
    score = means(flat[named], pairs.score[named], size).reshape(shape)
    full = np.isfinite(human).all(axis=0) & np.isfinite(score).all(axis=0)
    n = int(full.sum())
    if n == 0:
        why = note(notes.FEW_PAIRS, n=0, what="soft pairwise accuracy", needed=1)
        yield Statistics("soft_pairwise_accuracy", Estimate(None, note=why))
        return
    value = soft_pairwise_accuracy(human[:, full], score[:, full], sampler.rng)
    yield Statistics("soft_pairwise_accuracy", Estimate(value, n=n))


# --- may it stand in, and what it adds ----------------------------------------------------------------


def _alternative(
    answered: Answered, pairs: Paired, options: Options, sampler: Sampler
) -> Iterator[Statistics]:
    if not answered.named:
        why = note(notes.UNNAMED, what="the alternative annotator test")
        yield Statistics("alt_test_winning_rate", Estimate(None, n=pairs.n, note=why))
        return
    both = answered.where(np.isin(answered.item, pairs.items))
    got = alt_test(
        pairs.place,
        pairs.rater,
        pairs.value,
        pairs.score[pairs.place],
        question_alpha(both, sampler),
        ordered=pairs.question.metric != "nominal",
        expertise=options.expertise,
        level=options.level,
    )
    yield Statistics("alt_test_winning_rate", Estimate(got.winning, n=got.raters, note=got.note))
    yield Statistics("alt_test_advantage", Estimate(got.advantage, n=got.raters, note=got.note))


def _rogan_gladen(pairs: Paired, options: Options) -> Estimate:
    """Items whose raters are split evenly have no reference and stand aside."""
    yes = pairs.question.fraction(pairs.human) if pairs.judge.scale == "levels" else pairs.human
    clear = np.abs(yes - 0.5) > 1e-9
    human = (yes[clear] > 0.5).astype(np.float64)
    levels = pairs.levels
    judge = np.zeros(pairs.n) if levels is None else levels.astype(np.float64)
    everyone = pairs.judge.scores[np.isfinite(pairs.judge.scores)]
    if pairs.judge.scale == "levels":
        everyone = pairs.question.fraction(everyone)
    return rogan_gladen_estimate(human, judge[clear], everyone, options.level)


def _corrected_means(answered: Answered, pairs: Paired, options: Options) -> list[JudgeStatistic]:
    """PPI++ means per system, where the judge scored items nobody rated."""
    systems = answered.items.system
    scores = pairs.judge.scores
    if not pairs.question.numeric:
        return []
    unrated = np.isfinite(scores)
    unrated[pairs.items] = False
    if not unrated.any():
        return []
    groups: list[tuple[str | None, Bools]] = [(None, np.ones(len(scores), dtype=bool))]
    if systems is not None:
        groups = [(f"system={name}", systems.codes == k) for k, name in enumerate(systems.names)]
    return [r for name, of in groups for r in _corrected(pairs, name, of, unrated & of, options)]


def _corrected(
    pairs: Paired,
    group: str | None,
    of: Bools,
    unrated: Bools,
    options: Options,
) -> list[JudgeStatistic]:
    mine = of[pairs.items]
    if not mine.any():
        return []
    got = ppi_mean(
        pairs.human[mine], pairs.score[mine], pairs.judge.scores[unrated], level=options.level
    )
    found = [
        Statistics("ppi_mean", got.estimate),
        Statistics("ppi_trust", Estimate(got.trust, n=int(mine.sum()))),
    ]
    return [replace(r, missing=0) for r in _records(pairs, group, found)]
