"""Values as cells of spreadsheets and separated texts, and back.

A text that a spreadsheet program would take for a formula gets an apostrophe in front in CSV, where
nothing else can tell it apart; reading takes it away again. (In a workbook a cell says itself that it
is text.)
"""

from __future__ import annotations

import json
import re
from typing import Any

from rubrica.kinds.contract import Column

LONGEST = 32_767
"""Characters a spreadsheet's cell can hold."""

_FORMULA = re.compile(r"'*[=+\-@\t\r]")
_QUOTED = re.compile(r"'+[=+\-@\t\r]")


def looks_like_formula(text: str) -> bool:
    return bool(_FORMULA.match(text))


def safe(text: str) -> str:
    """A text no spreadsheet program takes for a formula."""
    return f"'{text}" if looks_like_formula(text) else text


def unsafe(text: str) -> str:
    """The text that `safe` was given."""
    return text[1:] if _QUOTED.match(text) else text


def flat(value: Any) -> Any:
    """A value as one cell: lists and objects as JSON."""
    return json.dumps(value) if isinstance(value, dict | list) else value


def to_csv(value: Any) -> str:
    value = flat(value)
    if value is None:
        return ""
    if isinstance(value, bool):
        return "true" if value else "false"
    return safe(value) if isinstance(value, str) else repr(value)


def from_csv(text: str | None, column: Column | None) -> Any:
    """What was written, as far as its column's type tells; otherwise the text, to be complained of."""
    if text is None or text == "":
        return None
    plain = unsafe(text)
    return plain if column is None else typed(plain, column)


def typed(value: Any, column: Column) -> Any:
    """A cell as a value of its column's type; as it is where it cannot be one."""
    if not isinstance(value, str):
        return _number(value, column)
    try:
        if column.type == "boolean":
            return {"true": True, "false": False}.get(value.lower(), value)
        if column.type == "integer":
            return int(value)
        if column.type == "number":
            return float(value)
        return json.loads(value) if column.type == "json" else value
    except ValueError:
        return value


def _number(value: Any, column: Column) -> Any:
    """Spreadsheets make numbers of texts such as ids, and know no whole ones."""
    if column.type == "text" and isinstance(value, int | float) and not isinstance(value, bool):
        return str(value)
    if column.type == "number" and isinstance(value, int) and not isinstance(value, bool):
        return float(value)
    return value
