"""What a study makes of one record: compiled once, applied a million times."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from math import isfinite
from typing import Any

from pydantic import BaseModel

from rubrica.conditions import Condition, facts_of, holds
from rubrica.errors import Problem
from rubrica.items.lookup import kind_of, meant, name_of, page_text
from rubrica.items.media import media_names, shows_media
from rubrica.items.model import Shown
from rubrica.items.rules import NOT_OBJECT, SHAPE, TOO_DEEP, UNNAMED
from rubrica.items.threads import as_number
from rubrica.items.views import compile_view
from rubrica.kinds.contract import EntryPaths
from rubrica.kinds.registry import kind
from rubrica.paths import Getter, compile_path
from rubrica.study.model import Study

ITEM = "item."
TURN = "thread.position"
_KEYS = re.compile(r"keys\(([^()]+)\)")


class Mapper:
    """All paths of a study, ready to be followed in an item's data (joined data included)."""

    def __init__(self, study: Study) -> None:
        items = study.items
        self._views = [compile_view(view) for view in items.show]
        self._show, self._has_media = items.show, any(shows_media(view) for view in items.show)
        self._entries = _entries(study)
        self._facts = {name: compile_path(name.removeprefix(ITEM)) for name in _named_facts(study)}
        self._only, self._gold = items.only, items.gold
        self._answers = (
            {n: compile_path(p) for n, p in items.gold.answers.items()} if items.gold else {}
        )
        self._key = _key(items.key)
        self._batch = _name("batch", items.batch) if items.batch and items.batch != "folder" else None
        self._system, self._wave = _optional(items.system), _optional(items.wave)
        self._others = [compile_path(path) for path in _other_paths(study)]

    def key(self, data: Any) -> str | None:
        """The author's own key; None where the study names none."""
        return self._key(data) if self._key else None

    def batch(self, data: Any) -> str | None:
        return self._batch(data) if self._batch else None

    def system(self, data: Any) -> str | None:
        return name_of(self._system(data)) if self._system else None

    def wave(self, data: Any) -> str | None:
        return name_of(self._wave(data)) if self._wave else None

    def rated(self, data: Any) -> bool:
        """Whether this record is an item to rate; otherwise it is context."""
        return self._only is None or _holds(self._only, data)

    def shown(self, data: Any) -> Shown:
        return Shown(
            [view(data) for view in self._views],
            {name: entries(data) for name, entries in self._entries} if self._entries else {},
        )

    def media(self, shown: Shown) -> tuple[str, ...]:
        """The media names in it, each once."""
        return tuple(dict.fromkeys(media_names(self._show, shown))) if self._has_media else ()

    def facts(self, data: Any) -> dict[str, Any]:
        """The values conditions look at, but for those of the thread."""
        return {name: find(data) for name, find in self._facts.items()}

    def gold(self, data: Any) -> dict[str, Any] | None:
        """Known answers, if this is an item that has them."""
        if self._gold is None or not _holds(self._gold.when, data):
            return None
        found = {question: find(data) for question, find in self._answers.items()}
        return {question: answer for question, answer in found.items() if answer is not None} or None

    def problems(self, data: Any) -> Iterator[Problem]:
        """Everything that is wrong with a record, not only what comes first."""
        if not isinstance(data, dict):
            yield Problem(NOT_OBJECT, got=kind_of(data))
            return
        parts: list[Callable[[Any], Any]] = [self.key, self.batch, self.rated, *self._views]
        parts += [*(entries for _, entries in self._entries), self.facts, self.gold, *self._others]
        yield from {(p.code, p.message): p for part in parts for p in _tried(part, data)}.values()


def _other_paths(study: Study) -> Iterator[str]:
    """Paths that a load follows beside those of views, keys and conditions."""
    thread = study.items.thread
    of_thread = (thread.by, thread.order, thread.restarts) if thread else ()
    yield from (path for path in (study.items.system, study.items.wave, *of_thread) if path)


def _tried(part: Callable[[Any], Any], data: Any) -> Iterator[Problem]:
    try:
        part(data)
    except Problem as problem:
        yield problem
    except RecursionError:
        yield Problem(TOO_DEEP)


def _holds(condition: Condition, data: Any) -> bool:
    return holds(condition, lambda name: compile_path(name.removeprefix(ITEM))(data))


def _optional(path: str | None) -> Getter | None:
    return compile_path(path) if path else None


def _name(what: str, path: str) -> Callable[[Any], str]:
    find = compile_path(path)

    def get(data: Any) -> str:
        value = find(data)
        name = name_of(value)
        if name is None:
            details = {"what": what, "path": path}
            raise Problem(UNNAMED, got=kind_of(value), nearest=meant(path, data), details=details)
        return name

    return get


def _key(declared: str | Sequence[str] | None) -> Callable[[Any], str] | None:
    if declared is None:
        return None
    finds = [_name("key", path) for path in ([declared] if isinstance(declared, str) else declared)]
    return finds[0] if len(finds) == 1 else lambda data: " | ".join(find(data) for find in finds)


# --- what conditions look at --------------------------------------------------------------------


def _named_facts(study: Study) -> list[str]:
    """Every `item.PATH` any condition of the study names, wherever a kind may have put it."""
    found = set(_fact_keys([study.questions, study.checklist, study.score]))
    if study.items.gold:
        found.update(facts_of(study.items.gold.when))
    return sorted(name for name in found if name.startswith(ITEM))


def _fact_keys(value: Any) -> Iterator[str]:
    if isinstance(value, BaseModel):
        for name in type(value).model_fields:
            yield from _fact_keys(getattr(value, name))
    elif isinstance(value, Mapping):
        yield from (key for key in value if isinstance(key, str))
        for inner in value.values():
            yield from _fact_keys(inner)
    elif isinstance(value, list | tuple):
        for inner in value:
            yield from _fact_keys(inner)


# --- an item's own lists ------------------------------------------------------------------------

Entries = Callable[[Any], list[dict[str, Any]]]
"""An object without a label of its own is called by its number: nothing of it may leave unnamed."""


def _entries(study: Study) -> list[tuple[str, Entries]]:
    asked = ((name, kind(q.kind).entry_paths(q)) for name, q in study.questions.items())
    return [(name, _entries_at(paths)) for name, paths in asked if paths is not None]


def _entries_at(paths: EntryPaths) -> Entries:
    keys = _KEYS.fullmatch(paths.path)
    find = compile_path(keys[1] if keys else paths.path)
    label, note, turn = (compile_path(p) if p else None for p in (paths.label, paths.note, paths.turn))

    def entry(number: int, key: Any, data: Any) -> dict[str, Any]:
        at = as_number(turn(data)) if turn else None
        return {
            "label": name_of(label(data) if label else key) or str(number),
            "note": page_text(note(data)) if note else None,
            "turn": int(at) + 1 - paths.turns_from if at is not None and isfinite(at) else None,
        }

    def get(data: Any) -> list[dict[str, Any]]:
        value = find(data)
        if isinstance(value, dict):
            return [entry(i, key, inner) for i, (key, inner) in enumerate(value.items(), 1)]
        if not isinstance(value, list | None):
            details = {"view": "a question about entries", "path": paths.path}
            raise Problem(SHAPE, expected="a list or an object", got=kind_of(value), details=details)
        return [entry(i, inner, inner) for i, inner in enumerate(value or [], 1)]

    return get
