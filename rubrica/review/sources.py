"""The stores results are read from."""

from __future__ import annotations

from typing import Protocol

from rubrica.accounts.model import AccountStore
from rubrica.assignment.store import PlaceStore
from rubrica.items.store import ItemStore
from rubrica.ratings.store import RatingStore
from rubrica.study.store import StudyStore
from rubrica.verdicts.model import VerdictStore


class Sources(Protocol):
    @property
    def studies(self) -> StudyStore: ...
    @property
    def items(self) -> ItemStore: ...
    @property
    def verdicts(self) -> VerdictStore: ...
    @property
    def places(self) -> PlaceStore: ...
    @property
    def ratings(self) -> RatingStore: ...
    @property
    def accounts(self) -> AccountStore: ...
