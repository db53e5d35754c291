"""What can be wrong with the declaration of a question that no type can express.

A problem's `where.path` is the way from the question to the value at fault: `levels`, `types.other`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from rubrica.errors import Problem, Rule, Where, nearest, shown
from rubrica.kinds.contract import RESERVED
from rubrica.kinds.implied import ByCount, ByRule, Implied, uncovered_counts, values_of

RESERVED_KEY = Rule(
    code="S200",
    title="A key is not named like something that stands beside it",
    says="{key} already means something else here",
    why="Each key becomes a column and a fact in conditions; two of one name could not be told apart.",
    mend="Choose another key; its label may stay as it is.",
)
NOT_IMPLIED = Rule(
    code="S201",
    title="A rule implies a level that exists",
    says="{value} is not a level of this question",
    why="The rule would give an answer that nobody could give by hand.",
    mend="Use one of: {expected}.",
)
UNCOVERED = Rule(
    code="S202",
    title="Level rules cover every count",
    says="no level is given for {gaps}",
    why="With such a count the rater would be left without the level they were promised.",
    mend="Give each missing count a level, or add `more:` for all higher ones.",
)
OPEN_END = Rule(
    code="S203",
    title="The last of the level rules has no condition",
    says="the last rule has a condition, so for some evidence no level follows",
    why="Where no rule holds, the rater has to choose a level without being told why.",
    mend="End with a rule of only `value:`, or see that the conditions cover everything.",
    level="warning",
)
NEVER_TRIED = Rule(
    code="S204",
    title="Every level rule can be reached",
    says="this rule stands behind one that always holds",
    why="Rules are tried from the top; this one never is.",
    mend="Move the rule without a condition to the end.",
)
LIMITS = Rule(
    code="S205",
    title="A lower limit is not above the upper one",
    says="nothing can be at least {low} and at most {high}",
    why="No answer could ever be accepted.",
    mend="Exchange or widen the limits.",
)


def placed(problem: Problem, path: str) -> Problem:
    return problem.at(Where(path=path))


def reserved_keys(keys: Iterable[str], path: str, taken: Iterable[str] = ()) -> Iterator[Problem]:
    """Keys that are reserved, taken by a measure, or hold a dot, which separates a measure."""
    forbidden = RESERVED | set(taken)
    for key in keys:
        if key in forbidden or "." in key or not key.strip():
            problem = Problem(RESERVED_KEY, got=shown(key), details={"key": shown(key)})
            yield placed(problem, f"{path}.{key}")


def repeated(*groups: Iterable[str]) -> set[str]:
    """Names that stand in more than one of the groups."""
    counted = Counter(name for group in groups for name in group)
    return {name for name, times in counted.items() if times > 1}


def limits(low: float | None, high: float | None, path: str) -> Iterator[Problem]:
    if low is not None and high is not None and low > high:
        yield placed(Problem(LIMITS, details={"low": low, "high": high}), path)


def implied_problems(implied: Implied | None, levels: Sequence[Any]) -> Iterator[Problem]:
    if implied is None:
        return
    for value in dict.fromkeys(values_of(implied)):
        if value not in levels or isinstance(value, bool):
            expected = ", ".join(str(level) for level in levels)
            details = {"value": shown(value)}
            near = nearest(value, levels)
            yield placed(
                Problem(
                    NOT_IMPLIED, expected=expected, got=shown(value), nearest=near, details=details
                ),
                "implied",
            )
    yield from _by_count(implied) if isinstance(implied, ByCount) else _by_rule(implied)


def _by_count(implied: ByCount) -> Iterator[Problem]:
    gaps = uncovered_counts(implied)
    if gaps:
        problem = Problem(
            UNCOVERED, got=", ".join(map(str, implied.levels)), details={"gaps": ", ".join(gaps)}
        )
        yield placed(problem, "implied.levels")


def _by_rule(implied: Sequence[ByRule]) -> Iterator[Problem]:
    open_rules = [number for number, rule in enumerate(implied) if rule.when is None]
    if not open_rules:
        yield placed(Problem(OPEN_END), f"implied.{len(implied) - 1}.when")
    elif open_rules[0] < len(implied) - 1:
        yield placed(Problem(NEVER_TRIED), f"implied.{open_rules[0] + 1}")
