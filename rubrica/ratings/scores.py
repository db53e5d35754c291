"""Numbers that rules derive from a rating: weighted means on 0..1, gaps, pass or fail."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from math import fsum
from typing import Any

from rubrica.conditions import Facts
from rubrica.study.model import Gap, Mean, Score, Study

DIGITS = 10
"""Scores are rounded here, so that 0.1 + 0.2 passes at 0.3 and page and server agree."""


def part_fact(part: str) -> str:
    """The fact a part of a mean stands for: `goals` means `answer.goals.fraction`."""
    return f"answer.{part}" if "." in part else f"answer.{part}.fraction"


def gap_fact(study: Study, side: str) -> str:
    """The fact a side of a gap stands for: a score's or a question's name, or any number."""
    if side.startswith(("answer.", "score.")):
        return side
    return f"score.{side}" if side in study.score else f"answer.{side}"


def score_fact(study: Study, name: str, facts: Facts) -> float | None:
    """`NAME`, or `NAME.pass`: 1 for pass and 0 for fail."""
    name, _, verdict = name.partition(".")
    declared = study.score.get(name)
    if declared is None or verdict not in ("", "pass"):
        return None
    value = _score(study, declared, facts)
    return _passes(declared, value) if verdict else value


def scores(study: Study, facts: Facts) -> dict[str, float | None]:
    """Every declared score, and `NAME.pass` where it has a threshold."""
    return {name: score_fact(study, name, facts) for name in score_names(study)}


def score_names(study: Study) -> Iterator[str]:
    for name, declared in study.score.items():
        yield name
        if isinstance(declared, Mean) and declared.pass_at is not None:
            yield f"{name}.pass"


def _score(study: Study, declared: Score, facts: Facts) -> float | None:
    if isinstance(declared, Gap):
        first, second = (facts(gap_fact(study, side)) for side in declared.gap)
        known = _is_number(first) and _is_number(second)
        return round(abs(first - second), DIGITS) if known else None
    return _mean(declared, {part: facts(part_fact(part)) for part in declared.mean})


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _mean(declared: Mean, parts: Mapping[str, float | None]) -> float | None:
    there = {part: value for part, value in parts.items() if value is not None}
    if not there or (declared.missing == "whole" and len(there) < len(parts)):
        return None
    counted = parts if declared.missing == "zero" else there
    weight = fsum(declared.mean[part] for part in counted)
    if not weight:
        return None
    low, high = declared.onto
    share = fsum(declared.mean[part] * value for part, value in there.items()) / weight
    return round(low + share * (high - low), DIGITS)


def _passes(declared: Score, value: float | None) -> float | None:
    if value is None or isinstance(declared, Gap) or declared.pass_at is None:
        return None
    return float(value >= declared.pass_at)


def needs(study: Study, fact: str) -> set[str]:
    """The questions a fact depends on."""
    found: set[str] = set()
    _collect(study, fact, found, set())
    return found


def _collect(study: Study, fact: str, found: set[str], seen: set[str]) -> None:
    room, _, rest = fact.partition(".")
    name = rest.partition(".")[0]
    if room == "answer":
        found.add(name)
    elif room == "score" and name in study.score and name not in seen:
        seen.add(name)
        for part in score_facts(study, study.score[name]):
            _collect(study, part, found, seen)


def score_facts(study: Study, declared: Score) -> list[str]:
    """The facts a score is made of."""
    if isinstance(declared, Gap):
        return [gap_fact(study, side) for side in declared.gap]
    return [part_fact(part) for part in declared.mean]
