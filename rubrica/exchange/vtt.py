"""Result lines with three levels, and the same as one file for each annotation.

A result line is a system's output with the answers behind it; levels are numbers. The tool that
collects them writes `human_<annotation id>.json`, the same line with levels as texts, where an
annotation id counts through all outputs, then through all of them again for the second place.
"""

from __future__ import annotations

import json
from collections.abc import Hashable, Iterator, Mapping, Sequence
from contextlib import ExitStack
from datetime import datetime
from hashlib import blake2b
from pathlib import Path
from typing import Any, BinaryIO, ClassVar

from rubrica.errors import Problem, Where, shown
from rubrica.exchange.contract import Asked, Filled, Format, Here, Wrote
from rubrica.exchange.files import folder, safe_name, whole_file
from rubrica.exchange.kept import count, superseded, tell_raters
from rubrica.exchange.lines import Line, begins_with, read_lines
from rubrica.exchange.rules import ASK_FOLDER, BAD_SHAPE, BAD_TIME, HALF_FILLED, SKIP_AND_LEVEL
from rubrica.exchange.times import in_utc, whole_seconds
from rubrica.items.lookup import name_of
from rubrica.ratings.model import Pace, Rating
from rubrica.verdicts.model import HiddenItem

LEVELS = ("fluency", "relevance", "logical_soundness")
TIMES = ("start_time", "end_time", "duration")
FIELDS = (*LEVELS, *TIMES, "normal")
"""In the order of the file, behind those of the output."""
INPUTS = ("id", "index", "sample_idx")
"""What a line may call its input: an id, or the line of a file of samples, counted from 0."""
SKIPPED = -1
TIME = "%Y-%m-%d %H:%M:%S"


class Results(Format):
    name: ClassVar[str] = "vtt"
    files: ClassVar[str] = "`SYSTEM.jsonl`, `human_NUMBER.json`"
    says: ClassVar[str] = (
        "A system's output as it came, and behind it `fluency`, `relevance` and `logical_soundness` "
        "(1 to 5), `start_time`, `end_time`, `duration` in whole seconds and `normal`. A skip is "
        "`normal: false` with -1 in all three. An output is known by its `exp` and its `id` or "
        "`index`; further lines of one output are further places. Who rated is not said: without "
        "`--rater` the ratings fill unnamed places, which are no raters. In `human_NUMBER.json` levels "
        "are texts. A folder gets a file for each system, and `human/` with one for each annotation."
    )
    questions = frozenset(LEVELS)
    repeats = "places"

    def recognises(self, path: Path) -> bool:
        found = begins_with(path, (".jsonl", ".ndjson", ".json"), *LEVELS, *INPUTS)
        return len(found & set(LEVELS)) > 1 and bool(found & set(INPUTS))

    def references(self, item: HiddenItem) -> Sequence[Hashable]:
        """Under all names of its input; last without its system, for lines that name none."""
        hidden = item.hidden
        joined = (v for v in hidden.values() if isinstance(v, Mapping))
        inputs = dict.fromkeys([*_inputs(hidden), *(n for v in joined for n in _inputs(v))])
        system = item.system or name_of(hidden.get("exp"))
        whole = [(system, *one, _texts(hidden)) for one in inputs]
        return (*whole, *((system, *one) for one in inputs), *((None, *one) for one in inputs))

    def read(self, here: Here, path: Path) -> Iterator[Filled | Problem | None]:
        for line in read_lines(path):
            yield from [line] if isinstance(line, Problem) else _read(line, path.stem)

    def write(self, here: Here, asked: Asked) -> Wrote:
        told = Wrote(self.name)
        ending = asked.to.suffix.lower()
        if ending == ".jsonl":
            with whole_file(asked.to) as file:
                _write(here, asked, told, lambda _: file, None)
            told.files.append(str(asked.to))
        elif ending:
            details = {"count": "several", "to": asked.to.with_suffix("")}
            raise Problem(ASK_FOLDER, Where(str(asked.to)), details=details)
        else:
            _write_folder(here, asked, told)
        tell_raters(here, told)
        told.superseded_left_out = superseded(here, asked.rater)
        return told


def _inputs(data: Mapping[str, Any]) -> list[tuple[str, str]]:
    """What an output's input is called: by its id, by the line of its sample."""
    found = [("id", name_of(data.get("id")))]
    found += [("index", name_of(data.get(n))) for n in INPUTS[1:] if data.get(n) is not None][:1]
    return [(how, name) for how, name in found if name is not None]


def _texts(data: Mapping[str, Any]) -> bytes:
    said = json.dumps(data.get("preds", data.get("transformations"))).encode()
    return blake2b(said, digest_size=16).digest()


def _references(data: Mapping[str, Any], called: str) -> Sequence[Hashable]:
    """A line that names no system may be the one its file is called after, or of the only one."""
    inputs, system, texts = _inputs(data), name_of(data.get("exp")), _texts(data)
    named = [(system or called, *one, texts) for one in inputs]
    rest = [(system or called, *one) for one in inputs]
    return (*named, *rest, *((None, *one) for one in inputs if system is None))


# --- in -------------------------------------------------------------------------------------------


def _read(line: Line, called: str) -> Iterator[Filled | Problem | None]:
    data, where = line.data, line.where
    given = {name: data.get(name) for name in LEVELS}
    if all(value is None for value in given.values()):
        yield None
        return
    pace = _pace(line)
    if isinstance(pace, Problem):
        yield pace
        return
    problem = _contradiction(where, given, data.get("normal", True))
    if problem is not None:
        yield problem
        return
    skipped = data.get("normal") is False
    replies = None if skipped else {n: {"value": level(value)} for n, value in given.items()}
    received = pace.ended or pace.started
    exact = None if received is None else in_utc(received)
    yield Filled(where, _references(data, called), replies, received=exact, pace=pace)


def level(value: Any) -> Any:
    """A level, also where the file has it as text."""
    return int(value) if isinstance(value, str) and value.strip().lstrip("-").isdecimal() else value


def _contradiction(where: Where, given: Mapping[str, Any], normal: Any) -> Problem | None:
    missing = [name for name, value in given.items() if value is None]
    if missing:
        details = {"missing": f"{', '.join(missing)} {'is' if len(missing) == 1 else 'are'}"}
        return Problem(HALF_FILLED, where, details=details)
    if not isinstance(normal, bool):
        details = {"what": "normal"}
        return Problem(BAD_SHAPE, where, "true or false", shown(normal), details=details)
    levels = [level(value) for value in given.values()]
    skips = [value == SKIPPED for value in levels]
    if (normal and any(skips)) or (not normal and not all(skips)):
        got, details = ", ".join(map(str, levels)), {"normal": str(normal).lower()}
        return Problem(SKIP_AND_LEVEL, where, got=got, details=details)
    return None


def _pace(line: Line) -> Pace | Problem:
    """Times stand there by the clock of the tool; nobody knows its zone, so it is taken as UTC."""
    found: dict[str, str | None] = {}
    for name in ("start_time", "end_time"):
        value = line.data.get(name)
        try:
            moment = None if value is None else datetime.strptime(value, TIME)
        except (TypeError, ValueError):
            example = "2024-05-31 09:15:00"
            where = Where(line.where.file, line.where.line, path=name)
            return Problem(BAD_TIME, where, example, shown(value))
        found[name] = None if moment is None else f"{moment.isoformat()}Z"
    seconds = line.data.get("duration")
    if isinstance(seconds, bool) or not isinstance(seconds, int | float | None):
        where = Where(line.where.file, line.where.line, path="duration")
        details = {"what": "duration"}
        return Problem(BAD_SHAPE, where, "seconds", shown(seconds), details=details)
    return Pace(found["start_time"], found["end_time"], None if seconds is None else float(seconds))


# --- out ------------------------------------------------------------------------------------------


def _write_folder(here: Here, asked: Asked, told: Wrote) -> None:
    """A file for each system, and one for each annotation, each whole or not at all."""
    to, human = folder(asked.to), folder(asked.to / "human")
    with ExitStack() as stack:
        open_: dict[Path, BinaryIO] = {}

        def of_system(item: HiddenItem) -> BinaryIO:
            system = safe_name(str(item.hidden.get("exp") or ""), also=".").lstrip(".")
            path = to / f"{system or 'results'}.jsonl"
            if path not in open_:
                open_[path] = stack.enter_context(whole_file(path))
                told.files.append(str(path))
            return open_[path]

        _write(here, asked, told, of_system, human)


def _write(here: Here, asked: Asked, told: Wrote, file_of: Any, human: Path | None) -> None:
    by_item = _ratings(here, asked)
    size = here.sources.items.count(here.name)
    for number, item in enumerate(here.sources.verdicts.all_hidden(here.name)):
        for place, known in enumerate(by_item.get(item.id, ())):
            rating = here.sources.ratings.rating(here.name, known)
            if rating is None:
                continue
            file_of(item).write(json.dumps(line_of(item, rating)).encode("ascii") + b"\n")
            told.rows += 1
            count(told, rating)
            if human is not None:
                annotation = place * size + number
                _write_human(human / f"human_{annotation}.json", item, rating, told)


def _write_human(path: Path, item: HiddenItem, rating: Rating, told: Wrote) -> None:
    line = line_of(item, rating)
    if line["normal"]:
        line |= {name: str(line[name]) for name in LEVELS if line[name] is not None}
    with whole_file(path) as file:
        file.write(json.dumps(line).encode("ascii"))
    told.files.append(str(path))


def _ratings(here: Here, asked: Asked) -> dict[int, list[str]]:
    """The standing ratings of each item, in the order of their places."""
    ratings, rater = here.sources.ratings, asked.rater
    found: dict[int, list[str]] = {}
    some = ratings.ratings(here.name) if rater is None else ratings.of_rater(here.name, rater.number)
    for one in some:
        found.setdefault(one.submission.item, []).append(one.submission.id)
    return found


def line_of(item: HiddenItem, rating: Rating) -> dict[str, Any]:
    """The output as it came, with this rating behind it."""
    sent = rating.submission
    own = json.loads(item.source) if item.source[:1] == b"{" else dict(item.hidden)
    output = {name: value for name, value in own.items() if name not in FIELDS}
    levels: dict[str, Any] = dict.fromkeys(LEVELS, SKIPPED)
    if sent.answers is not None:
        answers = ((name, sent.answers.get(name)) for name in LEVELS)
        levels = {name: answer.value if answer else None for name, answer in answers}
    times = (_clock(sent.pace.started), _clock(sent.pace.ended or rating.received))
    duration = _duration(sent.pace)
    pace = dict(zip(TIMES, (*times, duration), strict=True))
    return {**output, **levels, **pace, "normal": sent.answers is not None}


def _clock(text: str | None) -> str | None:
    return None if text is None else datetime.fromisoformat(text).strftime(TIME)


def _duration(pace: Pace) -> int | None:
    if pace.wall_seconds is not None:
        return int(pace.wall_seconds)
    return whole_seconds(pace.started, pace.ended)


FORMAT = Results()
