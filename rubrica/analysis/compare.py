"""Systems of one question: means, ranks, and every pair on the inputs both answered."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rubrica.analysis import notes
from rubrica.analysis.answered import Answered
from rubrica.analysis.arrays import Bools, Floats, Ints, dense, known, means, present
from rubrica.analysis.bootstrap import Sampler, totals
from rubrica.analysis.multiple import benjamini_hochberg, holm
from rubrica.analysis.notes import note
from rubrica.analysis.plan import Spread, piloted, pooled
from rubrica.analysis.results import Comparison, SystemMean
from rubrica.analysis.systems import (
    SHARED_RATERS,
    VISIBLE,
    Mean,
    effect_size,
    item_mean,
    ranks_of,
    rater_effect_p,
    sign_flip,
    superiority,
    two_way_mean,
)
from rubrica.analysis.table import Factor, Options, Question
from rubrica.errors import Problem

ALL = "*"
"""Stands for the system where items name none."""

COVERED = 0.8
FIRST = "first"
"""What the wave is called that has no name."""


@dataclass(frozen=True, slots=True)
class Outputs:
    """One system's answers: means per input, and per input and rater."""

    name: str
    input: Ints
    mean: Floats
    cluster: Ints
    cell: Ints
    """input * raters + rater of each cell; empty where raters are unnamed."""
    cell_mean: Floats


def system_means(answered: Answered, options: Options, sampler: Sampler) -> list[SystemMean]:
    """Every system that has items, those without a usable answer too."""
    systems = answered.items.system
    names = (ALL,) if systems is None else systems.names
    code = np.zeros(len(answered), dtype=np.int64) if systems is None else systems.codes[answered.item]
    records = [_mean(answered.where(code == k), name, options) for k, name in enumerate(names)]
    if systems is None or not answered.question.numeric or len(answered) == 0:
        return records
    return _ranked(records, answered, systems, sampler)


def comparisons(answered: Answered, options: Options, sampler: Sampler) -> list[Comparison]:
    """All pairs; with a reference system, its pairs come first and it is the second one in them."""
    systems = answered.items.system
    if systems is None or not answered.question.numeric:
        return []
    code, inputs = systems.codes[answered.item], answered.items.inputs()
    outputs = [_outputs(answered.where(code == k), n, inputs) for k, n in enumerate(systems.names)]
    waves = _waves(answered, systems, options.rater_waves)
    made = []
    for a, b in _ordered(systems.names, options.reference):
        record = _compare(answered, outputs[a], outputs[b], options, sampler)
        if waves[a] != waves[b]:
            named = {"a": systems.names[a], "b": systems.names[b]}
            says = note(notes.WAVES, waves=f"{_listed(waves[a])} / {_listed(waves[b])}", **named)
            record = replace(record, note=record.note if record.difference is None else says)
        made.append(replace(record, reference=options.reference in (record.a, record.b)))
    return made


def pilot(answered: Answered) -> Spread | None:
    """Spreads for planning, over all pairs of systems that raters share; None where there are none."""
    systems = answered.items.system
    if systems is None or not answered.question.numeric:
        return None
    code, inputs = systems.codes[answered.item], answered.items.inputs()
    outputs = [_outputs(answered.where(code == k), n, inputs) for k, n in enumerate(systems.names)]
    shared = (_shared(answered, a, b) for a, b in combinations(outputs, 2))
    return pooled([piloted(*one) for one in shared if one is not None and len(one[0]) > 1])


def unequal_inputs(answered: Answered) -> Problem | None:
    """A note where systems were rated on different inputs: their means are not like for like."""
    systems = answered.items.system
    if systems is None or len(systems.names) < 2 or len(answered) == 0:
        return None
    code, inputs = systems.codes[answered.item], answered.items.inputs()[answered.item]
    size = len(systems.names) * len(present(inputs))
    cells = len(present(dense(inputs)[1] * len(systems.names) + code)) if code.min() >= 0 else 0
    return None if cells == size else note(notes.DIFFERENT_ITEMS)


def corrected(records: Sequence[Comparison], options: Options) -> list[Comparison]:
    """p corrected within the declared family: one question's comparisons, or the study's."""
    family = [r.question if options.family == "question" else "" for r in records]
    out = list(records)
    for one in dict.fromkeys(family):
        rows = [i for i, f in enumerate(family) if f == one and records[i].p is not None]
        p = [records[i].p or 0.0 for i in rows]
        for i, strict, mild in zip(rows, holm(p), benjamini_hochberg(p), strict=True):
            out[i] = replace(records[i], p_holm=strict, p_bh=mild)
    return out


def _mean(part: Answered, name: str, options: Options) -> SystemMean:
    question = part.question
    if len(part) == 0:
        return SystemMean(question.name, name, 0, None, None, None, note=note(notes.NO_ANSWERS))
    items, item = dense(part.item)
    record = SystemMean(question.name, name, len(items), None, None, None, len(part), part.many_raters)
    if not question.numeric:
        return replace(record, note=note(notes.NO_ORDER, what="a mean"))
    found, why = _item_and_rater_mean(part, item, len(items))
    if found.error == 0:
        same = note(notes.NO_SPREAD, n=len(items))
        return replace(record, mean=known(found.value), note=same)
    low, high = (_within(question, edge) for edge in found.interval(options.level))
    return replace(record, mean=known(found.value), low=low, high=high, note=why)


def _within(question: Question, edge: float | None) -> float | None:
    """No mean lies outside its scale."""
    if edge is None or question.levels is None:
        return edge
    return min(max(edge, question.levels[0]), question.levels[-1])


def _item_and_rater_mean(part: Answered, item: NDArray[Any], items: int) -> tuple[Mean, Problem | None]:
    cluster = part.items.clusters()[part.item]
    size = np.bincount(item, minlength=items)
    if part.named and (part.many_raters or 0) >= SHARED_RATERS:
        found = two_way_mean(cluster, part.rater, part.value, 1 / size[item])
        why = notes.ONE_OUTPUT if found.error is None else notes.TWO_WAY
        return found, note(why, n=1, raters=found.raters)
    of = np.zeros(items, dtype=np.int64)
    of[item] = cluster
    found = item_mean(means(item, part.value, items), of)
    if found.error is None:
        return found, note(notes.ONE_OUTPUT, n=1)
    few = part.many_raters
    return found, None if few is None else note(notes.THESE_RATERS, raters=few)


def _ranked(
    records: list[SystemMean], answered: Answered, systems: Factor, sampler: Sampler
) -> list[SystemMean]:
    """Ranks with intervals, resampling inputs (and with them every system's output for one)."""
    items, item = dense(answered.item)
    mean = means(item, answered.value, len(items))
    system = systems.codes[items]
    inputs = dense(answered.items.inputs()[items])[1]
    first = np.unique(inputs, return_index=True)[1]
    # An input goes with the thread of its first output: all systems' outputs are drawn together.
    cluster = dense(answered.clusters_of(items)[first])[1][inputs]
    rows = np.zeros((int(cluster.max()) + 1, 2 * len(systems.names)))
    named = system >= 0
    np.add.at(rows, (cluster[named], system[named]), mean[named])
    np.add.at(rows, (cluster[named], len(systems.names) + system[named]), 1.0)
    ranks = ranks_of(rows.sum(axis=0, keepdims=True))[0]
    if len(rows) < 2:
        return [replace(r, rank=known(k)) for r, k in zip(records, ranks, strict=True)]
    drawn = ranks_of(totals(rows, np.ones(len(rows), dtype=np.int64), sampler.rng, sampler.replicates))
    edges = (1 - sampler.level) / 2, (1 + sampler.level) / 2
    return [_with_rank(r, ranks[k], drawn[:, k], edges) for k, r in enumerate(records)]


def _with_rank(
    record: SystemMean, rank: float, drawn: Floats, edges: tuple[float, float]
) -> SystemMean:
    seen = drawn[np.isfinite(drawn)]
    if known(rank) is None or len(seen) == 0:
        return record
    low, high = np.quantile(seen, edges, method="nearest")
    return replace(record, rank=float(rank), rank_low=float(low), rank_high=float(high))


def _outputs(part: Answered, name: str, inputs: Ints) -> Outputs:
    of = inputs[part.item]
    seen, place = dense(of)
    cluster = np.zeros(len(seen), dtype=np.int64)
    cluster[place] = part.items.clusters()[part.item]
    mean = means(place, part.value, len(seen))
    if not part.named:
        return Outputs(name, seen, mean, cluster, np.zeros(0, dtype=np.int64), np.zeros(0))
    cell, where = np.unique(of * max(len(part.raters), 1) + part.rater, return_inverse=True)
    return Outputs(name, seen, mean, cluster, cell, means(where, part.value, len(cell)))


def _compare(
    answered: Answered, a: Outputs, b: Outputs, options: Options, sampler: Sampler
) -> Comparison:
    _, in_a, in_b = np.intersect1d(a.input, b.input, assume_unique=True, return_indices=True)
    n = len(in_a)
    empty = (None,) * 6
    record = Comparison(answered.question.name, a.name, b.name, n, *empty)
    if n == 0:
        return replace(record, note=note(notes.NO_COMMON, a=a.name, b=b.name))
    difference = a.mean[in_a] - b.mean[in_b]
    test = _tested(answered, a, b, difference, in_a, sampler)
    difference = difference[test.kept]
    wins, ties, losses, better = superiority(difference)
    record = replace(record, wins=wins, ties=ties, losses=losses, superiority=better)
    low, high = test.mean.interval(options.level)
    return replace(
        record,
        n=len(difference),
        difference=known(test.mean.value),
        low=low,
        high=high,
        p=test.p,
        effect=effect_size(difference),
        note=test.note,
        method=test.method,
        raters=test.mean.raters,
    )


@dataclass(frozen=True, slots=True)
class Tested:
    """What a test found; `kept` are the common inputs it rests on."""

    kept: Bools
    mean: Mean
    p: float | None
    method: str | None
    note: Problem | None


def _tested(
    answered: Answered, a: Outputs, b: Outputs, difference: Floats, in_a: Ints, sampler: Sampler
) -> Tested:
    """The two-way test where raters are shared and many or visibly different, else sign flips."""
    everyone, cluster = np.ones(len(difference), dtype=bool), a.cluster[in_a]
    plain = item_mean(difference, cluster)
    if plain.error is None:
        return Tested(everyone, plain, None, None, note(notes.ONE_OUTPUT, n=1))
    shared = _shared(answered, a, b)
    found = None if shared is None else _two_way(shared, a, len(difference))
    if found is not None and shared is not None:
        kept = np.isin(a.input[in_a], shared[0])
        return Tested(kept, found, found.p, "two-way", note(notes.TWO_WAY, raters=found.raters))
    flipped = sign_flip(difference, sampler.rng, cluster)
    why = _caution(shared, flipped.method, len(difference))
    return Tested(everyone, plain, flipped.p, f"sign-flip ({flipped.method})", why)


def _two_way(shared: tuple[Ints, Ints, Floats], a: Outputs, inputs: int) -> Mean | None:
    """None where raters are too few and alike, or do not cover the inputs."""
    where, rater, off = shared
    if len(where) == 0:
        return None
    seen, place = dense(where)
    raters = len(present(rater))
    if raters < 2 or len(seen) < COVERED * inputs:
        return None
    if raters < SHARED_RATERS and rater_effect_p(where, rater, off) >= VISIBLE:
        return None
    cluster = a.cluster[np.searchsorted(a.input, where)]
    found = two_way_mean(cluster, rater, off, 1 / np.bincount(place)[place])
    return None if found.error is None else found


def _shared(answered: Answered, a: Outputs, b: Outputs) -> tuple[Ints, Ints, Floats] | None:
    """Input, rater and difference wherever one rater rated both; None for unnamed raters."""
    if not answered.named:
        return None
    cell, in_a, in_b = np.intersect1d(a.cell, b.cell, assume_unique=True, return_indices=True)
    where, rater = np.divmod(cell, max(len(answered.raters), 1))
    return where, rater, a.cell_mean[in_a] - b.cell_mean[in_b]


def _caution(shared: tuple[Ints, Ints, Floats] | None, method: str, inputs: int) -> Problem:
    if shared is None:
        return note(notes.UNNAMED, what="the two-way test")
    if len(present(shared[0])) < COVERED * inputs:
        return note(notes.OTHER_RATERS)
    if method == "normal":
        return note(notes.LARGE_SAMPLE, n=inputs)
    return note(notes.THESE_RATERS, raters=len(present(shared[1])))


def _ordered(names: Sequence[str], reference: str | None) -> Iterable[tuple[int, int]]:
    places = range(len(names))
    if reference is None or reference not in names:
        return combinations(places, 2)
    r = list(names).index(reference)
    rest = [k for k in places if k != r]
    return [(k, r) for k in rest] + list(combinations(rest, 2))


def _waves(answered: Answered, systems: Factor, came: Mapping[str, str]) -> list[tuple[str, ...]]:
    """By system, the waves its items came in and those its raters came in."""
    found: list[tuple[str, ...]] = [()] * len(systems.names)
    if (wave := answered.items.wave) is not None:
        names = np.array([*wave.names, FIRST])  # the code -1 is the last of them
        found = [_apart(names[wave.codes[systems.codes == k]]) for k in range(len(found))]
    if came:
        code = systems.codes[answered.item]
        names = np.array([*(came.get(name, FIRST) for name in answered.raters), FIRST])
        found = [
            (*of_items, *_apart(names[answered.rater[code == k]])) for k, of_items in enumerate(found)
        ]
    return found


def _apart(names: NDArray[Any]) -> tuple[str, ...]:
    return tuple(str(name) for name in np.unique(names))


def _listed(waves: tuple[str, ...]) -> str:
    return ", ".join(dict.fromkeys(waves)) or "none"
