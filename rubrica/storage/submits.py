"""Recording ratings: any number in one transaction, each decided for itself."""

from __future__ import annotations

from collections.abc import Sequence
from copy import copy
from dataclasses import dataclass
from typing import Any

from sqlalchemy import bindparam, delete, select, update

from rubrica.errors import Problem, Rule
from rubrica.ratings.deciding import Recorded, Target, decide
from rubrica.ratings.model import Receipt, Submission
from rubrica.storage import rules
from rubrica.storage.codec import (
    answers_in,
    content_digest,
    json_in,
    maybe_in,
    pace_in,
    text_in,
)
from rubrica.storage.item_tables import items
from rubrica.storage.ledger import log_moves
from rubrica.storage.sql import Row, Tx, as_rows, given, insert_given, one_of
from rubrica.storage.tables import drafts, places, ratings

REFUSALS = {
    "id_taken": rules.ID_TAKEN,
    "not_your_place": rules.NOT_YOUR_PLACE,
    "already_rated": rules.ALREADY_RATED,
    "supersedes_nothing": rules.SUPERSEDES_NOTHING,
}

RECORDED = select(
    ratings.c.study,
    ratings.c.id,
    ratings.c.digest,
    ratings.c.number,
    ratings.c.surplus,
    ratings.c.conflict,
).where(ratings.c.study == bindparam("study"), one_of(ratings.c.id, "ids"))
TARGETS = (
    select(
        places.c.id,
        places.c.study,
        places.c.rater,
        places.c.item,
        places.c.rating,
        places.c.state,
        places.c.capacity,
        places.c.surplus,
        items.c.version,
    )
    .join_from(places, items, items.c.id == places.c.item)
    .where(one_of(places.c.id, "places"))
    .order_by(places.c.id)
    .with_for_update(of=places)
)
OF_PLACE = select(ratings.c.supersedes).where(
    ratings.c.place == bindparam("place"), ratings.c.id == bindparam("id")
)
COVER_LATE = (
    update(items)
    .where(items.c.id == bindparam("of_item"), items.c.covered < bindparam("capacity"))
    .values(covered=items.c.covered + 1, returned=None)
)
RECORD = insert_given(ratings)
_FILLED = given(
    "rows",
    place=places.c.id,
    state=places.c.state,
    rating=places.c.rating,
    surplus=places.c.surplus,
)
FILL = (
    update(places)
    .where(places.c.id == _FILLED.c.place)
    .values(state=_FILLED.c.state, rating=_FILLED.c.rating, surplus=_FILLED.c.surplus, until=None)
)
DROP_DRAFTS = delete(drafts).where(one_of(drafts.c.place, "places"))


@dataclass(slots=True)
class Sent:
    """A submission on its way, with what is found out about it."""

    study: int
    submission: Submission
    received: str
    imported: bool
    answers: str | None = None
    digest: str = ""
    place: Row | None = None
    answer: Receipt | Problem | None = None
    surplus: bool = False
    conflict: bool = False

    def __post_init__(self) -> None:
        self.answers = answers_in(self.submission.answers)
        self.digest = content_digest(self.submission, self.answers)

    def refuse(self, rule: Rule, **details: Any) -> None:
        self.answer = Problem(rule, **details)


def record(tx: Tx, sent: Sequence[Sent]) -> Sequence[Receipt | Problem]:
    """The handler of submissions: no two of a group speak of the same place.

    A group that fails is tried again one by one, so what is found out stands in copies: an answer of
    the first try must not be taken for one of the second.
    """
    sent = [copy(one) for one in sent]
    places_ = {row[0]: row for row in tx.gathered(TARGETS, places=[s.submission.place for s in sent])}
    known = _recorded(tx, sent)
    for one in sent:
        _decide(tx, one, known.get((one.study, one.submission.id)), places_.get(one.submission.place))
    fresh = [one for one in sent if one.answer is None]
    if fresh:
        _take_back(tx, fresh)
        _write(tx, fresh)
    answers = [one.answer for one in sent]
    return [answer for answer in answers if answer is not None]


def _recorded(tx: Tx, sent: Sequence[Sent]) -> dict[tuple[int, str], Recorded]:
    found: dict[tuple[int, str], Recorded] = {}
    for study in {one.study for one in sent}:
        ids = {text_in(one.submission.id): one.submission.id for one in sent if one.study == study}
        for _, kept, digest, number, surplus, conflict in tx.gathered(
            RECORDED, study=study, ids=list(ids)
        ):
            receipt = Receipt(ids[kept], number, False, bool(surplus), bool(conflict))
            found[study, ids[kept]] = Recorded(digest, receipt)
    return found


def _decide(tx: Tx, one: Sent, recorded: Recorded | None, place: Row | None) -> None:
    sent, one.place = one.submission, place
    target = None
    if place is not None:
        study = sent.study if place[1] == one.study else ""
        target = Target(study, place[2], place[3], place[4])
    decision = decide(sent, one.digest, recorded, target)
    if isinstance(decision, Receipt):
        one.answer = decision
    elif decision is not None:
        one.refuse(REFUSALS[decision])
    elif place is not None and maybe_in(sent.supersedes) != place[4]:
        _conflict(tx, one)


def _conflict(tx: Tx, one: Sent) -> None:
    """It replaces a rating that another one has replaced meanwhile: both are kept, and flagged."""
    sent = one.submission
    if tx.one(OF_PLACE, place=sent.place, id=text_in(sent.supersedes or "")) is None:
        one.refuse(rules.SUPERSEDES_NOTHING)
    one.conflict = True


def _take_back(tx: Tx, fresh: Sequence[Sent]) -> None:
    """Late ones had lost their place: they take it again if it is free, or are surplus."""
    taken: dict[int, list[tuple[str, int, int, int, str]]] = {}
    for one in sorted(fresh, key=lambda s: s.submission.item):
        place, sent = _place(one), one.submission
        one.surplus = bool(place[7])
        if place[5] != "released":
            continue
        if place[6] is not None:
            one.surplus = not tx.run(COVER_LATE, of_item=place[3], capacity=place[6])
        why = "came late, beyond the number asked for" if one.surplus else "came late"
        move = ("surplus" if one.surplus else "given", sent.place, sent.rater, sent.item, why)
        taken.setdefault(one.study, []).append(move)
    for study, moves in taken.items():
        log_moves(tx, study, fresh[0].received, moves)


def _place(one: Sent) -> Row:
    assert one.place is not None  # noqa: S101
    return one.place


def _write(tx: Tx, fresh: Sequence[Sent]) -> None:
    for one, number in zip(fresh, tx.fresh("ratings", "number", len(fresh)), strict=True):
        sent = one.submission
        one.answer = Receipt(sent.id, number, False, one.surplus, one.conflict)
    tx.run(RECORD, rows=as_rows(rating_row(one) for one in fresh))
    tx.run(FILL, rows=as_rows(filled_row(one) for one in fresh))
    tx.run(DROP_DRAFTS, places=[one.submission.place for one in fresh])


def rating_row(one: Sent) -> dict[str, Any]:
    sent, place = one.submission, _place(one)
    assert isinstance(one.answer, Receipt)  # noqa: S101
    return {
        "number": one.answer.number,
        "study": one.study,
        "id": text_in(sent.id),
        "place": sent.place,
        "rater": sent.rater,
        "item": sent.item,
        "item_version": place[8],
        "version": text_in(sent.version),
        "answers": one.answers,
        "skip_reason": maybe_in(sent.skip_reason),
        "supersedes": maybe_in(sent.supersedes),
        "language": text_in(sent.language),
        "pace": pace_in(sent.pace),
        "scores": json_in(sent.scores),
        "digest": one.digest,
        "received": one.received,
        "surplus": int(one.surplus),
        "conflict": int(one.conflict),
        "imported": int(one.imported),
    }


def filled_row(one: Sent) -> dict[str, Any]:
    sent = one.submission
    return {
        "place": sent.place,
        "state": "skipped" if sent.answers is None else "rated",
        "rating": text_in(sent.id),
        "surplus": int(one.surplus),
    }
