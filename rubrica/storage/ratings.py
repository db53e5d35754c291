"""Ratings and drafts: in through the writer, out in the order in which they were recorded."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import Future
from typing import Any

from sqlalchemy import Select, bindparam, select

from rubrica.errors import Problem
from rubrica.ratings.model import Draft, Known, NewDraft, Rating, Receipt, Sending, Submission
from rubrica.storage import drafts, submits, tables
from rubrica.storage.codec import (
    answers_out,
    json_in,
    json_out,
    maybe_out,
    pace_out,
    text_in,
    text_out,
)
from rubrica.storage.core import Core
from rubrica.storage.rules import UNKNOWN_VERSION
from rubrica.storage.sql import Row, as_rows, given
from rubrica.storage.tables import places, raters, ratings, withdrawals
from rubrica.storage.worked import Worked

COLUMNS = (
    ratings.c.id,
    ratings.c.place,
    ratings.c.rater,
    ratings.c.item,
    ratings.c.version,
    ratings.c.answers,
    ratings.c.skip_reason,
    ratings.c.supersedes,
    ratings.c.language,
    ratings.c.pace,
    ratings.c.scores,
    ratings.c.number,
    ratings.c.received,
    ratings.c.surplus,
    ratings.c.conflict,
    ratings.c.imported,
)
later = ratings.alias("later")
STANDS = (
    ~select(later.c.number)
    .where(later.c.place == ratings.c.place, later.c.number > ratings.c.number)
    .exists()
)
NOT_WITHDRAWN = (
    ~select(withdrawals.c.number)
    .where(withdrawals.c.study == ratings.c.study, withdrawals.c.rater == ratings.c.rater)
    .exists()
)
_OF_STUDY = select(*COLUMNS).where(ratings.c.study == bindparam("study"))
ONE = _OF_STUDY.where(ratings.c.id == bindparam("id"))
LATEST = (
    _OF_STUDY.where(ratings.c.place == bindparam("place")).order_by(ratings.c.number.desc()).limit(1)
)
EVERY = _OF_STUDY.where(NOT_WITHDRAWN).order_by(ratings.c.number)
STANDING = _OF_STUDY.where(NOT_WITHDRAWN, STANDS).order_by(ratings.c.number)
_OF_RATER = _OF_STUDY.where(ratings.c.rater == bindparam("rater")).order_by(ratings.c.number)
EVERY_OF_RATER = _OF_RATER
STANDING_OF_RATER = _OF_RATER.where(STANDS)


_ASKED = given(
    "asked", at=ratings.c.number, rater=places.c.rater, place=places.c.id, rating=ratings.c.id
)
KNOWN = select(
    _ASKED.c.at,
    raters.c.state,
    places.c.item,
    places.c.state,
    places.c.until,
    ratings.c.number,
    tables.drafts.c.revision,
).select_from(
    _ASKED.outerjoin(
        raters, (raters.c.study == bindparam("study")) & (raters.c.number == _ASKED.c.rater)
    )
    .outerjoin(
        places,
        (places.c.id == _ASKED.c.place)
        & (places.c.study == bindparam("study"))
        & (places.c.rater == _ASKED.c.rater),
    )
    .outerjoin(ratings, (ratings.c.study == bindparam("study")) & (ratings.c.id == _ASKED.c.rating))
    .outerjoin(tables.drafts, tables.drafts.c.place == places.c.id)
)


class Ratings:
    """Fulfils `RatingStore`."""

    def __init__(self, core: Core) -> None:
        self._core = core
        self._worked = Worked(core)

    def submit(self, submission: Submission, *, imported: bool = False) -> Future[Receipt]:
        study = self._core.id(submission.study)
        if not self._core.has_version(study, submission.version):
            refused: Future[Receipt] = Future()
            refused.set_exception(Problem(UNKNOWN_VERSION, got=submission.version[:80]))
            return refused
        sent = submits.Sent(study, submission, self._core.now(), imported)
        return self._core.writer.put(submits.record, sent, ("place", submission.place))

    def submit_all(self, submissions: Sequence[Submission]) -> Future[Sequence[Receipt | Problem]]:
        now = self._core.now()
        sent = [submits.Sent(self._core.id(one.study), one, now, imported=False) for one in submissions]
        keys = [("place", one.place) for one in submissions]
        return self._core.writer.put_all(submits.record, sent, keys)

    def known(self, study: str, sendings: Sequence[Sending]) -> Sequence[Known]:
        asked = [
            {"at": at, "rater": one.rater, "place": one.place, "rating": text_in(one.rating)}
            for at, one in enumerate(sendings)
        ]
        with self._core.database.read() as tx:
            rows = tx.gathered(KNOWN, study=self._core.id(study), asked=as_rows(asked))
        rows.sort()
        return [Known(row[1], row[2], row[3], row[4], row[5] is not None, row[6]) for row in rows]

    def rating(self, study: str, rating: str) -> Rating | None:
        return self._one(study, ONE, id=text_in(rating))

    def latest(self, study: str, place: int) -> Rating | None:
        return self._one(study, LATEST, place=place)

    def _one(self, study: str, statement: Select[Any], **params: Any) -> Rating | None:
        known = self._core.find(study)
        if known is None:
            return None
        with self._core.database.read() as tx:
            row = tx.one(statement, study=known.id, **params)
        return None if row is None else as_rating(study, row)

    def ratings(self, study: str, *, all_revisions: bool = False) -> Iterator[Rating]:
        return self._stream(study, EVERY if all_revisions else STANDING)

    def of_rater(self, study: str, rater: int, *, all_revisions: bool = False) -> Iterator[Rating]:
        statement = EVERY_OF_RATER if all_revisions else STANDING_OF_RATER
        return self._stream(study, statement, rater=rater)

    def _stream(self, study: str, statement: Select[Any], **params: Any) -> Iterator[Rating]:
        known = self._core.id(study)
        with self._core.database.snapshot() as tx:
            for row in tx.stream(statement, study=known, **params):
                yield as_rating(study, row)

    def active_seconds(self, study: str, raters: Sequence[int]) -> Mapping[int, float]:
        return self._worked.seconds(self._core.id(study), raters)

    def save_draft(
        self, study: str, rater: int, place: int, revision: int, content: Mapping[str, Any]
    ) -> Future[int]:
        known, saved = self._core.id(study), self._core.now()
        typed = drafts.Typed(known, rater, place, revision, json_in(content), saved)
        return self._core.writer.put(drafts.keep, typed, ("place", place))

    def save_drafts(self, study: str, drafts_: Sequence[NewDraft]) -> Future[Sequence[int | Problem]]:
        known, saved = self._core.id(study), self._core.now()
        typed = [
            drafts.Typed(known, d.rater, d.place, d.revision, json_in(d.content), saved)
            for d in drafts_
        ]
        keys = [("place", one.place) for one in drafts_]
        return self._core.writer.put_all(drafts.keep, typed, keys)

    def draft(self, study: str, rater: int, place: int) -> Draft | None:
        known = self._core.id(study)
        with self._core.database.read() as tx:
            row = tx.one(drafts.ONE, study=known, rater=rater, place=place)
        return None if row is None else drafts.as_draft(row)

    def drafts(self, study: str, rater: int) -> Sequence[Draft]:
        known = self._core.id(study)
        with self._core.database.read() as tx:
            return [drafts.as_draft(row) for row in tx.all(drafts.ALL, study=known, rater=rater)]

    def drafts_of(self, study: str, raters: Sequence[int]) -> Mapping[int, Draft]:
        with self._core.database.read() as tx:
            rows = tx.gathered(drafts.OF_MANY, study=self._core.id(study), raters=list(raters))
        return {row[0]: drafts.as_draft(row) for row in rows}


def as_rating(study: str, row: Row) -> Rating:
    rating, place, rater, item, version, answers, reason, supersedes, language, *rest = row
    pace, scores, number, received, surplus, conflict, imported = rest
    submission = Submission(
        id=text_out(rating),
        study=study,
        place=place,
        rater=rater,
        item=item,
        version=text_out(version),
        answers=answers_out(answers),
        skip_reason=maybe_out(reason),
        supersedes=maybe_out(supersedes),
        language=text_out(language),
        pace=pace_out(pace),
        scores=json_out(scores),
    )
    return Rating(submission, number, received, bool(surplus), bool(conflict), bool(imported))
