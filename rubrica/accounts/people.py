"""The people who run studies: their accounts, roles, links and tokens."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal, Protocol

StudyRole = Literal["reviewer", "coordinator", "owner"]
"""A reviewer sees ratings and settles items; a coordinator runs the study; an owner decides about
people, withdrawals and the study's end."""
RANK: Mapping[StudyRole, int] = {"reviewer": 1, "coordinator": 2, "owner": 3}

EVERY_STUDY = ""
"""Stands for all studies, those to come included."""

PersonState = Literal["invited", "active", "disabled"]
Purpose = Literal["sign-in", "password"]
"""What a link that works once is for: to sign in, or to choose a password (and sign in)."""
Scope = Literal["read", "write", "manage"]
"""What a token may do: look, change, decide about people. Each holds those before it."""
SCOPES: tuple[Scope, ...] = ("read", "write", "manage")


@dataclass(frozen=True, slots=True)
class Person:
    """An account. `password` is its hash, empty for who comes by link only."""

    number: int
    name: str
    state: PersonState = "active"
    password: str = ""
    roles: Mapping[str, StudyRole] = field(default_factory=dict)
    """By study; the role under `EVERY_STUDY` holds for all."""
    added: str = ""

    def role(self, study: str) -> StudyRole | None:
        """The highest role the person has in a study."""
        held = [self.roles[name] for name in (EVERY_STUDY, study) if name in self.roles]
        return max(held, key=RANK.__getitem__, default=None)

    def is_at_least(self, role: StudyRole, study: str) -> bool:
        own = self.role(study)
        return own is not None and RANK[own] >= RANK[role]


@dataclass(frozen=True, slots=True)
class Token:
    """A key for a program, that acts for a person. Only its hash is kept."""

    number: int
    person: int
    name: str
    scope: Scope
    made: str
    until: float
    """When it ends, in seconds since 1970."""
    ended: bool = False


@dataclass(frozen=True, slots=True)
class Deed:
    """One line of the installation's own log: who did what to accounts."""

    number: int
    when: str
    who: str
    what: str
    details: Mapping[str, Any]


class PeopleStore(Protocol):
    def add_person(self, name: str, password: str, state: PersonState) -> Person | None:
        """A new account, or None where the name is taken."""
        ...

    def person(self, number: int) -> Person | None: ...

    def person_named(self, name: str) -> Person | None: ...

    def people(self) -> Sequence[Person]: ...

    def change_person(self, number: int, **changes: Any) -> Person:
        """Change `name`, `password` or `state`."""
        ...

    def set_role(self, number: int, study: str, role: StudyRole | None) -> None: ...

    def add_ticket(self, hashed: str, person: int, purpose: Purpose, until: float) -> None:
        """Keep the hash of a link that works once."""
        ...

    def take_ticket(self, hashed: str, now: float) -> tuple[int, Purpose] | None:
        """Whose link this is and what for; nobody gets the same answer again."""
        ...

    def add_token(self, hashed: str, person: int, name: str, scope: Scope, until: float) -> Token: ...

    def token(self, hashed: str) -> Token | None: ...

    def tokens(self, person: int) -> Sequence[Token]: ...

    def end_token(self, person: int, number: int) -> bool: ...

    def log_deed(self, who: str, what: str, details: Mapping[str, Any]) -> None: ...

    def deeds(self, before: int | None = None, count: int = 100) -> Sequence[Deed]:
        """The newest first."""
        ...
