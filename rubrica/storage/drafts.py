"""Drafts: the newest of each place, gone when the place is rated."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from sqlalchemy import bindparam, select

from rubrica.errors import Problem
from rubrica.ratings.model import Draft
from rubrica.storage.codec import json_out
from rubrica.storage.rules import NOT_YOUR_PLACE
from rubrica.storage.sql import Row, Tx, as_rows, insert_given, one_of
from rubrica.storage.tables import drafts, places

OWNERS = select(places.c.id, places.c.study, places.c.rater).where(one_of(places.c.id, "places"))
KEPT = select(drafts.c.place, drafts.c.revision).where(one_of(drafts.c.place, "places"))
_INSERT = insert_given(drafts)
SAVE = _INSERT.on_conflict_do_update(
    index_elements=["place"],
    set_={c: _INSERT.excluded[c] for c in ("revision", "content", "saved")},
    where=drafts.c.revision < _INSERT.excluded.revision,
)
_DRAFT = select(drafts.c.place, drafts.c.revision, drafts.c.content, drafts.c.saved).where(
    drafts.c.study == bindparam("study"), drafts.c.rater == bindparam("rater")
)
ONE = _DRAFT.where(drafts.c.place == bindparam("place"))
OF_MANY = select(drafts.c.place, drafts.c.revision, drafts.c.content, drafts.c.saved).where(
    drafts.c.study == bindparam("study"), one_of(drafts.c.rater, "raters")
)
ALL = _DRAFT.order_by(drafts.c.place)


@dataclass(frozen=True, slots=True)
class Typed:
    study: int
    rater: int
    place: int
    revision: int
    content: str
    saved: str


def keep(tx: Tx, typed: Sequence[Typed]) -> Sequence[int | Problem]:
    """The handler of drafts: no two of a group are of the same place."""
    owners = {row[0]: row[1:] for row in tx.gathered(OWNERS, places=[t.place for t in typed])}
    own = {t.place: t for t in typed if owners.get(t.place) == (t.study, t.rater)}
    rows = [{name: getattr(own[place], name) for name in Typed.__slots__} for place in sorted(own)]
    tx.run(SAVE, rows=as_rows(rows))
    kept: dict[int, int] = dict(tx.gathered(KEPT, places=sorted(own)))
    return [kept[t.place] if t.place in own else Problem(NOT_YOUR_PLACE) for t in typed]


def as_draft(row: Row) -> Draft:
    place, revision, content, saved = row
    return Draft(place, revision, json_out(content), saved)
