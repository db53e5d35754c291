"""Raters, their names apart from everything else, and the audit log."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from sqlalchemy import Select, bindparam, delete, select, update

from rubrica.accounts.model import LogEntry, Rater, RaterState
from rubrica.errors import Problem
from rubrica.storage.codec import json_in, json_out, maybe_in, maybe_out, text_in, text_out
from rubrica.storage.core import Core
from rubrica.storage.places import give_back_everything
from rubrica.storage.rules import UNKNOWN_RATER
from rubrica.storage.sql import Row, Tx, as_rows, insert_given, insert_into, one_of
from rubrica.storage.tables import audit, drafts, names, raters, studies, walks, withdrawals

# Whoever adds a row that belongs to the study need not wait for whoever adds a rater.
LAST_NUMBER = (
    select(studies.c.raters).where(studies.c.id == bindparam("study")).with_for_update(key_share=True)
)
COUNT_TO = update(studies).where(studies.c.id == bindparam("study")).values(raters=bindparam("last"))
NUMBERED = select(raters.c.number).where(
    raters.c.study == bindparam("study"), raters.c.number == bindparam("rater")
)
TAKEN = select(names.c.rater).where(
    names.c.study == bindparam("study"), names.c.name == bindparam("name")
)
ALL_TAKEN = select(names.c.name).where(
    names.c.study == bindparam("study"), one_of(names.c.name, "names")
)
ADD_RATER = insert_given(raters)
ADD_NAME = insert_given(names)
ADD_WALK = insert_given(walks, "study", "rater")


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
LOG = insert_given(audit)
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
        known, joined = self._core.id(study), self._core.now()
        new = Newcomer(known, joined, name, language, state, code_hash, crowd)
        number: int | None = self._core.writer.put(add_raters, new, ("name", known, name)).result()
        if number is None:
            return None
        return Rater(number, study, name, state, language, crowd=dict(crowd), joined=joined)

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
        line = Line(self._core.id(study), self._core.now(), who, what, details)
        self._core.writer.put(log_all, line, object()).result()

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


@dataclass(frozen=True, slots=True)
class Newcomer:
    """Somebody who is to be a rater, under the number asked for where it is free."""

    study: int
    joined: str
    name: str
    language: str
    state: RaterState = "active"
    code_hash: str = ""
    crowd: Mapping[str, str] = field(default_factory=dict)
    named: bool = True
    number: int | None = None


def add_raters(tx: Tx, new: Sequence[Newcomer]) -> Sequence[int | None]:
    """The handler of newcomers, no two of one name: their numbers, or None where the name is taken."""
    answers: dict[int, int | None] = {}
    for study in sorted({one.study for one in new}):
        ours = [n for n, one in enumerate(new) if one.study == study]
        answers.update(zip(ours, _add_raters(tx, study, [new[n] for n in ours]), strict=True))
    return [answers[n] for n in range(len(new))]


def _add_raters(tx: Tx, study: int, new: Sequence[Newcomer]) -> list[int | None]:
    # The row of the study is locked from here on, so a name cannot be taken in between.
    last = tx.value(LAST_NUMBER, study=study)
    names_ = [text_in(one.name) for one in new]
    taken = {row[0] for row in tx.gathered(ALL_TAKEN, study=study, names=names_)}
    numbers: list[int | None] = []
    for one, name in zip(new, names_, strict=True):
        asked = one.number
        free = asked is not None and not tx.one(NUMBERED, study=study, rater=asked)
        number = None if name in taken else asked if free else last + 1
        last = max(last, number or 0)
        numbers.append(number)
    added = [(n, one) for n, one in zip(numbers, new, strict=True) if n is not None]
    if added:
        tx.run(COUNT_TO, study=study, last=last)
        tx.run(ADD_RATER, rows=as_rows(_own(number, one) for number, one in added))
        tx.run(ADD_NAME, rows=as_rows(_personal(number, one) for number, one in added))
        tx.run(ADD_WALK, rows=as_rows({"study": study, "rater": number} for number, _ in added))
    return numbers


def _own(number: int, one: Newcomer) -> dict[str, Any]:
    return {
        "study": one.study,
        "number": number,
        "state": one.state,
        "language": text_in(one.language),
        "guidelines": None,
        "consent": None,
        "practice": "{}",
        "joined": one.joined,
        "named": int(one.named),
    }


def _personal(number: int, one: Newcomer) -> dict[str, Any]:
    return {
        "study": one.study,
        "rater": number,
        "name": text_in(one.name),
        "code_hash": text_in(one.code_hash),
        "crowd": json_in(one.crowd),
    }


@dataclass(frozen=True, slots=True)
class Line:
    """A line for the audit log."""

    study: int
    time: str
    who: str
    what: str
    details: Mapping[str, Any]


def log_all(tx: Tx, lines: Sequence[Line]) -> Sequence[None]:
    """The handler of lines for the audit log."""
    numbers = tx.fresh("audit", "number", len(lines))
    rows = [
        {
            "number": number,
            "study": line.study,
            "time": line.time,
            "who": text_in(line.who),
            "what": text_in(line.what),
            "details": json_in(line.details),
        }
        for number, line in zip(numbers, lines, strict=True)
    ]
    tx.run(LOG, rows=as_rows(rows))
    return [None] * len(lines)


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
