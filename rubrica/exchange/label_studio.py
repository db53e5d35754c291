"""Annotations as Label Studio exports them (JSON, with the whole tasks).

A control of its labelling interface is a question of the same name: `<Rating name="quality">` answers
`quality`. Capitals and signs in a control's name count as what a question's name may have instead.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from rubrica.errors import Problem, Where, nearest, shown
from rubrica.exchange.cells import typed
from rubrica.exchange.contract import Filled, Here
from rubrica.exchange.reading import NO_ANSWERS, NOT_READ, ReadOnly, first_record, records
from rubrica.exchange.rules import BAD_SHAPE, BAD_TIME
from rubrica.exchange.times import in_utc
from rubrica.kinds.contract import Question
from rubrica.kinds.registry import kind
from rubrica.paths import compile_path
from rubrica.ratings.model import Pace
from rubrica.verdicts.model import HiddenItem

TELLING = {"annotations", "data"}
"""What a task has."""
CANCELLED = "skipped in Label Studio"


class LabelStudio(ReadOnly):
    name = "label_studio"
    files = "`project-….json`"
    says = (
        "An export of Label Studio in its format JSON. Each annotation is a rating by whoever "
        "completed it; `choices`, `rating`, `number` and `textarea` answer the question named like "
        "their control, other regions are left out and said to be. A cancelled annotation is a skip. "
        "An item is found by the study's own `key`: in the task where the study's items are such an "
        "export, otherwise in the task's `data`."
    )
    questions = frozenset[str]()

    def recognises(self, path: Path) -> bool:
        return path.suffix.lower() == ".json" and set(first_record(path)) >= TELLING

    def references(self, item: HiddenItem) -> Sequence[Hashable]:
        return (item.key,)

    def read(self, here: Here, path: Path) -> Iterator[Filled | Problem | None]:
        tasks = _Tasks(here)
        for found in records(path):
            if isinstance(found, Problem):
                yield found
            else:
                yield from tasks.read(Where(str(path), path=f"task {found.place}"), found.data)
        yield from tasks.left_out(Where(str(path)))


class _Tasks:
    """One file's tasks; remembers which controls were met and are no question here."""

    def __init__(self, here: Here) -> None:
        self._study = here.study
        self._key = _key_of(here)
        self._met: dict[str, bool] = {}

    def read(self, where: Where, task: Any) -> Iterator[Filled | Problem | None]:
        annotations = task.get("annotations") if isinstance(task, dict) else None
        if not isinstance(annotations, list):
            details = {"what": "the task"}
            yield Problem(BAD_SHAPE, where, "a task with `annotations`", shown(task), details=details)
            return
        key = self._key(task)
        for annotation in annotations:
            yield self._annotation(where, key, annotation)
        if not annotations:
            yield None

    def _annotation(self, where: Where, key: str, annotation: Any) -> Filled | Problem | None:
        try:
            made = annotation.get("created_at")
            received = None if made is None else in_utc(made)
        except (AttributeError, TypeError, ValueError):
            return Problem(BAD_TIME, where, "2026-05-31T09:15:00Z", shown(annotation))
        cancelled = bool(annotation.get("was_cancelled"))
        replies = dict(self._replies(annotation.get("result") or ()))
        if not replies and not cancelled:
            return None
        return Filled(
            where=where,
            references=(key,),
            replies=None if cancelled else replies,
            rater=_who(annotation.get("completed_by")),
            skip_reason=CANCELLED if cancelled else None,
            received=received,
            pace=Pace(ended=received, wall_seconds=annotation.get("lead_time")),
        )

    def _replies(self, regions: Sequence[Any]) -> Iterator[tuple[str, dict[str, Any]]]:
        for region in regions:
            control = str(region.get("from_name"))
            name = re.sub(r"\W+", "_", control.lower())
            question, read = self._study.questions.get(name), READS.get(region.get("type"))
            self._met[control] = question is not None and read is not None
            if question is not None and read is not None:
                yield name, {"value": read(question, region.get("value") or {})}

    def left_out(self, where: Where) -> Iterator[Problem]:
        if self._met and not any(self._met.values()):
            yield Problem(NO_ANSWERS, where, expected=", ".join(self._study.questions))
        for control, known in self._met.items():
            if not known:
                near = nearest(control, self._study.questions)
                yield Problem(NOT_READ, where, got=f"the control {control!r}", nearest=near)


def _key_of(here: Here) -> Callable[[Mapping[str, Any]], str]:
    """A task's key as the study declares it, whether it read the export or what it was made from."""
    declared = here.study.items.key
    paths = ["id"] if declared is None else [declared] if isinstance(declared, str) else declared
    finds = [compile_path(path) for path in paths]
    first = next(here.sources.verdicts.all_hidden(here.name), None)
    whole = first is not None and set(first.hidden) >= TELLING

    def key(task: Mapping[str, Any]) -> str:
        data = task if whole else task.get("data")
        return " | ".join(str(find(data)) for find in finds)

    return key


def _who(completed_by: Any) -> str | None:
    """Label Studio names a person by number, or with their address where the export says more."""
    if isinstance(completed_by, Mapping):
        completed_by = completed_by.get("email") or completed_by.get("id")
    if completed_by is None:
        return None
    return f"annotator {completed_by}" if isinstance(completed_by, int) else str(completed_by)


def _choices(question: Question, value: Mapping[str, Any]) -> Any:
    """A list of texts; of a question with one answer the only one, of one with numbers as a number."""
    chosen = value.get("choices") or []
    if question.kind == "many" or len(chosen) != 1:
        return chosen
    [main, *_] = kind(question.kind).columns(question)
    return typed(chosen[0], main)


def _lines(_: Question, value: Mapping[str, Any]) -> Any:
    text = value.get("text")
    return "\n".join(map(str, text)) if isinstance(text, list) else text


def _plain(name: str) -> Callable[[Question, Mapping[str, Any]], Any]:
    return lambda _, value: value.get(name)


READS: Mapping[Any, Callable[[Question, Mapping[str, Any]], Any]] = {
    "choices": _choices,
    "rating": _plain("rating"),
    "number": _plain("number"),
    "textarea": _lines,
}
"""How a control's result becomes the answer of its question, by its type."""

FORMAT = LabelStudio()
