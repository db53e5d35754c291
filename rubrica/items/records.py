"""All records of a study's files, one after the other."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import msgspec

from rubrica.errors import Problem, Where
from rubrica.items.files import DataFile, data_files
from rubrica.items.readers.contract import Reader
from rubrica.items.rules import NO_AT, NO_READER, UNREADABLE
from rubrica.kinds.registry import find, registered


class Read(msgspec.Struct, frozen=True):
    """A record and the file it stands in."""

    file: DataFile
    reader: Reader
    place: int
    data: Any
    source: bytes

    def where(self) -> Where:
        if self.reader.place == "number":
            return Where(self.file.name, path=f"item {self.place}")
        return Where(self.file.name, self.place)


def readers() -> dict[str, Reader]:
    """Every registered reader by name."""
    return registered("rubrica.readers")


def read_all(
    folder: Path, patterns: Sequence[str], reader: str | None = None, at: str | None = None
) -> Iterator[Read | Problem]:
    """Every record of the files these patterns find, and a problem for whatever cannot be read."""
    for file in data_files(folder, patterns, _suffixes(reader)):
        if isinstance(file, Problem):
            yield file
            continue
        try:
            yield from _read(file, reader_of(file, reader), at)
        except OSError as error:
            reason = error.strerror or str(error)
            yield Problem(UNREADABLE, Where(file.name), details={"reason": reason})
        except Problem as problem:
            yield problem


def _read(file: DataFile, reader: Reader, at: str | None) -> Iterator[Read | Problem]:
    if at is not None and not reader.at:
        raise Problem(NO_AT, Where(file.name), details={"reader": reader.name})
    for found in reader.read(file.path, at):
        if isinstance(found, Problem):
            yield found.at(replace(found.where, file=file.name))
        else:
            yield Read(file, reader, *found)


def _suffixes(reader: str | None) -> tuple[str, ...]:
    there = readers().values() if reader is None else [_named(reader)]
    return tuple(suffix for each in there for suffix in each.suffixes)


def reader_of(file: DataFile, name: str | None) -> Reader:
    """The reader a study names, or the one for the file's ending."""
    if name is not None:
        return _named(name)
    suffix = file.path.suffix.lower()
    for reader in readers().values():
        if suffix in reader.suffixes:
            return reader
    details = {"suffix": suffix, "known": ", ".join(readers())}
    raise Problem(NO_READER, Where(file.name), got=suffix, details=details)


def _named(name: str) -> Reader:
    found: Reader = find("rubrica.readers", "reader", name)
    return found
