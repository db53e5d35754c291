"""Everything that is wrong with a study's items and their files."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from typing import Any

from rubrica.errors import Problem
from rubrica.items.holes import MediaCheck
from rubrica.items.keys import Copies
from rubrica.items.load import Pipeline, Progress
from rubrica.items.records import Read
from rubrica.items.rules import FINDS_NOTHING, MORE, NO_ITEMS, SAME_KEY
from rubrica.kinds.registry import kind
from rubrica.paths import Getter, compile_path
from rubrica.study.load import LoadedStudy
from rubrica.study.model import Study

LISTED = 10
"""Problems of one sort that are listed; the rest are counted."""


def check_items(
    loaded: LoadedStudy, limit: int | None = None, progress: Progress | None = None
) -> Iterator[Problem]:
    """Every problem of the items, as they are met; `limit` bounds how many records are looked at."""
    yield from shortened(_ItemsCheck(loaded, progress).problems(limit))


def shortened(problems: Iterable[Problem]) -> Iterator[Problem]:
    """The first few of each sort, then how many more there are."""
    counts: Counter[tuple[str, Any]] = Counter()
    last: dict[tuple[str, Any], Problem] = {}
    for problem in problems:
        if problem.rule is NO_ITEMS and counts:
            continue
        sort = (problem.code, problem.details.get("path"))
        counts[sort] += 1
        last[sort] = problem
        if counts[sort] <= LISTED:
            yield problem
    for sort, problem in last.items():
        if counts[sort] > LISTED:
            details = {"count": counts[sort] - LISTED, "code": problem.code}
            yield Problem(MORE, problem.where, details={**details, "example": problem.message})


class _ItemsCheck:
    def __init__(self, loaded: LoadedStudy, progress: Progress | None = None) -> None:
        self._loaded = loaded
        self._pipeline = Pipeline(loaded, progress)
        self._media = MediaCheck(loaded)
        self._copies = Copies()
        self._unmet = _named_paths(loaded.study)
        self._seen = self._rated = self._doubled = 0

    def problems(self, limit: int | None) -> Iterator[Problem]:
        yield from self._pipeline.joins.problems
        for read in self._pipeline.reads():
            if limit is not None and self._seen >= limit:
                break
            self._seen += 1
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
            yield from self._good(data, read)

    def _good(self, data: Any, read: Read) -> Iterator[Problem]:
        mapper = self._pipeline.mapper
        key = mapper.key(data)
        self._doubled += key is not None and self._copies.count(key) > 0
        self._rated += mapper.rated(data)
        self._unmet = [named for named in self._unmet if not _meets(named[2], data)]
        names = mapper.media(mapper.shown(data))
        yield from (hole.problem() for hole in self._media.look(names, read.where()))

    def _afterwards(self) -> Iterator[Problem]:
        items = self._loaded.where("items")
        if not self._rated:
            yield Problem(NO_ITEMS, items)
            return
        for steps, path, _ in self._unmet:
            what = ".".join(str(step) for step in steps)
            details = {"path": path, "what": what, "count": self._seen}
            yield Problem(FINDS_NOTHING, self._loaded.where(*steps), details=details)
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
