"""What all tables share: names of columns, and values that JSON has no word for."""

from __future__ import annotations

import base64
from collections.abc import Sequence
from datetime import date, datetime, time, timedelta
from typing import Any

from rubrica.errors import Problem, Where
from rubrica.items.rules import CELLS, HEADER


def columns(header: Sequence[Any]) -> list[str]:
    """The columns' names; those without one are numbered."""
    texts = ("" if name is None else str(name).strip() for name in header)
    names = [name or f"column_{i}" for i, name in enumerate(texts, 1)]
    for i, name in enumerate(names):
        if name in names[:i]:
            raise Problem(HEADER, Where(line=1, column=i + 1), details={"name": name})
    return names


def row_problem(line: int, got: int, expected: int) -> Problem:
    return Problem(CELLS, Where(line=line), expected=str(expected), got=str(got))


def plain(value: Any) -> Any:
    """A cell as JSON data: dates in ISO form, durations in seconds, bytes in base 64."""
    if value is None or isinstance(value, str | int | float):
        return value
    if isinstance(value, dict):
        return {str(key): plain(v) for key, v in value.items()}
    if isinstance(value, list | tuple):
        return [plain(v) for v in value]
    return _worded(value)


def _worded(value: Any) -> Any:
    if isinstance(value, datetime | date | time):
        return value.isoformat()
    if isinstance(value, timedelta):
        return value.total_seconds()
    return base64.b64encode(value).decode() if isinstance(value, bytes) else str(value)
