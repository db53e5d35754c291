"""What a coordinator watches while ratings come in: agreement so far, raters, and what needs a look.

Agreement is the report's own alpha; raters' figures are the report's own too. Here stands only from
where on a figure is worth somebody's time, and what is known of items with known answers.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from rubrica.analysis.agreement import question_alpha
from rubrica.analysis.analyse import rater_figures
from rubrica.analysis.answered import Answered, select, standing
from rubrica.analysis.bootstrap import Sampler
from rubrica.analysis.raters import ENOUGH
from rubrica.analysis.results import RaterStatistic
from rubrica.analysis.table import Question
from rubrica.review.coding import Coded
from rubrica.review.gather import Gathered

STRAIGHT = 0.5
"""Of a rater's ratings: so many give every question the same level."""
ALWAYS = 0.95
"""Of a rater's answers to one question: so many are the same level."""
HURRIES = 0.3
"""Of a rater's ratings: so many took less than a third of what others took."""
DRIFTS = 0.2
"""Of the scale: so far a rater moves away from the others between their first answer and the last."""
GOLD_APART = 0.25
"""Of the scale: further from a known answer is a failure."""
GOLD_SHARE, GOLD_FROM = 1 / 3, 2


@dataclass(frozen=True, slots=True)
class Watched:
    """Everything, as plain data but for the notes (`why`), which are yet to be put into words."""

    agreement: list[dict[str, Any]]
    raters: dict[str, list[dict[str, Any]]]
    alerts: list[dict[str, Any]]


def watch(gathered: Gathered) -> Watched:
    table, options = gathered.whole.table, gathered.options
    used, _ = standing(table, options)
    answered = [select(table, question, options, used)[0] for question in gathered.whole.questions]
    rng = np.random.default_rng(gathered.seed)
    sampler = Sampler(rng, options.replicates, options.level)
    found = [_agreement(one, sampler) for one in answered]
    statistics = rater_figures(table, answered, used, options, sampler)
    gold = _gold(gathered)
    return Watched(
        agreement=[one for one in found if one],
        raters=_by_rater(statistics, gold),
        alerts=[*_alerts(statistics, gathered.whole.questions), *_gold_alerts(gold)],
    )


def _agreement(answered: Answered, sampler: Sampler) -> dict[str, Any] | None:
    if answered.question.levels is None and not len(answered):
        return None
    got = question_alpha(answered, sampler)
    return {
        "question": answered.question.name,
        "name": "alpha",
        "value": _known(got.value),
        "low": _known(got.low),
        "high": _known(got.high),
        "raters": answered.many_raters,
        "items": got.n,
        "why": got.note,
    }


def _by_rater(
    statistics: Sequence[RaterStatistic], gold: Mapping[str, tuple[int, int]]
) -> dict[str, list[dict[str, Any]]]:
    found: dict[str, list[dict[str, Any]]] = {}
    for one in statistics:
        if one.rater != "*":
            found.setdefault(_number(one.rater), []).append(_line(one))
    for rater, (failed, n) in gold.items():
        share = RaterStatistic(rater, None, "gold_failed_share", failed / n, None, None, n)
        found.setdefault(_number(rater), []).append(_line(share))
    return found


def _line(one: RaterStatistic) -> dict[str, Any]:
    return {
        "name": one.statistic,
        "question": one.question,
        "value": _known(one.value),
        "low": _known(one.low),
        "high": _known(one.high),
        "n": one.n,
        "why": one.note,
    }


def _number(rater: str) -> str:
    """Results call a rater R7; the desk knows 7."""
    return rater.removeprefix("R")


def _known(value: float | None) -> float | None:
    return value if value is not None and math.isfinite(value) else None


# --- what needs a look ------------------------------------------------------------------------------


def _alerts(
    statistics: Sequence[RaterStatistic], questions: Sequence[Question]
) -> Iterator[dict[str, Any]]:
    span = {q.name: q.values[-1] - q.values[0] for q in questions if q.levels is not None}
    for one in statistics:
        if one.rater == "*" or one.value is None or one.n < ENOUGH:
            continue
        if one.statistic == "straight_lined_share" and one.value >= STRAIGHT:
            yield _alert("straight_lining", one)
        elif one.statistic == "most_used_share" and one.value >= ALWAYS and one.question in span:
            yield _alert("one_level", one)
        elif one.statistic == "hurried_share" and one.value >= HURRIES:
            yield _alert("hurried_often", one)
        elif one.statistic == "drift" and _drifts(one, span.get(one.question or "")):
            yield _alert("drift", one)


def _drifts(one: RaterStatistic, span: float | None) -> bool:
    apart = one.low is not None and one.high is not None and (one.low > 0 or one.high < 0)
    return bool(span) and apart and abs(one.value or 0.0) >= DRIFTS * (span or 0.0)


def _alert(code: str, one: RaterStatistic) -> dict[str, Any]:
    value = round(one.value or 0.0, 2)
    values = {"value": value, "percent": round(100 * value), "n": one.n, "question": one.question}
    return {"code": code, "rater": int(_number(one.rater)), "values": values}


# --- items with known answers -----------------------------------------------------------------------


def _gold(gathered: Gathered) -> dict[str, tuple[int, int]]:
    """By rater: how many of the known answers they missed, of how many ratings."""
    table = gathered.whole.table
    marked = table.flags["gold"] & ~table.flags.get("superseded", np.zeros(len(table), dtype=bool))
    asked = {one.of: one for one in gathered.coded if one.role == "answer"}
    found: dict[str, tuple[int, int]] = {}
    for row in np.flatnonzero(marked & (table.rater.codes >= 0)):
        known = gathered.things.gold[table.item[row]] or {}
        wanted = [(asked[name], value) for name, value in known.items() if name in asked]
        if not wanted:
            continue
        missed = any(_missed(gathered, one, value, int(row)) for one, value in wanted)
        rater = table.rater.names[table.rater.codes[row]]
        failed, n = found.get(rater, (0, 0))
        found[rater] = (failed + missed, n + 1)
    return found


def _missed(gathered: Gathered, one: Coded, value: Any, row: int) -> bool:
    right = one.read(value)
    given = float(gathered.whole.table.answers[one.name].value(gathered.options.choice)[row])
    if math.isnan(right) or math.isnan(given):
        return not math.isnan(right)
    if not one.question.numeric or one.question.levels is None:
        return given != right
    apart = one.question.fraction(np.array([given, right]))
    return bool(abs(apart[0] - apart[1]) > GOLD_APART)


def _gold_alerts(gold: Mapping[str, tuple[int, int]]) -> Iterator[dict[str, Any]]:
    for rater, (failed, n) in gold.items():
        if failed >= GOLD_FROM and failed >= GOLD_SHARE * n:
            values = {"n": n, "failed": failed}
            yield {"code": "gold_failures", "rater": int(_number(rater)), "values": values}
