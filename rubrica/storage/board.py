"""What the desk reads: sums of small tables, pages of items, what was settled, and kept results."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from typing import Any

from sqlalchemy import BindParameter, Select, bindparam, func, select, text

from rubrica.ratings.model import Rating
from rubrica.review.board import (
    EVER,
    Batch,
    By,
    Counting,
    Cursor,
    Days,
    Held,
    ItemFilter,
    ItemLine,
    ItemPage,
    Kept,
    Level,
    Mark,
    Settled,
    Tally,
)
from rubrica.storage import counting as counts
from rubrica.storage.codec import json_in, json_out, maybe_out, text_in, text_out
from rubrica.storage.core import Core
from rubrica.storage.desk_tables import (
    kept_results,
    levels,
    settlements,
    tallies,
    touched_items,
)
from rubrica.storage.item_tables import batches, lists, spans
from rubrica.storage.lines import ONE_LINE, as_line, page_of_lines
from rubrica.storage.ratings import COLUMNS, NOT_WITHDRAWN, as_rating
from rubrica.storage.sql import Row, Tx, insert_into
from rubrica.storage.tables import places, raters, ratings, sessions

STUDY: BindParameter[Any] = bindparam("study")

SUMS = (
    func.sum(tallies.c.rated),
    func.sum(tallies.c.skipped),
    func.sum(tallies.c.revised),
    func.sum(tallies.c.active),
    func.sum(tallies.c.wall),
    func.sum(tallies.c.unread),
    func.min(tallies.c.first),
    func.max(tallies.c.last),
)
BYS: dict[By, tuple[str, ...]] = {
    "rater": ("rater",),
    "batch": ("batch",),
    "day": ("day",),
    "version": ("version",),
    "rater and day": ("rater", "day"),
    "rater and batch": ("rater", "batch"),
}
WITHDRAWN = select(raters.c.number).where(raters.c.study == STUDY, raters.c.state == "withdrawn")
HELD = (
    select(places.c.rater, func.count())
    .where(places.c.study == STUDY, places.c.state == "reserved")
    .where(text("places.state IN ('reserved', 'released')"))
    .group_by(places.c.rater)
)
AT_WORK = (
    select(places.c.rater)
    .where(places.c.study == STUDY, text("places.state = 'reserved'"))
    .where(
        select(sessions.c.who)
        .where(sessions.c.role == "rater", sessions.c.study == bindparam("name"))
        .where(sessions.c.who == places.c.rater, sessions.c.touched > bindparam("since"))
        .exists()
    )
    .group_by(places.c.rater)
)
LISTED = select(func.count()).select_from(lists).where(lists.c.study == STUDY)
BATCHES = (
    select(spans.c.batch, batches.c.name, func.sum(spans.c.size))
    .outerjoin_from(
        spans, batches, (batches.c.study == spans.c.study) & (batches.c.number == spans.c.batch)
    )
    .where(spans.c.study == STUDY)
    .group_by(spans.c.batch, batches.c.name)
    .order_by(spans.c.batch)
)
LEVELS = (
    select(levels.c.batch, levels.c.level, levels.c["items"])
    .where(levels.c.study == STUDY, levels.c.kind == "done", levels.c["items"] > 0)
    .order_by(levels.c.batch, levels.c.level)
)
MARKS = (
    select(levels.c.kind, func.sum(levels.c["items"]))
    .where(levels.c.study == STUDY, levels.c.kind != "done")
    .group_by(levels.c.kind)
)
SKIPS = (
    select(levels.c.level, func.sum(levels.c["items"]))
    .where(levels.c.study == STUDY, levels.c.kind == "skipped")
    .group_by(levels.c.level)
)
OF_ITEM = (
    select(*COLUMNS)
    .join_from(places, ratings, ratings.c.place == places.c.id)
    .where(places.c.study == STUDY, places.c.item == bindparam("item"), NOT_WITHDRAWN)
    .order_by(ratings.c.number)
)
SETTLEMENT = ("item", "question", "value", "note", "who", "version", "time", "number")
ALL_SETTLED = (
    select(*(settlements.c[name] for name in SETTLEMENT))
    .where(settlements.c.study == STUDY)
    .order_by(settlements.c.number)
)
SETTLED = ALL_SETTLED.where(settlements.c.item == bindparam("item"))
LAST_SETTLED = select(func.max(settlements.c.number))
SETTLE = insert_into(settlements)
TOUCH = insert_into(touched_items).on_conflict_do_nothing()
_KEEP = insert_into(kept_results)
KEEP = _KEEP.on_conflict_do_update(
    index_elements=["study", "what"],
    set_={name: _KEEP.excluded[name] for name in ("of", "body", "made", "seconds")},
)
KEPT = select(
    kept_results.c["of"], kept_results.c.body, kept_results.c.made, kept_results.c.seconds
).where(kept_results.c.study == STUDY, kept_results.c.what == bindparam("what"))
KEPT_OF = select(kept_results.c["of"], kept_results.c.made, kept_results.c.seconds).where(
    kept_results.c.study == STUDY, kept_results.c.what == bindparam("what")
)
NEWEST = select(func.max(ratings.c.number)).where(ratings.c.study == STUDY)
ONE_SETTLER = "SELECT pg_advisory_xact_lock(7304214)"


@cache
def _sums(by: By, one: bool, ever: bool) -> Select[Any]:
    named = [tallies.c[name] for name in BYS[by]]
    found = select(*named, *SUMS).where(tallies.c.study == STUDY, tallies.c.rater.not_in(WITHDRAWN))
    if not ever:
        found = found.where(tallies.c.day.between(bindparam("since"), bindparam("until")))
    if one:
        found = found.where(tallies.c.rater == bindparam("rater"))
    return found.group_by(*named).order_by(*named)


class Board:
    """Fulfils `BoardStore`."""

    def __init__(self, core: Core) -> None:
        self._core = core

    def count(self, study: str, counting: Counting, most: int = 500) -> int:
        return counts.count(self._core, study, counting, most)

    def uncounted(self, study: str) -> int:
        return counts.waiting(self._core, self._core.id(study))

    def tallies(
        self, study: str, by: By, rater: int | None = None, days: Days = EVER
    ) -> Sequence[Tally]:
        asked = {} if rater is None else {"rater": rater}
        when = {} if days == EVER else dict(zip(("since", "until"), days, strict=True))
        rows = self._all(study, _sums(by, rater is not None, days == EVER), **asked, **when)
        return [_tally(BYS[by], row) for row in rows]

    def held(self, study: str) -> Sequence[Held]:
        return [Held(*row) for row in self._all(study, HELD)]

    def at_work(self, study: str, since: float) -> int:
        return len(self._all(study, AT_WORK, name=text_in(study), since=since))

    def listed(self, study: str) -> int:
        return int(self._all(study, LISTED)[0][0])

    def batches(self, study: str) -> Sequence[Batch]:
        rows = self._all(study, BATCHES)
        return [Batch(number, maybe_out(name), int(size)) for number, name, size in rows]

    def levels(self, study: str) -> Sequence[Level]:
        rows = self._all(study, LEVELS)
        return [Level(None if batch < 0 else batch, done, n) for batch, done, n in rows]

    def marks(self, study: str) -> Mapping[Mark, int]:
        return {kind: int(n) for kind, n in self._all(study, MARKS) if n}

    def skips(self, study: str) -> Mapping[int, int]:
        return {times: int(n) for times, n in self._all(study, SKIPS) if n}

    def _all(self, study: str, statement: Select[Any], **params: Any) -> list[Row]:
        with self._core.database.read() as tx:
            return tx.all(statement, study=self._core.id(study), **params)

    # --- items ---

    def lines(self, study: str, wanted: ItemFilter, after: Cursor | None, count: int) -> ItemPage:
        with self._core.database.read() as tx:
            return page_of_lines(tx, self._core.id(study), wanted, after, count)

    def line(self, study: str, public: str) -> ItemLine | None:
        rows = self._all(study, ONE_LINE, public=text_in(public))
        return as_line(rows[0]) if rows else None

    def of_item(self, study: str, item: int) -> Sequence[Rating]:
        return [as_rating(study, row) for row in self._all(study, OF_ITEM, item=item)]

    # --- settled answers ---

    def settle(self, study: str, settled: Settled) -> Settled:
        known, now = self._core.id(study), self._core.now()

        def add(tx: Tx) -> int:
            if not tx.sqlite:
                tx.plain(ONE_SETTLER)
            number = (tx.value(LAST_SETTLED) or 0) + 1
            texts = {n: text_in(getattr(settled, n)) for n in ("question", "note", "who", "version")}
            value = json_in(settled.value)
            named = {"number": number, "study": known, "item": settled.item, "time": now}
            tx.run(SETTLE, value=value, **named, **texts)
            tx.run(TOUCH, study=known, item=settled.item)
            return number

        number = self._core.writer.call(add)
        return next(s for s in self.settled(study, settled.item) if s.number == number)

    def settled(self, study: str, item: int | None = None) -> Sequence[Settled]:
        rows = self._all(study, ALL_SETTLED) if item is None else self._all(study, SETTLED, item=item)
        return [_settled(row) for row in rows]

    # --- results ---

    def keep(self, study: str, what: str, kept: Kept) -> None:
        known = self._core.id(study)
        values = {"of": kept.of, "body": kept.body, "made": kept.made, "seconds": kept.seconds}
        self._core.writer.call(lambda tx: tx.run(KEEP, study=known, what=what, **values))

    def kept(self, study: str, what: str) -> Kept | None:
        rows = self._all(study, KEPT, what=what)
        return Kept(*rows[0]) if rows else None

    def kept_of(self, study: str, what: str) -> Kept | None:
        rows = self._all(study, KEPT_OF, what=what)
        return Kept(rows[0][0], "", *rows[0][1:]) if rows else None

    def newest(self, study: str) -> int:
        return int(self._all(study, NEWEST)[0][0] or 0)


def _tally(named: Sequence[str], row: Row) -> Tally:
    held = dict(zip(named, row, strict=False))
    rated, skipped, revised, active, wall, unread, first, last = row[len(named) :]
    batch, version = held.get("batch"), held.get("version")
    return Tally(
        rater=held.get("rater"),
        batch=None if batch is None or batch < 0 else batch,
        day=held.get("day"),
        version=maybe_out(version),
        rated=int(rated),
        skipped=int(skipped),
        revised=int(revised),
        active_seconds=float(active),
        wall_seconds=float(wall),
        unread=int(unread),
        first=first,
        last=last,
    )


def _settled(row: Row) -> Settled:
    item, question, value, note, who, version, time, number = row
    return Settled(
        item=item,
        question=text_out(question),
        value=json_out(value),
        note=text_out(note),
        who=text_out(who),
        version=text_out(version),
        when=time,
        number=number,
    )
