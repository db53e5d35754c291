"""A study read from its source: its models, and what they find wrong as numbered problems.

The models hold types and shapes; a finding of theirs becomes a problem in `rubrica.study.words`.
"""

from __future__ import annotations

import copy
from typing import Any

from pydantic import TypeAdapter, ValidationError

from rubrica.errors import Problem, shown
from rubrica.study.findings import findings_of
from rubrica.study.model import PracticeExample, Study
from rubrica.study.source import NOT_A_MAPPING, Source, Steps
from rubrica.study.words import in_words


def read_study(source: Source) -> tuple[Study | None, list[Problem], frozenset[Steps]]:
    """The study, the problems of its shape, and the ways of the parts these problems made unusable.

    The faulty parts are taken out and the rest is read again, so that the rules which look at two
    places can run on it in the same go.
    """
    if not isinstance(source.data, dict):
        got = shown(source.data)
        top = Problem(NOT_A_MAPPING, source.where(()), "keys with their values", got)
        return None, [top], frozenset()
    data: Any = copy.deepcopy(source.data)
    gone: set[Steps] = set()
    problems: list[Problem] = []
    for attempt in range(9):
        try:
            return Study.model_validate(data), problems, frozenset(gone)
        except ValidationError as error:
            findings = findings_of(error, data, Study)
        if attempt == 0:
            problems = [in_words(f, source) for f in findings]
        _cut(data, {f.steps for f in findings}, gone)
    return None, problems, frozenset(gone)


def read_examples(source: Source) -> tuple[list[PracticeExample], list[Problem]]:
    """The worked examples of a practice file, and what is wrong with their shape."""
    if not isinstance(source.data, list):
        expected = "a list of worked examples, each with `item:` and `answers:`"
        got = shown(source.data)
        return [], [Problem(NOT_A_MAPPING, source.where(()), expected, got)]
    try:
        return _EXAMPLES.validate_python(source.data), []
    except ValidationError as error:
        findings = findings_of(error, source.data, list[PracticeExample])
        return [], [in_words(f, source) for f in findings]


_EXAMPLES = TypeAdapter(list[PracticeExample])

_STAND_INS: dict[Steps, Any] = {
    ("rubrica",): 1,
    ("title",): "?",
    ("items",): {"from": "?", "show": [{"text": "x"}]},
    ("items", "from"): "?",
    ("items", "show"): [{"text": "x"}],
    ("questions",): {"q": {"kind": "text", "ask": "?"}},
}
"""What takes the place of a part no study can do without, while the rest is looked at."""


def _cut(data: dict[str, Any], ways: set[Steps], gone: set[Steps]) -> None:
    """Takes these values out; where one is not there at all, or stands in a list, what holds it."""
    for way in ways:
        target = _removable(data, way)
        gone.add(target)
        holder = _at(data, target[:-1])
        if target in _STAND_INS:
            holder[target[-1]] = copy.deepcopy(_STAND_INS[target])
        elif isinstance(holder, dict):
            holder.pop(target[-1], None)


def _removable(data: Any, way: Steps) -> Steps:
    while way not in _STAND_INS and len(way) > 1:
        holder = _at(data, way[:-1])
        if isinstance(holder, dict) and way[-1] in holder:
            break
        way = way[:-1]
    return way


def _at(data: Any, way: Steps) -> Any:
    for step in way:
        held = isinstance(data, dict) and step in data
        listed = isinstance(data, list) and isinstance(step, int) and step < len(data)
        data = data[step] if held or listed else None
    return data
