"""The people of the desk in memory."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from rubrica.accounts.people import Deed, Person, PersonState, Purpose, Scope, StudyRole, Token
from rubrica.errors import Problem
from rubrica.storage.memory.world import World
from rubrica.storage.rules import UNKNOWN_PERSON


class MemoryPeople:
    """Fulfils `PeopleStore`."""

    def __init__(self, world: World) -> None:
        self._world = world

    def add_person(self, name: str, password: str, state: PersonState) -> Person | None:
        with self._world.lock:
            if self.person_named(name):
                return None
            number = len(self._world.people) + 1
            made = Person(number, name, state, password, {}, self._world.now())
            self._world.people[number] = made
            return made

    def person(self, number: int) -> Person | None:
        return self._world.people.get(number)

    def person_named(self, name: str) -> Person | None:
        return next((p for p in self._world.people.values() if p.name == name), None)

    def people(self) -> Sequence[Person]:
        return list(self._world.people.values())

    def change_person(self, number: int, **changes: Any) -> Person:
        if number not in self._world.people:
            raise Problem(UNKNOWN_PERSON, got=str(number))
        self._world.people[number] = replace(self._world.people[number], **changes)
        return self._world.people[number]

    def set_role(self, number: int, study: str, role: StudyRole | None) -> None:
        roles = {s: r for s, r in self._world.people[number].roles.items() if s != study}
        if role is not None:
            roles[study] = role
        self.change_person(number, roles=roles)

    def add_ticket(self, hashed: str, person: int, purpose: Purpose, until: float) -> None:
        self._world.tickets[hashed] = (person, purpose, until)

    def take_ticket(self, hashed: str, now: float) -> tuple[int, Purpose] | None:
        with self._world.lock:
            person, purpose, until = self._world.tickets.pop(hashed, (0, "sign-in", 0.0))
            return (person, purpose) if until > now else None

    def add_token(self, hashed: str, person: int, name: str, scope: Scope, until: float) -> Token:
        number = len(self._world.tokens) + 1
        made = Token(number, person, name, scope, self._world.now(), until)
        self._world.tokens[hashed] = made
        return made

    def token(self, hashed: str) -> Token | None:
        return self._world.tokens.get(hashed)

    def tokens(self, person: int) -> Sequence[Token]:
        return [t for t in self._world.tokens.values() if t.person == person]

    def end_token(self, person: int, number: int) -> bool:
        for hashed, token in self._world.tokens.items():
            if (token.person, token.number, token.ended) == (person, number, False):
                self._world.tokens[hashed] = replace(token, ended=True)
                return True
        return False

    def log_deed(self, who: str, what: str, details: Mapping[str, Any]) -> None:
        with self._world.lock:
            number = len(self._world.deeds) + 1
            self._world.deeds.append(Deed(number, self._world.now(), who, what, dict(details)))

    def deeds(self, before: int | None = None, count: int = 100) -> Sequence[Deed]:
        older = [d for d in self._world.deeds if before is None or d.number < before]
        return older[::-1][:count]
