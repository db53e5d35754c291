"""One item a file, or a list of items inside it."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from rubrica.errors import Problem, Where
from rubrica.items.readers.contract import Reader, Record
from rubrica.items.readers.decoding import decode, encode
from rubrica.items.readers.lines import text_of, utf8
from rubrica.items.rules import NOT_A_LIST, NOT_TEXT, TOO_LARGE
from rubrica.paths import compile_path

LARGEST = 2**30
_DOTTED = re.compile(r"[A-Za-z_]\w*(\.[A-Za-z_]\w*)*", re.ASCII)
_BLANK = re.compile(r"[ \t\r\n]*")
_parse = json.JSONDecoder().raw_decode


def read(path: Path, at: str | None = None) -> Iterator[Record | Problem]:
    try:
        yield from _read(path, at)
    except Problem as problem:
        yield problem


def _read(path: Path, at: str | None) -> Iterator[Record | Problem]:
    if path.stat().st_size > LARGEST:
        raise Problem(TOO_LARGE, details={"what": "the file", "limit": LARGEST})
    exact = path.read_bytes()
    try:
        raw = utf8(exact)
    except UnicodeDecodeError as error:
        raise Problem(NOT_TEXT, details={"reason": error.reason}) from None
    data = decode(raw, cut=not raw.endswith(b"\n"))
    items = data if at is None else compile_path(at)(data)
    if isinstance(items, list):
        for place, (item, source) in enumerate(_spans(raw, items, at), 1):
            yield Record(place, item, source)
    elif at is not None:
        raise Problem(NOT_A_LIST, Where(path=at), details={"path": at})
    else:
        yield Record(1, data, exact)


def _spans(raw: bytes, items: list[Any], at: str | None) -> Iterator[tuple[Any, bytes]]:
    """Each item with its own bytes; a path that computes its list leaves none, so JSON is made."""
    if at is not None and not _DOTTED.fullmatch(at):
        yield from ((item, encode(item)) for item in items)
        return
    text = text_of(raw)
    position = _into(text, at.split(".") if at else [])
    for item in items:
        start = _skip(text, position + 1)
        end = _parse(text, start)[1]
        yield item, text[start:end].encode("utf-8", "surrogatepass")
        position = _skip(text, end)


def _into(text: str, names: list[str]) -> int:
    """Where the value at these names starts; as everywhere, the last of equal names counts."""
    position = _skip(text, 0)
    for name in names:
        position = _member(text, position, name)
    return position


def _member(text: str, position: int, name: str) -> int:
    found = position
    while text[position] in "{,":
        key, end = _parse(text, _skip(text, position + 1))
        start = _skip(text, _skip(text, end) + 1)
        found = start if key == name else found
        position = _skip(text, _parse(text, start)[1])
    return found


def _skip(text: str, position: int) -> int:
    blank = _BLANK.match(text, position)
    return blank.end() if blank else position


READER = Reader(
    name="json",
    suffixes=(".json",),
    says="One item a file; or a list of items, at the top or where `at` leads.",
    read=read,
    place="number",
    at="a path to the list of items inside each file",
)
