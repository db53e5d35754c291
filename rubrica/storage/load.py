"""Loading items: new ones added, changed ones versioned, the rest counted; all in one transaction.

Two threads share the work: one reads items and makes them into rows, the other, which called, puts
what is ready into the database.
"""

from __future__ import annotations

import sqlite3
import sys
from collections import Counter, deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, TypeVar

from sqlalchemy import bindparam, func, select, update

from rubrica.errors import Problem
from rubrica.items.model import Loaded, NewItem
from rubrica.storage.arrange import arrange
from rubrica.storage.codec import opaque, text_in, text_out
from rubrica.storage.core import Core, Known
from rubrica.storage.item_tables import batches, hidden, items, shown
from rubrica.storage.items import ADD_MEDIA
from rubrica.storage.later import Later
from rubrica.storage.ready import HIDDEN, ITEM, SHOWN, Ready, ready
from rubrica.storage.rules import SAME_ITEM_TWICE
from rubrica.storage.sql import Row, Tx, insert_into, one_of
from rubrica.storage.tables import studies

if TYPE_CHECKING:
    import psycopg
else:
    psycopg = Later("psycopg")


CHUNK = 2000
"""Items that go into the database together, unless they are large."""
CHUNK_BYTES = 8 * 2**20
AHEAD = 2
"""Chunks that may wait."""
TURN_SECONDS = 0.0001
"""How long the thread of the database waits for its turn in Python: much less than usual, because it
has little to do there and then works beside the other one."""
CACHE = "PRAGMA cache_size=-131072"
"""Opaque ids come in no order, so that their index is best held in memory until it is complete."""
CACHE_AGAIN = "PRAGMA cache_size=-32768"
COUNT_AGAIN = "ANALYZE items, shown, hidden"
"""Until PostgreSQL has counted what came, it takes the wrong index and reads all items for each next
one; left to itself it counts a minute later."""
ONE_LOADER = "SELECT pg_advisory_xact_lock(7304212)"

HAS_ITEMS = select(func.count()).select_from(items).where(items.c.study == bindparam("study"))
BEGIN_LOAD = (
    update(studies)
    .where(studies.c.id == bindparam("of_study"))
    .values(loads=studies.c.loads + 1)
    .returning(studies.c.loads)
)
LAST_ID = select(func.max(items.c.id))
LAST_POSITION = select(func.max(items.c.position)).where(items.c.study == bindparam("study"))
BATCHES = select(batches.c.name, batches.c.number).where(batches.c.study == bindparam("study"))
ADD_BATCH = insert_into(batches)
KNOWN = (
    select(hidden.c.key, hidden.c.copy, hidden.c.digest, items.c.id, items.c.version)
    .join_from(hidden, items, (hidden.c.item == items.c.id) & (hidden.c.version == items.c.version))
    .where(hidden.c.study == bindparam("study"), one_of(hidden.c.key, "keys"))
)
NEW_VERSION = (
    update(items)
    .where(items.c.id == bindparam("of_item"))
    .values(version=bindparam("to_version"), gold=bindparam("is_gold"), rated=bindparam("is_rated"))
)


class Loader:
    """Fulfils `ItemLoader`."""

    def __init__(self, core: Core) -> None:
        self._core = core

    def load(
        self,
        study: str,
        items: Iterable[NewItem],
        progress: Callable[[int], None] | None = None,
    ) -> Loaded:
        with self._core.database.write() as tx, eager(tx):
            if not tx.sqlite:
                tx.plain(ONE_LOADER)
            known = self._core.add(tx, study)
            one = Load.begin(tx, known)
            come = chunks(ready(known, item) for item in items)
            # What of them is new must be asked of the database, unless all of it is.
            for rows in map(one.new, ahead(come)) if one.known_before else ahead(map(one.rows, come)):
                one.add(rows)
                if progress:
                    progress(rows.came)
            return one.finish()


def chunks(items: Iterable[Ready]) -> Iterator[list[Ready]]:
    """Few enough at once to be held, however large they are."""
    chunk: list[Ready] = []
    size = 0
    for item in items:
        chunk.append(item)
        size += item.size
        if len(chunk) == CHUNK or size > CHUNK_BYTES:
            yield chunk
            chunk, size = [], 0
    if chunk:
        yield chunk


Made = TypeVar("Made")


def ahead(made: Iterator[Made]) -> Iterator[Made]:
    """The same, made by another thread while this one is busy with what came before."""
    with ThreadPoolExecutor(1, "items") as reader:
        waiting = deque(reader.submit(next, made, None) for _ in range(AHEAD))
        while (one := waiting.popleft().result()) is not None:
            waiting.append(reader.submit(next, made, None))
            yield one


@contextmanager
def eager(tx: Tx) -> Iterator[None]:
    """Settings that only a load gains from."""
    usual = sys.getswitchinterval()
    sys.setswitchinterval(TURN_SECONDS)
    if tx.sqlite:
        tx.plain(CACHE)
    try:
        yield
    finally:
        sys.setswitchinterval(usual)
        if tx.sqlite:
            tx.plain(CACHE_AGAIN)


@dataclass(slots=True)
class Rows:
    """What a chunk adds to each table, row after row."""

    came: int
    batches: list[dict[str, Any]] = field(default_factory=list)
    items: list[Any] = field(default_factory=list)
    shown: list[Any] = field(default_factory=list)
    hidden: list[Any] = field(default_factory=list)
    media: list[dict[str, Any]] = field(default_factory=list)


@dataclass(slots=True)
class Load:
    """One load on its way."""

    tx: Tx
    study: Known
    number: int
    known_before: int
    next_id: int
    batches: dict[str, int]
    next_position: int
    first_position: int
    loaded: Loaded = field(default_factory=Loaded)
    in_order: bool = True
    """Whether items come batch by batch and without threads, so that they are placed as they come."""
    _met: list[int | None] = field(default_factory=list)

    @classmethod
    def begin(cls, tx: Tx, study: Known) -> Load:
        number = tx.value(BEGIN_LOAD, of_study=study.id)
        start = tx.value(LAST_POSITION, study=study.id) if number > 1 else None
        position = 0 if start is None else start + 1
        return cls(
            tx,
            study,
            number,
            tx.value(HAS_ITEMS, study=study.id),
            (tx.value(LAST_ID) or 0) + 1,
            dict(tx.all(BATCHES, study=study.id)),
            position,
            position,
        )

    def new(self, chunk: Sequence[Ready]) -> Rows:
        """The rows of those that were not there; what became of the others is seen to."""
        known, new = self._known(chunk), []
        for item in chunk:
            before = known.get((item.key, item.copy))
            if before is None:
                new.append(item)
            elif before[2] == item.digest:
                self.loaded.same += 1
            else:
                self._change(item, before)
        return self.rows(new, chunk)

    def _known(self, chunk: Sequence[Ready]) -> dict[tuple[str, int], Row]:
        keys = list({item.key for item in chunk})
        return {(row[0], row[1]): row for row in self.tx.all(KNOWN, study=self.study.id, keys=keys)}

    def rows(self, new: Sequence[Ready], chunk: Sequence[Ready] | None = None) -> Rows:
        chunk = new if chunk is None else chunk
        self.loaded.new += len(new)
        self.loaded.context += sum(not item.rated for item in chunk)
        self.loaded.duplicates += sum(item.copy > 0 for item in chunk)
        rows = Rows(len(chunk), media=self._media(chunk))
        for number, item in enumerate(new, self.next_id):
            batch = None if item.batch is None else self._batch(item.batch, rows)
            rows.items += number, self.number, batch, self._position(item, batch)
            rows.items += item.item
            rows.shown += number, 1
            rows.shown += item.shown
            rows.hidden += number, 1
            rows.hidden += item.hidden
        self.next_id += len(new)
        return rows

    def _position(self, item: Ready, batch: int | None) -> int | None:
        """Where raters meet it, as long as that can be said without having seen the rest."""
        if not item.rated:
            return None
        if not self._met or self._met[-1] != batch:
            self.in_order = self.in_order and batch not in self._met
            self._met.append(batch)
        if item.threaded or not self.in_order:
            self.in_order = False
            return None
        self.next_position += 1
        return self.next_position - 1

    def _batch(self, name: str, rows: Rows) -> int:
        if name not in self.batches:
            number = self.batches[name] = len(self.batches)
            rows.batches.append({"study": self.study.id, "number": number, "name": name})
        return self.batches[name]

    def _media(self, chunk: Iterable[Ready]) -> list[dict[str, Any]]:
        names = {text_in(name) for item in chunk for name in item.media}
        secret, study = self.study.secret, self.study.id
        return [
            {"study": study, "public": opaque(secret, "media", name), "name": name}
            for name in sorted(names)
        ]

    def add(self, rows: Rows) -> None:
        try:
            self.tx.many(ADD_BATCH, rows.batches)
            self.tx.bulk(items, ITEM, rows.items)
            self.tx.bulk(shown, SHOWN, rows.shown)
            self.tx.bulk(hidden, HIDDEN, rows.hidden)
            self.tx.many(ADD_MEDIA, rows.media)
        except (sqlite3.IntegrityError, psycopg.errors.UniqueViolation) as error:
            raise Problem(SAME_ITEM_TWICE, got=_twice(rows.hidden)) from error

    def _change(self, item: Ready, before: Row) -> None:
        number, version = before[3], before[4] + 1
        self.loaded.changed += 1
        self.tx.bulk(shown, SHOWN, [number, version, *item.shown])
        self.tx.bulk(hidden, HIDDEN, [number, version, *item.hidden])
        self.tx.run(
            NEW_VERSION,
            of_item=number,
            to_version=version,
            is_gold=int(item.gold),
            is_rated=int(item.rated),
        )

    def finish(self) -> Loaded:
        arrange(self.tx, self.study.id, self.number, self.first_position, in_order=self.in_order)
        if not self.tx.sqlite and self.loaded.new:
            self.tx.plain(COUNT_AGAIN)
        self.loaded.gone = self.known_before - self.loaded.same - self.loaded.changed
        return self.loaded


def _twice(hidden: Sequence[Any]) -> str:
    width = len(HIDDEN)
    keys = zip(hidden[HIDDEN.index("key") :: width], hidden[HIDDEN.index("copy") :: width], strict=True)
    twice = (key for (key, _), times in Counter(keys).items() if times > 1)
    return text_out(next(twice, "of one of these"))
