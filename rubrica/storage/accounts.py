"""Raters, their names apart from everything else, and the audit log."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from sqlalchemy import Select, bindparam, delete, select, update

from rubrica.accounts.model import LogEntry, Rater, RaterState
from rubrica.errors import Problem
from rubrica.storage.codec import json_in, json_out, maybe_in, maybe_out, text_in, text_out
from rubrica.storage.core import Core
from rubrica.storage.places import give_back_everything
from rubrica.storage.rules import UNKNOWN_RATER
from rubrica.storage.sql import Row, Tx, insert_into, locked, one_of
from rubrica.storage.tables import audit, drafts, names, raters, studies, walks, withdrawals

LAST_NUMBER = locked(select(studies.c.raters).where(studies.c.id == bindparam("study")))
COUNT_TO = update(studies).where(studies.c.id == bindparam("study")).values(raters=bindparam("last"))
NUMBERED = select(raters.c.number).where(
    raters.c.study == bindparam("study"), raters.c.number == bindparam("rater")
)
TAKEN = select(names.c.rater).where(
    names.c.study == bindparam("study"), names.c.name == bindparam("name")
)
ADD_RATER = insert_into(raters)
ADD_NAME = insert_into(names)
ADD_WALK = insert_into(walks, "study", "rater")


def _raters() -> Select[Any]:
    same = (names.c.study == raters.c.study) & (names.c.rater == raters.c.number)
    return (
        select(
            raters.c.number,
            raters.c.state,
            raters.c.language,
            raters.c.guidelines,
            raters.c.consent,
            raters.c.practice,
            raters.c.joined,
            raters.c.named,
            names.c.name,
            names.c.crowd,
            names.c.code_hash,
        )
        .join_from(raters, names, same)
        .where(raters.c.study == bindparam("study"))
    )


ALL = _raters().order_by(raters.c.number)
ONE = _raters().where(raters.c.number == bindparam("rater"))
SOME = _raters().where(one_of(raters.c.number, "raters"))
NAMED = _raters().where(names.c.name == bindparam("name"))

OWN = {
    "state": text_in,
    "language": text_in,
    "guidelines": maybe_in,
    "consent": maybe_in,
    "practice": json_in,
}
PERSONAL = {"name": text_in, "crowd": json_in, "code_hash": text_in}
CHANGE_OWN = {
    column: update(raters)
    .where(raters.c.study == bindparam("of_study"), raters.c.number == bindparam("of_rater"))
    .values({column: bindparam("value")})
    for column in OWN
}
CHANGE_PERSONAL = {
    column: update(names)
    .where(names.c.study == bindparam("of_study"), names.c.rater == bindparam("of_rater"))
    .values({column: bindparam("value")})
    for column in PERSONAL
}
CHANGES = {**CHANGE_OWN, **CHANGE_PERSONAL}
CODECS: dict[str, Any] = {**OWN, **PERSONAL}

WITHDRAW = insert_into(withdrawals)
DROP_DRAFTS = delete(drafts).where(
    drafts.c.study == bindparam("study"), drafts.c.rater == bindparam("rater")
)
LOG = insert_into(audit)
_ENTRIES = select(audit.c.number, audit.c.time, audit.c.who, audit.c.what, audit.c.details).where(
    audit.c.study == bindparam("study")
)
ENTRIES = _ENTRIES.order_by(audit.c.number)
NEWEST = (
    _ENTRIES.where(audit.c.number < bindparam("before"))
    .order_by(audit.c.number.desc())
    .limit(bindparam("count"))
)
LAST = 2**62


class Accounts:
    """Fulfils `AccountStore`."""

    def __init__(self, core: Core) -> None:
        self._core = core

    def add_rater(
        self,
        study: str,
        name: str,
        code_hash: str,
        language: str,
        crowd: Mapping[str, str],
        state: RaterState = "active",
    ) -> Rater | None:
        number, joined = self._core.id(study), self._core.now()

        def add(tx: Tx) -> Rater | None:
            rater = add_rater(
                tx, number, joined, name, language, state=state, code_hash=code_hash, crowd=crowd
            )
            if rater is None:
                return None
            return Rater(rater, study, name, state, language, crowd=dict(crowd), joined=joined)

        return self._core.writer.call(add)

    def rater(self, study: str, number: int) -> Rater | None:
        known = self._core.find(study)
        if known is None:
            return None
        with self._core.database.read() as tx:
            row = tx.one(ONE, study=known.id, rater=number)
        return None if row is None else _rater(study, row)

    def some_raters(self, study: str, numbers: Sequence[int]) -> Mapping[int, Rater]:
        with self._core.database.read() as tx:
            rows = tx.gathered(SOME, study=self._core.id(study), raters=list(numbers))
        return {row[0]: _rater(study, row) for row in rows}

    def rater_named(self, study: str, name: str) -> tuple[Rater, str] | None:
        known = self._core.find(study)
        if known is None:
            return None
        with self._core.database.read() as tx:
            row = tx.one(NAMED, study=known.id, name=text_in(name))
        return None if row is None else (_rater(study, row), text_out(row[-1]))

    def raters(self, study: str) -> Sequence[Rater]:
        known = self._core.find(study)
        if known is None:
            return []
        with self._core.database.read() as tx:
            return [_rater(study, row) for row in tx.all(ALL, study=known.id)]

    def change_rater(self, study: str, number: int, **changes: Any) -> Rater:
        known = self._core.id(study)

        def change(tx: Tx) -> Rater:
            before = tx.one(ONE, study=known, rater=number)
            if before is None:
                raise Problem(UNKNOWN_RATER, got=str(number))
            if changes.get("state") == "withdrawn" and before[1] != "withdrawn":
                changes.update(self._withdraw(tx, known, number))
            for name, value in changes.items():
                tx.run(CHANGES[name], of_study=known, of_rater=number, value=CODECS[name](value))
            row = tx.one(ONE, study=known, rater=number)
            assert row is not None  # noqa: S101
            return _rater(study, row)

        return self._core.writer.call(change, key=("rater", known, number))

    def _withdraw(self, tx: Tx, study: int, rater: int) -> dict[str, Any]:
        """The record that stays; what goes with it; and the name, erased."""
        (fresh,) = tx.fresh("withdrawals", "number", 1)
        now = self._core.now()
        tx.run(WITHDRAW, number=fresh, study=study, rater=rater, time=now)
        tx.run(DROP_DRAFTS, study=study, rater=rater)
        give_back_everything(tx, study, rater, now)
        name = f"withdrawn {rater}"
        while tx.one(TAKEN, study=study, name=name):
            name += "*"
        return {"name": name, "crowd": {}, "code_hash": ""}

    def log(self, study: str, who: str, what: str, details: Mapping[str, Any]) -> None:
        known, now = self._core.id(study), self._core.now()

        self._core.writer.call(lambda tx: log_entry(tx, known, now, who, what, details))

    def log_entries(self, study: str) -> Sequence[LogEntry]:
        known = self._core.find(study)
        if known is None:
            return []
        with self._core.database.read() as tx:
            return [_entry(study, row) for row in tx.all(ENTRIES, study=known.id)]

    def newest_log(self, study: str, before: int | None, count: int) -> Sequence[LogEntry]:
        known, late = self._core.id(study), LAST if before is None else before
        with self._core.database.read() as tx:
            rows = tx.all(NEWEST, study=known, before=late, count=count)
        return [_entry(study, row) for row in rows]


def add_rater(
    tx: Tx,
    study: int,
    joined: str,
    name: str,
    language: str,
    *,
    state: RaterState = "active",
    code_hash: str = "",
    crowd: Mapping[str, str] | None = None,
    named: bool = True,
    number: int | None = None,
) -> int | None:
    """A new rater's number, the one asked for where it is free; None where the name is taken."""
    # The row of the study is locked from here on, so a name cannot be taken in between.
    last = tx.value(LAST_NUMBER, study=study)
    if tx.one(TAKEN, study=study, name=text_in(name)):
        return None
    free = number is not None and not tx.one(NUMBERED, study=study, rater=number)
    rater = number if number is not None and free else last + 1
    tx.run(COUNT_TO, study=study, last=max(last, rater))
    tx.run(
        ADD_RATER,
        study=study,
        number=rater,
        state=state,
        language=text_in(language),
        guidelines=None,
        consent=None,
        practice="{}",
        joined=joined,
        named=int(named),
    )
    personal = {"name": text_in(name), "code_hash": text_in(code_hash), "crowd": json_in(crowd or {})}
    tx.run(ADD_NAME, study=study, rater=rater, **personal)
    tx.run(ADD_WALK, study=study, rater=rater)
    return int(rater)


def log_entry(tx: Tx, study: int, now: str, who: str, what: str, details: Mapping[str, Any]) -> None:
    (fresh,) = tx.fresh("audit", "number", 1)
    entry = {"who": text_in(who), "what": text_in(what), "details": json_in(details)}
    tx.run(LOG, number=fresh, study=study, time=now, **entry)


def _rater(study: str, row: Row) -> Rater:
    number, state, language, guidelines, consent, practice, joined, named, name, crowd, _ = row
    return Rater(
        number=number,
        study=study,
        name=text_out(name),
        state=state,
        language=text_out(language),
        guidelines=maybe_out(guidelines),
        consent=maybe_out(consent),
        practice=json_out(practice),
        crowd=json_out(crowd),
        joined=joined,
        named=bool(named),
    )


def _entry(study: str, row: Row) -> LogEntry:
    number, time, who, what, details = row
    return LogEntry(number, study, time, text_out(who), text_out(what), json_out(details))
