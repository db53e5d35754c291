"""A plain table of ratings, as a small script or a person keeps it: one row a rating."""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

from rubrica.errors import Problem, Where, nearest, shown
from rubrica.exchange.cells import typed
from rubrica.exchange.contract import Filled, Here
from rubrica.exchange.reading import NO_ANSWERS, NOT_READ, ReadOnly, first_record, records
from rubrica.exchange.rules import BAD_SHAPE, BAD_TIME, NO_COLUMN
from rubrica.exchange.tidy_files import TELLING
from rubrica.exchange.times import in_utc
from rubrica.kinds.contract import Column
from rubrica.kinds.registry import kind
from rubrica.ratings.model import Pace
from rubrica.study.model import Study
from rubrica.verdicts.model import HiddenItem

ITEM, COPY, RATER, TIME, SECONDS, SKIPPED = "item", "copy", "rater", "time", "seconds", "skip_reason"
OWN = (ITEM, COPY, RATER, TIME, SECONDS, SKIPPED)
CANNOT = "cannot judge"


class Plain(ReadOnly):
    name = "plain"
    files = "`NAME.csv`, `NAME.tsv`, `NAME.jsonl`, `NAME.xlsx`, `NAME.parquet`"
    says = (
        "One row a rating: `item` is the item's key, `rater` the annotator id (without it the rating "
        "is nobody's), and each question has a column of its name. A cell holds what the tidy table "
        "would; `cannot judge` stands for that, an empty cell for a question left out, and a row "
        "without any answer is not filled in. There may be `copy` for items that share a key, `time` "
        "(ISO), `seconds` and `skip_reason`, which makes the row a skip."
    )
    questions = frozenset[str]()

    def recognises(self, path: Path) -> bool:
        first = first_record(path)
        return ITEM in first and not all(name.strip('"') in first for name in TELLING)

    def references(self, item: HiddenItem) -> Sequence[Hashable]:
        return ((item.key, item.copy),)

    def read(self, here: Here, path: Path) -> Iterator[Filled | Problem | None]:
        table, looked = _Table(here.study), False
        for found in records(path):
            if isinstance(found, Problem):
                yield found
                continue
            where = Where(str(path), found.place)
            if not isinstance(found.data, dict):
                got, details = shown(found.data), {"what": "the line"}
                yield Problem(BAD_SHAPE, where, "an object", got, details=details)
                continue
            if not looked:
                looked = True
                yield from table.beside(where, found.data)
            yield from table.row(where, found.data)


@dataclass(frozen=True)
class _Table:
    """How the columns of one study's plain table are read."""

    study: Study

    @cached_property
    def _columns(self) -> dict[str, dict[str, Column]]:
        """For each question its columns, by their name in the table."""
        return {
            name: {
                f"{name}.{column.name}" if column.name else name: column
                for column in kind(question.kind).columns(question)
            }
            for name, question in self.study.questions.items()
        }

    def beside(self, where: Where, row: Mapping[str, Any]) -> Iterator[Problem]:
        """What the first row tells of columns: no answers at all, or more than answers."""
        known = {*OWN, *(name for columns in self._columns.values() for name in columns)}
        if not known - set(OWN) & set(row):
            expected = ", ".join(self.study.questions)
            yield Problem(NO_ANSWERS, where, expected=expected)
        for name in row:
            if name not in known:
                yield Problem(NOT_READ, where, got=f"the column {name!r}", nearest=nearest(name, known))

    def row(self, where: Where, row: Mapping[str, Any]) -> Iterator[Filled | Problem | None]:
        if row.get(ITEM) in (None, ""):
            yield Problem(NO_COLUMN, where, ITEM)
            return
        replies = dict(self._replies(row))
        reason = row.get(SKIPPED) or None
        if not replies and reason is None:
            yield None
            return
        times = list(_times(where, row))
        problems = [one for one in times if isinstance(one, Problem)]
        if problems:
            yield from problems
            return
        received, seconds, copy = times
        yield Filled(
            where=where,
            references=((str(row[ITEM]), copy or 0),),
            replies=replies if reason is None else None,
            rater=None if row.get(RATER) in (None, "") else str(row[RATER]),
            skip_reason=None if reason is None else str(reason),
            received=received,
            pace=Pace(ended=received, wall_seconds=seconds),
        )

    def _replies(self, row: Mapping[str, Any]) -> Iterator[tuple[str, dict[str, Any]]]:
        for name, columns in self._columns.items():
            cells = {column.name: _cell(row.get(full), column) for full, column in columns.items()}
            main = cells.get("")
            if isinstance(main, str) and main.strip().lower() == CANNOT:
                yield name, {"cannot_judge": True}
            elif any(cell is not None for cell in cells.values()):
                question = self.study.questions[name]
                yield name, {"value": kind(question.kind).recorded(question, cells)}


def _cell(value: Any, column: Column) -> Any:
    return None if value is None or value == "" else typed(value, column)


def _times(where: Where, row: Mapping[str, Any]) -> Iterator[Any]:
    """When it was rated, how many seconds it took, and which copy of its key it is about."""
    time = row.get(TIME) or None
    try:
        yield None if time is None else in_utc(str(time))
    except ValueError:
        at = Where(where.file, where.line, path=TIME)
        yield Problem(BAD_TIME, at, "2026-05-31T09:15:00Z", shown(time))
    for name, of in ((SECONDS, float), (COPY, int)):
        try:
            yield None if row.get(name) in (None, "") else of(row[name])
        except (TypeError, ValueError):
            details, at = {"what": name}, Where(where.file, where.line, path=name)
            yield Problem(BAD_SHAPE, at, "a number", shown(row[name]), details=details)


FORMAT = Plain()
