"""What conditions may know of a rating, by the names conditions use."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from rubrica.items.model import Item
from rubrica.kinds.contract import Entry, Question
from rubrica.kinds.registry import kind
from rubrica.ratings.model import Answer
from rubrica.ratings.scores import score_fact
from rubrica.study.model import Study

Answers = Callable[[str], Answer | None]
"""The answer to a question by its name, None where nothing is known of it yet."""


def entries_of(item: Item, question: str) -> list[Entry]:
    """The item's own list a question goes over."""
    return [Entry(**entry) for entry in item.shown.entries.get(question, ())]


def known_facts(item: Item, names: Iterable[str]) -> dict[str, Any]:
    """Those of the named facts that are settled before anybody answers."""
    settled = (name for name in names if name.startswith(("item.", "thread.")))
    return {name: item.turn if name == "thread.position" else item.facts.get(name) for name in settled}


def answer_fact(question: Question, answer: Answer | None, measure: str) -> Any:
    """What `answer.QUESTION` (no measure) or `answer.QUESTION.MEASURE` stands for."""
    if answer is None or measure == "state":
        return answer and answer.state
    if answer.state != "answered":
        return None
    of = kind(question.kind)
    if measure == "fraction":
        return of.fraction(question, answer.value)
    return of.measure(question, answer.value).get(measure) if measure else answer.value


class Facts:
    """Facts about one item and one rater's answers to it."""

    def __init__(self, study: Study, item: Item, answers: Answers) -> None:
        self._study, self._item, self._answers = study, item, answers

    def __call__(self, name: str) -> Any:
        room, _, rest = name.partition(".")
        if room == "answer":
            return self._answer(rest)
        if room == "score":
            return score_fact(self._study, rest, self)
        return known_facts(self._item, [name]).get(name)

    def _answer(self, rest: str) -> Any:
        name, _, measure = rest.partition(".")
        question = self._study.questions.get(name)
        return None if question is None else answer_fact(question, self._answers(name), measure)
