"""The items of a study as the desk lists them: page by page, found by an index."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache
from itertools import islice
from time import monotonic
from typing import Any

from sqlalchemy import BindParameter, Select, bindparam, func, select, text

from rubrica.review.board import Cursor, ItemFilter, ItemLine, ItemPage, Mark
from rubrica.storage.codec import json_in, maybe_out, text_in, text_out, thread_number
from rubrica.storage.desk_tables import marks
from rubrica.storage.item_tables import batches, hidden, items, shown, spans
from rubrica.storage.sql import Row, Tx, one_of

STUDY: BindParameter[Any] = bindparam("study")
SEARCH_SECONDS = 0.15
SEARCHED_AT_ONCE = 2_000
WHOLE = (0, 2**31 - 1)
SPANS = (
    select(spans.c.start, spans.c.size)
    .where(spans.c.study == STUDY, spans.c.batch == bindparam("batch"))
    .order_by(spans.c.start)
)
LAST_LINE = select(func.max(marks.c.position)).where(marks.c.study == STUDY)
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


def page_of_lines(tx: Tx, study: int, wanted: ItemFilter, after: Cursor | None, count: int) -> ItemPage:
    """One page of what is wanted, and where the next one begins."""
    ranges = [WHOLE] if wanted.batch is None else _ranges(tx, study, wanted.batch)
    searched = None
    if wanted.thread is not None:
        rows = _of_thread(tx, study, wanted, after)
    elif wanted.mark == "split" and not wanted.find:
        rows = _most_split(tx, study, wanted, ranges, after, count + 1)
    else:
        start = -1 if after is None else after[1]
        rows, searched = _in_order(tx, study, wanted, ranges, start, count + 1)
    found = [as_line(row) for row in rows[:count]]
    last = found[-1] if found and len(rows) > count else None
    if last is not None:
        return ItemPage(found, (last.split, last.position), None)
    return ItemPage(found, None if searched is None else (0, searched), searched)


def _ranges(tx: Tx, study: int, batch: int) -> list[tuple[int, int]]:
    """The positions of a batch: one run for each load that brought items of it."""
    return [(start, start + size) for start, size in tx.all(SPANS, study=study, batch=batch)]


def _of_thread(tx: Tx, study: int, wanted: ItemFilter, after: Cursor | None) -> list[Row]:
    """The items of one thread, which are few; the rest of the filter is asked of each."""
    number, name = thread_number(wanted.thread or ""), text_in(wanted.thread or "")
    ids = [row[0] for row in tx.all(THREAD, study=study, thread=number)]
    rows = tx.all(IN_THREAD, study=study, items=ids, name=name)
    found = ((row, as_line(row)) for row in rows if after is None or row[2] > after[1])
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


def as_line(row: Row) -> ItemLine:
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
