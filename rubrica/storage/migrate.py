"""Bringing a database to this program's format, when it is opened: one program at a time."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from importlib.resources import as_file, files
from typing import NamedTuple

from alembic import command
from alembic.config import Config
from alembic.runtime.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import Connection, inspect

from rubrica.errors import Problem
from rubrica.storage.database import Database, Sqlite, migrating_engine
from rubrica.storage.rules import NEWER, NOT_A_DATABASE

WAIT_SECONDS = 60.0
ONE_MIGRATOR = 7304211


class Format(NamedTuple):
    """What format a database has, if any, and this program's."""

    now: str | None
    newest: str | None


def migrate(database: Database) -> None:
    """To the newest format, step by step; a step is done wholly or not at all."""
    with _steps() as (config, script), _alone(database), _connection(database) as connection:
        known = _format(connection, script)
        if known.now != known.newest:
            config.attributes["connection"] = connection
            command.upgrade(config, "head")


def format_of(database: Database) -> Format:
    with _steps() as (_, script), _connection(database) as connection:
        return _format(connection, script)


@contextmanager
def _steps() -> Iterator[tuple[Config, ScriptDirectory]]:
    with as_file(files("rubrica.storage") / "migrations") as folder:
        config = Config()
        config.set_main_option("script_location", str(folder).replace("%", "%%"))
        config.set_main_option("path_separator", "os")
        yield config, ScriptDirectory.from_config(config)


def _format(connection: Connection, script: ScriptDirectory) -> Format:
    now = MigrationContext.configure(connection).get_current_revision()
    known = {step.revision for step in script.walk_revisions()}
    if now is not None and now not in known:
        raise Problem(NEWER, got=now)
    if now is None and inspect(connection).get_table_names():
        raise Problem(NOT_A_DATABASE, got="this")
    # Reading began a transaction; each step begins its own.
    connection.rollback()
    return Format(now, script.get_current_head())


@contextmanager
def _connection(database: Database) -> Iterator[Connection]:
    engine = migrating_engine(database)
    try:
        with engine.connect() as connection:
            yield connection
    finally:
        engine.dispose()


@contextmanager
def _alone(database: Database) -> Iterator[None]:
    if isinstance(database, Sqlite):
        with database.locked_within(WAIT_SECONDS):
            yield
        return
    # In a transaction, so that it holds where a pooler hands out connections by transaction.
    with database.engine.connect() as connection:
        connection.exec_driver_sql("BEGIN")
        connection.exec_driver_sql(f"SELECT pg_advisory_xact_lock({ONE_MIGRATOR})")
        try:
            yield
        finally:
            connection.exec_driver_sql("COMMIT")
