"""What fieldwork keeps of its own, and the bundle of stores its use-cases work on."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, Protocol

from rubrica.accounts.model import AccountStore
from rubrica.assignment.store import PlaceStore
from rubrica.items.store import ItemStore
from rubrica.ratings.store import RatingStore
from rubrica.study.store import StudyStore

MessageKind = Literal["flag", "question", "answer", "notice"]
"""Raters flag an item or ask; coordinators answer one rater or notify all."""


@dataclass(frozen=True, slots=True)
class Message:
    """One message between raters and coordinators; `rater` is None for a notice to everybody."""

    study: str
    kind: MessageKind
    text: str
    rater: int | None = None
    item: int | None = None
    place: int | None = None
    answers: int | None = None
    """The number of the message this one answers."""
    number: int = 0
    sent: str = ""


class MessageStore(Protocol):
    def add_message(self, message: Message) -> Message:
        """Keep a message; it comes back with its number and time."""
        ...

    def messages(self, study: str, rater: int | None = None) -> Sequence[Message]:
        """All messages in order; with `rater`, theirs and the notices to everybody."""
        ...

    def newest(self, study: str, raters: Sequence[int]) -> Mapping[int, int]:
        """The number of the newest answer or notice to each of these raters; 0 where there is none."""
        ...


class Stores(Protocol):
    """Everything fieldwork works on, by one name each."""

    @property
    def studies(self) -> StudyStore: ...
    @property
    def items(self) -> ItemStore: ...
    @property
    def places(self) -> PlaceStore: ...
    @property
    def ratings(self) -> RatingStore: ...
    @property
    def accounts(self) -> AccountStore: ...
    @property
    def messages(self) -> MessageStore: ...
