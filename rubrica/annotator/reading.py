"""Reading the JSON that a page sends."""

from __future__ import annotations

import json
from typing import TypeVar

import msgspec

from rubrica.errors import Problem, Rule

T = TypeVar("T")

UNREADABLE = Rule(
    code="W020",
    title="A request has the members its address expects",
    says="this request cannot be read: {reason}",
    why="What cannot be read cannot be saved.",
    mend="Load the page again.",
)


def read_as(body: bytes, shape: type[T]) -> T:
    """The body as that shape. What the quick reader refuses the standard one may take: lone surrogates,
    which people do type."""
    try:
        return msgspec.json.decode(body, type=shape)
    except (ValueError, msgspec.MsgspecError, RecursionError):
        return _slowly(body, shape)


def _slowly(body: bytes, shape: type[T]) -> T:
    try:
        return msgspec.convert(json.loads(body), shape)
    except (ValueError, msgspec.MsgspecError, RecursionError) as error:
        raise Problem(UNREADABLE, details={"reason": str(error)[:200]}) from None
