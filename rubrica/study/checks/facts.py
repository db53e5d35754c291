"""Every condition of a study, and what the facts in it may be called."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Literal

from rubrica.conditions import All, AnyOf, Condition, Not
from rubrica.kinds.contract import Question
from rubrica.kinds.implied import ByCount, measure_of
from rubrica.kinds.registry import kinds
from rubrica.study.draft import Draft
from rubrica.study.model import Gap, Score
from rubrica.study.source import Steps

Use = Literal["when", "implied", "second_look", "items", "checklist"]


@dataclass(frozen=True, slots=True)
class Named:
    """A fact where a study names it: the way to the name, what it is compared with, and what for."""

    fact: str
    test: Any
    steps: Steps
    use: Use
    question: str | None = None

    @property
    def room(self) -> str:
        return self.fact.partition(".")[0]

    @property
    def name(self) -> str:
        """The question, score or path it is about."""
        rest = self.fact.partition(".")[2]
        return rest if self.room == "item" else rest.partition(".")[0]

    @property
    def measure(self) -> str:
        return "" if self.room == "item" else self.fact.partition(".")[2].partition(".")[2]


def named_facts(draft: Draft) -> Iterator[Named]:
    """All facts a study names, question by question, then those of its items and its checklist."""
    for name, question in draft.study.questions.items():
        yield from _of_question(name, question, ("questions", name))
    items = draft.study.items
    if items.only is not None:
        yield from _in(items.only, ("items", "only"), "items")
    if items.gold is not None:
        yield from _in(items.gold.when, ("items", "gold", "when"), "items")
    for place, line in enumerate(draft.study.checklist):
        yield from _in(line.breaks, ("checklist", place, "breaks"), "checklist")


def _of_question(name: str, question: Question, steps: Steps) -> Iterator[Named]:
    if question.when is not None:
        yield from _in(question.when, (*steps, "when"), "when", name)
    yield from _of_implied(name, question, (*steps, "implied"))
    if question.second_look is not None:
        yield from _in(question.second_look.when, (*steps, "second_look", "when"), "second_look", name)


def _of_implied(name: str, question: Question, steps: Steps) -> Iterator[Named]:
    implied = getattr(question, "implied", None)
    if isinstance(implied, ByCount):
        yield Named(measure_of(implied), None, (*steps, "count"), "implied", name)
    for place, rule in enumerate(implied if isinstance(implied, list) else ()):
        if rule.when is not None:
            yield from _in(rule.when, (*steps, place, "when"), "implied", name)


def _in(condition: Condition, steps: Steps, use: Use, question: str | None = None) -> Iterator[Named]:
    if isinstance(condition, Not):
        yield from _in(condition.not_, (*steps, "not"), use, question)
    elif isinstance(condition, All | AnyOf):
        key = "all" if isinstance(condition, All) else "any"
        for place, part in enumerate(getattr(condition, key)):
            yield from _in(part, (*steps, key, place), use, question)
    else:
        for fact, test in condition.items():
            yield Named(fact, test, (*steps, fact), use, question)


STATES = ("answered", "not_applicable", "cannot_judge", "left_out")


def measures_of(question: Question) -> list[str]:
    """What may stand behind a question's name in a fact."""
    return list(dict.fromkeys(["state", *kinds()[question.kind].measures(question)]))


def parts_of(score: Score) -> list[str]:
    return list(score.gap) if isinstance(score, Gap) else list(score.mean)


def needs(draft: Draft, fact: str, seen: frozenset[str] = frozenset()) -> set[str]:
    """The questions a fact hangs on, through any scores it is made of."""
    room, _, rest = fact.partition(".")
    name = rest.partition(".")[0]
    if room == "answer":
        return {name}
    if room != "score" or name in seen or name not in draft.study.score:
        return set()
    parts = (part_fact(draft, part) for part in parts_of(draft.study.score[name]))
    return {q for part in parts for q in needs(draft, part, seen | {name})}


def part_fact(draft: Draft, part: str) -> str:
    """The fact a part of a score stands for: a full fact, a score's name, or a question's."""
    if part.startswith(("answer.", "score.")):
        return part
    return f"score.{part}" if part in draft.score_names else f"answer.{part}"
