"""Workbooks whose bytes depend on nothing but what is in them."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Sequence
from datetime import datetime
from pathlib import Path
from typing import Any, NamedTuple

import xlsxwriter

from rubrica.errors import Problem, Rule, Where
from rubrica.exchange.cells import LONGEST, looks_like_formula
from rubrica.exchange.contract import Wrote
from rubrica.exchange.files import partly, whole_file
from rubrica.exchange.rules import CELL_CUT

MOST_ROWS = 1_048_575
EPOCH = datetime(2000, 1, 1)

TOO_MANY_ROWS = Rule(
    code="X031",
    title="A spreadsheet has room for all rows",
    says="a sheet holds {expected} rows below its header",
    why="The rest would be missing.",
    mend="Export .jsonl, .csv or .parquet, or one rater at a time with --rater.",
)


class Sheet(NamedTuple):
    name: str
    columns: Sequence[str]
    rows: Iterable[Sequence[Any]]


class Long(NamedTuple):
    row: int
    column: str
    text: str


def write_workbook(to: Path, sheets: Iterable[Sheet], last: Callable[[], str], told: Wrote) -> None:
    """Write the sheets; the workbook says it was made at `last`, asked when all rows are written."""
    long: list[Long] = []
    with partly(to) as partial:
        options = {"constant_memory": True, "strings_to_formulas": False, "strings_to_urls": False}
        book = xlsxwriter.Workbook(str(partial), {**options, "strings_to_numbers": False})
        text = book.add_format({"quote_prefix": True})
        for sheet in sheets:
            _write(book.add_worksheet(sheet.name), sheet, text, long, to)
        book.set_properties({"created": moment(last())})
        book.close()
    _say_cut(to, long, told)


def moment(text: str) -> datetime:
    """An ISO time as workbooks keep it; a fixed one where there is none."""
    try:
        return datetime.fromisoformat(text).replace(tzinfo=None, microsecond=0)
    except ValueError:
        return EPOCH


def _write(page: Any, sheet: Sheet, text: Any, long: list[Long], to: Path) -> None:
    page.write_row(0, 0, sheet.columns)
    for number, row in enumerate(sheet.rows, 1):
        if number > MOST_ROWS:
            raise Problem(TOO_MANY_ROWS, Where(str(to)), expected=f"{MOST_ROWS:,}")
        for column, value in enumerate(row):
            if isinstance(value, str):
                if _size(value) > LONGEST:
                    long.append(Long(number, sheet.columns[column], value))
                kept = _cut(value)
                page.write_string(number, column, kept, text if looks_like_formula(kept) else None)
            elif isinstance(value, bool):
                page.write_boolean(number, column, value)
            elif value is not None:
                page.write_number(number, column, value)


def _size(text: str) -> int:
    """Spreadsheets count as UTF-16 does."""
    return len(text) if text.isascii() else len(text.encode("utf-16-le", "surrogatepass")) // 2


def _cut(text: str) -> str:
    if _size(text) <= LONGEST:
        return _carried(text)
    raw = text.encode("utf-16-le", "surrogatepass")[: 2 * LONGEST]
    return raw.decode("utf-16-le", "ignore")


def _carried(text: str) -> str:
    """XML holds no lone surrogate; the replacement mark stands for one."""
    return (
        text
        if text.isascii()
        else text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")
    )


def _say_cut(to: Path, long: Sequence[Long], told: Wrote) -> None:
    beside = to.with_suffix(".long.jsonl")
    beside.unlink(missing_ok=True)  # of an export before
    if not long:
        return
    with whole_file(beside) as file:
        for one in long:
            file.write(json.dumps(one._asdict()).encode("ascii") + b"\n")
    told.files.append(str(beside))
    details = {"count": len(long), "file": str(beside)}
    told.notes.append(Problem(CELL_CUT, Where(str(to)), details=details))


def long_texts(path: Path) -> dict[int, dict[str, str]]:
    """The whole texts of cells that were cut, by row and column, where they stand beside the file."""
    beside = path.with_suffix(".long.jsonl")
    found: dict[int, dict[str, str]] = {}
    if path.suffix.lower() == ".xlsx" and beside.is_file():
        for line in beside.read_text("ascii").splitlines():
            one = json.loads(line)
            found.setdefault(one["row"], {})[one["column"]] = one["text"]
    return found
