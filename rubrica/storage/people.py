"""The people of the desk: accounts, roles, links, tokens, and the log of what was done to them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from sqlalchemy import bindparam, delete, select, update

from rubrica.accounts.people import Deed, Person, PersonState, Purpose, Scope, StudyRole, Token
from rubrica.errors import Problem
from rubrica.storage.codec import json_in, json_out, text_in, text_out
from rubrica.storage.core import Core
from rubrica.storage.desk_tables import deeds, members, people, tickets, tokens
from rubrica.storage.rules import UNKNOWN_PERSON
from rubrica.storage.sql import Row, Tx, insert_into, locked

PERSON = (people.c.number, people.c.name, people.c.state, people.c.password, people.c.added)
ALL = select(*PERSON).order_by(people.c.number)
ONE = select(*PERSON).where(people.c.number == bindparam("person"))
NAMED = select(*PERSON).where(people.c.name == bindparam("name"))
ADD = insert_into(people)
CHANGES = {
    name: update(people).where(people.c.number == bindparam("of")).values({name: bindparam("value")})
    for name in ("name", "state", "password")
}
ROLES = select(members.c.person, members.c.study, members.c.role)
ROLES_OF = ROLES.where(members.c.person == bindparam("person"))
DROP_ROLE = delete(members).where(
    members.c.person == bindparam("person"), members.c.study == bindparam("study")
)
ADD_ROLE = insert_into(members)

ADD_TICKET = insert_into(tickets)
TICKET = locked(
    select(tickets.c.person, tickets.c.purpose, tickets.c.until).where(
        tickets.c.hashed == bindparam("hashed")
    )
)
DROP_TICKET = delete(tickets).where(tickets.c.hashed == bindparam("hashed"))
FORGET_TICKETS = delete(tickets).where(tickets.c.until < bindparam("now"))

TOKEN = tuple(tokens.c[n] for n in ("number", "person", "name", "scope", "made", "until", "ended"))
ADD_TOKEN = insert_into(tokens)
BY_HASH = select(*TOKEN).where(tokens.c.hashed == bindparam("hashed"))
TOKENS_OF = select(*TOKEN).where(tokens.c.person == bindparam("person")).order_by(tokens.c.number)
END_TOKEN = (
    update(tokens)
    .where(
        tokens.c.number == bindparam("of"), tokens.c.person == bindparam("whose"), tokens.c.ended == 0
    )
    .values(ended=1)
)

ADD_DEED = insert_into(deeds)
DEEDS = (
    select(deeds.c.number, deeds.c.time, deeds.c.who, deeds.c.what, deeds.c.details)
    .where(deeds.c.number < bindparam("before"))
    .order_by(deeds.c.number.desc())
    .limit(bindparam("count"))
)
LAST = 2**62
ONE_AT_A_TIME = "SELECT pg_advisory_xact_lock(7304213)"


def _next(tx: Tx, table: Any) -> int:
    """The next number; these tables grow slowly, so whoever adds waits for whoever adds before."""
    if not tx.sqlite:
        tx.plain(ONE_AT_A_TIME)
    return int(tx.value(LAST_OF[table.name]) or 0) + 1


LAST_OF = {
    table.name: select(table.c.number).order_by(table.c.number.desc()).limit(1)
    for table in (people, tokens, deeds)
}


class People:
    """Fulfils `PeopleStore`."""

    def __init__(self, core: Core) -> None:
        self._core = core

    def add_person(self, name: str, password: str, state: PersonState) -> Person | None:
        added = self._core.now()

        def add(tx: Tx) -> Person | None:
            number = _next(tx, people)
            if tx.one(NAMED, name=text_in(name)):
                return None
            values = {"name": text_in(name), "state": state, "password": password, "added": added}
            tx.run(ADD, number=number, **values)
            return Person(number, name, state, password, {}, added)

        return self._core.writer.call(add)

    def person(self, number: int) -> Person | None:
        with self._core.database.read() as tx:
            row = tx.one(ONE, person=number)
            return None if row is None else _person(row, tx.all(ROLES_OF, person=number))

    def person_named(self, name: str) -> Person | None:
        with self._core.database.read() as tx:
            row = tx.one(NAMED, name=text_in(name))
            return None if row is None else _person(row, tx.all(ROLES_OF, person=row[0]))

    def people(self) -> Sequence[Person]:
        with self._core.database.read() as tx:
            rows, roles = tx.all(ALL), tx.all(ROLES)
        return [_person(row, [r for r in roles if r[0] == row[0]]) for row in rows]

    def change_person(self, number: int, **changes: Any) -> Person:
        def change(tx: Tx) -> Person:
            for name, value in changes.items():
                tx.run(CHANGES[name], of=number, value=text_in(value))
            row = tx.one(ONE, person=number)
            if row is None:
                raise Problem(UNKNOWN_PERSON, got=str(number))
            return _person(row, tx.all(ROLES_OF, person=number))

        return self._core.writer.call(change)

    def set_role(self, number: int, study: str, role: StudyRole | None) -> None:
        def write(tx: Tx) -> None:
            tx.run(DROP_ROLE, person=number, study=text_in(study))
            if role is not None:
                tx.run(ADD_ROLE, person=number, study=text_in(study), role=role)

        self._core.writer.call(write)

    def add_ticket(self, hashed: str, person: int, purpose: Purpose, until: float) -> None:
        now = self._core.clock().timestamp()

        def add(tx: Tx) -> None:
            tx.run(FORGET_TICKETS, now=now)
            tx.run(ADD_TICKET, hashed=hashed, person=person, purpose=purpose, until=until)

        self._core.writer.call(add)

    def take_ticket(self, hashed: str, now: float) -> tuple[int, Purpose] | None:
        def take(tx: Tx) -> tuple[int, Purpose] | None:
            row = tx.one(TICKET, hashed=hashed)
            taken = row is not None and tx.run(DROP_TICKET, hashed=hashed) == 1
            return (row[0], row[1]) if row is not None and taken and row[2] > now else None

        return self._core.writer.call(take)

    def add_token(self, hashed: str, person: int, name: str, scope: Scope, until: float) -> Token:
        made = self._core.now()

        def add(tx: Tx) -> Token:
            values = {"person": person, "scope": scope, "made": made, "until": until}
            number = _next(tx, tokens)
            tx.run(ADD_TOKEN, number=number, hashed=hashed, name=text_in(name), ended=0, **values)
            return Token(number, person, name, scope, made, until)

        return self._core.writer.call(add)

    def token(self, hashed: str) -> Token | None:
        with self._core.database.read() as tx:
            row = tx.one(BY_HASH, hashed=hashed)
        return None if row is None else _token(row)

    def tokens(self, person: int) -> Sequence[Token]:
        with self._core.database.read() as tx:
            return [_token(row) for row in tx.all(TOKENS_OF, person=person)]

    def end_token(self, person: int, number: int) -> bool:
        return self._core.writer.call(lambda tx: tx.run(END_TOKEN, of=number, whose=person) == 1)

    def log_deed(self, who: str, what: str, details: Mapping[str, Any]) -> None:
        now = self._core.now()

        def add(tx: Tx) -> None:
            values = {"who": text_in(who), "what": text_in(what), "details": json_in(details)}
            tx.run(ADD_DEED, number=_next(tx, deeds), time=now, **values)

        self._core.writer.call(add)

    def deeds(self, before: int | None = None, count: int = 100) -> Sequence[Deed]:
        with self._core.database.read() as tx:
            rows = tx.all(DEEDS, before=LAST if before is None else before, count=count)
        return [Deed(n, t, text_out(w), text_out(d), json_out(more)) for n, t, w, d, more in rows]


def _person(row: Row, roles: Sequence[Row]) -> Person:
    number, name, state, password, added = row
    held: dict[str, StudyRole] = {text_out(study): role for _, study, role in roles}
    return Person(number, text_out(name), state, password, held, added)


def _token(row: Row) -> Token:
    number, person, name, scope, made, until, ended = row
    return Token(number, person, text_out(name), scope, made, until, bool(ended))
