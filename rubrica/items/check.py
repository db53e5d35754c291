"""Everything that is wrong with a study's items and their files."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from rubrica.errors import Problem
from rubrica.items.few import Few
from rubrica.items.holes import MediaCheck
from rubrica.items.keys import Copies
from rubrica.items.load import Pipeline, Progress
from rubrica.items.lookup import meant
from rubrica.items.records import Read
from rubrica.items.rules import FINDS_NOTHING, NO_ITEMS, SAME_KEY
from rubrica.kinds.registry import kind
from rubrica.paths import Getter, compile_path
from rubrica.study.load import LoadedStudy
from rubrica.study.model import Study


def check_items(
    loaded: LoadedStudy, limit: int | None = None, progress: Progress | None = None
) -> Iterator[Problem]:
    """Every problem of the items; `limit` bounds how many records are looked at."""
    check, few = _ItemsCheck(loaded, progress), Few(loaded)
    few.gather(check.problems(limit))
    yield from few.told(check.records)


class _ItemsCheck:
    def __init__(self, loaded: LoadedStudy, progress: Progress | None = None) -> None:
        self._loaded = loaded
        self._pipeline = Pipeline(loaded, progress)
        self._media = MediaCheck(loaded)
        self._copies = Copies()
        self._unmet = _named_paths(loaded.study)
        self._example: Any = None
        self.records = self._rated = self._doubled = 0

    def problems(self, limit: int | None) -> Iterator[Problem]:
        yield from self._pipeline.joins.problems
        for looked_at, read in enumerate(self._pipeline.reads()):
            if looked_at == limit:
                break
            self.records += isinstance(read, Read)
            yield from [read] if isinstance(read, Problem) else self._record(read)
        yield from self._afterwards()

    def _record(self, read: Read) -> Iterator[Problem]:
        data = read.data
        try:
            if isinstance(data, dict):
                data, _ = self._pipeline.joins.add(data)
            problems = list(self._pipeline.mapper.problems(data))
        except Problem as problem:
            problems = [problem]
        yield from (problem.at(read.where()) for problem in problems)
        if not problems:
            self._good(data, read)

    def _good(self, data: Any, read: Read) -> None:
        mapper = self._pipeline.mapper
        key = mapper.key(data)
        self._doubled += key is not None and self._copies.count(key) > 0
        self._rated += mapper.rated(data)
        self._unmet = [named for named in self._unmet if not _meets(named[2], data)]
        self._example = self._example or data
        names = mapper.media(mapper.shown(data))
        self._media.look(names, read.where())

    def _afterwards(self) -> Iterator[Problem]:
        items = self._loaded.where("items")
        if not self._rated:
            yield Problem(NO_ITEMS, items)
            return
        yield from self._media.report().problems()
        for steps, path, _ in self._unmet:
            what = ".".join(str(step) for step in steps)
            details = {"path": path, "what": what, "count": self.records}
            near = meant(path, self._example)
            yield Problem(FINDS_NOTHING, self._loaded.where(*steps), nearest=near, details=details)
        if self._doubled:
            where = self._loaded.where("items", "key")
            yield Problem(SAME_KEY, where, details={"count": self._doubled})


Named = tuple[tuple[str | int, ...], str, Getter]
"""Where in the study file a path stands, the path, and how to follow it."""


def _named_paths(study: Study) -> list[Named]:
    """Paths that may be missing in one item but hardly in all."""
    return [(steps, path, compile_path(path)) for steps, path in _paths(study) if path]


def _paths(study: Study) -> Iterator[tuple[tuple[str | int, ...], str | None]]:
    items, thread = study.items, study.items.thread
    yield from ((("items", name), getattr(items, name)) for name in ("system", "wave"))
    if thread:
        names = ("by", "order", "restarts")
        yield from ((("items", "thread", name), getattr(thread, name)) for name in names)
    for name, verdict in items.verdict.items():
        yield from ((("items", "verdict", name), path) for path in (verdict.path, verdict.judge))
    if items.gold:
        yield from ((("items", "gold", "answers", n), p) for n, p in items.gold.answers.items())
    for name, question in study.questions.items():
        yield ("questions", name), kind(question.kind).entries_path(question)
    yield from ((("report", "groups", i), path) for i, path in enumerate(study.report.groups))


def _meets(find: Getter, data: Any) -> bool:
    try:
        return find(data) is not None
    except Problem:
        return False
