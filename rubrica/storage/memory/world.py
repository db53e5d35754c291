"""Everything a store in memory knows."""

from __future__ import annotations

import secrets
from collections.abc import Mapping
from dataclasses import dataclass, field
from threading import RLock
from typing import Any

from rubrica.accounts.model import LogEntry, Rater
from rubrica.accounts.people import Deed, Person, Purpose, Token
from rubrica.accounts.sessions import Session
from rubrica.assignment.contract import Place, Span, Spot
from rubrica.errors import Problem
from rubrica.fieldwork.store import Message
from rubrica.items.model import Item, NewItem
from rubrica.ratings.model import Draft, Rating
from rubrica.review.board import Kept as KeptResults
from rubrica.review.board import Settled, Standing
from rubrica.storage.codec import time_in
from rubrica.storage.core import Clock
from rubrica.storage.rules import UNKNOWN_STUDY
from rubrica.study.store import StudyVersion


@dataclass(slots=True)
class Kept:
    """An item with both its sides, and where raters meet it."""

    new: NewItem
    item: Item
    load: int
    version: int = 1
    spot: Spot | None = None
    returned: int | None = None


@dataclass(slots=True)
class Walk:
    given: int = 0
    cursor: Mapping[str, Any] = field(default_factory=dict)
    last_thread: int | None = None


@dataclass(frozen=True, slots=True)
class Move:
    what: str
    place: int
    rater: int
    item: int
    why: str
    time: str


@dataclass(slots=True)
class StudyState:
    id: int
    secret: bytes = field(default_factory=lambda: secrets.token_bytes(32))
    versions: dict[str, StudyVersion] = field(default_factory=dict)
    closed: bool = False
    loads: int = 0
    batches: list[str] = field(default_factory=list)
    spans: list[Span] = field(default_factory=list)
    by_key: dict[tuple[str, int], int] = field(default_factory=dict)
    media: dict[str, str] = field(default_factory=dict)
    raters: dict[int, Rater] = field(default_factory=dict)
    codes: dict[int, str] = field(default_factory=dict)
    walks: dict[int, Walk] = field(default_factory=dict)
    lists: dict[str, dict[int, int]] = field(default_factory=dict)
    """By annotator id, item by entry."""
    handed: list[tuple[int, str, str]] = field(default_factory=list)
    """What left one list for another, in order: item, from whom, to whom."""
    withdrawn: set[int] = field(default_factory=set)
    log: list[LogEntry] = field(default_factory=list)
    messages: list[Message] = field(default_factory=list)
    moves: list[Move] = field(default_factory=list)
    settled: list[Settled] = field(default_factory=list)
    kept: dict[str, KeptResults] = field(default_factory=dict)
    standing: dict[int, Standing] = field(default_factory=dict)
    """What each item's ratings come to, as the desk counted them last."""


@dataclass(slots=True)
class World:
    clock: Clock
    lock: RLock = field(default_factory=RLock)
    studies: dict[str, StudyState] = field(default_factory=dict)
    items: dict[int, Kept] = field(default_factory=dict)
    item_study: dict[int, str] = field(default_factory=dict)
    places: dict[int, Place] = field(default_factory=dict)
    place_study: dict[int, str] = field(default_factory=dict)
    capacities: dict[int, int | None] = field(default_factory=dict)
    standing: dict[int, str] = field(default_factory=dict)
    ratings: dict[tuple[str, str], Rating] = field(default_factory=dict)
    digests: dict[tuple[str, str], str] = field(default_factory=dict)
    drafts: dict[int, Draft] = field(default_factory=dict)
    sessions: dict[str, tuple[Session, float]] = field(default_factory=dict)
    hits: dict[str, tuple[int, int]] = field(default_factory=dict)
    people: dict[int, Person] = field(default_factory=dict)
    tickets: dict[str, tuple[int, Purpose, float]] = field(default_factory=dict)
    tokens: dict[str, Token] = field(default_factory=dict)
    deeds: list[Deed] = field(default_factory=list)
    installation: str = field(default_factory=lambda: secrets.token_hex(4))

    def now(self) -> str:
        return time_in(self.clock())

    def study(self, name: str) -> StudyState:
        if name not in self.studies:
            raise Problem(UNKNOWN_STUDY, got=name)
        return self.studies[name]

    def add_study(self, name: str) -> StudyState:
        return self.studies.setdefault(name, StudyState(len(self.studies) + 1))

    def spots(self, study: str) -> list[Spot]:
        found = (k.spot for i, k in self.items.items() if self.item_study[i] == study)
        return sorted((s for s in found if s is not None), key=lambda s: s.position)

    def own(self, study: str, rater: int) -> list[Place]:
        found = (p for i, p in self.places.items() if self.place_study[i] == study)
        return sorted((p for p in found if p.rater == rater), key=lambda p: p.number)
