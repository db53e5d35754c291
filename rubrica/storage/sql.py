"""Statements are written once in SQLAlchemy Core and run on the driver itself.

Core compiles each statement once per database; what runs on every submit is then the driver alone, a
fifth of the time that a result of Core costs. Where the two databases differ, the difference stands
here: lists of ids, rows that come with a statement, and rows that must be locked.

What is done for many at once goes in and out as one value: SQLite's driver lets go of the interpreter
at every row, and to get it back from a busy thread may take milliseconds each time.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import closing
from functools import cache
from typing import Any

import msgspec
from sqlalchemy import BigInteger, BindParameter, Column, Select, Table, bindparam, column, select, text
from sqlalchemy.dialects.postgresql import Insert, insert
from sqlalchemy.engine import Dialect
from sqlalchemy.ext.compiler import compiles
from sqlalchemy.sql import ClauseElement
from sqlalchemy.sql.compiler import SQLCompiler
from sqlalchemy.sql.elements import ColumnElement
from sqlalchemy.sql.functions import FunctionElement
from sqlalchemy.sql.selectable import TableValuedAlias

Row = tuple[Any, ...]
Params = Mapping[str, Any]

ROWS_AT_ONCE = (1000, 100, 10, 1)
"""Rows a statement on SQLite: while it runs other threads go on in Python, and after each it waits for
its turn. No table is so wide that these would be more values than SQLite takes."""


class one_of(ColumnElement[bool]):  # noqa: N801
    """`column` is among the values of a list parameter: one statement for lists of any length."""

    inherit_cache = True

    def __init__(self, column: ColumnElement[Any], name: str) -> None:
        self.column = column
        self.param = bindparam(name, type_=BigInteger())


@compiles(one_of, "sqlite")
def _one_of_sqlite(element: one_of, compiler: Any, **options: Any) -> str:
    column, param = (compiler.process(e, **options) for e in (element.column, element.param))
    return f"{column} IN (SELECT value FROM json_each({param}))"  # noqa: S608


@compiles(one_of, "postgresql")
def _one_of_postgres(element: one_of, compiler: Any, **options: Any) -> str:
    column = compiler.process(element.column, **options)
    return f"{column} = ANY(%({element.param.key})s)"


class _Given(FunctionElement[Any]):
    inherit_cache = True

    def __init__(self, name: str, columns: Sequence[ColumnElement[Any]]) -> None:
        self.of = columns
        self.param: BindParameter[Any] = bindparam(name)
        super().__init__()


def given(name: str, /, **like: Column[Any]) -> TableValuedAlias:
    """Rows that come with a statement: a parameter made by `as_rows`, its columns typed like others."""
    columns = [column(title, other.type) for title, other in like.items()]
    return _Given(name, columns).table_valued(*columns).alias(name)


def as_rows(rows: Iterable[Mapping[str, Any]]) -> str:
    """The parameter of `given`. Texts in them are ASCII already (`codec`)."""
    return msgspec.json.encode(list(rows)).decode()


@compiles(_Given, "sqlite")
def _given_sqlite(element: _Given, compiler: Any, **options: Any) -> str:
    param = compiler.process(element.param, **options)
    values = ", ".join(f"json_extract(value, '$.{c.name}') AS \"{c.name}\"" for c in element.of)
    return f"(SELECT {values} FROM json_each({param}))"  # noqa: S608


@compiles(_Given, "postgresql")
def _given_postgres(element: _Given, compiler: Any, **options: Any) -> str:
    param = compiler.process(element.param, **options)
    types = compiler.dialect.type_compiler_instance
    columns = ", ".join(f'"{c.name}" {types.process(c.type)}' for c in element.of)
    return f"(SELECT * FROM json_to_recordset(CAST({param} AS json)) AS given({columns}))"  # noqa: S608


def insert_given(table: Table, *columns: str, name: str = "rows") -> Insert:
    """An insert of all columns, or of those named, of any number of rows by one parameter."""
    names = columns or tuple(c.name for c in table.columns)
    rows = given(name, **{title: table.columns[title] for title in names})
    # Without a condition SQLite takes what follows on a conflict for one of the join.
    found = select(*(rows.c[title] for title in names)).where(text("true"))
    return insert(table).from_select(names, found)


def insert_into(table: Table, *columns: str) -> Insert:
    """An insert of all columns, or of those named, from parameters of the same names."""
    names = columns or tuple(c.name for c in table.columns)
    return insert(table).values({name: bindparam(name) for name in names}).inline()


class Statements:
    """Texts of statements for one database, compiled when first used."""

    def __init__(self, dialect: Dialect) -> None:
        self.dialect = dialect
        self.sqlite = dialect.name == "sqlite"
        self._known: dict[int, tuple[ClauseElement, str, Params]] = {}
        self._gathered: dict[int, str] = {}

    def get(self, statement: ClauseElement) -> tuple[str, Params]:
        """The text, and the values of constants that stand in the statement."""
        known = self._known.get(id(statement))
        if known is None:
            compiled = statement.compile(dialect=self.dialect)
            assert isinstance(compiled, SQLCompiler)  # noqa: S101
            constants = {k: b.value for k, b in compiled.binds.items() if not b.required}
            # The statement is kept too, so that its id cannot come to name another one.
            known = self._known[id(statement)] = (statement, str(compiled), constants)
        return known[1:]

    def gathered(self, statement: Select[Any]) -> tuple[str, Params]:
        """The same with all rows in one value, for SQLite."""
        text, constants = self.get(statement)
        whole = self._gathered.get(id(statement))
        if whole is None:
            names = ", ".join(f"c{n}" for n in range(len(statement.selected_columns)))
            rows = f"SELECT json_group_array(json_array({names})) FROM found"  # noqa: S608
            whole = self._gathered[id(statement)] = f"WITH found({names}) AS ({text}) {rows}"
        return whole, constants


def locked(statement: Select[Any], *, skip: bool = False) -> Select[Any]:
    """Locks the rows read, where a transaction does not lock the whole database anyway."""
    return statement.with_for_update(skip_locked=skip)


def _into(table: Table, columns: Sequence[str]) -> str:
    names = ", ".join(f'"{name}"' for name in columns)
    return f"{table.name} ({names})"


@cache
def _insert(into: str, columns: int, rows: int) -> str:
    row = "(" + ", ".join("?" * columns) + ")"
    return f"INSERT INTO {into} VALUES {', '.join([row] * rows)}"  # noqa: S608


_rows_of = msgspec.json.Decoder(list[tuple[Any, ...]]).decode


def _plain(params: Params) -> Params:
    """SQLite takes no lists."""
    return {k: json.dumps(v) if isinstance(v, list) else v for k, v in params.items()}


class Tx:
    """One open transaction on a driver's connection."""

    def __init__(self, connection: Any, statements: Statements) -> None:
        self._connection = connection
        self._cursor = connection.cursor()
        self._statements = statements
        self.sqlite = statements.sqlite

    def _run(self, statement: ClauseElement, params: Params) -> Any:
        if self.sqlite:
            params = _plain(params)
        text, constants = self._statements.get(statement)
        return self._cursor.execute(text, {**constants, **params} if constants else params)

    def all(self, statement: ClauseElement, **params: Any) -> list[Row]:
        rows: list[Row] = self._run(statement, params).fetchall()
        return rows

    def gathered(self, statement: Select[Any], **params: Any) -> list[Row]:
        """All rows, in no order; for statements that are asked for many at once."""
        if not self.sqlite:
            return self.all(statement, **params)
        text, constants = self._statements.gathered(statement)
        (packed,) = self._cursor.execute(text, {**constants, **_plain(params)}).fetchone()
        rows: list[Row] = _rows_of(packed)
        return rows

    def one(self, statement: ClauseElement, **params: Any) -> Row | None:
        row: Row | None = self._run(statement, params).fetchone()
        return row

    def value(self, statement: ClauseElement, **params: Any) -> Any:
        row = self.one(statement, **params)
        return None if row is None else row[0]

    def run(self, statement: ClauseElement, **params: Any) -> int:
        """How many rows it touched."""
        count: int = self._run(statement, params).rowcount
        return count

    def many(self, statement: ClauseElement, rows: Sequence[Params]) -> None:
        if rows:
            text, constants = self._statements.get(statement)
            self._cursor.executemany(text, [{**constants, **r} for r in rows] if constants else rows)

    def bulk(self, table: Table, columns: Sequence[str], values: Sequence[Any]) -> None:
        """Add many rows by the fastest way the database has; their values stand one after the other."""
        into, width, start = _into(table, columns), len(columns), 0
        if not self.sqlite:
            with self._cursor.copy(f"COPY {into} FROM STDIN") as copy:
                for at in range(0, len(values), width):
                    copy.write_row(values[at : at + width])
            return
        for rows in ROWS_AT_ONCE:
            insert_some, size = _insert(into, width, rows), rows * width
            while len(values) - start >= size:
                self._cursor.execute(insert_some, values[start : start + size])
                start += size

    def plain(self, text: str) -> list[Row]:
        """A statement that only one of the databases has."""
        self._cursor.execute(text)
        return self._cursor.fetchall() if self._cursor.description else []

    def stream(self, statement: ClauseElement, size: int = 500, **params: Any) -> Iterator[Row]:
        """Rows as they come, never all at once; only inside a snapshot."""
        text, constants = self._statements.get(statement)
        cursor = self._connection.cursor(*(() if self.sqlite else ("stream",)))
        with closing(cursor):
            cursor.execute(text, {**constants, **params})
            while rows := cursor.fetchmany(size):
                yield from rows

    def fresh(self, table: str, column: str, count: int) -> Iterable[int]:
        """Numbers for rows to be added, in order; nobody else gets the same."""
        if self.sqlite:
            top = self._cursor.execute(f"SELECT max({column}) FROM {table}").fetchone()[0] or 0  # noqa: S608
            return range(top + 1, top + 1 + count)
        query = "SELECT nextval(pg_get_serial_sequence(%s, %s)) FROM generate_series(1, %s)"
        rows = self._cursor.execute(query, (table, column, count)).fetchall()
        return sorted(row[0] for row in rows)
