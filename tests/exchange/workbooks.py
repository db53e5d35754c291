"""Workbooks of in-car ratings, as another tool wrote them or a person spoiled them."""

from __future__ import annotations

import json
import zipfile
from collections.abc import Sequence
from datetime import datetime
from pathlib import Path
from typing import Any

import xlsxwriter
from own_files import DIMENSIONS

COLUMNS = (
    *("conversation_id", "annotator_id", "timestamp", "seed_phrase"),
    *(f"dim_{name}" for name in DIMENSIONS),
    *("targets_completed", "targets_introduced", "target_statuses_json", "overall_score", "pass_fail"),
)
ABOUT = {
    "export_timestamp": "2026-05-01T10:00:00",
    "total_conversations": 9,
    "total_rated": 1,
    "annotator_id": "JD01",
    "source_folder": "/home/jd/To_annotate/config_1/conversations",
    "pass_threshold": 0.75,
    "target_weight": 1.0,
    "dimension_weights": json.dumps(dict.fromkeys(DIMENSIONS, 1.0)),
}


def row(name: str = "c1", who: str = "JD01", level: Any = 2, **more: Any) -> dict[str, Any]:
    return {
        "conversation_id": name,
        "annotator_id": who,
        "timestamp": "2026-05-01T09:15:00.123456",
        "seed_phrase": "Find a bank on the way home.",
        **{f"dim_{name}": level for name in DIMENSIONS},
        "targets_completed": 1,
        "targets_introduced": 1,
        "target_statuses_json": json.dumps({"Find a bank": 1}),
        "overall_score": 1.0,
        "pass_fail": "PASS",
        **more,
    }


def workbook(
    path: Path,
    rows: Sequence[dict[str, Any]],
    columns: Sequence[str] = COLUMNS,
    merged: bool = False,
    about: dict[str, Any] | None = None,
) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    book = xlsxwriter.Workbook(str(path), {"default_date_format": "yyyy-mm-dd"})
    sheet = book.add_worksheet("Human_Ratings")
    sheet.write_row(0, 0, columns)
    for number, one in enumerate(rows, 1):
        for column, name in enumerate(columns):
            value = one.get(name)
            if isinstance(value, datetime):
                sheet.write_datetime(number, column, value)
            elif isinstance(value, str):
                sheet.write_string(number, column, value)
            elif value is not None:
                sheet.write(number, column, value)
    if merged:
        sheet.merge_range(1, 4, 2, 4, 2)
    told = ABOUT if about is None else about
    sheet = book.add_worksheet("Metadata")
    sheet.write_row(0, 0, list(told))
    sheet.write_row(1, 0, list(told.values()))
    book.close()
    return path


def bomb(path: Path) -> Path:
    """A small workbook that unpacks to far more than a machine would like."""
    workbook(path, [row()])
    with zipfile.ZipFile(path, "a", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("xl/media/big.bin", bytes(600 * 2**20))
    return path
