"""Loading items: new ones added, changed ones versioned, the rest counted; all in one transaction."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import islice
from typing import TYPE_CHECKING

from sqlalchemy import bindparam, func, select, update

from rubrica.errors import Problem
from rubrica.items.model import Loaded, NewItem
from rubrica.storage.arrange import arrange
from rubrica.storage.codec import (
    fingerprint,
    json_in,
    maybe_in,
    opaque,
    shown_in,
    text_in,
    thread_number,
)
from rubrica.storage.core import Core, Known
from rubrica.storage.item_tables import batches, hidden, items, shown
from rubrica.storage.items import ADD_MEDIA
from rubrica.storage.later import Later
from rubrica.storage.rules import SAME_ITEM_TWICE
from rubrica.storage.sql import Row, Tx, insert_into, one_of
from rubrica.storage.tables import studies

if TYPE_CHECKING:
    import psycopg
else:
    psycopg = Later("psycopg")


CHUNK = 250
"""Items alive at once: with more, collecting garbage costs more than what was saved."""
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

ITEM = (
    "id",
    "study",
    "public",
    "load",
    "place",
    "batch",
    "thread",
    "turn",
    "gold",
    "rated",
    "position",
)
SHOWN = ("item", "version", "study", "views", "entries", "facts", "media")
HIDDEN = (
    *("item", "version", "study", "key", "copy", "digest", "file", "line", "thread", "system"),
    *("wave", "gold", "data", "source"),
)

repeated_in = lru_cache(maxsize=4096)(text_in)
"""File, system and wave names come again and again."""


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
        with self._core.database.write() as tx:
            if not tx.sqlite:
                tx.plain(ONE_LOADER)
            one = Load.begin(tx, self._core.add(tx, study))
            stream = iter(items)
            while chunk := list(islice(stream, CHUNK)):
                one.add(chunk)
                if progress:
                    progress(len(chunk))
            return one.finish()


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

    def add(self, chunk: Sequence[NewItem]) -> None:
        try:
            self._sort(chunk)
        except (sqlite3.IntegrityError, psycopg.errors.UniqueViolation) as error:
            raise Problem(SAME_ITEM_TWICE, got=_twice(chunk)) from error

    def _sort(self, chunk: Sequence[NewItem]) -> None:
        known = self._known(chunk)
        new: list[NewItem] = []
        for item in chunk:
            self.loaded.context += not item.rated
            self.loaded.duplicates += item.copy > 0
            before = known.get((text_in(item.key), item.copy))
            if before is None:
                new.append(item)
            elif before[2] == fingerprint(item, shown_in(item)):
                self.loaded.same += 1
            else:
                self._change(item, before)
        self._add_new(new)
        self._add_media(chunk)

    def _known(self, chunk: Sequence[NewItem]) -> dict[tuple[str, int], Row]:
        if not self.known_before:
            return {}
        keys = list({text_in(item.key) for item in chunk})
        return {(row[0], row[1]): row for row in self.tx.all(KNOWN, study=self.study.id, keys=keys)}

    def _add_new(self, new: Sequence[NewItem]) -> None:
        ids = range(self.next_id, self.next_id + len(new))
        self.next_id += len(new)
        self.loaded.new += len(new)
        study = self.study.id
        self.tx.bulk(items, ITEM, [self._item(i, item) for i, item in zip(ids, new, strict=True)])
        rows = [(i, item, shown_in(item)) for i, item in zip(ids, new, strict=True)]
        self.tx.bulk(shown, SHOWN, [_shown(i, 1, study, item, kept) for i, item, kept in rows])
        self.tx.bulk(hidden, HIDDEN, [_hidden(i, 1, study, item, kept) for i, item, kept in rows])

    def _item(self, number: int, item: NewItem) -> Row:
        batch = self._batch(item.origin.batch)
        thread = None if item.thread is None else thread_number(item.thread)
        return (
            number,
            self.study.id,
            opaque(self.study.secret, "item", text_in(item.key), item.copy),
            self.number,
            item.position,
            batch,
            thread,
            item.turn,
            int(item.gold is not None),
            int(item.rated),
            self._position(item, batch),
        )

    def _position(self, item: NewItem, batch: int | None) -> int | None:
        """Where raters meet it, as long as that can be said without having seen the rest."""
        if not item.rated:
            return None
        if not self._met or self._met[-1] != batch:
            self.in_order = self.in_order and batch not in self._met
            self._met.append(batch)
        self.in_order = self.in_order and item.thread is None
        if not self.in_order:
            return None
        self.next_position += 1
        return self.next_position - 1

    def _batch(self, name: str | None) -> int | None:
        if name is None:
            return None
        kept = repeated_in(name)
        if kept not in self.batches:
            self.batches[kept] = len(self.batches)
            self.tx.run(ADD_BATCH, study=self.study.id, number=self.batches[kept], name=kept)
        return self.batches[kept]

    def _change(self, item: NewItem, before: Row) -> None:
        number, version = before[3], before[4] + 1
        self.loaded.changed += 1
        kept = shown_in(item)
        self.tx.bulk(shown, SHOWN, [_shown(number, version, self.study.id, item, kept)])
        self.tx.bulk(hidden, HIDDEN, [_hidden(number, version, self.study.id, item, kept)])
        self.tx.run(
            NEW_VERSION,
            of_item=number,
            to_version=version,
            is_gold=int(item.gold is not None),
            is_rated=int(item.rated),
        )

    def _add_media(self, chunk: Iterable[NewItem]) -> None:
        names = {text_in(name) for item in chunk for name in item.media}
        secret, study = self.study.secret, self.study.id
        rows = [
            {"study": study, "public": opaque(secret, "media", name), "name": name}
            for name in sorted(names)
        ]
        self.tx.many(ADD_MEDIA, rows)

    def finish(self) -> Loaded:
        arrange(self.tx, self.study.id, self.number, self.first_position, in_order=self.in_order)
        if not self.tx.sqlite and self.loaded.new:
            self.tx.plain(COUNT_AGAIN)
        self.loaded.gone = self.known_before - self.loaded.same - self.loaded.changed
        return self.loaded


Kept = tuple[str, str, str]


def _shown(number: int, version: int, study: int, item: NewItem, kept: Kept) -> Row:
    media = json_in(list(item.media)) if item.media else "[]"
    return (number, version, study, *kept, media)


def _hidden(number: int, version: int, study: int, item: NewItem, kept: Kept) -> Row:
    return (
        number,
        version,
        study,
        text_in(item.key),
        item.copy,
        fingerprint(item, kept),
        repeated_in(item.origin.file),
        item.origin.place,
        maybe_in(item.thread),
        None if item.system is None else repeated_in(item.system),
        None if item.wave is None else repeated_in(item.wave),
        None if item.gold is None else json_in(item.gold),
        None if item.whole else json_in(item.hidden),
        item.source,
    )


def _twice(chunk: Iterable[NewItem]) -> str:
    met: set[tuple[str, int]] = set()
    for item in chunk:
        if (item.key, item.copy) in met:
            return item.key
        met.add((item.key, item.copy))
    return "of one of these"
