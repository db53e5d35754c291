"""Tables as files that spreadsheet programs open."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Sequence

from rubrica.coordinator.endpoint import File
from rubrica.exchange.cells import to_csv


def csv_text(rows: Iterable[Sequence[object]]) -> str:
    """Cells that a spreadsheet would take for formulas get an apostrophe in front."""
    written = io.StringIO(newline="")
    csv.writer(written).writerows([to_csv(cell) for cell in row] for row in rows)
    return written.getvalue()


def csv_file(name: str, rows: Iterable[Sequence[object]]) -> File:
    text = csv_text(rows)
    return File(name, "text/csv", text.encode("utf-8-sig", "surrogatepass"))
