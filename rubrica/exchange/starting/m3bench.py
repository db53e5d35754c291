"""Answers of vision-language models in long dialogues, from sample lines or from a simulator's logs."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from hashlib import blake2b
from itertools import chain
from typing import Any, BinaryIO, ClassVar

from rubrica.errors import Problem, Where, shown
from rubrica.exchange.rules import BAD_SHAPE
from rubrica.exchange.runs import BLOCK, CONTEXT, EMPTY_BLOCK, FILLER, is_run, turns
from rubrica.exchange.starting.blocks import block, removed, replaced
from rubrica.exchange.starting.contract import LINES, WHOLE, Found, Given, Kind, Started
from rubrica.exchange.starting.frame import bundled_text
from rubrica.exchange.starting.pictures import ByName, Copies, unique
from rubrica.exchange.starting.rules import RATED_ALREADY, TWICE_THERE
from rubrica.items.lookup import name_of
from rubrica.items.readers.contract import Record
from rubrica.items.views import media_name

SHOWN = (
    *("task_type", "action_type", "user_message", "images_sent", "vlm_response"),
    "expected_answer",
)
"""Fields a study shows; where a line lacks one, the study file says what stands in its place."""
SAMPLES = "annotation_samples.jsonl"
JUDGED = {"score": "quality", "correctness": "correctness", "confidence": "confidence"}
"""Numbers a judge may have given, in `auto_evaluation`, and the verdicts that are made of them."""


class M3Bench(Kind):
    name: ClassVar[str] = "m3bench"
    expected: ClassVar[str] = "lines with a `vlm_response`, or a simulator's log of events"

    def holds(self, data: Any) -> bool:
        return isinstance(data, Mapping) and "vlm_response" in data

    def bring(self, given: Given, text: str, told: Started) -> str:
        seen = _Seen(ByName(given.pictures), Copies(told.into))
        logs = [*self._lines(given, told, seen)]
        if logs:
            self._logs(logs, told, seen)
        seen.pictures.tell(told, told.folder)
        if seen.twice:
            told.notes.append(Problem(TWICE_THERE, details={"count": seen.twice}))
        if seen.filled:
            command = f"rubrica import {told.folder} {' '.join(seen.filled_files)}"
            details = {"count": sum(seen.filled.values()), "command": command}
            told.notes.append(Problem(RATED_ALREADY, details=details))
        told.items = seen.items
        return _declared(text, told.files, seen)

    def _lines(self, given: Given, told: Started, seen: _Seen) -> Iterator[tuple[Found, list[Any]]]:
        """Copies every file of lines; what is left are logs."""
        for found in given.with_endings(*LINES, *WHOLE):
            records = given.records(found)
            first = next(records, None)
            if first is None:
                told.leave_out(found, "it is empty")
            elif self.holds(first.data):
                self._copy(found, first, records, told, seen, given)
            else:
                events = [first.data, *(record.data for record in records)]
                if is_run(events):
                    yield found, events
                else:
                    told.leave_out(found, f"it does not hold {self.expected}")

    def _copy(
        self,
        found: Found,
        first: Record,
        rest: Iterator[Record],
        told: Started,
        seen: _Seen,
        given: Given,
    ) -> None:
        name = unique(f"{found.path.stem}.jsonl", told.files)
        before = seen.records
        with (told.into / name).open("wb") as file:
            for record in chain((first,), rest):
                if not isinstance(record.data, dict):
                    given.problems.append(_no_line(found, record))
                elif seen.is_new(record.data, name):
                    seen.look(record.data, str(found.path))
                    _write(file, record.data, record.source)
        if seen.records > before:
            told.files.append(name)
        else:
            (told.into / name).unlink()

    def _logs(self, logs: list[tuple[Found, list[Any]]], told: Started, seen: _Seen) -> None:
        """Without sample lines every answer is an item; with them logs only bring the earlier turns."""
        sampled = bool(told.files)
        name = "context.jsonl" if sampled else SAMPLES
        with (told.into / name).open("wb") as file:
            for found, events in logs:
                for turn in turns(events, found.path.stem):
                    if not seen.is_new(turn, name):
                        continue
                    context = sampled or turn["action_type"] == FILLER
                    line = as_line(turn, context=context)
                    seen.look(line, str(found.path))
                    _write(file, line, b"")
        told.files.append(name)


def as_line(turn: Mapping[str, Any], *, context: bool = False, **more: Any) -> dict[str, Any]:
    """A turn as a line to be filled in, or as one that is only shown."""
    return {**turn, **more, **({CONTEXT: True} if context else {BLOCK: dict(EMPTY_BLOCK)})}


def _write(file: BinaryIO, data: Mapping[str, Any], source: bytes) -> None:
    """A line as it was; what stood over several lines is put on one."""
    whole = source if source and b"\n" not in source else b""
    file.write((whole or json.dumps(data, ensure_ascii=False).encode("utf-8", "surrogatepass")) + b"\n")


def _no_line(found: Found, record: Record) -> Problem:
    details = {"what": "the line"}
    where = Where(str(found.path), record.place)
    return Problem(BAD_SHAPE, where, "an object", shown(record.data), details=details)


@dataclass(slots=True)
class _Seen:
    """What was met in the lines, as far as the study file depends on it."""

    named: ByName
    pictures: Copies
    records: int = 0
    items: int = 0
    twice: int = 0
    context: bool = False
    nameless: bool = False
    missing: set[str] = field(default_factory=set)
    judged: dict[str, tuple[float, float]] = field(default_factory=dict)
    filled: dict[str, int] = field(default_factory=dict)
    _digests: dict[bytes, str] = field(default_factory=dict)

    @property
    def filled_files(self) -> list[str]:
        return [json.dumps(name) if " " in name else name for name in self.filled]

    def is_new(self, data: Mapping[str, Any], file: str) -> bool:
        """Whether no earlier file has it. Equal lines of one file are items of their own."""
        plain = {k: v for k, v in data.items() if k not in (BLOCK, CONTEXT, "priority")}
        digest = blake2b(json.dumps(plain, sort_keys=True).encode(), digest_size=16).digest()
        known = self._digests.setdefault(digest, file)
        self.twice += known != file
        return known == file

    def look(self, data: Mapping[str, Any], file: str) -> None:
        self.records += 1
        self.context |= CONTEXT in data
        self.nameless |= name_of(data.get("sample_id")) is None
        self.items += data.get("action_type") != FILLER and CONTEXT not in data
        self.missing.update(name for name in SHOWN if name not in data)
        block = data.get(BLOCK)
        if isinstance(block, Mapping) and any(v is not None and v != "" for v in block.values()):
            self.filled[file] = self.filled.get(file, 0) + 1
        judge = data.get("auto_evaluation")
        given = judge if isinstance(judge, Mapping) else {}
        for name in JUDGED:
            value = given.get(name)
            if isinstance(value, int | float) and not isinstance(value, bool) and value == value:
                low, high = self.judged.get(name, (value, value))
                self.judged[name] = min(low, value), max(high, value)
        self._pictures(data.get("images_sent"))

    def _pictures(self, sent: Any) -> None:
        for name in sent if isinstance(sent, list) else [sent]:
            if isinstance(name, str) and name:
                there = media_name(name)
                self.pictures.take(there, self.named.find(there))


# --- the study file --------------------------------------------------------------------------------


def _declared(text: str, files: list[str], seen: _Seen) -> str:
    text = replaced(text, ("items", "from"), f"  from: {json.dumps(files, ensure_ascii=False)}")
    for way in (("items", "join"), ("items", "system"), ("report", "reference_system")):
        text = removed(text, way)
    if seen.context:
        context = f"any: [{{item.action_type: {FILLER}}}, {{item.{CONTEXT}: true}}]"
        only = f"  only: {{not: {{{context}}}}} # the others are context, never rated"
        text = replaced(text, ("items", "only"), only)
    verdicts = list(_verdicts(seen.judged))
    if verdicts:
        text = replaced(text, ("items", "verdict"), "\n".join(["  verdict:", *verdicts]))
    else:
        text = removed(text, ("items", "verdict"))
    if seen.nameless:
        text = replaced(text, ("items", "key"), """  key: "sample_id || 'without an id'\"""")
    for name in sorted(seen.missing):
        text = _with_fallback(text, name)
    return text


def _with_fallback(text: str, name: str) -> str:
    """Where some lines lack a field, nothing stands in its place."""
    empty = "`[]`" if name == "images_sent" else "''"
    for view in ("path", "note_by", "text", "markdown", "images"):
        path = json.dumps(f"{name} || {empty}")
        for end in (",", "\n"):
            text = text.replace(f"{view}: {name}{end}", f"{view}: {path}{end}")
    return text


def _verdicts(judged: Mapping[str, tuple[float, float]]) -> Iterator[str]:
    """Judges' scores as they are declared; which turn each speaks of is part of that."""
    for name in ("score", "correctness"):
        if name in judged:
            question = "overall_quality" if name == "score" else "correctness"
            yield from (
                f"    {JUDGED[name]}:",
                f"      path: auto_evaluation.{name}",
                f"      question: {question}",
                f"      scale: {_scale(*judged[name])}",
            )
    if "confidence" in judged:
        for name in ("confidence", "original_tool"):
            yield block(bundled_text("m3bench"), ("items", "verdict", name)).rstrip("\n")


def _scale(low: float, high: float) -> list[int]:
    """The scale such a score is probably on."""
    if low >= 0 and high <= 1:
        return [0, 1]
    return [1, 5] if low >= 1 and high <= 5 else [0, 10] if high <= 10 else [0, 100]


KIND = M3Bench()
