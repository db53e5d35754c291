"""Texts on what changes between pictures: systems' outputs, with or without samples and pictures.

Result lines hold outputs and ratings in one; here only the outputs are taken, each once, however many
raters its lines have. The ratings come in by importing the same files.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from hashlib import blake2b
from itertools import chain
from pathlib import Path
from typing import Any, BinaryIO, ClassVar

from rubrica.errors import Problem, Where, shown
from rubrica.exchange.rules import BAD_SHAPE
from rubrica.exchange.starting.blocks import removed, replaced
from rubrica.exchange.starting.contract import LINES, WHOLE, Found, Given, Kind, Started
from rubrica.exchange.starting.pictures import Copies, numbered, unique
from rubrica.exchange.starting.rules import NO_INPUT, NO_SAMPLE, NO_SYSTEM, RATED_ALREADY, TWICE_THERE
from rubrica.exchange.vtt import FIELDS, LEVELS
from rubrica.items.lookup import name_of

RESULTS, PICTURES, SAMPLES = "results", "images", "samples.jsonl"
TEXTS = ("preds", "transformations")
PLACES = ("index", "sample_idx")
"""What an output calls the line of its sample, counted from 0."""
NO_METRICS = frozenset({*FIELDS, *PLACES, *TEXTS, "id", "exp", "label", "order", "perfect"})
KNOWN_METRICS = ("BLEU_4", "ROUGE", "METEOR", "CIDEr", "SPICE", "BERTScore")
LEAST_PLACES = 2


class Vtt(Kind):
    name: ClassVar[str] = "vtt"
    expected: ClassVar[str] = "outputs with `preds` (samples with `annotation` may lie beside them)"

    def holds(self, data: Any) -> bool:
        return isinstance(data, Mapping) and any(isinstance(data.get(n), list) for n in TEXTS)

    def bring(self, given: Given, text: str, told: Started) -> str:
        seen = _Seen()
        self._files(given, told, seen)
        samples = _Samples(seen.samples)
        self._pictures(given, told, seen, samples)
        seen.tell(told, samples)
        told.items = len(seen.outputs)
        return _declared(text, seen, samples)

    def _files(self, given: Given, told: Started, seen: _Seen) -> None:
        alone: list[tuple[Found, dict[str, Any]]] = []
        for found in given.with_endings(*LINES, *WHOLE):
            records = given.records(found)
            first = next(records, None)
            if first is None:
                told.leave_out(found, "it is empty")
            elif self.holds(first.data):
                lines = chain([first.data], (record.data for record in records))
                whole = list(lines) if found.path.suffix.lower() in WHOLE else None
                if whole is not None and len(whole) == 1:
                    alone.append((found, whole[0]))
                else:
                    self._outputs(found, found.path.stem, whole or lines, told, seen, given)
            elif _is_sample(first.data):
                seen.samples += [first.data, *(record.data for record in records)]
            else:
                told.leave_out(found, f"it does not hold {self.expected}")
        self._single(alone, told, seen, given)

    def _single(
        self, alone: list[tuple[Found, dict[str, Any]]], told: Started, seen: _Seen, given: Given
    ) -> None:
        """Files of one annotation each (`human_12.json`): the outputs of a system together."""
        systems: dict[str, list[tuple[Found, dict[str, Any]]]] = {}
        for found, data in alone:
            systems.setdefault(name_of(data.get("exp")) or found.path.parent.name, []).append(
                (found, data)
            )
        for system, of in systems.items():
            self._outputs(of[0][0], system, [data for _, data in of], told, seen, given)

    def _outputs(
        self,
        found: Found,
        called: str,
        lines: Iterable[Any],
        told: Started,
        seen: _Seen,
        given: Given,
    ) -> None:
        """One file of outputs without their ratings."""
        there = (Path(name).name for name in told.files)
        name = f"{RESULTS}/{unique(f'{called}.jsonl', there)}"
        path = told.into / name
        path.parent.mkdir(exist_ok=True)
        before, nameless = len(seen.outputs), 0
        with path.open("wb") as file:
            for number, data in enumerate(lines, 1):
                problem = self._problem(found, number, data)
                if problem is not None:
                    given.problems.append(problem)
                    continue
                nameless += name_of(data.get("exp")) is None
                seen.look(data, called, name, str(found.path), file)
        if len(seen.outputs) > before:
            told.files.append(name)
        else:
            path.unlink()
        if nameless:
            details = {"count": nameless, "system": called}
            told.notes.append(Problem(NO_SYSTEM, Where(str(found.path)), details=details))

    def _problem(self, found: Found, number: int, data: Any) -> Problem | None:
        where = Where(str(found.path), number)
        if not self.holds(data):
            return Problem(BAD_SHAPE, where, self.expected, shown(data), details={"what": "the line"})
        if not _input(data, None):
            return Problem(NO_INPUT, where, "`id` or `index`")
        return None

    def _pictures(self, given: Given, told: Started, seen: _Seen, samples: _Samples) -> None:
        wanted = {}
        for output in seen.outputs.values():
            sample = samples.of(output)
            counted = len(sample["annotation"]) if sample else output["texts"]
            wanted[_input(output, sample)] = counted + 1
        copies = Copies(told.into / PICTURES)
        there = numbered(given.pictures, wanted)
        for known, count in wanted.items():
            files = there.get(known, [None] * count)
            for place, path in enumerate(files):
                ending = ".jpg" if path is None else path.suffix.lower()
                copies.take(f"{known}_{count}_{place}{ending}", path)
        copies.tell(told, told.folder / PICTURES)
        if samples.lines:
            (told.into / SAMPLES).write_bytes(
                b"".join(json.dumps(line).encode("ascii") + b"\n" for line in samples.lines)
            )
            told.files.append(SAMPLES)


def _is_sample(data: Any) -> bool:
    return isinstance(data, Mapping) and isinstance(data.get("annotation"), list)


def _input(output: Mapping[str, Any], sample: Mapping[str, Any] | None) -> str:
    """What outputs for the same pictures have in common, as the study file computes it."""
    names = ((sample or {}).get("id"), output.get("id"), *(output.get(name) for name in PLACES))
    return next((n for n in map(name_of, names) if n is not None), "")


class _Samples:
    """The samples by their ids and by their lines."""

    def __init__(self, lines: Sequence[Any]) -> None:
        self.lines = lines
        self._by_id = {name_of(s.get("id")): s for s in lines if isinstance(s, Mapping)}

    def of(self, output: Mapping[str, Any]) -> Mapping[str, Any] | None:
        """By the id an output names; without one by a line, counted from 0."""
        if output.get("id") is not None:
            return self._by_id.get(name_of(output["id"]))
        place = name_of(next((output[n] for n in PLACES if output.get(n) is not None), None)) or ""
        if not place.isdecimal() or int(place) >= len(self.lines):
            return None
        found: Any = self.lines[int(place)]
        return found if isinstance(found, Mapping) else None


@dataclass(slots=True)
class _Seen:
    """What was met in the files, as far as the study file depends on it."""

    samples: list[Any] = field(default_factory=list)
    outputs: dict[bytes, dict[str, Any]] = field(default_factory=dict)
    """By a digest of what they are, each with what it calls its sample and how many texts there are."""
    systems: dict[str, None] = field(default_factory=dict)
    metrics: dict[str, bool] = field(default_factory=dict)
    """Per metric whether it comes as one number for each text."""
    uneven: set[str] = field(default_factory=set)
    """Metrics that lack a number for some text."""
    texts: set[str] = field(default_factory=set)
    rated: dict[str, int] = field(default_factory=dict)
    twice: int = 0
    _files: dict[bytes, str] = field(default_factory=dict)
    _places: dict[bytes, int] = field(default_factory=dict)

    @property
    def places(self) -> int:
        return max(LEAST_PLACES, *self._places.values()) if self._places else LEAST_PLACES

    def look(self, data: Mapping[str, Any], called: str, name: str, given: str, file: BinaryIO) -> None:
        named = name_of(data.get("exp"))
        output = {k: v for k, v in data.items() if k not in FIELDS and not (k == "exp" and not named)}
        plain = {k: v for k, v in output.items() if k != "order"} | {"exp": named or called}
        digest = blake2b(json.dumps(plain, sort_keys=True).encode(), digest_size=16).digest()
        if any(data.get(level) is not None for level in LEVELS):
            self.rated[given] = self.rated.get(given, 0) + 1
            self._places[digest] = self._places.get(digest, 0) + 1
        known = self._files.setdefault(digest, name)
        if digest in self.outputs:
            self.twice += known != name
            return
        output |= {} if named else {"exp": called}
        file.write(json.dumps(output).encode("ascii") + b"\n")
        self._note(output, digest)

    def _note(self, output: Mapping[str, Any], digest: bytes) -> None:
        kept = {name: output[name] for name in ("id", *PLACES) if name in output}
        counted = (output[name] for name in ("label", *TEXTS) if isinstance(output.get(name), list))
        self.outputs[digest] = {**kept, "texts": len(next(counted, []))}
        self.systems[str(output["exp"])] = None
        self.texts.update(name for name in TEXTS if name in output)
        for name, value in output.items():
            if name in NO_METRICS or isinstance(value, bool):
                continue
            if isinstance(value, int | float):
                self.metrics.setdefault(name, False)
            elif isinstance(value, list) and any(_is_number(v) for v in value):
                self.metrics[name] = True
                if not all(_is_number(v) for v in value):
                    self.uneven.add(name)

    def tell(self, told: Started, samples: _Samples) -> None:
        lost = sum(samples.of(output) is None for output in self.outputs.values())
        if lost:
            told.notes.append(Problem(NO_SAMPLE, details={"count": lost}))
        if self.twice:
            told.notes.append(Problem(TWICE_THERE, details={"count": self.twice}))
        if self.rated:
            names = " ".join(json.dumps(n) if " " in n else n for n in self.rated)
            details = {
                "count": sum(self.rated.values()),
                "command": f"rubrica import {told.folder} {names}",
            }
            told.notes.append(Problem(RATED_ALREADY, details=details))


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


# --- the study file --------------------------------------------------------------------------------


BARE = "id || to_string(index || sample_idx)"


def _declared(text: str, seen: _Seen, samples: _Samples) -> str:
    join, sample = _join(list(seen.outputs.values()), samples)
    known = f"{sample or 'sample'}.id || {BARE}"  # worked examples have a sample in any case
    thread = f"  thread: {{by: {json.dumps(known)}, kind: set}} # outputs for one input are kept apart"
    text = replaced(text, ("items", "from"), f"  from: {RESULTS}/*.jsonl # one output a line")
    text = replaced(text, ("items", "key"), f"  key: [exp, {json.dumps(known)}]")
    text = replaced(text, ("items", "thread"), thread)
    text = _block(text, ("items", "join"), join)
    text = replaced(text, ("items", "show"), _show(seen, sample, known))
    text = _block(text, ("items", "verdict"), _verdicts(seen) if seen.metrics else "")
    text = replaced(text, ("raters", "places"), f"  places: {seen.places}")
    return _report(text, seen, sample)


def _block(text: str, way: Sequence[str], block: str) -> str:
    return replaced(text, way, block) if block else removed(text, way)


def _join(outputs: Sequence[Mapping[str, Any]], samples: _Samples) -> tuple[str, str | None]:
    """How samples are found: by id, by line, or by whichever an output has."""
    if not samples.lines:
        return "", None
    with_id = sum(output.get("id") is not None for output in outputs)
    every = "" if all(samples.of(output) is not None for output in outputs) else ", required: false"
    ids = f"    - {{from: {SAMPLES}, as: sample, on: id, key: id{every}}}"
    at = f'    - {{from: {SAMPLES}, as: sample, on: "index || sample_idx"{every}}}'
    if with_id == len(outputs):
        return f"  join:\n{ids}", "sample"
    if with_id == 0:
        return f"  join: # the line with this number, counted from 0\n{at}", "sample"
    if not every:
        ids, at = (one.replace("}", ", required: false}") for one in (ids, at))
    at = at.replace("as: sample", "as: sample_at")
    return f"  join: # by id, or by the line with this number\n{ids}\n{at}", "(sample || sample_at)"


def _show(seen: _Seen, sample: str | None, known: str) -> str:
    lines = ["  show:"]
    if sample:
        lines += [
            "    - values: # those of the sample, never those a system predicted",
            _value("Category", f"{sample}.category || ''", "类别"),
            _value("Topic", f"{sample}.topic || ''", "主题"),
        ]
    texts = " || ".join(name for name in TEXTS if name in seen.texts)
    pattern = "{" + known + "}_{n}_{i}"
    count = f"{sample or 'sample'}.annotation || label || {texts}"
    return "\n".join(
        [
            *lines,
            "    - sequence: # names of pictures without an ending: .jpg, .png and others are found",
            f"        pattern: {json.dumps(pattern)}",
            f"        count: {json.dumps(count)}",
            "        more: 1",
            f"      between: {json.dumps(texts)}",
            "      per_row: 6",
            "      label: {en: What changes from picture to picture, zh: 图片之间的变化}",
        ]
    )


def _value(name: str, path: str, chinese: str) -> str:
    return f"        {name}: {{path: {json.dumps(path)}, label: {{en: {name}, zh: {chinese}}}}}"


def _verdicts(seen: _Seen) -> str:
    known = [name for name in KNOWN_METRICS if name in seen.metrics]
    ordered = [*known, *sorted(name for name in seen.metrics if name not in known)]
    lines = ["  verdict: # means over an item's texts; compared with every question"]
    for name in ordered:
        path = json.dumps(name)
        if name in seen.uneven:
            path = f"avg({path}[?type(@) == 'number'] || `[]`)"
        elif seen.metrics[name]:
            path = f"avg({path} || `[]`)"
        called = name.replace("_", "-") if name == "BLEU_4" else name
        lines.append(f"    {json.dumps(called)}: {json.dumps(path)}")
    return "\n".join(lines)


def _report(text: str, seen: _Seen, sample: str | None) -> str:
    systems = list(seen.systems)
    named = (
        f"  reference_system: {json.dumps(next(iter(systems), ''))} # the others are compared with it"
    )
    text = _block(text, ("report", "reference_system"), named if len(systems) > 1 else "")
    out = "  leave_out: [] # keys of items that stay out of results"
    text = replaced(text, ("report", "leave_out"), out)
    groups = f"  groups: [{json.dumps(f'{sample}.category')}]" if sample else ""
    return _block(text, ("report", "groups"), groups)


KIND = Vtt()
