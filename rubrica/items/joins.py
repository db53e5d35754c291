"""More data for each item, from other files."""

from __future__ import annotations

from collections.abc import Sequence
from hashlib import blake2b
from pathlib import Path
from typing import Any

from rubrica.errors import Problem, Where
from rubrica.items.lookup import kind_of, name_of
from rubrica.items.records import Read, read_all
from rubrica.items.rules import NAME_TAKEN, NO_PARTNER, TWO_PARTNERS, UNNAMED
from rubrica.paths import compile_path
from rubrica.study.model import Join

Found = tuple[Any, bytes]
"""A joined record's data and the digest of its source."""


class Joins:
    """The joined files in memory, and what they add to an item's data."""

    def __init__(self, folder: Path, declared: Sequence[Join], where: Where) -> None:
        self.problems: list[Problem] = []
        self._where = where
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
        key = compile_path(join.key) if join.key else None
        for place, read in enumerate(read_all(folder, join.from_)):
            try:
                if isinstance(read, Problem):
                    raise read
                _enter(table, join, key(read.data) if key else place, read)
            except Problem as problem:
                self.problems.append(problem if problem.where.file else problem.at(self._where))
        return table


def _enter(table: dict[str, Found], join: Join, key: Any, read: Read) -> None:
    name = name_of(key)
    if name is None:
        details = {"what": "key", "path": join.key}
        raise Problem(UNNAMED, read.where(), got=kind_of(key), details=details)
    if name in table:
        raise Problem(TWO_PARTNERS, read.where(), details={"key": name, "name": join.as_})
    table[name] = (read.data, blake2b(read.source, digest_size=16).digest())
