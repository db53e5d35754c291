"""Copies of a whole database, made while it is in use, and back.

A backup is always one SQLite file of this program's tables, whichever database it comes from, so it
can be restored to either, opened and looked at. Nothing that is there is ever overwritten.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

from rubrica.errors import Problem, Problems
from rubrica.exchange.files import partly
from rubrica.storage.copying import Copied, Part, Told, copy_all, copy_study, is_empty
from rubrica.storage.database import Database, Sqlite
from rubrica.storage.doctor import findings
from rubrica.storage.faults import as_problem
from rubrica.storage.later import Later
from rubrica.storage.migrate import format_of, migrate
from rubrica.storage.open import database_at, open_store, shown_address
from rubrica.storage.rules import CORRUPT, NO_BACKUP, NOT_A_DATABASE, OLD_FORMAT, THERE_ALREADY
from rubrica.storage.store import SqlStore

if TYPE_CHECKING:
    import psycopg
else:
    psycopg = Later("psycopg")


COMPANIONS = (".lock", "-wal", "-shm", "-journal")
OURS = "SELECT 1 FROM sqlite_master WHERE name = 'alembic_version'"
PAGES = 2_000
"""So many pages are copied between two looks at the progress."""


@dataclass(frozen=True, slots=True)
class Made:
    """A copy, and how large it is."""

    where: str
    bytes: int


def back_up(where: str, to: Path, told: Told = lambda _: None) -> Made:
    """A copy of the database as it stands now, in one new file; whoever writes goes on writing."""
    with _database(where) as source, _new_file(to) as partial:
        if isinstance(source, Sqlite):
            if not source.path.exists():
                raise Problem(NO_BACKUP, got=where, details={"what": "database"})
            _copy_file(source.path, partial, told)
        else:
            known = format_of(source)
            if known.now != known.newest:
                raise Problem(OLD_FORMAT, got=known.now or "none")
            with _empty(partial) as target:
                copy_all(source, target, told)
        _check(partial)
    return Made(str(to), to.stat().st_size)


def restore(file: Path, to: str, told: Told = lambda _: None) -> Made:
    """A backup as a database again, in this program's format, once the doctor finds it sound."""
    if not file.is_file():
        raise Problem(NO_BACKUP, got=str(file), details={"what": "backup"})
    with _database(to) as target:
        if isinstance(target, Sqlite):
            with _new_file(target.path) as partial:
                _copy_file(file, partial, told)
                _bring_up(partial)
            return Made(to, target.path.stat().st_size)
    with TemporaryDirectory(prefix="rubrica-restore-") as folder:
        copy = Path(folder) / "rubrica.db"
        _copy_file(file, copy, told)
        _bring_up(copy)
        with _database(str(copy)) as source, open_store(to) as store, _checked(store):
            with store.database.read() as tx:
                if not is_empty(tx):
                    raise Problem(THERE_ALREADY, got=f"a study in {shown_address(to)}")
            copy_all(source, store.database, told)
        return Made(shown_address(to), copy.stat().st_size)


def study_file(
    store: SqlStore,
    study: str,
    to: Path,
    without_withdrawn: bool = False,
    with_names: bool = False,
    told: Told = lambda _: None,
) -> Copied:
    """One study in a database file of its own."""
    part = Part(store.core.id(study), without_withdrawn, with_names)
    with _empty(to) as target:
        copied = copy_study(store.database, target, part, told)
    _check(to)
    return copied


@contextmanager
def _database(where: str) -> Iterator[Database]:
    database = database_at(where)
    try:
        yield database
    except (sqlite3.Error, psycopg.Error) as error:
        raise as_problem(error) from error
    finally:
        database.close()
        if isinstance(database, Sqlite) and not database.path.exists():
            database.lock_file.unlink(missing_ok=True)


@contextmanager
def _new_file(path: Path) -> Iterator[Path]:
    if path.exists():
        raise Problem(THERE_ALREADY, got=str(path))
    with partly(path, overwrites=False) as partial:
        partial.unlink(missing_ok=True)
        try:
            yield partial
        finally:
            for ending in COMPANIONS:
                partial.with_name(partial.name + ending).unlink(missing_ok=True)


@contextmanager
def _empty(path: Path) -> Iterator[Database]:
    """A new database without rows, which is one file when it is closed."""
    with _database(str(path)) as target:
        migrate(target)
        yield target
    _alone(path)


def _copy_file(source: Path, to: Path, told: Told) -> None:
    """Inside one reading transaction, so that whatever is written meanwhile does not begin it anew."""
    with closing(sqlite3.connect(source, isolation_level=None)) as reading:
        try:
            reading.execute("BEGIN")
            if not reading.execute(OURS).fetchone():
                raise Problem(NOT_A_DATABASE, got=str(source))
            with closing(sqlite3.connect(to)) as copy:
                reading.backup(
                    copy, pages=PAGES, progress=lambda _, left, all_: told(1 - left / max(all_, 1))
                )
        except sqlite3.Error as error:
            problem = as_problem(error)
            raise Problem(problem.rule, got=str(source), details=problem.details) from error
    _alone(to)


def _alone(path: Path) -> None:
    """The file without companions: no log beside it, no lock."""
    with closing(sqlite3.connect(path)) as copy:
        copy.execute("PRAGMA journal_mode=DELETE")
    for ending in COMPANIONS:
        path.with_name(path.name + ending).unlink(missing_ok=True)


def _check(path: Path) -> None:
    with closing(sqlite3.connect(path)) as copy:
        for (said,) in copy.execute("PRAGMA integrity_check(10)"):
            if said != "ok":
                raise Problem(CORRUPT, details={"reason": said})


def _bring_up(path: Path) -> None:
    """The copy in this program's format, and sound."""
    with open_store(path) as store, _checked(store):
        pass
    _alone(path)


@contextmanager
def _checked(store: SqlStore) -> Iterator[None]:
    yield
    wrong = [problem for problem in findings(store) if problem.level == "error"]
    if wrong:
        raise Problems(wrong)
