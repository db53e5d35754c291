"""Ratings and drafts in memory."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import Future
from dataclasses import replace
from typing import Any, TypeVar

from rubrica.assignment.contract import PlaceState
from rubrica.errors import Problem
from rubrica.ratings.deciding import Recorded, Target, decide
from rubrica.ratings.model import Draft, Known, NewDraft, Rating, Receipt, Sending, Submission
from rubrica.storage.codec import answers_in, answers_out, content_digest, json_in, json_out
from rubrica.storage.memory.places import count, move
from rubrica.storage.memory.world import World
from rubrica.storage.rules import NOT_YOUR_PLACE, SUPERSEDES_NOTHING, UNKNOWN_VERSION
from rubrica.storage.submits import REFUSALS

T = TypeVar("T")


class MemoryRatings:
    """Fulfils `RatingStore`."""

    def __init__(self, world: World) -> None:
        self._world = world

    def submit(self, submission: Submission, *, imported: bool = False) -> Future[Receipt]:
        future: Future[Receipt] = Future()
        with self._world.lock:
            try:
                future.set_result(self._record(submission, imported))
            except Problem as problem:
                future.set_exception(problem)
        return future

    def submit_all(self, submissions: Sequence[Submission]) -> Future[Sequence[Receipt | Problem]]:
        return _together([self.submit(one) for one in submissions])

    def known(self, study: str, sendings: Sequence[Sending]) -> Sequence[Known]:
        return [self._known(study, one) for one in sendings]

    def _known(self, study: str, one: Sending) -> Known:
        world, rated = self._world, (study, one.rating) in self._world.ratings
        rater = world.study(study).raters.get(one.rater)
        state = None if rater is None else rater.state
        place = world.places.get(one.place)
        if place is None or (world.place_study[place.id], place.rater) != (study, one.rater):
            return Known(state, None, None, None, rated, None)
        draft = world.drafts.get(place.id)
        revision = None if draft is None else draft.revision
        return Known(state, place.item, place.state, place.until, rated, revision)

    def _record(self, sent: Submission, imported: bool) -> Receipt:
        world, id_ = self._world, (sent.study, sent.id)
        if sent.version not in world.study(sent.study).versions:
            raise Problem(UNKNOWN_VERSION, got=sent.version[:80])
        answers = answers_in(sent.answers)
        digest = content_digest(sent, answers)
        before, recorded = world.ratings.get(id_), None
        if before is not None:
            receipt = Receipt(sent.id, before.number, False, before.surplus, before.conflict)
            recorded = Recorded(world.digests[id_], receipt)
        decision = decide(sent, digest, recorded, self._target(sent.place))
        if isinstance(decision, Receipt):
            return decision
        if decision is not None:
            raise Problem(REFUSALS[decision])
        conflict = sent.supersedes != world.standing.get(sent.place)
        if conflict and not self._of_place(sent):
            raise Problem(SUPERSEDES_NOTHING)
        surplus = self._take_back(sent)
        number = len(world.ratings) + 1
        kept = replace(sent, answers=answers_out(answers))
        world.ratings[id_] = Rating(kept, number, world.now(), surplus, conflict, imported)
        world.digests[id_] = digest
        world.standing[sent.place] = sent.id
        state: PlaceState = "skipped" if sent.answers is None else "rated"
        place = world.places[sent.place]
        world.places[sent.place] = replace(place, state=state, until=None, surplus=surplus)
        world.drafts.pop(sent.place, None)
        return Receipt(sent.id, number, False, surplus, conflict)

    def _target(self, place: int) -> Target | None:
        known = self._world.places.get(place)
        if known is None:
            return None
        study, standing = self._world.place_study[place], self._world.standing.get(place)
        return Target(study, known.rater, known.item, standing)

    def _of_place(self, sent: Submission) -> bool:
        named = self._world.ratings.get((sent.study, sent.supersedes or ""))
        return named is not None and named.submission.place == sent.place

    def _take_back(self, sent: Submission) -> bool:
        """Whether it is surplus; a place lost meanwhile is taken again where it is free."""
        world, place = self._world, self._world.places[sent.place]
        if place.state != "released":
            return place.surplus
        capacity, spot = world.capacities[place.id], world.items[place.item].spot
        if capacity is not None and spot is not None:
            if spot.covered >= capacity:
                move(world, sent.study, "surplus", place, "came late, beyond the number asked for")
                return True
            count(world, place.item, 1, None)
        move(world, sent.study, "given", place, "came late")
        return False

    def rating(self, study: str, rating: str) -> Rating | None:
        return self._world.ratings.get((study, rating))

    def latest(self, study: str, place: int) -> Rating | None:
        if self._world.place_study.get(place) != study:
            return None
        return self._world.ratings.get((study, self._world.standing.get(place, "")))

    def ratings(self, study: str, *, all_revisions: bool = False) -> Iterator[Rating]:
        withdrawn = self._world.study(study).withdrawn
        found = self._all(study, all_revisions)
        yield from (r for r in found if r.submission.rater not in withdrawn)

    def of_rater(self, study: str, rater: int, *, all_revisions: bool = False) -> Iterator[Rating]:
        found = self._all(study, all_revisions)
        yield from (r for r in found if r.submission.rater == rater)

    def _all(self, study: str, all_revisions: bool) -> list[Rating]:
        self._world.study(study)
        found = [r for (name, _), r in self._world.ratings.items() if name == study]
        standing = self._world.standing
        return [r for r in found if all_revisions or standing[r.submission.place] == r.submission.id]

    def active_seconds(self, study: str, raters: Sequence[int]) -> Mapping[int, float]:
        return {rater: self._worked(study, rater) for rater in raters}

    def _worked(self, study: str, rater: int) -> float:
        own = self.of_rater(study, rater, all_revisions=True)
        return sum(r.submission.pace.active_seconds or 0.0 for r in own)

    def save_draft(
        self, study: str, rater: int, place: int, revision: int, content: Mapping[str, Any]
    ) -> Future[int]:
        future: Future[int] = Future()
        with self._world.lock:
            known = self._world.places.get(place)
            if known is None or (self._world.place_study[place], known.rater) != (study, rater):
                future.set_exception(Problem(NOT_YOUR_PLACE))
                return future
            kept = self._world.drafts.get(place)
            if kept is None or kept.revision < revision:
                plain = json_out(json_in(content))
                kept = Draft(place, revision, plain, self._world.now())
                self._world.drafts[place] = kept
            future.set_result(kept.revision)
        return future

    def save_drafts(self, study: str, drafts: Sequence[NewDraft]) -> Future[Sequence[int | Problem]]:
        saved = [self.save_draft(study, d.rater, d.place, d.revision, d.content) for d in drafts]
        return _together(saved)

    def draft(self, study: str, rater: int, place: int) -> Draft | None:
        known = self._world.places.get(place)
        own = known is not None and known.rater == rater
        return self._world.drafts.get(place) if own else None

    def drafts(self, study: str, rater: int) -> Sequence[Draft]:
        own = [p.id for p in self._world.own(study, rater)]
        return [self._world.drafts[i] for i in sorted(own) if i in self._world.drafts]

    def drafts_of(self, study: str, raters: Sequence[int]) -> Mapping[int, Draft]:
        return {draft.place: draft for rater in raters for draft in self.drafts(study, rater)}


def _together(futures: Sequence[Future[T]]) -> Future[Sequence[T | Problem]]:
    """All answers, problems among them; here they are known at once."""
    answers: list[T | Problem] = []
    for future in futures:
        error = future.exception()
        if error is not None and not isinstance(error, Problem):
            raise error
        answers.append(future.result() if error is None else error)
    whole: Future[Sequence[T | Problem]] = Future()
    whole.set_result(answers)
    return whole
