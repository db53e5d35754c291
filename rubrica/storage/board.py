"""What the desk reads: sums of small tables, and pages of items found by an index."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from itertools import islice
from time import monotonic
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
from rubrica.storage.codec import json_in, json_out, maybe_out, text_in, text_out, thread_number
from rubrica.storage.core import Core
from rubrica.storage.desk_tables import (
    kept_results,
    levels,
    marks,
    settlements,
    tallies,
    touched_items,
)
from rubrica.storage.item_tables import batches, hidden, items, lists, shown, spans
from rubrica.storage.ratings import COLUMNS, NOT_WITHDRAWN, as_rating
from rubrica.storage.sql import Row, Tx, insert_into, one_of
from rubrica.storage.tables import places, raters, ratings, sessions

STUDY: BindParameter[Any] = bindparam("study")
SEARCH_SECONDS = 0.15
SEARCHED_AT_ONCE = 2_000
WHOLE = (0, 2**31 - 1)

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
SPANS = (
    select(spans.c.start, spans.c.size)
    .where(spans.c.study == STUDY, spans.c.batch == bindparam("batch"))
    .order_by(spans.c.start)
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
LINE = (
    items.c.id,
    items.c.public,
    marks.c.position,
    hidden.c.key,
    hidden.c.copy,
    batches.c.name,
    hidden.c.thread,
    items.c.turn,
    hidden.c.system,
    hidden.c.wave,
    *(marks.c[name] for name in ("done", "skipped", "comments", "flags", "split", "settled")),
)


def _joined_lines() -> Select[Any]:
    current = (hidden.c.item == items.c.id) & (hidden.c.version == items.c.version)
    named = (batches.c.study == items.c.study) & (batches.c.number == items.c.batch)
    return (
        select(*LINE)
        .join_from(marks, items, items.c.id == marks.c.item)
        .join(hidden, current)
        .outerjoin(batches, named)
    )


def _lines() -> Select[Any]:
    return _joined_lines().where(marks.c.study == STUDY)


THREAD = select(items.c.id).where(
    items.c.study == STUDY, items.c.thread == bindparam("thread"), items.c.position.is_not(None)
)
IN_THREAD = (
    _lines()
    .where(one_of(marks.c.item, "items"), hidden.c.thread == bindparam("name"))
    .order_by(marks.c.position)
)
# Of the marks nothing is said here: their index by study would be read from end to end.
ONE_LINE = _joined_lines().where(items.c.study == STUDY, items.c.public == bindparam("public"))


@cache
def _page(level: bool, mark: Mark | None, find: bool) -> Select[Any]:
    """The statement of a page: one text for each sort of filter, whatever its values are."""
    found = _lines()
    found = found.where(
        marks.c.position > bindparam("after"),
        marks.c.position >= bindparam("low"),
        marks.c.position < bindparam("high"),
        marks.c.skipped >= bindparam("skips"),
    )
    if level:
        found = found.where(marks.c.done == bindparam("level"))
    if mark is not None:
        found = found.where(text(f"marks.{mark} > 0"))
    if find:
        current = (shown.c.item == items.c.id) & (shown.c.version == items.c.version)
        found = found.join(shown, current).where(
            shown.c.views.ilike(bindparam("like"), escape="!")
            | hidden.c.key.ilike(bindparam("like"), escape="!")
        )
    return found.order_by(marks.c.position).limit(bindparam("count"))


SPLIT = (
    _lines()
    .where(
        text("split > 0"),
        (marks.c.split < bindparam("split"))
        | ((marks.c.split == bindparam("split")) & (marks.c.position < bindparam("after"))),
        marks.c.position >= bindparam("low"),
        marks.c.position < bindparam("high"),
        marks.c.done >= bindparam("least"),
        marks.c.done <= bindparam("most"),
        marks.c.skipped >= bindparam("skips"),
    )
    .order_by(marks.c.split.desc(), marks.c.position.desc())
    .limit(bindparam("count"))
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
LAST_LINE = select(func.max(marks.c.position)).where(marks.c.study == STUDY)
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
        known = self._core.id(study)
        with self._core.database.read() as tx:
            ranges = [WHOLE] if wanted.batch is None else _ranges(tx, known, wanted.batch)
            if wanted.thread is not None:
                rows, searched = _of_thread(tx, known, wanted, after), None
            elif wanted.mark == "split" and not wanted.find:
                rows = _most_split(tx, known, wanted, ranges, after, count + 1)
                searched = None
            else:
                start = -1 if after is None else after[1]
                rows, searched = _in_order(tx, known, wanted, ranges, start, count + 1)
        found = [_line(row) for row in rows[:count]]
        last = found[-1] if found and len(rows) > count else None
        if last is not None:
            return ItemPage(found, (last.split, last.position), None)
        return ItemPage(found, None if searched is None else (0, searched), searched)

    def line(self, study: str, public: str) -> ItemLine | None:
        rows = self._all(study, ONE_LINE, public=text_in(public))
        return _line(rows[0]) if rows else None

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


def _ranges(tx: Tx, study: int, batch: int) -> list[tuple[int, int]]:
    """The positions of a batch: one run for each load that brought items of it."""
    return [(start, start + size) for start, size in tx.all(SPANS, study=study, batch=batch)]


def _of_thread(tx: Tx, study: int, wanted: ItemFilter, after: Cursor | None) -> list[Row]:
    """The items of one thread, which are few; the rest of the filter is asked of each."""
    number, name = thread_number(wanted.thread or ""), text_in(wanted.thread or "")
    ids = [row[0] for row in tx.all(THREAD, study=study, thread=number)]
    rows = tx.all(IN_THREAD, study=study, items=ids, name=name)
    found = ((row, _line(row)) for row in rows if after is None or row[2] > after[1])
    return [row for row, line in found if _wanted(line, wanted)]


def _wanted(line: ItemLine, wanted: ItemFilter) -> bool:
    return (
        (wanted.levels is None or line.done in wanted.levels)
        and (wanted.mark is None or bool(getattr(line, wanted.mark)))
        and line.skipped >= wanted.skips
        and wanted.find.lower() in line.key.lower()
    )


def _most_split(
    tx: Tx,
    study: int,
    wanted: ItemFilter,
    ranges: Sequence[tuple[int, int]],
    after: Cursor | None,
    count: int,
) -> list[Row]:
    split, position = after or (2.0, 0)
    least, most = 0, 2**31 - 1
    if wanted.levels is not None:
        least, most = min(wanted.levels, default=0), max(wanted.levels, default=-1)
    rows: list[Row] = []
    for low, high in ranges:
        params = {"low": low, "high": high, "least": least, "most": most, "skips": wanted.skips}
        rows += tx.all(SPLIT, study=study, split=split, after=position, count=count, **params)
    return sorted(rows, key=lambda row: (row[14], row[2]), reverse=True)[:count]


def _in_order(
    tx: Tx,
    study: int,
    wanted: ItemFilter,
    ranges: Sequence[tuple[int, int]],
    after: int,
    count: int,
) -> tuple[list[Row], int | None]:
    """Rows by position. A search looks for a while, then says how far it came."""
    rows: list[Row] = []
    until = monotonic() + SEARCH_SECONDS
    for low, high in _windows(tx, study, ranges, after, bool(wanted.find)):
        rows += _merged(tx, study, wanted, low, high, after, count - len(rows))
        if len(rows) >= count:
            break
        if wanted.find and monotonic() > until:
            return rows, high - 1
    return rows, None


def _windows(
    tx: Tx, study: int, ranges: Sequence[tuple[int, int]], after: int, search: bool
) -> Iterator[tuple[int, int]]:
    """The ranges from `after` on; for a search in pieces that are looked through at once."""
    last = (tx.value(LAST_LINE, study=study) or 0) + 1
    for low, high in ranges:
        start, end = max(low, after + 1), min(high, last)
        if not search:
            yield start, end
            continue
        for piece in range(start, end, SEARCHED_AT_ONCE):
            yield piece, min(piece + SEARCHED_AT_ONCE, end)


def _merged(
    tx: Tx, study: int, wanted: ItemFilter, low: int, high: int, after: int, count: int
) -> list[Row]:
    statement = _page(wanted.levels is not None, wanted.mark, bool(wanted.find))
    params: dict[str, Any] = {"low": low, "high": high, "after": after, "count": count}
    params["skips"] = wanted.skips
    if wanted.find:
        params["like"] = _like(wanted.find)
    if wanted.levels is None:
        return tx.all(statement, study=study, **params)
    rows: list[Row] = []
    for level in wanted.levels:
        rows += tx.all(statement, study=study, level=level, **params)
    return list(islice(sorted(rows, key=lambda row: row[2]), count))


def _like(find: str) -> str:
    """Shown texts are kept as JSON, so what is looked for is written as it would stand there."""
    written = json_in(find)[1:-1]
    for sign in "!%_":
        written = written.replace(sign, f"!{sign}")
    return f"%{written}%"


def _line(row: Row) -> ItemLine:
    item, public, position, key, copy, batch, thread, turn, system, wave, *rest = row
    done, skipped, comments, flags, split, settled = rest
    return ItemLine(
        item=item,
        public=public,
        position=position,
        key=text_out(key),
        copy=copy,
        batch=maybe_out(batch),
        thread=maybe_out(thread),
        turn=turn,
        system=maybe_out(system),
        wave=maybe_out(wave),
        done=done,
        skipped=skipped,
        comments=comments,
        flags=flags,
        split=split,
        settled=bool(settled),
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
