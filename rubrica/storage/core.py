"""What all parts of a store share: the database, its writer, the clock, and the numbers of studies."""

from __future__ import annotations

import secrets
from collections.abc import Callable
from datetime import UTC, datetime
from typing import NamedTuple

from sqlalchemy import bindparam, select

from rubrica.errors import Problem
from rubrica.storage.codec import text_in, time_in
from rubrica.storage.database import Database
from rubrica.storage.rules import UNKNOWN_STUDY
from rubrica.storage.sql import Tx, insert_into
from rubrica.storage.tables import studies, versions
from rubrica.storage.writer import Writer

Clock = Callable[[], datetime]

STUDY = select(studies.c.id, studies.c.secret).where(studies.c.name == bindparam("name"))
VERSION = select(versions.c.number).where(
    versions.c.study == bindparam("study"), versions.c.hash == bindparam("hash")
)
ADD_STUDY = insert_into(studies, "name", "secret", "added").on_conflict_do_nothing()


def utc_now() -> datetime:
    return datetime.now(UTC)


class Known(NamedTuple):
    """A study's number in this database, and the secret its opaque ids are made with."""

    id: int
    secret: bytes


class Core:
    def __init__(self, database: Database, writer: Writer, clock: Clock) -> None:
        self.database = database
        self.writer = writer
        self.clock = clock
        self._studies: dict[str, Known] = {}
        self._versions: set[tuple[int, str]] = set()

    def now(self) -> str:
        return time_in(self.clock())

    def find(self, study: str) -> Known | None:
        """The study, if the database has it; studies never go, so it is asked for once."""
        known = self._studies.get(study)
        if known is None:
            with self.database.read() as tx:
                row = tx.one(STUDY, name=text_in(study))
            if row is None:
                return None
            known = self._studies[study] = Known(row[0], bytes(row[1]))
        return known

    def known(self, study: str) -> Known:
        found = self.find(study)
        if found is None:
            raise Problem(UNKNOWN_STUDY, got=study)
        return found

    def id(self, study: str) -> int:
        return self.known(study).id

    def has_version(self, study: int, version: str) -> bool:
        """Versions never go either."""
        if (study, version) not in self._versions:
            with self.database.read() as tx:
                if tx.one(VERSION, study=study, hash=text_in(version)) is None:
                    return False
            self._versions.add((study, version))
        return True

    def add(self, tx: Tx, study: str) -> Known:
        """The study, made if need be, inside a transaction that writes more about it."""
        name, secret = text_in(study), secrets.token_bytes(32)
        tx.run(ADD_STUDY, name=name, secret=secret, added=self.now())
        row = tx.one(STUDY, name=name)
        assert row is not None  # noqa: S101
        return Known(row[0], bytes(row[1]))
