"""Bringing a database to this program's format, when it is opened: one program at a time."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from importlib.resources import as_file, files
from typing import TYPE_CHECKING, NamedTuple

from sqlalchemy import Connection, inspect

from rubrica.errors import Problem
from rubrica.storage.database import Database, Sqlite, migrating_engine
from rubrica.storage.later import Later
from rubrica.storage.rules import NEWER, NOT_A_DATABASE

if TYPE_CHECKING:
    from alembic import command, config, script
    from alembic.config import Config
    from alembic.runtime import migration
    from alembic.script import ScriptDirectory
else:
    command, config = Later("alembic.command"), Later("alembic.config")
    migration, script = Later("alembic.runtime.migration"), Later("alembic.script")

WAIT_SECONDS = 60.0
ONE_MIGRATOR = 7304211


class Format(NamedTuple):
    """What format a database has, if any, and this program's."""

    now: str | None
    newest: str | None


def migrate(database: Database) -> None:
    """To the newest format, step by step; a step is done wholly or not at all."""
    with _alone(database):
        if not _is_newest(database):
            _upgrade(database)


def _upgrade(database: Database) -> None:
    with _steps() as (settings, steps), _connection(database) as connection:
        known = _format(connection, steps)
        if known.now != known.newest:
            settings.attributes["connection"] = connection
            command.upgrade(settings, "head")


def _is_newest(database: Database) -> bool:
    """Whether there is nothing to do, which is so at nearly every start: told without Alembic."""
    with _connection(database) as connection:
        if not inspect(connection).has_table("alembic_version"):
            return False
        now = connection.exec_driver_sql("SELECT version_num FROM alembic_version").scalar()
        return bool(now == newest())


def newest() -> str:
    """The number of the last step, which its file's name carries."""
    folder = files("rubrica.storage") / "migrations" / "versions"
    return max(step.name[1:5] for step in folder.iterdir() if step.name.startswith("v0"))


def format_of(database: Database) -> Format:
    with _steps() as (_, steps), _connection(database) as connection:
        return _format(connection, steps)


@contextmanager
def _steps() -> Iterator[tuple[Config, ScriptDirectory]]:
    with as_file(files("rubrica.storage") / "migrations") as folder:
        settings = config.Config()
        settings.set_main_option("script_location", str(folder).replace("%", "%%"))
        settings.set_main_option("path_separator", "os")
        yield settings, script.ScriptDirectory.from_config(settings)


def _format(connection: Connection, steps: ScriptDirectory) -> Format:
    now = migration.MigrationContext.configure(connection).get_current_revision()
    known = {step.revision for step in steps.walk_revisions()}
    if now is not None and now not in known:
        raise Problem(NEWER, got=now)
    if now is None and inspect(connection).get_table_names():
        raise Problem(NOT_A_DATABASE, got="this")
    # Reading began a transaction; each step begins its own.
    connection.rollback()
    return Format(now, steps.get_current_head())


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
