"""Triggers that keep what is only ever added to from being changed, by this program or any other."""

from __future__ import annotations

from collections.abc import Iterable

from rubrica.storage.sql import Tx

POSTGRES_REFUSAL = """
CREATE OR REPLACE FUNCTION rubrica_append_only() RETURNS trigger LANGUAGE plpgsql AS
$$ BEGIN RAISE EXCEPTION '% is append-only', TG_TABLE_NAME; END $$
"""

SQLITE_THERE = "SELECT name FROM sqlite_master WHERE type = 'trigger'"
POSTGRES_THERE = (
    "SELECT tgname FROM pg_trigger WHERE NOT tgisinternal AND tgenabled <> 'D' "
    "AND tgrelid IN (SELECT oid FROM pg_class WHERE pg_table_is_visible(oid))"
)


def events(*, sqlite: bool) -> tuple[str, ...]:
    return ("update", "delete") if sqlite else ("update", "delete", "truncate")


def guard_names(table: str, *, sqlite: bool) -> list[str]:
    return [f"{table}_no_{event}" for event in events(sqlite=sqlite)]


def guards(tables: Iterable[str], *, sqlite: bool) -> list[str]:
    """The statements that put them in place; a migration that adds such a table runs these."""
    statements = [] if sqlite else [POSTGRES_REFUSAL]
    for table in tables:
        for event in events(sqlite=sqlite):
            head = f"CREATE TRIGGER {table}_no_{event} BEFORE {event.upper()} ON {table}"
            if sqlite:
                statements.append(f"{head} BEGIN SELECT RAISE(ABORT, '{table} is append-only'); END")
            else:
                each = "STATEMENT" if event == "truncate" else "ROW"
                call = "EXECUTE FUNCTION rubrica_append_only()"
                statements.append(f"{head} FOR EACH {each} {call}")
    return statements


def missing_guards(tx: Tx, tables: Iterable[str]) -> dict[str, list[str]]:
    """By table, the triggers that should be there and are not."""
    there = {row[0] for row in tx.plain(SQLITE_THERE if tx.sqlite else POSTGRES_THERE)}
    wanted = {table: guard_names(table, sqlite=tx.sqlite) for table in tables}
    lost = {table: [n for n in names if n not in there] for table, names in wanted.items()}
    return {table: names for table, names in lost.items() if names}
