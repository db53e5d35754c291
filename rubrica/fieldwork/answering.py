"""How a robot fills in the questions of one item: what it sees, and what people do with forms."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from random import Random
from typing import Any

from rubrica.items.model import Item
from rubrica.kinds.contract import Question, Robot
from rubrica.kinds.registry import kind
from rubrica.ratings.accept import Deciding, reasons
from rubrica.ratings.facts import entries_of
from rubrica.study.model import Study

Reply = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Mind:
    """One robot's way to judge. `truth` says how good an item really is in a question."""

    rng: Random
    skill: float
    bias: float
    truth: Callable[[Item, str], float]
    unsure: float = 0.0

    def sees(self, item: Item, question: str) -> Robot:
        return Robot(self.rng, self.skill, self.bias, self.truth(item, question))


def replies(study: Study, item: Item, mind: Mind) -> dict[str, Reply]:
    """A reply to every question that applies; those that others depend on are answered first."""
    given: dict[str, Reply] = {}
    for _ in study.questions:
        waiting = [name for name in study.questions if name not in given]
        due = [name for name in waiting if Deciding(study, item, given).applies(name)]
        if not due:
            break
        for name in due:
            given[name] = _reply(study, item, mind, name, Deciding(study, item, given))
    applying = Deciding(study, item, given)
    kept = {name: reply for name, reply in given.items() if applying.applies(name)}
    return {name: _second_look(study, item, mind, name, kept) for name in kept}


def as_shown(study: Study, references: Mapping[str, Any], mind: Mind) -> dict[str, Reply]:
    """Replies of somebody who has seen the reference answers; null is said as cannot judge."""
    given: dict[str, Reply] = {}
    for name, value in references.items():
        question = study.questions[name]
        if value is not None:
            given[name] = {"value": value}
        elif question.cannot_judge:
            given[name] = {"cannot_judge": _reason(study, question, mind)}
    return given


def _reply(study: Study, item: Item, mind: Mind, name: str, deciding: Deciding) -> Reply:
    question = study.questions[name]
    if not question.required and mind.rng.random() < 0.6:
        return {}
    if question.cannot_judge and mind.rng.random() < mind.unsure:
        return {"cannot_judge": _reason(study, question, mind)}
    if deciding.implied(name) is not None and mind.rng.random() < 0.9:
        return {}
    return {"value": _value(question, item, mind, name)}


def _reason(study: Study, question: Question, mind: Mind) -> bool | str:
    if not isinstance(question.cannot_judge, list):
        return True
    return mind.rng.choice(reasons(question.cannot_judge, study.languages[0]))


def _value(question: Question, item: Item, mind: Mind, name: str) -> Any:
    return kind(question.kind).robot(question, mind.sees(item, name), entries_of(item, name))


def _second_look(study: Study, item: Item, mind: Mind, name: str, given: dict[str, Reply]) -> Reply:
    """Where the page would ask for a second look, half of the robots think again."""
    reply, deciding = given[name], Deciding(study, item, given)
    answer = deciding.answer(name)
    if "value" not in reply or answer is None or not deciding.second_look(name, answer).second_look:
        return reply
    if mind.rng.random() < 0.5:
        return {**reply, "prompted": True}
    other = _value(study.questions[name], item, mind, name)
    return {"value": other, "first": reply["value"], "prompted": True}
