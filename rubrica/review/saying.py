"""Answers in words, as those who read ratings want them: a level's label, not its number."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from textwrap import shorten
from typing import Any, cast

from rubrica.kinds.contract import Question
from rubrica.ratings.model import Answer
from rubrica.texts import Text, per_language

NAMED = ("levels", "options", "types", "severities", "marks")
"""Where a question declares what its values are called."""

LONGEST_LABEL = 60

TOLD = ("type", "name", "value", "mark", "severity", "note")
"""What is said of an entry of a list, in this order."""


@dataclass(frozen=True, slots=True)
class Mark:
    """Evidence on one part of an item: a failure in a turn, a goal that came up there."""

    part: int
    question: str
    says: dict[str, str]


def in_words(
    question: Question | None, value: Any, languages: tuple[str, ...], labels: Sequence[str] = ()
) -> dict[str, str]:
    """The value in each language; what has no name is written as it is. Where there is a label for
    every entry of a list, each stands behind its own, shortened."""
    if isinstance(value, list):
        entries = [_entry(question, one, languages) for one in value]
        if len(labels) == len(entries):
            entries = [_labelled(*one) for one in zip(labels, entries, strict=True)]
        return _joined(entries, languages)
    name = _name(question, value)
    if name is not None:
        return per_language(name, languages)
    return dict.fromkeys(languages, value if isinstance(value, str) else json.dumps(value))


def _labelled(label: str, says: dict[str, str]) -> dict[str, str]:
    short = shorten(label, LONGEST_LABEL, placeholder="…")
    between = {"zh": "："}
    return {x: f"{short}{between.get(x, ': ')}{said}" for x, said in says.items()} if short else says


def marks_of(
    questions: Mapping[str, Question], answers: Mapping[str, Answer], languages: tuple[str, ...]
) -> Iterator[Mark]:
    """What was marked on the parts of the item, by question."""
    for name, answer in answers.items():
        value = answer.value if answer.state == "answered" else None
        for one in value if isinstance(value, list) else ():
            part = one.get("part", one.get("turn")) if isinstance(one, Mapping) else None
            if isinstance(part, int):
                yield Mark(part, name, _entry(questions.get(name), one, languages))


def _entry(question: Question | None, one: Any, languages: tuple[str, ...]) -> dict[str, str]:
    if not isinstance(one, Mapping):
        return in_words(question, one, languages)
    asked = {"value": getattr(question, "answer", None)}
    parts = [
        in_words(asked.get(name, question), one[name], languages)
        for name in TOLD
        if one.get(name) not in (None, "")
    ]
    rest = json.dumps(dict(one), ensure_ascii=False)
    return _joined(parts, languages, " · ") if parts else dict.fromkeys(languages, rest)


def _joined(
    parts: list[dict[str, str]], languages: tuple[str, ...], between: str = "; "
) -> dict[str, str]:
    return {language: between.join(part[language] for part in parts) for language in languages}


def _name(question: Question | None, value: Any) -> Text | None:
    for member in NAMED:
        named = getattr(question, member, None)
        if isinstance(named, Mapping) and isinstance(value, str | int) and value in named:
            found = named[value]
            if isinstance(found, str | Mapping):
                return cast(Text, found)
            label: Text | None = getattr(found, "label", None)
            return label if label is not None else str(value)
    return None
