"""Whose fault a problem is follows from its code; browsers try again only what is the server's."""

from __future__ import annotations

import pytest

from rubrica.errors import Problem, Rule
from rubrica.storage import rules
from rubrica.web.problems import status_of

FAULTS = [rules.READ_ONLY, rules.CORRUPT, rules.LOCKED, rules.FULL, rules.UNREACHABLE, rules.UNEXPECTED]


@pytest.mark.parametrize("rule", FAULTS, ids=lambda rule: rule.code)
def test_a_fault_of_the_database_is_the_servers(rule: Rule) -> None:
    assert status_of(Problem(rule)) >= 500


def test_what_a_rater_sends_wrongly_is_not() -> None:
    assert status_of(Problem(rules.UNKNOWN_RATER)) == 422
