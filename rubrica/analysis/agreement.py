"""Agreement of one question's raters: as a whole, per group, per pair, and with themselves."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import combinations
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rubrica.analysis import notes
from rubrica.analysis.alpha import (
    Patterns,
    alpha,
    alpha_estimate,
    alpha_of_moments,
    item_counts,
    moments,
    patterns_of,
)
from rubrica.analysis.answered import Answered, first_of_pair
from rubrica.analysis.arrays import Bools, Floats, Ints, dense, known
from rubrica.analysis.bootstrap import Sampler
from rubrica.analysis.chance import Weighting, chance_of, chance_rows, kappa_of, weights
from rubrica.analysis.icc import one_way_of, one_way_rows, table_rows, two_way_of
from rubrica.analysis.notes import note
from rubrica.analysis.results import Agreement, Estimate, PairAgreement, RaterStatistic
from rubrica.analysis.table import FLAGS, Factor, Options, Question, Table
from rubrica.errors import Problem

SKEWED_FROM = 0.8


@dataclass(frozen=True, slots=True)
class Units:
    """One question's items as counts of levels (or moments of free numbers), and their clusters."""

    counts: Floats | None
    moments: Floats | None
    one_way: Floats | None
    clusters: Ints | None

    def patterns(self, counts: Floats) -> Patterns:
        """Equal items are counted together, unless they belong to threads."""
        if self.clusters is None:
            return patterns_of(counts)
        return Patterns(counts, np.ones(len(counts), dtype=np.int64))


def agreement_records(answered: Answered, options: Options, sampler: Sampler) -> list[Agreement]:
    """The whole with every coefficient, then alpha and percent agreement per group."""
    records = list(_coefficients(answered, None, sampler, brief=False))
    for name, group, rows in groups_of(answered, options):
        part = answered.where(rows)
        records += _coefficients(part, f"{name}={group}", sampler, brief=True)
    return records


def question_alpha(answered: Answered, sampler: Sampler) -> Estimate:
    """Alpha alone, with its interval."""
    return _alpha(_units(answered), answered.question, sampler)


def alpha_value(answered: Answered) -> float | None:
    """Alpha alone, without."""
    units = _units(answered)
    if units.moments is not None:
        return known(alpha_of_moments(units.moments.sum(axis=0, keepdims=True))[0])
    counts = np.zeros((0, 0)) if units.counts is None else units.counts
    return known(alpha(counts, answered.question.metric, answered.question.values))


def groups_of(answered: Answered, options: Options) -> Iterator[tuple[str, str, Bools]]:
    """Every group of every declared field, the largest first where there are too many to list."""
    for name, factor in grouping_factors(answered, options):
        code = factor.codes[answered.item]
        size = np.bincount(code[code >= 0], minlength=len(factor.names))
        largest = np.argsort(-size, kind="stable")[: options.groups_shown]
        for group in sorted(int(g) for g in largest if size[g]):
            yield name, factor.names[group], code == group


def grouping_factors(answered: Answered, options: Options) -> list[tuple[str, Factor]]:
    items = answered.items
    known_fields = {"system": items.system, "thread": items.thread, "wave": items.wave, **items.fields}
    factors = [(name, known_fields.get(name)) for name in options.groups]
    return [(name, factor) for name, factor in factors if factor is not None]


def too_many_groups(answered: Answered, options: Options) -> list[Problem]:
    """A note per field that has more groups than are listed."""
    found = []
    for name, factor in grouping_factors(answered, options):
        if len(factor.names) > options.groups_shown:
            details = {"field": name, "groups": len(factor.names), "kept": options.groups_shown}
            found.append(note(notes.MANY_GROUPS, **details))
    return found


def _coefficients(
    answered: Answered, group: str | None, sampler: Sampler, *, brief: bool
) -> Iterator[Agreement]:
    question, units = answered.question, _units(answered)
    metric = question.metric if question.levels is not None else "interval"
    raters = answered.many_raters

    def record(name: str, how: str | None, got: Estimate) -> Agreement:
        value = (got.value, got.low, got.high)
        return Agreement(question.name, group, name, how, *value, got.n, raters, got.note)

    whole = _alpha(units, question, sampler)
    yield record("alpha", metric, _explained(whole, answered, units))
    if units.counts is None or whole.n == 0:
        return
    patterns = units.patterns(units.counts)
    percent = _chance("percent", np.eye(len(question.values)), patterns, units, sampler)
    yield record("percent", None, percent)
    yield record(*_gwet(question, patterns, units, sampler))
    if not brief and question.metric != "nominal":
        for name, got in _icc(answered, units, sampler):
            yield record(name, "absolute", got)


def _units(answered: Answered) -> Units:
    """Only items that have an answer take part; clusters are theirs."""
    items, item = dense(answered.item)
    clusters = answered.clusters()
    of = None if clusters is None else clusters[items]
    one_way = one_way_rows(item, answered.value, len(items)) if answered.question.numeric else None
    if answered.question.levels is None:
        return Units(None, moments(item, answered.value, len(items)), one_way, of)
    levels = len(answered.question.levels)
    return Units(item_counts(item, answered.code, len(items), levels), None, one_way, of)


def _alpha(units: Units, question: Question, sampler: Sampler) -> Estimate:
    if units.counts is not None:
        patterns = units.patterns(units.counts)
        return alpha_estimate(patterns, question.metric, question.values, sampler, units.clusters)
    rows = units.moments if units.moments is not None else np.zeros((0, 4))
    n = int((rows[:, 0] >= 2).sum())
    if n == 0:
        return Estimate(None, note=note(notes.NO_OVERLAP))
    kept = rows[:, 0] >= 2
    clusters = None if units.clusters is None else units.clusters[kept]
    got = sampler.estimate(rows[kept], alpha_of_moments, clusters=clusters, n=n)
    undefined = note(notes.ONE_VALUE, coefficient="alpha")
    return got if got.value is not None else Estimate(None, n=n, note=undefined)


def _explained(got: Estimate, answered: Answered, units: Units) -> Estimate:
    """Says why alpha is missing or misleading, most telling reason first."""
    why = got.note
    if len(answered) == 0:
        why = note(notes.NO_ANSWERS)
    elif got.n == 0 and answered.many_raters == 1:
        why = note(notes.ONE_RATER, what="agreement")
    elif got.low is not None and units.counts is not None:
        why = _skew(units.counts) or why
    return Estimate(got.value, got.low, got.high, got.n, why)


def _skew(counts: Floats) -> Problem | None:
    paired = counts[counts.sum(axis=1) >= 2]
    share = float(paired.sum(axis=0).max() / paired.sum())
    if share < SKEWED_FROM:
        return None
    rows = chance_rows(paired, np.eye(counts.shape[1]))
    return note(notes.SKEWED, share=share, agree=float(rows[:, 1].sum() / rows[:, 0].sum()))


def weighting(question: Question) -> Weighting:
    """Near misses count in part where levels are ordered, not at all for names."""
    return "identity" if question.metric == "nominal" else "quadratic"


def _gwet(
    question: Question, patterns: Patterns, units: Units, sampler: Sampler
) -> tuple[str, str, Estimate]:
    kind = weighting(question)
    name = "AC1" if kind == "identity" else "AC2"
    got = _chance("gwet", weights(kind, question.values), patterns, units, sampler)
    return name, kind, got


def _chance(kind: Any, weight: Floats, patterns: Patterns, units: Units, sampler: Sampler) -> Estimate:
    rows = chance_rows(patterns.counts, weight)
    times = patterns.times if units.clusters is None else None
    n = int(patterns.times[rows[:, 0] > 0].sum())
    got = sampler.estimate(rows, chance_of(kind, weight), times=times, clusters=units.clusters, n=n)
    return got if got.value is not None else Estimate(None, n=got.n, note=note(notes.NO_OVERLAP))


def _icc(answered: Answered, units: Units, sampler: Sampler) -> Iterator[tuple[str, Estimate]]:
    if answered.named:
        yield from _two_way(answered, sampler)
    if units.one_way is None or answered.many_raters == 1:
        return
    n = int((units.one_way[:, 0] > 0).sum())
    for name, average in (("ICC(1)", False), ("ICC(k)", True)):
        got = sampler.estimate(units.one_way, one_way_of(average), clusters=units.clusters, n=n)
        yield name, _or_undefined(got, n, name)


def _two_way(answered: Answered, sampler: Sampler) -> Iterator[tuple[str, Estimate]]:
    table, items, why = full_table(answered)
    clusters = answered.clusters()
    for name in ("ICC(A,1)", "ICC(A,k)"):
        if table is None:
            yield name, Estimate(None, note=why(name))
            continue
        of = None if clusters is None else clusters[items]
        rows = table_rows(table - table.mean())
        yield (
            name,
            _or_undefined(sampler.estimate(rows, two_way_of(name), clusters=of), len(table), name),
        )


def full_table(answered: Answered) -> tuple[Floats | None, Ints, Any]:
    """Items x raters where every rater rated every item kept, if that is at least half the items."""
    items, item = dense(answered.item)
    raters, rater = dense(answered.rater)
    if len(raters) < 2:
        return None, items, lambda what: note(notes.ONE_RATER, what=what)
    full = np.bincount(item, minlength=len(items)) == len(raters)
    if full.sum() < max(2, len(items) / 2):
        return None, items, lambda what: note(notes.NOT_CROSSED, what=what)
    place = np.cumsum(full) - 1
    rows = full[item]
    table = np.empty((int(full.sum()), len(raters)))
    table[place[item[rows]], rater[rows]] = answered.value[rows]
    return table, items[full], None


def _or_undefined(got: Estimate, n: int, name: str) -> Estimate:
    if got.value is not None:
        return got
    return Estimate(None, n=n, note=note(notes.ONE_VALUE, coefficient=name))


# --- pairs ----------------------------------------------------------------------------------------


def rater_matrix(
    answered: Answered, options: Options, sampler: Sampler
) -> tuple[list[PairAgreement], Problem | None]:
    """Kappa (quadratic for ordered levels) and percent agreement of every pair of raters."""
    question = answered.question
    if len(answered) and not answered.named:
        return [], note(notes.UNNAMED, what="agreement of pairs")
    if question.levels is None or len(answered) == 0:
        return [], None
    size = np.bincount(answered.rater, minlength=len(answered.raters))
    most = np.argsort(-size, kind="stable")[: options.raters_shown]
    shown = sorted(int(r) for r in most if size[r])
    many = int((size > 0).sum())
    details = {"raters": many, "kept": len(shown)}
    cut = note(notes.MATRIX_CUT, **details) if many > len(shown) else None
    codes = _by_rater(answered, shown)
    pairs = combinations(range(len(shown)), 2)
    return [_pair(answered, shown, codes, a, b, sampler) for a, b in pairs], cut


def _by_rater(answered: Answered, shown: list[int]) -> NDArray[np.int8]:
    place = np.full(len(answered.raters), -1)
    place[shown] = np.arange(len(shown))
    items, item = dense(answered.item)
    codes = np.full((len(shown), len(items)), -1, dtype=np.int8)
    kept = place[answered.rater] >= 0
    codes[place[answered.rater[kept]], item[kept]] = answered.code[kept]
    return codes


def _pair(
    answered: Answered, shown: list[int], codes: NDArray[np.int8], a: int, b: int, sampler: Sampler
) -> PairAgreement:
    question, levels = answered.question, len(answered.question.values)
    both = (codes[a] >= 0) & (codes[b] >= 0)
    flat = np.bincount(codes[a, both].astype(np.int64) * levels + codes[b, both], minlength=levels**2)
    kind = weighting(question)
    statistic = kappa_of(weights(kind, question.values))
    name = "kappa" if kind == "identity" else "quadratic kappa"
    who = (answered.raters[shown[a]], answered.raters[shown[b]])
    n = int(flat.sum())
    if n == 0:
        why = note(notes.NO_OVERLAP)
        return PairAgreement(question.name, *who, name, None, None, None, 0, None, why)
    # Every cell is one kind of item: the pair's table is its own list of patterns.
    got = sampler.estimate(np.eye(levels**2), statistic, times=flat.astype(np.int64), n=n)
    percent = float(flat.reshape(levels, levels).trace() / n)
    got = _or_undefined(got, n, name)
    return PairAgreement(question.name, *who, name, got.value, got.low, got.high, n, percent, got.note)


# --- the same rater again ---------------------------------------------------------------------------


def retest(
    table: Table, question: Question, options: Options, pairs: tuple[Ints, Ints], sampler: Sampler
) -> list[RaterStatistic]:
    """How steady raters are on items they rated twice: per rater, and over all under the name `*`."""
    first, second = pairs
    value = table.answers[question.name].value(options.choice)
    code = question.codes(value)
    usable = np.isfinite(value[first]) & np.isfinite(value[second])
    if question.levels is not None:
        usable &= (code[first] >= 0) & (code[second] >= 0)
    first, second = first[usable], second[usable]
    if len(first) == 0:
        return []
    rater = table.rater.codes[first]
    records = _retest("*", question, value[first], value[second], sampler)
    for who in np.unique(rater):
        mine = rater == who
        name = table.rater.names[who]
        records += _retest(name, question, value[first][mine], value[second][mine], sampler)
    return records


def repeated(table: Table, options: Options) -> tuple[Ints, Ints]:
    """Rows of a named rater's first and next rating of the same item."""
    apart = [f for f in FLAGS if f not in ("surplus", "repeat") and f not in options.include]
    used = np.ones(len(table), dtype=bool)
    for flag in apart:
        used &= ~table.flags.get(flag, np.zeros(len(table), dtype=bool))
    rows = np.flatnonzero(used & (table.rater.codes >= 0))
    pair = table.item[rows] * max(len(table.rater.names), 1) + table.rater.codes[rows]
    order = np.lexsort((table.times[rows], pair))
    same = np.flatnonzero(np.diff(pair[order]) == 0)
    fresh = first_of_pair(table, used)[rows[order[same]]]
    return rows[order[same]][fresh], rows[order[same + 1]][fresh]


def _retest(
    who: str, question: Question, first: Floats, second: Floats, sampler: Sampler
) -> list[RaterStatistic]:
    n, same = len(first), float((first == second).mean())
    apart = float(np.abs(first - second).mean()) if question.numeric else None
    records = [
        RaterStatistic(who, question.name, "test-retest percent", same, None, None, n),
        RaterStatistic(who, question.name, "test-retest distance", apart, None, None, n),
    ]
    if question.levels is None:
        return records
    levels = len(question.levels)
    flat = np.bincount(question.codes(first) * levels + question.codes(second), minlength=levels**2)
    kind = weighting(question)
    statistic = kappa_of(weights(kind, question.values))
    got = sampler.estimate(np.eye(levels**2), statistic, times=flat.astype(np.int64))
    why = got.note if got.value is not None else note(notes.ONE_VALUE, coefficient="kappa")
    value = None if got.value is None else known(got.value)
    kappa = RaterStatistic(who, question.name, "test-retest kappa", value, got.low, got.high, n, why)
    return [*records, kappa]
