"""More data for each item, from other files."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from hashlib import blake2b
from pathlib import Path
from typing import Any

from rubrica.errors import Problem
from rubrica.items.lookup import kind_of, name_of, page_text
from rubrica.items.records import read_all
from rubrica.items.rules import NAME_TAKEN, NO_PARTNER, TWO_PARTNERS, UNNAMED
from rubrica.paths import compile_path
from rubrica.study.model import Join

Found = tuple[Any, bytes]
"""A joined record's data and the digest of its source."""


class Joins:
    """The joined files in memory, and what they add to an item's data."""

    def __init__(self, folder: Path, declared: Sequence[Join]) -> None:
        self.problems: list[Problem] = []
        self._joins = [(join, compile_path(join.on), self._table(folder, join)) for join in declared]

    def add(self, data: dict[str, Any]) -> tuple[dict[str, Any], bytes]:
        """The item's data with what is joined to it, and the digests of the sources of that."""
        digests = b""
        for join, on, table in self._joins:
            if join.as_ in data:
                raise Problem(NAME_TAKEN, details={"name": join.as_})
            key = name_of(on(data))
            found = table.get(key) if key is not None else None
            if found is None and join.required:
                details = {"name": join.as_, "key": key}
                raise Problem(NO_PARTNER, details=details)
            inner, digest = found or (None, b"")
            data, digests = {**data, join.as_: inner}, digests + digest
        return data, digests

    def _table(self, folder: Path, join: Join) -> dict[str, Found]:
        table: dict[str, Found] = {}
        for key, found in self._keyed(folder, join):
            if isinstance(found, Problem):
                self.problems.append(found)
            elif key in table:
                self.problems.append(_twice(join, key))
            else:
                table[key] = found
        return table

    def _keyed(self, folder: Path, join: Join) -> Iterator[tuple[str, Found | Problem]]:
        path = compile_path(join.key) if join.key else None
        for place, read in enumerate(read_all(folder, join.from_)):
            if isinstance(read, Problem):
                yield "", read
                continue
            value = path(read.data) if path else place
            name = name_of(value)
            if name is None:
                details = {"what": "key", "path": join.key}
                yield "", Problem(UNNAMED, read.where(), got=kind_of(value), details=details)
            else:
                yield name, (read.data, blake2b(read.source, digest_size=16).digest())


def _twice(join: Join, key: str) -> Problem:
    return Problem(TWO_PARTNERS, details={"key": page_text(key), "name": join.as_})
