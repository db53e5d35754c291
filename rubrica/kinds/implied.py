"""Levels that follow from evidence: a rule the study declares, an override the rater keeps.

    implied: {count: instruction_failures, levels: {0: 2, 1: 1, more: 0}}

or, where a count is not enough, rules tried from the top, the last without a condition:

    implied:
      - {when: {answer.safety_failures.critical: {at_least: 1}}, value: 0}
      - {value: 2, name: none, says: no concern}

A rule is tried only once all it looks at is known: evidence that was not given yet is never taken for
evidence that there is nothing to find.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Annotated, Any, Literal

from pydantic import BeforeValidator, Discriminator, Field, Tag

from rubrica.conditions import Condition, Facts, facts_of, settle
from rubrica.texts import Model, Text

Level = int | str


def _count_key(key: Any) -> Any:
    return key if key == "more" else int(key) if str(key).isdecimal() else key


CountKey = Annotated[Annotated[int, Field(ge=0)] | Literal["more"], BeforeValidator(_count_key)]


class ByCount(Model):
    """A level for each count of another question's marks."""

    count: str
    """A question, meaning the number of its marks; or `question.measure`."""
    levels: dict[CountKey, Level] = Field(min_length=1)
    """The level for each count; `more` is any higher one."""


class ByRule(Model):
    """One rule: the level that follows where its condition holds."""

    when: Condition | None = None
    """When it applies; the last rule has no condition."""
    value: Level
    """The level that follows."""
    name: str | None = Field(default=None, pattern=r"^[a-z][a-z0-9_]*$")
    """Recorded beside the level, where it matters which rule gave it."""
    says: Text | None = None
    """The reason, as raters read it."""


Implied = Annotated[
    Annotated[ByCount, Tag("count")] | Annotated[list[ByRule], Tag("rules"), Field(min_length=1)],
    Discriminator(lambda value: "rules" if isinstance(value, list) else "count"),
]


@dataclass(frozen=True, slots=True)
class ImpliedLevel:
    value: Level
    name: str | None = None
    says: Text | None = None


def measure_of(by: ByCount) -> str:
    """The fact a count rule looks at: `failures` means `failures.count`."""
    return f"answer.{by.count if '.' in by.count else by.count + '.count'}"


def level_implied(
    implied: Implied, facts: Facts, pending: Callable[[str], bool]
) -> ImpliedLevel | None:
    """The level the evidence implies, or None while there is not evidence enough.

    `pending` says of a fact whether it may still come: its question applies and has no answer.
    """
    if isinstance(implied, ByCount):
        count = facts(measure_of(implied))
        value = None if count is None else implied.levels.get(int(count), implied.levels.get("more"))
        return None if value is None else ImpliedLevel(value)
    for rule in implied:
        met = True if rule.when is None else _decided(rule.when, facts, pending)
        if met is True:
            return ImpliedLevel(rule.value, rule.name, rule.says)
        if met is not False:
            return None
    return None


def _decided(when: Condition, facts: Facts, pending: Callable[[str], bool]) -> Any:
    return settle(when, {name: facts(name) for name in facts_of(when) if not pending(name)})


def uncovered_counts(by: ByCount) -> list[str]:
    """The counts no level is given for."""
    numbers = [k for k in by.levels if k != "more"]
    top = max(numbers, default=-1)
    gaps = [str(n) for n in range(top + 1) if n not in by.levels]
    return gaps if "more" in by.levels else [*gaps, f"more than {top}" if top >= 0 else "any"]


def values_of(implied: Implied) -> Iterator[Level]:
    if isinstance(implied, ByCount):
        yield from implied.levels.values()
    else:
        yield from (rule.value for rule in implied)
