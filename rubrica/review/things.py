"""Items and their hidden fields as columns: names, systems, inputs, threads, groups."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from rubrica.analysis.table import Factor
from rubrica.errors import Problem
from rubrica.items.threads import as_number
from rubrica.kinds.registry import kind
from rubrica.paths import compile_path
from rubrica.study.model import Study
from rubrica.verdicts.model import HiddenItem


@dataclass(slots=True)
class Things:
    """What is known of the rated items, one entry each; verdicts for items of context too."""

    ids: list[int] = field(default_factory=list)
    names: list[str] = field(default_factory=list)
    keys: list[str] = field(default_factory=list)
    system: list[str | None] = field(default_factory=list)
    thread: list[str | None] = field(default_factory=list)
    input: list[str | None] = field(default_factory=list)
    wave: list[str | None] = field(default_factory=list)
    fields: dict[str, list[str | None]] = field(default_factory=dict)
    verdicts: dict[str, list[Any]] = field(default_factory=dict)
    judges: dict[str, list[str | None]] = field(default_factory=dict)
    sizes: dict[str, list[int]] = field(default_factory=dict)
    """Per question about the item's own list, how many entries it has."""
    gold: list[dict[str, Any] | None] = field(default_factory=list)
    unfollowed: dict[str, int] = field(default_factory=dict)
    """Per verdict or group, rated items in which its path could not be followed: nothing is there."""

    def __len__(self) -> int:
        return len(self.ids)

    def index(self) -> dict[int, int]:
        return {item: place for place, item in enumerate(self.ids)}

    def named(self, keys: Iterable[str]) -> frozenset[str]:
        """The items of these keys: all of a key are meant, and a key no item has stays as it is."""
        wanted = set(keys)
        found = {name for name, key in zip(self.names, self.keys, strict=True) if key in wanted}
        return frozenset(found | (wanted - set(self.keys)))


Getter = Callable[[Any], Any]


def read_things(study: Study, hidden: Iterable[HiddenItem]) -> Things:
    """One pass over the items, those of context among them where verdicts speak of the previous."""
    reader = _Reader(study)
    things = Things()
    for one in hidden:
        reader.add(things, one)
    reader.finish(things)
    return things


class _Reader:
    def __init__(self, study: Study) -> None:
        items = study.items
        self.groups = {path: compile_path(path) for path in study.report.groups}
        self.verdicts = {
            name: (compile_path(v.path), compile_path(v.judge) if v.judge else None)
            for name, v in items.verdict.items()
        }
        self.previous = {name for name, v in items.verdict.items() if v.speaks_of == "previous"}
        self.thread = items.thread
        rises = items.thread.restarts if items.thread else None
        self.number = compile_path(rises) if rises else None
        self.by = compile_path(items.thread.by) if items.thread else None
        self.lists = dict(_lists(study))
        self.batches = False
        self.said: dict[tuple[str, float], dict[str, tuple[Any, str | None]]] = {}
        """What a later item says of the one before: by thread and turn of the one that says it."""
        self.spots: list[tuple[str | None, float]] = []

    def add(self, things: Things, one: HiddenItem) -> None:
        lost: list[str] = []
        said = {name: self._said(name, one.hidden, lost) for name in self.verdicts}
        if self.previous and one.thread is not None:
            self.said[one.thread, self._turn(one)] = {name: said[name] for name in self.previous}
        if not one.rated:
            return
        self.spots.append((one.thread, self._turn(one)))
        things.ids.append(one.id)
        things.keys.append(one.key)
        things.names.append(one.key if one.copy == 0 else f"{one.key} ({one.copy + 1})")
        things.system.append(one.system)
        things.thread.append(one.thread)
        things.input.append(self._input(one))
        things.wave.append(one.wave)
        things.gold.append(None if one.gold is None else dict(one.gold))
        _put(things.fields, "batch", one.batch)
        for path, of in self.groups.items():
            _put(things.fields, path, as_name(_followed(of, one.hidden, path, lost)))
        for name, (value, judge) in said.items():
            _put(things.verdicts, name, value)
            _put(things.judges, name, judge)
        for name, entries in self.lists.items():
            _put(things.sizes, name, _size(entries(one.hidden)))
        for name in lost:
            things.unfollowed[name] = things.unfollowed.get(name, 0) + 1

    def _turn(self, one: HiddenItem) -> float:
        """Which turn it is: by its own number, as items between may be missing; else by its place."""
        number = None if self.number is None else as_number(self.number(one.hidden))
        return one.turn if number is None else number

    def _said(self, name: str, data: Any, lost: list[str]) -> tuple[Any, str | None]:
        value, judge = self.verdicts[name]
        score = _followed(value, data, name, lost)
        return score, None if judge is None else as_name(_followed(judge, data, name, lost))

    def _input(self, one: HiddenItem) -> str | None:
        """Outputs are compared where they answer the same: the same set, or turn of the same task."""
        if self.thread is None or self.by is None or self.thread.kind == "set":
            return one.thread
        task = as_name(self.by(one.hidden))
        return None if task is None else f"{task} / {one.turn}"

    def finish(self, things: Things) -> None:
        for name in self.previous:
            for place, (thread, turn) in enumerate(self.spots):
                after = self.said.get((thread, turn + 1)) if thread is not None else None
                value, judge = (None, None) if after is None else after[name]
                things.verdicts[name][place], things.judges[name][place] = value, judge


def _followed(path: Getter, data: Any, name: str, lost: list[str]) -> Any:
    """What a path leads to; one odd item must not keep all others from their report."""
    try:
        return path(data)
    except Problem:
        lost.append(name)
        return None


def _lists(study: Study) -> Iterator[tuple[str, Getter]]:
    for name, question in study.questions.items():
        path = kind(question.kind).entries_path(question)
        if path is not None:
            yield name, compile_path(path)


def _put(columns: dict[str, list[Any]], name: str, value: Any) -> None:
    columns.setdefault(name, []).append(value)


def _size(entries: Any) -> int:
    return len(entries) if isinstance(entries, list | dict) else 0


def as_name(value: Any) -> str | None:
    """A value of the data as the name of a group; nothing for null and for blank text."""
    if value is None or isinstance(value, str):
        return value or None
    return json.dumps(value, ensure_ascii=False, sort_keys=True)


def factor(values: Sequence[str | None], size: int) -> Factor | None:
    """None where no item has a name; names in their own order, which no file's order changes."""
    known = {v for v in values if v is not None}
    if not known or not values:
        return None
    names = sorted(known)
    place = {name: code for code, name in enumerate(names)}
    codes = np.fromiter((-1 if v is None else place[v] for v in values), np.int64, count=size)
    return Factor(codes, tuple(names))
