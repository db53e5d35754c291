"""The tidy table as .jsonl, .csv, .xlsx and .parquet; the end of the file's name says which."""

from __future__ import annotations

import csv
import json
from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from dataclasses import replace
from importlib import import_module
from importlib.util import find_spec
from io import TextIOWrapper
from itertools import islice
from pathlib import Path
from typing import Any

from rubrica.errors import Problem, Where, nearest
from rubrica.exchange.cells import flat, from_csv, to_csv, typed
from rubrica.exchange.contract import Asked, Filled, Format, Here, Wrote
from rubrica.exchange.files import partly, whole_file
from rubrica.exchange.lines import first_line, read_lines
from rubrica.exchange.rules import NEEDS_EXTRA, UNKNOWN_ENDING
from rubrica.exchange.tidy import Row, Table, Versions, columns_of
from rubrica.exchange.tidy_in import filled
from rubrica.exchange.workbook import Sheet, long_texts, write_workbook
from rubrica.items.readers import parquet, separated, workbooks
from rubrica.items.readers.contract import Record
from rubrica.kinds.contract import Column
from rubrica.verdicts.model import HiddenItem

AT_ONCE = 10_000
SHEET = "Ratings"
TELLING = ('"rating"', '"version"', '"received"')
"""Columns that no other layout has together."""


class Tidy(Format):
    name = "tidy"
    native = False
    files = "`NAME.jsonl`, `NAME.csv`, `NAME.xlsx`, `NAME.parquet`"
    says = (
        "One row for each rating of any study: its item, rater and place, every answer with what is "
        "missing told apart, its times and its scores. Importing it restores the ratings as they were "
        "recorded. `.jsonl` holds everything as it is; in `.csv` a text that looks like a formula has "
        "an apostrophe in front; a cell of `.xlsx` holds 32,767 characters, and what is longer stands "
        "in `NAME.long.jsonl` beside it; `.parquet` needs the extra `parquet`."
    )
    questions = frozenset[str]()

    def recognises(self, path: Path) -> bool:
        if path.suffix.lower() in (".jsonl", ".ndjson"):
            line = first_line(path, (".jsonl", ".ndjson"))
            return all(name in line for name in TELLING)
        reader = TABLES.get(path.suffix.lower())
        first = next(iter(reader(path)), None) if reader else None
        return isinstance(first, Record) and all(name.strip('"') in first.data for name in TELLING)

    def references(self, item: HiddenItem) -> Sequence[Hashable]:
        return ((item.key, item.copy),)

    def read(self, here: Here, path: Path) -> Iterator[Filled | Problem | None]:
        versions = Versions(here)
        for where, row in _rows(here, path):
            if isinstance(row, Problem):
                yield row
            else:
                yield from filled(versions, row, where)

    def write(self, here: Here, asked: Asked) -> Wrote:
        ending, told = asked.to.suffix.lower(), Wrote(self.name)
        writer = WRITERS.get(ending)
        if writer is None:
            near, expected = nearest(ending, WRITERS), ", ".join(WRITERS)
            where, got = Where(str(asked.to)), ending or asked.to.name
            raise Problem(UNKNOWN_ENDING, where, expected, got, near)
        told.files.append(str(asked.to))
        writer(asked.to, Table(here, asked, told))
        return told


# --- out ------------------------------------------------------------------------------------------


def write_jsonl(to: Path, table: Table) -> None:
    """One JSON object a line; escaped to ASCII, so that no character is lost on the way."""
    with whole_file(to) as file:
        for row in table.rows():
            file.write(json.dumps(row, default=dict).encode("ascii") + b"\n")


def write_csv(to: Path, table: Table) -> None:
    names = [column.name for column in table.columns()]
    with whole_file(to) as file:
        text = TextIOWrapper(file, encoding="utf-8-sig", errors="surrogatepass", newline="")
        writer = csv.writer(text)
        writer.writerow(names)
        for row in table.rows():
            writer.writerow([to_csv(row.get(name)) for name in names])
        text.flush()
        text.detach()


def write_xlsx(to: Path, table: Table) -> None:
    names = [column.name for column in table.columns()]
    last = [""]

    def rows() -> Iterator[list[Any]]:
        for row in table.rows():
            last[0] = max(last[0], row["received"])
            yield [flat(row.get(name)) for name in names]

    write_workbook(to, [Sheet(SHEET, names, rows())], lambda: last[0], table.told)


def write_parquet(to: Path, table: Table) -> None:
    if find_spec("polars") is None:
        raise Problem(NEEDS_EXTRA, Where(str(to)))
    # Polars takes long to import, and most exports do without it.
    polars = import_module("polars")
    columns = table.columns()
    schema = {column.name: _type(polars, column) for column in columns}
    rows, parts = table.rows(), []
    while chunk := list(islice(rows, AT_ONCE)):
        data = {c.name: [_parquet(row.get(c.name), c.type) for row in chunk] for c in columns}
        parts.append(polars.DataFrame(data, schema=schema))
    whole = polars.concat(parts) if parts else polars.DataFrame(schema=schema)
    with partly(to) as partial:
        whole.write_parquet(partial)


def _type(polars: Any, column: Column) -> Any:
    types = {"integer": polars.Int64, "number": polars.Float64, "boolean": polars.Boolean}
    return types.get(column.type, polars.String)


def _parquet(value: Any, type_: str) -> Any:
    if value is None:
        return None
    if type_ == "number" and isinstance(value, int):
        return float(value)
    if type_ == "json" or (type_ == "text" and not isinstance(value, str)):
        return json.dumps(value)
    return _no_surrogates(value) if isinstance(value, str) and not value.isascii() else value


def _no_surrogates(value: str) -> str:
    """Arrow holds UTF-8 only; a lone surrogate becomes the replacement mark."""
    return value.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")


WRITERS: Mapping[str, Callable[[Path, Table], None]] = {
    ".jsonl": write_jsonl,
    ".csv": write_csv,
    ".xlsx": write_xlsx,
    ".parquet": write_parquet,
}


# --- in -------------------------------------------------------------------------------------------

TABLES: Mapping[str, Callable[[Path], Iterator[Record | Problem]]] = {
    ".csv": separated.CSV.read,  # type: ignore[dict-item]
    ".xlsx": workbooks.READER.read,  # type: ignore[dict-item]
    ".parquet": parquet.READER.read,  # type: ignore[dict-item]
}


def _rows(here: Here, path: Path) -> Iterator[tuple[Where, Row | Problem]]:
    if path.suffix.lower() in (".jsonl", ".ndjson"):
        for line in read_lines(path):
            yield ((line.where, line) if isinstance(line, Problem) else (line.where, dict(line.data)))
        return
    columns = _columns(here)
    whole = long_texts(path)
    for number, record in enumerate(TABLES[path.suffix.lower()](path), 1):
        if isinstance(record, Problem):
            where = replace(record.where, file=str(path))
            yield where, record.at(where)
            continue
        data = {**record.data, **whole.get(number, {})}
        text = path.suffix.lower() == ".csv"
        read = from_csv if text else _from_table
        yield Where(str(path), record.place), {k: read(v, columns.get(k)) for k, v in data.items()}


def _columns(here: Here) -> dict[str, Column]:
    """Every column of every version kept; what is of another type in an older one stays as it is."""
    found: dict[str, Column] = {}
    versions = Versions(here)
    for kept in here.sources.studies.versions(here.name):
        study = versions.study(kept.hash)
        found |= {c.name: c for c in columns_of(study, with_names=True)} if study else {}
    return found


def _from_table(value: Any, column: Column | None) -> Any:
    return value if column is None or value is None else typed(value, column)


FORMAT = Tidy()
