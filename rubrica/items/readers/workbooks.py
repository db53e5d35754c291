"""Spreadsheets: the first sheet, or a named one."""

from __future__ import annotations

import re
import zipfile
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rubrica.errors import Problem, nearest
from rubrica.items.readers.contract import Reader, Record
from rubrica.items.readers.decoding import encode
from rubrica.items.readers.tables import columns, plain
from rubrica.items.rules import BOMB, WORKBOOK

if TYPE_CHECKING:
    from python_calamine import CalamineSheet, CalamineWorkbook

LARGEST = 512 * 2**20
"""Bytes of all parts of a workbook when unpacked."""
MOST_CELLS = 20_000_000
"""Cells of the smallest rectangle around a sheet's values: all of them are held in memory."""

_SHEET = re.compile(r"xl/worksheets/[^/]+\.xml", re.IGNORECASE)
_CELL = re.compile(rb'<c\b[^>]*?\br="([A-Z]{1,3})([0-9]{1,7})"')
_STEP = 2**20


def read(path: Path, at: str | None = None) -> Iterator[Record | Problem]:
    # Loaded where a workbook is read: a server seldom reads one.
    from python_calamine import CalamineError, CalamineWorkbook

    try:
        _guard(path)
        with CalamineWorkbook.from_path(path) as workbook:
            yield from _rows(_sheet(workbook, at))
    except Problem as problem:
        yield problem
    except (CalamineError, zipfile.BadZipFile, ValueError) as error:
        yield Problem(WORKBOOK, details={"reason": str(error) or type(error).__name__})


def _sheet(workbook: CalamineWorkbook, name: str | None) -> CalamineSheet:
    names = workbook.sheet_names
    if name is not None and name not in names:
        reason = f"it has no sheet {name!r}, only {', '.join(names)}"
        raise Problem(WORKBOOK, nearest=nearest(name, names), details={"reason": reason})
    return workbook.get_sheet_by_name(name) if name else workbook.get_sheet_by_index(0)


def _rows(sheet: CalamineSheet) -> Iterator[Record | Problem]:
    values = ([_value(cell) for cell in row] for row in sheet.iter_rows())
    rows = ((place, row) for place, row in enumerate(values, 1) if any(v is not None for v in row))
    names = columns(next(rows, (1, []))[1])
    for place, row in rows:
        data = dict(zip(names, row, strict=True))
        yield Record(place, data, encode(data))


def _value(cell: Any) -> Any:
    """A spreadsheet knows only floating numbers; whole ones are meant as such."""
    if isinstance(cell, float) and cell.is_integer():
        return int(cell)
    return None if cell == "" else plain(cell)


def _guard(path: Path) -> None:
    """Refuse what would unpack to more than a machine holds, before anything is unpacked."""
    with zipfile.ZipFile(path) as archive:
        size = sum(part.file_size for part in archive.infolist())
        if size > LARGEST:
            raise Problem(BOMB, expected=f"{LARGEST:,} bytes", got=f"{size:,} bytes")
        for part in archive.infolist():
            if _SHEET.fullmatch(part.filename):
                _guard_cells(archive, part)


def _guard_cells(archive: zipfile.ZipFile, part: zipfile.ZipInfo) -> None:
    rows, width = 0, 0
    with archive.open(part) as xml:
        tail = b""
        while chunk := xml.read(_STEP):
            for column, row in _CELL.findall(tail + chunk):
                rows, width = max(rows, int(row)), max(width, _number(column))
            tail = chunk[-200:]
    if rows * width > MOST_CELLS:
        raise Problem(BOMB, expected=f"{MOST_CELLS:,} cells", got=f"{rows * width:,} cells")


def _number(column: bytes) -> int:
    number = 0
    for letter in column:
        number = number * 26 + letter - 64
    return number


READER = Reader(
    name="xlsx",
    suffixes=(".xlsx", ".xlsm"),
    says="A workbook's first sheet, one row an item; the first row names the columns. An empty cell is "
    "null, a whole number an integer, a date an ISO text. Formulas give the value saved with them.",
    read=read,
    place="row",
    at="the name of a sheet",
)
