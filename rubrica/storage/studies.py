"""Studies and their versions."""

from __future__ import annotations

from collections.abc import Sequence

from sqlalchemy import bindparam, func, select, update

from rubrica.storage.codec import json_in, json_out, text_in
from rubrica.storage.core import Core
from rubrica.storage.desk_tables import settlements
from rubrica.storage.sql import Row, Tx, insert_into
from rubrica.storage.tables import audit, messages, moves, ratings, studies, versions
from rubrica.study.store import StudyVersion

ADD = insert_into(
    versions, "number", "study", "hash", "declared", "question_hashes", "added"
).on_conflict_do_nothing()
_ALL = select(versions.c.hash, versions.c.declared, versions.c.question_hashes, versions.c.added).where(
    versions.c.study == bindparam("study")
)
ALL = _ALL.order_by(versions.c.number)
ONE = _ALL.where(versions.c.hash == bindparam("hash"))
CLOSE = (
    update(studies)
    .where(studies.c.id == bindparam("study"), studies.c.closed.is_(None))
    .values(closed=bindparam("at"))
)
CLOSED = select(studies.c.closed).where(studies.c.id == bindparam("study"))
NAMES = select(studies.c.name).order_by(studies.c.id)
COUNTERS = [
    select(func.max(table.c.number)).where(table.c.study == bindparam("study"))
    for table in (ratings, audit, messages, settlements)
]
MOVED = [
    select(func.max(moves.c.number)).where(moves.c.study == bindparam("study"), moves.c.what == what)
    for what in ("given", "returned")
]


class Studies:
    """Fulfils `StudyStore`."""

    def __init__(self, core: Core) -> None:
        self._core = core

    def add_version(self, study: str, version: StudyVersion) -> bool:
        def add(tx: Tx) -> bool:
            number = self._core.add(tx, study).id
            if tx.one(ONE, study=number, hash=text_in(version.hash)):
                return False
            (fresh,) = tx.fresh("versions", "number", 1)
            added = tx.run(
                ADD,
                number=fresh,
                study=number,
                hash=text_in(version.hash),
                declared=json_in(version.declared),
                question_hashes=json_in(version.question_hashes),
                added=self._core.now(),
            )
            return added == 1

        return self._core.writer.call(add)

    def version(self, study: str, version: str) -> StudyVersion | None:
        known = self._core.find(study)
        if known is None:
            return None
        with self._core.database.read() as tx:
            row = tx.one(ONE, study=known.id, hash=text_in(version))
        return None if row is None else _version(row)

    def versions(self, study: str) -> Sequence[StudyVersion]:
        known = self._core.find(study)
        if known is None:
            return []
        with self._core.database.read() as tx:
            return [_version(row) for row in tx.all(ALL, study=known.id)]

    def close(self, study: str) -> None:
        number, at = self._core.id(study), self._core.now()
        self._core.writer.call(lambda tx: tx.run(CLOSE, study=number, at=at))

    def is_closed(self, study: str) -> bool:
        known = self._core.find(study)
        if known is None:
            return False
        with self._core.database.read() as tx:
            return tx.value(CLOSED, study=known.id) is not None

    def names(self) -> Sequence[str]:
        with self._core.database.read() as tx:
            return [json_out(f'"{row[0]}"') for row in tx.all(NAMES)]

    def revision(self, study: str) -> int:
        number = self._core.id(study)
        with self._core.database.read() as tx:
            return sum(tx.value(s, study=number) or 0 for s in (*COUNTERS, *MOVED))


def _version(row: Row) -> StudyVersion:
    hashed, declared, questions, added = row
    return StudyVersion(hashed, json_out(declared), json_out(questions), added)
