"""The rules that need a look at two places of a study, each one small function.

A check is handed the draft and yields what it finds; a rule is added by writing one more function
under `@rule(...)` in the module it belongs to.
"""

from __future__ import annotations

from collections.abc import Iterator

from rubrica.errors import Problem
from rubrica.study.checks import conditions, items, questions, raters, scores, texts
from rubrica.study.checks.rule import CHECKS
from rubrica.study.draft import Draft

__all__ = ["conditions", "items", "questions", "raters", "run", "scores", "texts"]


def run(draft: Draft) -> Iterator[Problem]:
    """Everything the rules find, but of parts that are faulty in themselves."""
    for check in CHECKS:
        for found in check.look(draft):
            if draft.usable(found.steps):
                yield found.problem(check.rule, draft)
