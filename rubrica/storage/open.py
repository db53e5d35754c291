"""Opening a store by the name of its database."""

from __future__ import annotations

import os
import sqlite3
from pathlib import Path
from typing import TYPE_CHECKING

from sqlalchemy.exc import DBAPIError

from rubrica.errors import Problem
from rubrica.storage.core import Clock, utc_now
from rubrica.storage.database import Database, Postgres, Sqlite
from rubrica.storage.faults import as_problem
from rubrica.storage.later import Later
from rubrica.storage.migrate import migrate
from rubrica.storage.rules import NO_FOLDER, READ_ONLY, WRONG_ADDRESS
from rubrica.storage.store import SqlStore

if TYPE_CHECKING:
    import psycopg
else:
    psycopg = Later("psycopg")


Store = SqlStore

POSTGRES = ("postgresql://", "postgres://", "postgresql+psycopg://")


def open_store(where: str | Path, now: Clock = utc_now) -> Store:
    """The store kept in a file or at a PostgreSQL address; made, or brought up to date, if need be."""
    try:
        database = database_at(str(where))
    except OSError as error:
        details = {"reason": error.strerror or str(error)}
        raise Problem(READ_ONLY, got=str(where), details=details) from error
    try:
        migrate(database)
        return Store(database, now)
    except BaseException as error:
        database.close()
        if isinstance(error, DBAPIError) and error.orig is not None:
            raise _named(as_problem(error.orig), where) from error
        if isinstance(error, sqlite3.Error | psycopg.Error):
            raise _named(as_problem(error), where) from error
        if isinstance(error, Problem):
            raise _named(error, where) from error
        raise


def _named(problem: Problem, where: str | Path) -> Problem:
    """The same problem about this database; an address is never shown whole, it may hold a password."""
    named = shown_address(str(where)) if problem.got in ("the database", "this") else problem.got
    return Problem(problem.rule, got=named, details=problem.details)


def shown_address(where: str) -> str:
    if not where.startswith(POSTGRES):
        return where
    scheme, _, rest = where.partition("://")
    return f"{scheme}://{rest.rpartition('@')[2]}"


def database_at(where: str) -> Database:
    """The database of this name, as it is: neither made nor brought up to date."""
    for scheme in POSTGRES:
        if where.startswith(scheme):
            return Postgres("postgresql://" + where.removeprefix(scheme))
    if where.startswith("sqlite://"):
        if not where.startswith("sqlite:///"):
            raise _wrong(where, "a SQLite address has three slashes: sqlite:///path")
        where = where.removeprefix("sqlite:///")
    elif "://" in where:
        raise _wrong(shown_address(where), f"it speaks of {where.partition(':')[0]}")
    if not where or where.startswith(":memory:"):
        raise _wrong(where, "it names no file")
    return Sqlite(_file(Path(where)))


def _file(path: Path) -> Path:
    path = path.expanduser().absolute()
    if path.is_dir():
        raise _wrong(str(path), "it is a folder")
    if not path.parent.is_dir():
        raise Problem(NO_FOLDER, got=str(path), details={"folder": str(path.parent)})
    writable = os.access(path, os.W_OK) if path.exists() else True
    if not (writable and os.access(path.parent, os.W_OK)):
        raise Problem(READ_ONLY, got=str(path), details={"reason": "permission denied"})
    return path


def _wrong(where: str, reason: str) -> Problem:
    return Problem(WRONG_ADDRESS, got=where, details={"reason": reason})
