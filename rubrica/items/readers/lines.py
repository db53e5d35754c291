"""Lines of a text file as UTF-8 bytes, whatever marks and endings it came with."""

from __future__ import annotations

import codecs
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import BinaryIO

from rubrica.errors import Problem, Where
from rubrica.items.rules import NOT_TEXT, TOO_LARGE

LONGEST = 256 * 2**20
"""Bytes of one line."""

_MARKS = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF32_LE, "utf-32"),
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)


def lines(path: Path) -> Iterator[bytes | Problem]:
    """Each line with its ending; a UTF-8 mark is dropped, UTF-16 is turned into UTF-8."""
    with path.open("rb") as file:
        mark, encoding = _mark(file.peek(4))
        if encoding == "utf-8":
            file.seek(len(mark))
            yield from _plain(file)
        else:
            yield from _recoded(path, encoding)


def utf8(raw: bytes) -> bytes:
    """A whole file's bytes as UTF-8 without a mark; raises `UnicodeDecodeError`."""
    mark, encoding = _mark(raw)
    if encoding == "utf-8":
        return raw[len(mark) :]
    return raw.decode(encoding, "surrogatepass").encode("utf-8", "surrogatepass")


def text_of(raw: bytes) -> str:
    """UTF-8 bytes as text; surrogates that some programs write there are kept."""
    try:
        return raw.decode()
    except UnicodeDecodeError:
        return raw.decode("utf-8", "surrogatepass")


def not_text(error: UnicodeDecodeError, line: int | None) -> Problem:
    reason = f"{error.reason} at byte {error.start + 1}"
    return Problem(NOT_TEXT, Where(line=line), details={"reason": reason})


def _mark(start: bytes) -> tuple[bytes, str]:
    return next(((m, e) for m, e in _MARKS if start.startswith(m)), (b"", "utf-8"))


def _plain(file: BinaryIO) -> Iterator[bytes | Problem]:
    read = partial(file.readline, LONGEST)
    for number, line in enumerate(iter(read, b""), 1):
        if len(line) < LONGEST or line.endswith(b"\n"):
            yield line
        else:
            while (rest := read()) and not rest.endswith(b"\n"):
                pass
            yield Problem(TOO_LARGE, Where(line=number), details={"what": "the line", "limit": LONGEST})


def _recoded(path: Path, encoding: str) -> Iterator[bytes | Problem]:
    number = 0
    try:
        with path.open(encoding=encoding, errors="surrogatepass", newline="\n") as file:
            for line in file:
                number += 1
                yield line.encode("utf-8", "surrogatepass")
    except UnicodeDecodeError as error:
        yield not_text(error, number + 1)
