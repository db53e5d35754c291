"""The desk raters' use-cases work at: one served study, its stores, its clock and its randomness.

A desk keeps nothing of its own but what is constant for a version of the study, so any number of
processes may have one. Use-cases are functions whose first argument is a desk and whose second is
the rater's number: whose places are reached is decided there and nowhere else.
"""

from __future__ import annotations

import secrets
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from functools import cached_property

from rubrica.accounts.codes import Randomness
from rubrica.accounts.model import Rater
from rubrica.assignment.contract import Design, Place, Policy
from rubrica.assignment.design import design_of, policy_of
from rubrica.errors import Problem
from rubrica.fieldwork.examples import Example, examples_of
from rubrica.fieldwork.rules import CLOSED, NO_PLACE, STOPPED, UNKNOWN_VERSION
from rubrica.fieldwork.shelf import Shelf
from rubrica.fieldwork.store import Stores
from rubrica.fieldwork.versions import Version
from rubrica.study.store import StudyVersion

Clock = Callable[[], datetime]


def now() -> datetime:
    return datetime.now(UTC)


@dataclass(frozen=True)
class Desk:
    """`id` is the study's name in the database; `version` is the one new pages show."""

    id: str
    version: Version
    stores: Stores
    policy: Policy
    design: Design
    batches: Sequence[int] = ()
    examples: Sequence[Example] = ()
    clock: Clock = now
    randomness: Randomness = secrets.token_bytes
    _older: dict[str, Version] = field(default_factory=dict, repr=False)

    @cached_property
    def shelf(self) -> Shelf:
        return Shelf(self.stores.items, self.id)

    def version_named(self, name: str) -> Version:
        """The version a page showed, compiled once."""
        if name == self.version.hash:
            return self.version
        if name not in self._older:
            kept = self.stores.studies.version(self.id, name)
            if kept is None:
                raise Problem(UNKNOWN_VERSION, got=name[:80])
            self._older[name] = Version.kept(kept)
        return self._older[name]

    def rater(self, number: int) -> Rater:
        found = self.stores.accounts.rater(self.id, number)
        if found is None or found.state == "withdrawn":
            raise Problem(STOPPED)
        return found

    def may_work(self, rater: Rater) -> None:
        """Whoever asks for more to do is active, and the study open."""
        if rater.state != "active":
            raise Problem(STOPPED)
        self.is_open()

    def is_open(self) -> None:
        if self.stores.studies.is_closed(self.id):
            raise Problem(CLOSED)

    def own_place(self, rater: int, place: int) -> Place:
        """The rater's own place; anybody else's is as unknown as one that does not exist."""
        found = self.stores.places.place(self.id, place)
        if found is None or found.rater != rater:
            raise Problem(NO_PLACE)
        return found


def desk_for(
    stores: Stores,
    study: str,
    current: StudyVersion,
    *,
    clock: Clock = now,
    randomness: Randomness = secrets.token_bytes,
) -> Desk:
    """The desk of a study whose version and items have been loaded."""
    version = Version.kept(current)
    return Desk(
        id=study,
        version=version,
        stores=stores,
        policy=policy_of(version.study),
        design=design_of(version.study, stores.items.count(study)),
        batches=stores.items.batches(study),
        examples=examples_of(version, lambda names: stores.items.media_ids(study, names)),
        clock=clock,
        randomness=randomness,
    )
