"""Conversations with an in-car assistant: one log a file, each folder of them a batch."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from shutil import copyfile
from typing import Any, ClassVar

from rubrica.errors import Problem, Where, shown
from rubrica.exchange.rules import BAD_SHAPE
from rubrica.exchange.starting.blocks import removed
from rubrica.exchange.starting.contract import LINES, WHOLE, Found, Given, Kind, Started
from rubrica.exchange.starting.pictures import unique
from rubrica.exchange.starting.rules import NAMELESS
from rubrica.items.readers.contract import Record
from rubrica.paths import compile_path
from rubrica.study.model import Study
from rubrica.study.source import parse_yaml

LOGS = "logs"
INSIDE = "conversations"
"""A folder that only holds a batch's files and names nothing."""
OTHER_NAMES = {"user": "user_utterance", "system": "assistant_response"}


class InCar(Kind):
    name: ClassVar[str] = "incar"
    expected: ClassVar[str] = "a conversation with its `turns`"

    def holds(self, data: Any) -> bool:
        return isinstance(data, Mapping) and "turns" in data and not _is_task(data)

    def bring(self, given: Given, text: str, told: Started) -> str:
        study = Study.model_validate(parse_yaml(text.encode(), self.name).data)
        seen = _Seen(study)
        kept = [
            found
            for found in given.with_endings(*WHOLE, *LINES)
            if self._keep(found, given, seen, told)
        ]
        batches = _batches(kept)
        for found in kept:
            folder = told.into / LOGS / batches[found.path.resolve().parent]
            folder.mkdir(parents=True, exist_ok=True)
            name = unique(found.path.name, (path.name for path in folder.iterdir()))
            copyfile(found.path, folder / name)
            told.files.append((folder / name).relative_to(told.into).as_posix())
        told.items = seen.items
        if seen.nameless:
            told.notes.append(Problem(NAMELESS, details={"count": seen.nameless}))
        return _declared(text, study, seen)

    def _keep(self, found: Found, given: Given, seen: _Seen, told: Started) -> bool:
        """Whether a file holds conversations; one that holds other things too is a problem."""
        mine = others = 0
        for record in given.records(found):
            if self.holds(record.data):
                mine += 1
                seen.look(record.data)
            else:
                others += 1
                if mine:
                    given.problems.append(_no_talk(found, record))
        if mine == 0:
            told.leave_out(found, f"it does not hold {self.expected}" if others else "it is empty")
        return mine > 0


def _is_task(data: Mapping[str, Any]) -> bool:
    """Results of other tools have turns too; a conversation's are a list of exchanges."""
    turns = data.get("turns")
    return not isinstance(turns, list | None)


def _no_talk(found: Found, record: Record) -> Problem:
    where = Where(str(found.path), record.place)
    got, details = shown(record.data), {"what": "this record"}
    return Problem(BAD_SHAPE, where, InCar.expected, got, details=details)


def _batches(kept: Sequence[Found]) -> dict[Path, str]:
    """What each folder's batch is called: the folder's name, or more of its way where two are alike."""
    folders = dict.fromkeys(found.path.resolve().parent for found in kept)
    ways = {folder: [p for p in folder.parts if p.lower() != INSIDE] for folder in folders}
    for depth in range(1, max((len(way) for way in ways.values()), default=1) + 1):
        short = {folder: "_".join(way[-depth:]) or LOGS for folder, way in ways.items()}
        if len(set(short.values())) == len({tuple(way) for way in ways.values()}):
            return short
    return dict.fromkeys(folders, LOGS)


@dataclass(slots=True)
class _Seen:
    """What was met in the conversations, as far as the study file depends on it."""

    study: Study
    items: int = 0
    nameless: int = 0
    first_turns: set[Any] = field(default_factory=set)
    other_names: set[str] = field(default_factory=set)
    no_scenario: bool = False
    found: set[str] = field(default_factory=set)
    systems: set[Any] = field(default_factory=set)

    def look(self, data: Mapping[str, Any]) -> None:
        self.items += 1
        self.nameless += not data.get("conversation_id")
        self.no_scenario |= "seed_phrase" not in data
        turns = [turn for turn in data.get("turns") or () if isinstance(turn, Mapping)]
        if turns:
            self.first_turns.add(turns[0].get("turn_number"))
        self.other_names.update(k for k, v in OTHER_NAMES.items() if any(v in turn for turn in turns))
        for path in _paths(self.study):
            if path not in self.found and _there(path, data):
                self.found.add(path)
        if self.study.items.system:
            self.systems.add(compile_path(self.study.items.system)(data))


def _paths(study: Study) -> Iterator[str]:
    for verdict in study.items.verdict.values():
        yield verdict.path
        if verdict.judge:
            yield verdict.judge
    yield from study.report.groups
    if study.items.system:
        yield study.items.system


def _there(path: str, data: Any) -> bool:
    try:
        return compile_path(path)(data) not in (None, [])
    except Problem:
        return False


# --- the study file --------------------------------------------------------------------------------


def _declared(text: str, study: Study, seen: _Seen) -> str:
    text = _judges(text, study, seen)
    if study.items.system not in seen.found:
        text = removed(text, ("items", "system"))
    if study.report.reference_system not in seen.systems:
        text = removed(text, ("report", "reference_system"))
    if not set(study.report.groups) <= seen.found:
        text = removed(text, ("report", "groups"))
    if seen.nameless:
        text = removed(text, ("items", "key"))
    if seen.first_turns == {1}:
        text = text.replace("turns_from: 0", "turns_from: 1")
    for name in sorted(seen.other_names):
        path, side = f"{name} || {OTHER_NAMES[name]}", "user" if name == "user" else "assistant"
        text = text.replace(f"      {side}: {name}\n", f'      {side}: "{path}"\n', 1)
    if seen.no_scenario:
        text = text.replace("- text: seed_phrase\n", "- text: \"seed_phrase || ''\"\n", 1)
    return text


def _judges(text: str, study: Study, seen: _Seen) -> str:
    """Only what the logs hold is declared; where no log names its judge, none is asked for."""
    for name, verdict in study.items.verdict.items():
        if verdict.path not in seen.found:
            text = removed(text, ("items", "verdict", name))
        elif verdict.judge and verdict.judge not in seen.found:
            text = removed(text, ("items", "verdict", name, "judge"))
    if not any(verdict.path in seen.found for verdict in study.items.verdict.values()):
        text = removed(text, ("items", "verdict"))
    return text
