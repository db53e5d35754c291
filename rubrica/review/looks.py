"""Looks at results before all ratings were in: each is logged, and the report says so.

A look is remembered with the number of ratings there were. One that no rating followed decided
nothing, and does not count: so the same results always give the same report.
"""

from __future__ import annotations

from collections.abc import Iterable

from rubrica.accounts.model import AccountStore, LogEntry

LOOKED = "results looked at"
VERDICTS_LOOKED = "judges' scores looked at"


def log_look(accounts: AccountStore, study: str, who: str, ratings: int) -> None:
    accounts.log(study, who, LOOKED, {"ratings": ratings})


def looks(entries: Iterable[LogEntry], ratings: int) -> tuple[int, ...]:
    """How many ratings there were at each earlier look, rising."""
    seen = {e.details.get("ratings") for e in entries if e.what == LOOKED}
    return tuple(sorted(n for n in seen if isinstance(n, int) and n < ratings))
