"""A place and its item put together as one unit of work, with nothing in it a rater may not see."""

from __future__ import annotations

from collections.abc import Sequence

from rubrica.assignment.contract import Place
from rubrica.fieldwork.desk import Desk
from rubrica.fieldwork.model import BatchSpot, Earlier, OwnRating, Sheet, Work
from rubrica.fieldwork.showing import as_context, rules_of, shown_of
from rubrica.items.model import Item
from rubrica.ratings.model import Rating


def work_at(desk: Desk, place: Place) -> Work:
    sheet = sheet_of(desk, desk.stores.items.item(desk.id, place.item))
    done = place.state in ("rated", "skipped")
    own = desk.stores.ratings.latest(desk.id, place.id) if done else None
    return Work(
        place=place.id,
        number=number_of(place),
        item=sheet.item,
        state=place.state,
        version=desk.version.hash,
        shown=sheet.shown,
        context=sheet.context,
        rules=sheet.rules,
        batch=sheet.batch,
        draft=desk.stores.ratings.draft(desk.id, place.rater, place.id),
        own=None if own is None else own_rating(desk, own),
        until=place.until,
    )


def sheet_of(desk: Desk, item: Item) -> Sheet:
    return Sheet(
        item=item.public,
        shown=shown_of(desk.version, item),
        context=earlier_items(desk, item),
        rules=rules_of(desk.version, item),
        batch=batch_spot(desk, item),
    )


def number_of(place: Place) -> int:
    """The number raters know a place by: the item's own where places are numbered."""
    return place.number if place.at is None else place.at


def earlier_items(desk: Desk, item: Item) -> Sequence[Earlier]:
    """The turns before this one in a run. Members of a set are never context of each other."""
    thread = desk.version.study.items.thread
    if thread is None or thread.kind != "sequence" or not thread.context or item.turn == 0:
        return ()
    return as_context(desk.version, desk.stores.items.earlier(desk.id, item.id))


def batch_spot(desk: Desk, item: Item) -> BatchSpot | None:
    if item.batch is None or not desk.batches:
        return None
    return BatchSpot(item.batch + 1, len(desk.batches))


def own_rating(desk: Desk, rating: Rating) -> OwnRating:
    sent = rating.submission
    return OwnRating(
        id=sent.id,
        answers=sent.answers,
        skip_reason=sent.skip_reason,
        received=rating.received,
        scores=sent.scores if desk.version.study.show_score else {},
    )
