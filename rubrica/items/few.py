"""Many problems told as few: the first of each sort, and a misspelt path once, where it is written."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from rubrica.errors import Problem
from rubrica.items.rules import MISSING, MORE, NO_FIELD, NO_ITEMS, UNNAMED
from rubrica.study.load import LoadedStudy
from rubrica.study.source import Source, Steps

LISTED = 10
"""Problems of one sort that are listed; the rest are counted."""


@dataclass(slots=True)
class _Sort:
    first: list[Problem]
    last: Problem
    count: int = 0


class Few:
    """Problems of items, gathered in bounded memory however many there are."""

    def __init__(self, loaded: LoadedStudy) -> None:
        self._source = loaded.source
        self._sorts: dict[tuple[str, Any], _Sort] = {}

    def gather(self, problems: Iterable[Problem]) -> None:
        for problem in problems:
            sort = self._sorts.setdefault(_sort(problem), _Sort([], problem))
            sort.count += 1
            sort.last = problem
            if sort.count <= LISTED:
                sort.first.append(problem)

    def told(self, looked_at: int) -> Iterator[Problem]:
        """The first few of each sort, then how many more there are; of a path that none of the items
        looked at has, only where it stands in the study file."""
        rest: list[Problem] = []
        for sort in self._sorts.values():
            if sort.last.rule is NO_ITEMS and len(self._sorts) > 1:
                continue
            if sort.count == looked_at > 1 and sort.last.rule in (MISSING, UNNAMED):
                yield self._nowhere(sort)
                continue
            yield from sort.first
            if sort.count > LISTED:
                rest.append(_more(sort))
        yield from rest

    def _nowhere(self, sort: _Sort) -> Problem:
        first, path = sort.first[0], sort.last.details["path"]
        where = self._source.where(_way(self._source, path))
        details = {"path": path, "count": sort.count}
        return Problem(NO_FIELD, where, nearest=first.nearest, details=details)


def _sort(problem: Problem) -> tuple[str, Any]:
    return problem.code, problem.details.get("path")


def _more(sort: _Sort) -> Problem:
    details = {"count": sort.count - LISTED, "code": sort.last.code, "example": sort.last.message}
    return Problem(MORE, sort.last.where, details=details)


def _way(source: Source, path: str) -> Steps:
    """Where a path of `items` is written; of one put together from two, where the first of them is."""
    parts = (path, path.rpartition("[].")[2], path.partition("[].")[0])
    written = list(_texts(source.data.get("items"), ("items",)))
    ways = (way for part in parts for way, text in written if text == part or f"{{{part}}}" in text)
    return next(ways, ("items", "show"))


def _texts(data: Any, way: Steps) -> Iterator[tuple[Steps, str]]:
    if isinstance(data, str):
        yield way, data
    elif isinstance(data, dict | list):
        for step, inner in data.items() if isinstance(data, dict) else enumerate(data):
            yield from _texts(inner, (*way, step))
