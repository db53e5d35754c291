"""Small studies at a desk, over either kind of store."""

from __future__ import annotations

import json
import textwrap
from collections.abc import Callable
from contextlib import ExitStack
from datetime import UTC, datetime, timedelta
from functools import cached_property
from pathlib import Path
from typing import Any

from ready import ready_file

from rubrica.errors import Problem, Problems
from rubrica.fieldwork.desk import Desk, desk_for
from rubrica.items.load import items_of
from rubrica.items.model import NewItem
from rubrica.storage.memory import MemoryStore
from rubrica.storage.open import Store, open_store
from rubrica.study.load import load_study

STUDY = """\
rubrica: 1
title: Small
languages: [en, zh]
items:
  from: items.jsonl
  key: id
  system: model
  show:
    - {text: answer}
  verdict: {correct: judge}
questions:
  correct:
    kind: scale
    ask: How correct?
    levels: {1: Wrong, 2: Mixed, 3: Right}
  helps:
    kind: choice
    ask: Does it help?
    options: {Yes: {label: Yes, worth: 1}, No: {label: No, worth: 0}}
    cannot_judge: true
  note:
    kind: text
    ask: Why?
    required: false
    when: {answer.correct: {at_most: 2}}
score:
  overall: {mean: {correct: 1, helps: 1}}
"""

GOOD = {"correct": {"value": 3}, "helps": {"value": "Yes"}}


class Clock:
    """Stands still until it is told to go on."""

    def __init__(self) -> None:
        self.time = datetime(2026, 3, 1, 9, 0, tzinfo=UTC)

    def __call__(self) -> datetime:
        return self.time

    def forward(self, **span: float) -> None:
        self.time += timedelta(**span)


def records(count: int) -> list[dict[str, Any]]:
    return [
        {
            "id": f"secret-key-{n}",
            "model": f"secret-system-{n % 2}",
            "batch": f"secret-batch-{n // 3}",
            "answer": f"Answer {n}",
            "judge": 0.123456,
        }
        for n in range(count)
    ]


def write_study(folder: Path, *, items: int = 6, extra: str = "", **files: str) -> Path:
    """A study's folder; `extra` is added to the study file, or replaces it when it begins a new one."""
    folder.mkdir(parents=True, exist_ok=True)
    text = extra if extra.startswith("rubrica:") else STUDY + textwrap.dedent(extra)
    (folder / "study.yaml").write_text(text, encoding="utf-8")
    lines = "".join(json.dumps(record) + "\n" for record in records(items))
    (folder / "items.jsonl").write_text(lines, encoding="utf-8")
    for name, content in files.items():
        file = folder / name.replace("_", ".", 1)
        file.write_text(textwrap.dedent(content), encoding="utf-8")
    return folder


class Bench:
    """Makes desks over one kind of store, and closes them at the end."""

    def __init__(self, kind: str, folder: Path, stack: ExitStack) -> None:
        self.kind, self.folder, self.stack, self.clock = kind, folder, stack, Clock()

    @cached_property
    def store(self) -> MemoryStore | Store:
        if self.kind == "memory":
            return MemoryStore(self.clock)
        return self.stack.enter_context(open_store(ready_file(self.folder / "field.db"), self.clock))

    def desk(self, *, items: int = 6, extra: str = "", **files: str) -> Desk:
        folder = write_study(self.folder / "small", items=items, extra=extra, **files)
        return self.opened(folder)

    def opened(self, folder: Path) -> Desk:
        loaded = load_study(folder)
        self.store.studies.add_version(loaded.name, loaded.version)
        good = (item for item in items_of(loaded) if isinstance(item, NewItem))
        self.store.loader.load(loaded.name, good)
        return desk_for(self.store, loaded.name, loaded.version, clock=self.clock)


def refused(call: Callable[..., object], *args: Any, **more: Any) -> str:
    """The code of the problem a call ends in."""
    try:
        call(*args, **more)
    except Problem as problem:
        return problem.code
    except Problems as found:
        return " ".join(problem.code for problem in found.problems)
    raise AssertionError("nothing was refused")
