"""How a rater's figures are called, and how they read."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from rubrica.coordinator.shapes.raters import NumberShown
from rubrica.coordinator.words import number

CALLED: Mapping[str, str] = {
    "median_seconds": "Seconds for an item, the middle value",
    "relative_pace": "Time beside others on the same items (1 is the same)",
    "hurried_share": "Items in under a third of others' time",
    "straight_lined_share": "Ratings with one level on every question",
    "gold_failed_share": "Known answers missed",
    "severity": "Severity",
    "agreement_with_rest": "Agreement with the others",
    "drift": "Drift",
    "levels_used": "Levels used",
    "most_used_share": "Most used level",
    "longest_run": "Longest run of one level",
    "test-retest percent": "Same answer when asked again",
    "test-retest distance": "How far apart when asked again",
    "test-retest kappa": "Kappa when asked again",
}
"""The figures in the order they are read in; the page knows these texts in every language."""

WHOLE = ("levels_used", "longest_run", "median_seconds")


def _share(value: float) -> str:
    return f"{100 * value:.0f}%"


def _reads(name: str) -> Callable[[float], str]:
    if name.endswith(("_share", "percent")):
        return _share
    return lambda value: number(value, 0 if name in WHOLE else 2)


def value_of(line: NumberShown) -> str:
    return "–" if line.value is None else _reads(line.name)(line.value)


def interval_of(line: NumberShown) -> str:
    if line.low is None or line.high is None:
        return ""
    reads = _reads(line.name)
    return f"{reads(line.low)} – {reads(line.high)}"


def overall(lines: Sequence[NumberShown]) -> list[NumberShown]:
    """What is said of a rater as a whole, in order; the rest is said question by question."""
    places = {name: place for place, name in enumerate(CALLED)}
    own = [line for line in lines if line.question is None and line.name in places]
    return sorted(own, key=lambda line: places[line.name])


def by_question(lines: Sequence[NumberShown]) -> tuple[list[str], dict[str, dict[str, NumberShown]]]:
    """The figures there are, and by question those it has."""
    found: dict[str, dict[str, NumberShown]] = {}
    for line in lines:
        if line.question is not None and line.name in CALLED:
            found.setdefault(line.question, {})[line.name] = line
    named = {name for of in found.values() for name in of}
    return [name for name in CALLED if name in named], found
