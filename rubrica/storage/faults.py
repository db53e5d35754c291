"""What drivers say, as problems that a person can act on."""

from __future__ import annotations

import sqlite3
from typing import TYPE_CHECKING

from rubrica.errors import Problem, Rule
from rubrica.storage import rules
from rubrica.storage.later import Later

if TYPE_CHECKING:
    import psycopg
else:
    psycopg = Later("psycopg")


SQLITE: dict[str, Rule] = {
    "SQLITE_FULL": rules.FULL,
    # What it says where not even its index of the log finds room.
    "SQLITE_IOERR_SHMSIZE": rules.FULL,
    "SQLITE_READONLY": rules.READ_ONLY,
    "SQLITE_PERM": rules.READ_ONLY,
    "SQLITE_CANTOPEN": rules.READ_ONLY,
    "SQLITE_NOTADB": rules.NOT_A_DATABASE,
    "SQLITE_CORRUPT": rules.CORRUPT,
    "SQLITE_BUSY": rules.LOCKED,
    "SQLITE_LOCKED": rules.LOCKED,
}

POSTGRES: dict[str, Rule] = {
    "53100": rules.FULL,
    "25006": rules.READ_ONLY,
    "42501": rules.READ_ONLY,
    "XX001": rules.CORRUPT,
    "XX002": rules.CORRUPT,
    "55P03": rules.LOCKED,
}


def as_problem(error: BaseException) -> Problem:
    """The problem behind a driver's error; the error itself stays its cause."""
    if isinstance(error, Problem):
        return error
    reason = (str(error).strip().splitlines() or [type(error).__name__])[0]
    return Problem(_rule(error), got="the database", details={"reason": reason})


def _rule(error: BaseException) -> Rule:
    if isinstance(error, sqlite3.Error):
        # Extended names such as SQLITE_READONLY_DIRECTORY begin with the plain one.
        name = getattr(error, "sqlite_errorname", None) or ""
        plain = "_".join(name.split("_")[:2])
        return SQLITE.get(name) or SQLITE.get(plain, rules.UNEXPECTED)
    if isinstance(error, psycopg.Error):
        if error.sqlstate in POSTGRES:
            return POSTGRES[error.sqlstate]
        lost = error.sqlstate is None or error.sqlstate[:2] in ("08", "57", "3D", "28")
        if isinstance(error, psycopg.OperationalError) and lost:
            return rules.UNREACHABLE
    return rules.UNEXPECTED


READ_ONLY_SERVER = "25006"
"""What a server says that was the main one until a moment ago."""


def passes(error: BaseException) -> bool:
    """Whether the same may succeed when tried once more: two transactions met, or a link was lost."""
    cause = error.__cause__ if isinstance(error, Problem) else error
    met = isinstance(cause, psycopg.Error) and cause.sqlstate in ("40001", "40P01")
    return met or lost(error)


def lost(error: BaseException) -> bool:
    """Whether the server went, or another one has taken over: what was asked is not at fault."""
    cause = error.__cause__ if isinstance(error, Problem) else error
    if isinstance(cause, psycopg.Error) and cause.sqlstate in ("40001", "40P01"):
        return False
    if isinstance(cause, psycopg.Error) and cause.sqlstate == READ_ONLY_SERVER:
        return True
    return isinstance(cause, psycopg.OperationalError | psycopg.InterfaceError)
