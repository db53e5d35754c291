"""Items, answers and settlements in the API's shapes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from rubrica.coordinator.endpoint import At
from rubrica.coordinator.rules import BAD_TEXT, NO_QUESTION
from rubrica.coordinator.shapes.items import AnswerShown, ItemRow, Settle, SettledShown, VerdictShown
from rubrica.errors import Problem, nearest
from rubrica.items.model import Item
from rubrica.kinds.contract import Question
from rubrica.kinds.registry import kind
from rubrica.ratings.facts import entries_of
from rubrica.ratings.model import Answer
from rubrica.review.board import ItemLine, Settled
from rubrica.review.saying import in_words
from rubrica.review.verdicts import scores_of
from rubrica.texts import LANGUAGES


def line_shown(at: At, line: ItemLine) -> ItemRow:
    """Which system it is from could sway whoever settles it: that is for coordinators."""
    coordinates = at.is_at_least("coordinator")
    return ItemRow(
        id=line.public,
        number=line.position + 1,
        key=line.key,
        copy=line.copy,
        batch=line.batch,
        system=line.system if coordinates else None,
        wave=line.wave,
        done=line.done,
        skipped=line.skipped,
        comments=line.comments,
        flags=line.flags,
        split=line.split,
        settled=line.settled,
    )


def answers_shown(
    at: At, version: str, answers: Mapping[str, Answer] | None, item: Item
) -> dict[str, AnswerShown] | None:
    if answers is None:
        return None
    questions = at.study.desk.version_named(version).study.questions
    return {
        name: _answer(questions.get(name), one, _labels(questions.get(name), item, name))
        for name, one in answers.items()
    }


def _labels(question: Question | None, item: Item, name: str) -> list[str]:
    """What each entry of the answer is about, where it has one for each of the item's."""
    each = question is not None and question.kind == "each"
    return [entry.label for entry in entries_of(item, name)] if each else []


def _answer(question: Question | None, answer: Answer, labels: Sequence[str]) -> AnswerShown:
    says = in_words(question, answer.value, LANGUAGES, labels) if answer.state == "answered" else {}
    return AnswerShown(answer.state, answer.value, answer.reason, answer.first, says)


def settled_shown(at: At, settled: Sequence[Settled]) -> list[SettledShown]:
    last = {one.question: one.number for one in settled}
    return [
        SettledShown(
            question=one.question,
            value=one.value,
            says=in_words(_question(at, one), one.value, LANGUAGES),
            note=one.note,
            who=one.who,
            when=one.when,
            stands=last[one.question] == one.number,
        )
        for one in settled
    ]


def _question(at: At, one: Settled) -> Question | None:
    return at.study.desk.version_named(one.version).study.questions.get(one.question)


def settlement_of(at: At, item: Item, asked: Settle) -> Any:
    """The value in the form in which raters' answers are kept."""
    questions = at.study.desk.version.study.questions
    question = questions.get(asked.question)
    if question is None:
        near = nearest(asked.question, questions)
        raise Problem(NO_QUESTION, got=asked.question, nearest=near, details={"reason": "no question"})
    if not asked.note.isprintable() and not asked.note.replace("\n", " ").isprintable():
        raise Problem(BAD_TEXT, details={"longest": 4_000})
    of, entries = kind(question.kind), entries_of(item, asked.question)
    problem = next(iter(of.check(question, asked.value, entries)), None)
    if problem is not None:
        raise Problem(NO_QUESTION, details={"reason": problem.message})
    return of.clean(question, asked.value, entries)


def verdict_lines(at: At, item: int) -> list[VerdictShown]:
    hidden = at.site.stores.verdicts.hidden(at.name, item)
    return [
        VerdictShown(one.verdict, one.question, one.judge, one.value, one.speaks_of)
        for one in scores_of(at.study.desk.version.study, hidden)
    ]
