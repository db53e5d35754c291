"""The shown side of items, which is all that rater-facing rooms can select; and the hidden side.

Two classes, two sets of statements: those of `Items` name neither `hidden` nor `batches`, and a test
reads them to make sure.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from sqlalchemy import BindParameter, ColumnElement, Select, bindparam, func, literal_column, select

from rubrica.errors import Problem
from rubrica.items.model import Item, Shown
from rubrica.storage.codec import json_out, maybe_out, opaque, text_in, text_out
from rubrica.storage.core import Core, Known
from rubrica.storage.item_tables import batches, hidden, items, media, shown, spans
from rubrica.storage.rules import UNKNOWN_ITEM
from rubrica.storage.sql import Row, insert_into, one_of
from rubrica.storage.tables import studies
from rubrica.verdicts.model import HiddenItem

STUDY: BindParameter[Any] = bindparam("study")


def _shown(study: ColumnElement[Any] = items.c.study) -> Select[Any]:
    current = (shown.c.item == items.c.id) & (shown.c.version == items.c.version)
    return (
        select(
            items.c.id,
            items.c.public,
            items.c.place,
            items.c.batch,
            items.c.turn,
            items.c.gold,
            shown.c.views,
            shown.c.entries,
            shown.c.facts,
            shown.c.media,
        )
        .join_from(items, shown, current)
        .where(study == STUDY)
    )


ONE = _shown().where(items.c.id == bindparam("item"))
# By their numbers; the study is only looked at, or SQLite would walk through all of its items.
MANY = _shown(literal_column("items.study + 0")).where(one_of(items.c.id, "items"))
EDITION = select(studies.c.loads).where(studies.c.id == STUDY)
PUBLIC = _shown().where(items.c.public == bindparam("public"))
THREAD = select(items.c.thread, items.c.turn, items.c.place).where(
    items.c.study == STUDY, items.c.id == bindparam("item")
)
EARLIER = (
    _shown()
    .where(
        items.c.thread == bindparam("thread"),
        (items.c.turn < bindparam("turn"))
        | ((items.c.turn == bindparam("turn")) & (items.c.place < bindparam("place"))),
    )
    .order_by(items.c.turn, items.c.place)
)
SIZES = (
    select(spans.c.batch, func.sum(spans.c.size))
    .where(spans.c.study == STUDY)
    .group_by(spans.c.batch)
    .order_by(spans.c.batch)
)
ADD_MEDIA = insert_into(media).on_conflict_do_nothing()
MEDIA = select(media.c.name).where(media.c.study == STUDY, media.c.public == bindparam("public"))


class Items:
    """Fulfils `ItemStore`."""

    def __init__(self, core: Core) -> None:
        self._core = core

    def item(self, study: str, item: int) -> Item:
        known = self._core.known(study)
        with self._core.database.read() as tx:
            row = tx.one(ONE, study=known.id, item=item)
        if row is None:
            raise Problem(UNKNOWN_ITEM, got=str(item))
        return _item(known, row)

    def items(self, study: str, items: Sequence[int]) -> Mapping[int, Item]:
        if not items:
            return {}
        known = self._core.known(study)
        with self._core.database.read() as tx:
            rows = tx.all(MANY, study=known.id, items=list(items))
        return {row[0]: _item(known, row) for row in rows}

    def edition(self, study: str) -> int:
        with self._core.database.read() as tx:
            return int(tx.value(EDITION, study=self._core.id(study)) or 0)

    def by_public(self, study: str, public: str) -> Item | None:
        known = self._core.known(study)
        with self._core.database.read() as tx:
            row = tx.one(PUBLIC, study=known.id, public=text_in(public))
        return None if row is None else _item(known, row)

    def earlier(self, study: str, item: int) -> Sequence[Item]:
        known = self._core.known(study)
        with self._core.database.read() as tx:
            at = tx.one(THREAD, study=known.id, item=item)
            if at is None or at[0] is None:
                return []
            rows = tx.all(EARLIER, study=known.id, thread=at[0], turn=at[1], place=at[2])
        return [_item(known, row) for row in rows]

    def count(self, study: str) -> int:
        return sum(size for _, size in self._sizes(study))

    def batches(self, study: str) -> Sequence[int]:
        return [size for batch, size in self._sizes(study) if batch is not None]

    def _sizes(self, study: str) -> list[tuple[int | None, int]]:
        known = self._core.find(study)
        if known is None:
            return []
        with self._core.database.read() as tx:
            return [(batch, int(size)) for batch, size in tx.all(SIZES, study=known.id)]

    def media_ids(self, study: str, names: Sequence[str]) -> Mapping[str, str]:
        known = self._core.known(study)
        ids = {name: opaque(known.secret, "media", text_in(name)) for name in names}
        rows = [
            {"study": known.id, "public": public, "name": text_in(name)}
            for name, public in sorted(ids.items())
            if self.media(study, public) is None
        ]
        if rows:
            self._core.writer.call(lambda tx: tx.many(ADD_MEDIA, rows))
        return ids

    def media(self, study: str, public: str) -> str | None:
        known = self._core.id(study)
        with self._core.database.read() as tx:
            return maybe_out(tx.value(MEDIA, study=known, public=text_in(public)))


def _item(study: Known, row: Row) -> Item:
    number, public, place, batch, turn, gold, views, entries, facts, names = row
    ids = {name: opaque(study.secret, "media", text_in(name)) for name in json_out(names)}
    return Item(
        id=number,
        public=public,
        position=place,
        shown=Shown(json_out(views), json_out(entries)),
        facts=json_out(facts),
        batch=batch,
        turn=turn,
        gold=bool(gold),
        media=ids,
    )


def _hidden() -> Select[Any]:
    current = (hidden.c.item == items.c.id) & (hidden.c.version == items.c.version)
    named = (batches.c.study == items.c.study) & (batches.c.number == items.c.batch)
    return (
        select(
            items.c.id,
            items.c.public,
            hidden.c.key,
            hidden.c.copy,
            hidden.c.file,
            hidden.c.line,
            batches.c.name,
            hidden.c.thread,
            items.c.turn,
            hidden.c.system,
            hidden.c.wave,
            items.c.rated,
            items.c.place,
            hidden.c.data,
            hidden.c.source,
            hidden.c.gold,
        )
        .join_from(items, hidden, current)
        .outerjoin(batches, named)
        .where(items.c.study == STUDY)
    )


HIDDEN_ONE = _hidden().where(items.c.id == bindparam("item"))
HIDDEN_ALL = _hidden().order_by(items.c.id)
HIDDEN_RATED = _hidden().where(items.c.rated == 1).order_by(items.c.id)
HIDDEN_KEY = _hidden().where(
    hidden.c.study == STUDY, hidden.c.key == bindparam("key"), hidden.c.copy == bindparam("copy")
)


class Verdicts:
    """Fulfils `VerdictStore`."""

    def __init__(self, core: Core) -> None:
        self._core = core

    def hidden(self, study: str, item: int) -> HiddenItem:
        known = self._core.id(study)
        with self._core.database.read() as tx:
            row = tx.one(HIDDEN_ONE, study=known, item=item)
        if row is None:
            raise Problem(UNKNOWN_ITEM, got=str(item))
        return _hidden_item(row)

    def all_hidden(self, study: str, *, context: bool = False) -> Iterator[HiddenItem]:
        known = self._core.id(study)
        statement = HIDDEN_ALL if context else HIDDEN_RATED
        with self._core.database.snapshot() as tx:
            for row in tx.stream(statement, study=known):
                yield _hidden_item(row)

    def by_key(self, study: str, key: str, copy: int = 0) -> HiddenItem | None:
        known = self._core.id(study)
        with self._core.database.read() as tx:
            row = tx.one(HIDDEN_KEY, study=known, key=text_in(key), copy=copy)
        return None if row is None else _hidden_item(row)


def _hidden_item(row: Row) -> HiddenItem:
    number, public, key, copy, file, line, batch, thread, turn, system, wave, *rest = row
    rated, place, data, source, gold = *rest[:3], bytes(rest[3]), rest[4]
    return HiddenItem(
        id=number,
        public=public,
        key=text_out(key),
        copy=copy,
        file=text_out(file),
        line=line,
        batch=maybe_out(batch),
        thread=maybe_out(thread),
        turn=turn,
        system=maybe_out(system),
        wave=maybe_out(wave),
        rated=bool(rated),
        position=place,
        hidden=json_out(source if data is None else data),
        source=source,
        gold=None if gold is None else json_out(gold),
    )
