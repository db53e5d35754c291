"""What raters send: drafts, submits, skips and revisions.

Many send at the same moment, so all of it is done for many at once: what has to be known of them is
asked in one go, the answers are checked, and what is right goes to the store together. One that is
wrong is refused alone.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import Future
from datetime import datetime, timedelta
from functools import cached_property
from typing import Any, TypeVar

from rubrica.errors import Problem, Problems, shown
from rubrica.fieldwork.desk import Desk
from rubrica.fieldwork.model import Newer, Sent, Typed
from rubrica.fieldwork.rules import (
    BAD_DRAFT,
    BAD_RATING_ID,
    CLOSED,
    NO_PLACE,
    NO_REVISING,
    SKIP_REASON,
    STOPPED,
)
from rubrica.fieldwork.versions import Version
from rubrica.items.model import Item
from rubrica.ratings.accept import accept
from rubrica.ratings.model import Known, NewDraft, Receipt, Sending, Submission

LONGEST_REASON = 2_000
LONGEST_DRAFT = 1_000_000
_RATING_ID = re.compile(r"^[A-Za-z0-9_-]{16,64}$")

T = TypeVar("T")
R = TypeVar("R")
Refused = Problem | Problems


def submit(desk: Desk, rater: int, sent: Sent) -> Future[Receipt]:
    """Record answers, or a skip where there are none; the future is done when they are safe."""
    return desk.stores.ratings.submit(_or_raise(_checked(desk, [(rater, sent)])))


def submit_all(desk: Desk, sent: Sequence[tuple[int, Sent]]) -> Future[Sequence[Receipt | Refused]]:
    """The same for what many raters send; what each is refused with stands among the receipts."""
    return _pass_on(_checked(desk, sent), Submission, desk.stores.ratings.submit_all)


def save_draft(
    desk: Desk, rater: int, place: int, revision: int, content: Mapping[str, Any]
) -> Future[int]:
    """Keep what was typed; the newest revision wins, and comes back."""
    typed = Typed(place, revision, content, base=revision)
    (kept,) = _kept(desk, [(rater, typed)])
    if isinstance(kept, Problem | Problems):
        raise kept
    if isinstance(kept, NewDraft):
        return desk.stores.ratings.save_draft(desk.id, rater, place, revision, content)
    done: Future[int] = Future()
    done.set_result(kept.revision if isinstance(kept, Newer) else kept)
    return done


def save_drafts(
    desk: Desk, typed: Sequence[tuple[int, Typed]]
) -> Future[Sequence[int | Newer | Refused]]:
    """The same for many. Where another page of the rater has saved a newer one since `base`, that
    one comes back and nothing is kept."""

    def save(drafts: Sequence[NewDraft]) -> Future[Sequence[int | Problem]]:
        return desk.stores.ratings.save_drafts(desk.id, drafts)

    return _pass_on(_kept(desk, typed), NewDraft, save)


# --- what becomes of each -------------------------------------------------------------------------


def _checked(desk: Desk, sent: Sequence[tuple[int, Sent]]) -> list[Submission | Refused]:
    known = _known(desk, [Sending(rater, one.place, one.id) for rater, one in sent])
    checking = Checking(desk, desk.shelf.items({one.item for one in known if one.item is not None}))
    every = zip(sent, known, strict=True)
    return [_try(checking.submission, rater, one, of) for (rater, one), of in every]


class Checking:
    """Answers are checked against the version their page showed. What was begun while the study was
    open and the rater active is still taken from a rater who was paused since, but a closed study
    takes only repetitions of what it has."""

    def __init__(self, desk: Desk, items: Mapping[int, Item]) -> None:
        self.desk, self.items = desk, items

    @cached_property
    def closed(self) -> bool:
        return self.desk.stores.studies.is_closed(self.desk.id)

    def submission(self, rater: int, sent: Sent, known: Known) -> Submission:
        item = _own_item(known)
        version = self.desk.version_named(sent.version)
        if not _RATING_ID.match(sent.id):
            raise Problem(BAD_RATING_ID, got=shown(sent.id))
        if not known.rated and self.closed:
            raise Problem(CLOSED)
        if not known.rated and sent.supersedes is not None and not version.study.raters.revise:
            raise Problem(NO_REVISING)
        if sent.answers is None:
            return self._sent(rater, sent, item, version, skip_reason=_skip_reason(sent))
        judged = accept(version.study, self.items[item], sent.answers)
        return self._sent(rater, sent, item, version, answers=judged.answers, scores=judged.scores)

    def _sent(
        self, rater: int, sent: Sent, item: int, version: Version, *, answers: Any = None, **more: Any
    ) -> Submission:
        return Submission(
            id=sent.id,
            study=self.desk.id,
            place=sent.place,
            rater=rater,
            item=item,
            version=version.hash,
            answers=answers,
            supersedes=sent.supersedes,
            language=sent.language,
            pace=sent.pace,
            **more,
        )


def _skip_reason(sent: Sent) -> str:
    reason = (sent.skip_reason or "").strip()
    if not 1 <= len(reason) <= LONGEST_REASON:
        raise Problem(SKIP_REASON, details={"longest": LONGEST_REASON})
    return reason


def _kept(desk: Desk, typed: Sequence[tuple[int, Typed]]) -> list[NewDraft | Newer | int | Refused]:
    """A draft says which rating it will become. Where it has become one already it came late, and
    kept it would look like a change the rater had begun."""
    asked = [Sending(rater, one.place, str(one.content.get("id"))) for rater, one in typed]
    every = zip(typed, _known(desk, asked), strict=True)
    return [_try(_draft, desk, rater, one, of) for (rater, one), of in every]


def _draft(desk: Desk, rater: int, typed: Typed, known: Known) -> NewDraft | Newer | int:
    _own_item(known)
    if len(json.dumps(typed.content)) > LONGEST_DRAFT or typed.revision < 0:
        raise Problem(BAD_DRAFT, details={"longest": LONGEST_DRAFT})
    if known.draft is not None and known.draft > typed.base:
        return Newer(known.draft)
    if known.rated:
        return typed.revision
    if known.place == "reserved":
        keep_alive(desk, rater, typed.place, known.until)
    return NewDraft(rater, typed.place, typed.revision, typed.content)


def keep_alive(desk: Desk, rater: int, place: int, until: str | None) -> None:
    """Prolong a reservation that has run down by half; more often would only cost writes."""
    if until is None:
        return
    whole = timedelta(seconds=desk.design.reserve_seconds)
    if datetime.fromisoformat(until) - desk.clock() < whole / 2:
        desk.stores.places.extend(desk.id, rater, [place], desk.design.reserve_seconds)


# --- many at once ---------------------------------------------------------------------------------


def _known(desk: Desk, sendings: Sequence[Sending]) -> Sequence[Known]:
    return desk.stores.ratings.known(desk.id, sendings)


def _own_item(known: Known) -> int:
    """Whoever sends something is a rater, and the place is theirs: anybody else's is as unknown as one
    that does not exist."""
    if known.rater in (None, "withdrawn", "invited"):
        raise Problem(STOPPED)
    if known.item is None:
        raise Problem(NO_PLACE)
    return known.item


def _try(act: Callable[..., T], *given: Any) -> T | Refused:
    try:
        return act(*given)
    except (Problem, Problems) as problem:
        return problem


def _or_raise(found: Sequence[T | Refused]) -> T:
    (one,) = found
    if isinstance(one, Problem | Problems):
        raise one
    return one


def _pass_on(
    found: Sequence[Any],
    of: type[T],
    send: Callable[[Sequence[T]], Future[Sequence[R | Problem]]],
) -> Future[Sequence[Any]]:
    """Send what is to be sent; the others have their answer already."""
    whole: Future[Sequence[Any]] = Future()

    def woven(done: Future[Sequence[R | Problem]]) -> None:
        try:
            answers = iter(done.result())
            whole.set_result([next(answers) if isinstance(one, of) else one for one in found])
        except BaseException as error:
            whole.set_exception(error)

    send([one for one in found if isinstance(one, of)]).add_done_callback(woven)
    return whole
