"""JSON bytes as data: fast where that is exact, otherwise by the standard library.

The fast decoder refuses NaN, infinities and lone surrogates, which real files hold; whatever it
refuses is tried again, and only what both refuse is a problem.
"""

from __future__ import annotations

import json
from typing import Any

import msgspec

from rubrica.errors import Problem, Where
from rubrica.items.readers.lines import not_text, text_of
from rubrica.items.rules import CUT_LINE, NOT_JSON, TOO_DEEP

fast = msgspec.json.Decoder().decode
REFUSED = (msgspec.DecodeError, UnicodeDecodeError, RecursionError)


def decode(raw: bytes, line: int = 1, *, cut: bool = False) -> Any:
    """The value; `cut` says that the file ended without an end of line here."""
    try:
        return fast(raw)
    except REFUSED:
        return _decode_slowly(raw, line, cut)


def _decode_slowly(raw: bytes, line: int, cut: bool) -> Any:
    try:
        return json.loads(text_of(raw))
    except UnicodeDecodeError as error:
        raise not_text(error, line) from None
    except json.JSONDecodeError as error:
        if cut and _unfinished(error):
            raise Problem(CUT_LINE, Where(line=line, column=error.colno)) from None
        raise not_json(error, line) from None
    except RecursionError:
        raise Problem(TOO_DEEP, Where(line=line)) from None
    except ValueError as error:
        raise Problem(NOT_JSON, Where(line=line), details={"reason": str(error)}) from None


def _unfinished(error: json.JSONDecodeError) -> bool:
    text = error.doc.rstrip()
    return error.pos >= len(text) or not text.endswith(("}", "]"))


def not_json(error: json.JSONDecodeError, line: int = 1) -> Problem:
    where = Where(line=line + error.lineno - 1, column=error.colno)
    return Problem(NOT_JSON, where, details={"reason": error.msg})


def encode(value: Any) -> bytes:
    """Data as JSON in ASCII, for formats that hold no bytes of a record's own."""
    return json.dumps(value, separators=(",", ":"), default=str).encode("ascii")
