"""Rows of the tidy table as ratings again, exactly as they were recorded."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, get_args

from rubrica.accounts.model import RaterState
from rubrica.errors import Problem, Rule, Where, nearest, shown
from rubrica.exchange.contract import Exact, Filled
from rubrica.exchange.rules import BAD_SHAPE, NO_COLUMN, UNKNOWN_FIELD
from rubrica.exchange.store import Seat, Who
from rubrica.exchange.tidy import NAME, Versions, columns_of
from rubrica.kinds.contract import Column, Question
from rubrica.kinds.registry import kind
from rubrica.ratings.model import Answer, Pace, State
from rubrica.study.model import Study

UNKNOWN_VERSION = Rule(
    code="X030",
    title="A tidy table's ratings name a version of the study that is kept here",
    says="this database has no version {got} of the study",
    why="What the answers mean is read from the version they were made under.",
    mend="Import it into a database of the same study file; or load that version of the file first.",
)

NEEDED = ("item", "copy", "rater", "rating", "version", "received")
TYPES: dict[str, tuple[type, ...]] = {
    "integer": (int,),
    "number": (int, float),
    "text": (str,),
    "boolean": (bool,),
    "json": (dict, list, str, int, float, bool),
}


def filled(versions: Versions, row: Mapping[str, Any], where: Where) -> Iterator[Filled | Problem]:
    """One row as a rating, or everything that is wrong with it."""
    missing = [name for name in NEEDED if name not in row]
    if missing:
        for name in missing:
            yield Problem(NO_COLUMN, where, name, nearest=nearest(name, row))
        return
    study = versions.study(str(row["version"]))
    if study is None:
        yield Problem(UNKNOWN_VERSION, where, got=shown(row["version"]))
        return
    known = {column.name: column for column in columns_of(study, with_names=True)}
    problems = list(_problems(known, row, where))
    yield from problems
    if not problems:
        yield _filled(study, row, where)


def _problems(known: Mapping[str, Column], row: Mapping[str, Any], where: Where) -> Iterator[Problem]:
    for name, value in row.items():
        if value is None:
            if name in NEEDED:
                yield Problem(BAD_SHAPE, where, "a value", "nothing", details={"what": name})
        elif name.endswith(".state") and name in known and value not in get_args(State):
            expected = ", ".join(get_args(State))
            yield Problem(BAD_SHAPE, where, expected, shown(value), details={"what": name})
        elif name not in known:
            yield Problem(UNKNOWN_FIELD, where, got=shown(name), nearest=nearest(name, known))
        elif not _fits(value, known[name].type):
            details = {"what": name}
            yield Problem(BAD_SHAPE, where, known[name].type, shown(value), details=details)


def _fits(value: Any, wanted: str) -> bool:
    if wanted in ("integer", "number") and isinstance(value, bool):
        return False
    return isinstance(value, TYPES[wanted])


def _filled(study: Study, row: Mapping[str, Any], where: Where) -> Filled:
    skipped = bool(row.get("skipped"))
    answers = None if skipped else dict(_answers(study, row))
    exact = Exact(
        id=row["rating"],
        who=_who(row),
        version=row["version"],
        answers=answers,
        language=row.get("language") or study.languages[0],
        seat=Seat(
            number=row.get("place"),
            at=row.get("shared_number"),
            round=row.get("round") or "main",
            gold=bool(row.get("gold")),
            repeat=bool(row.get("repeat")),
        ),
        supersedes=row.get("supersedes"),
        surplus=bool(row.get("surplus")),
        conflict=bool(row.get("conflict")),
        imported=bool(row.get("imported")),
    )
    return Filled(
        where=where,
        references=((row["item"], row["copy"]),),
        replies={},
        rater=row.get(NAME.name),
        skip_reason=row.get("skip_reason"),
        received=row["received"],
        pace=Pace(*(row.get(name) for name in ("started", "ended", "wall_seconds", "active_seconds"))),
        exact=exact,
    )


def _who(row: Mapping[str, Any]) -> Who:
    place, said = row.get("unnamed_place"), row.get("rater_state")
    state: RaterState = next((known for known in get_args(RaterState) if known == said), "active")
    if place is not None:
        return Who(None, row["rater"], place, state)
    return Who(row.get(NAME.name) or f"rater {row['rater']}", row["rater"], state=state)


def _answers(study: Study, row: Mapping[str, Any]) -> Iterator[tuple[str, Answer]]:
    for name, question in study.questions.items():
        cells = {column: row.get(_join(name, column)) for column in _columns(question)}
        if cells["state"] is not None:
            yield name, _answer(question, cells)


def _answer(question: Question, cells: Mapping[str, Any]) -> Answer:
    of, answered = kind(question.kind), cells["state"] == "answered"
    first = cells.get("first") if of.simple else None
    if answered and first == cells.get(""):
        first = None
    return Answer(
        state=cells["state"],
        value=of.recorded(question, cells) if answered else None,
        reason=cells.get("reason"),
        first=first,
        implied=cells.get("implied"),
        prompted=bool(cells.get("prompted")),
        implied_by=cells.get("implied_by"),
        second_look=bool(cells.get("second_look")),
    )


def _columns(question: Question) -> list[str]:
    own = [column.name for column in kind(question.kind).columns(question)]
    beside = ("state", "reason", "first", "implied", "implied_by", "prompted", "second_look")
    return [*own, *beside]


def _join(question: str, column: str) -> str:
    return f"{question}.{column}" if column else question
