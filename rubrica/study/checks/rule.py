"""What a check is: a rule, and the function that looks for breaches of it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from rubrica.errors import Level, Problem, Rule, Where
from rubrica.study.draft import Draft
from rubrica.study.source import Steps


@dataclass(frozen=True, slots=True)
class Found:
    """One breach: where, and what was seen there."""

    steps: Steps
    got: str | None = None
    expected: str | None = None
    nearest: str | None = None
    details: Mapping[str, Any] = field(default_factory=dict)
    on_key: bool = False
    where: Where | None = None
    """The place, where it is in another file."""
    already: Problem | None = None
    """A problem that another room found, which only needs its place."""

    def problem(self, rule: Rule | None, draft: Draft) -> Problem:
        where = self.where or draft.where(self.steps, self.on_key)
        if self.already is not None:
            return self.already.at(where)
        if rule is None:
            raise TypeError("a check without a rule of its own must find problems of others")
        return Problem(rule, where, self.expected, self.got, self.nearest, dict(self.details))


Look = Callable[[Draft], Iterator[Found]]


@dataclass(frozen=True, slots=True)
class Check:
    """`rule` is None where only rules of other rooms are checked, in this study's light."""

    rule: Rule | None
    look: Look


CHECKS: list[Check] = []


def rule(
    code: str, *, title: str, says: str, why: str, mend: str, level: Level = "error"
) -> Callable[[Look], Look]:
    """Declares a rule and registers the function below as its check."""
    declared = Rule(code, title, says, why, mend, level)

    def register(look: Look) -> Look:
        CHECKS.append(Check(declared, look))
        return look

    return register


def check(look: Look) -> Look:
    """Registers a check that finds `already` known problems, which only need their place."""
    CHECKS.append(Check(None, look))
    return look
