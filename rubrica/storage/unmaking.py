"""Taking back a database that a command made and that nothing has come into but items from files."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from pathlib import Path

from sqlalchemy import exists, select
from sqlalchemy.dialects import sqlite

from rubrica.storage.desk_tables import people
from rubrica.storage.filelock import FileLock
from rubrica.storage.tables import raters

ANYBODY = select(exists().select_from(raters) | exists().select_from(people))


def unmake(file: Path) -> None:
    """Remove the files of a database, unless somebody has it open or is known in it."""
    with suppress(OSError), _ours(file) as ours:
        if ours and _is_unused(file):
            for part in ("", "-wal", "-shm", ".lock"):
                file.with_name(file.name + part).unlink(missing_ok=True)


@contextmanager
def _ours(file: Path) -> Iterator[bool]:
    lock = FileLock(file.with_name(f"{file.name}.lock"))
    held = lock.acquire(0.0)
    try:
        yield held
    finally:
        if held:
            lock.release()
        lock.close()


def _is_unused(file: Path) -> bool:
    if not file.exists():
        return True
    try:
        with closing(sqlite3.connect(file, timeout=0.0, isolation_level=None)) as connection:
            # SQLite leaves its log behind only for whoever is alone with the file.
            connection.execute("PRAGMA journal_mode=DELETE")
            tables = connection.execute("SELECT count(*) FROM sqlite_schema").fetchone()[0]
            if not tables:
                return True
            somebody = connection.execute(str(ANYBODY.compile(dialect=sqlite.dialect()))).fetchone()[0]
            return not somebody
    except sqlite3.Error:
        return False
