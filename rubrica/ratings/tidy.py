"""A rating as one row of a tidy table, and what its columns are.

Beside the columns of its kind, every question has `NAME.state`, which tells apart what is missing:
`not_applicable` (the study's rule says so), `cannot_judge` (the rater says so) and `left_out`. The
others stand where a question can have them: `NAME.reason` (why it cannot be judged), `NAME.first`
(the first choice, also where it was the last), `NAME.implied` and `NAME.implied_by` (the level that
followed from evidence, and the rule that gave it), `NAME.prompted` and `NAME.second_look` (whether the
page asked for a second look, and whether it had to).

The item's key, its system and its thread are not known here; whoever writes the table adds them.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any

from rubrica.items.model import Item
from rubrica.kinds.contract import Column, Entries, Question
from rubrica.kinds.registry import kind
from rubrica.ratings.accept import Deciding
from rubrica.ratings.facts import entries_of
from rubrica.ratings.model import Answer, Rating
from rubrica.ratings.scores import score_names
from rubrica.study.model import Study

ABOUT = (
    Column("rating", "text", "the rating's id"),
    Column("number", "integer", "the place of the rating in the order they were recorded"),
    Column("rater", "integer", "the rater's number; who that is stands in accounts only"),
    Column("place", "integer", "the rater's place for this item"),
    Column("version", "text", "the version of the study it was made under"),
    Column("language", "text", "the language the rater read"),
    Column("received", "text", "when it was recorded, by the server's clock"),
    Column("started", "text", "when the item was opened, by the rater's clock"),
    Column("ended", "text", "when it was submitted, by the rater's clock"),
    Column("wall_seconds", "number", "seconds between the two"),
    Column("active_seconds", "number", "seconds the rater really worked on it"),
    Column("skipped", "boolean", "whether the whole item could not be judged"),
    Column("skip_reason", "text", "why it could not be judged"),
    Column("supersedes", "text", "the earlier rating this one revises"),
    Column("surplus", "boolean", "whether it came after its place had been filled by another"),
    Column("conflict", "boolean", "whether another rating revised the same one"),
    Column("imported", "boolean", "whether it was made elsewhere"),
)


def columns(study: Study) -> list[Column]:
    """The columns of the study's ratings, in the order of a row."""
    found = list(ABOUT)
    for name, question in study.questions.items():
        of = kind(question.kind)
        found += [_named(name, column) for column in of.columns(question)]
        found += [_named(name, column) for column in _beside(question)]
    return found + [Column(f"score.{name}", "number", _says_score(name)) for name in score_names(study)]


def row(study: Study, item: Item, rating: Rating) -> dict[str, Any]:
    """One cell per column. `study` is the version the rating was made under."""
    cells = _about(rating)
    answers = _answers(study, item, rating)
    for name, question in study.questions.items():
        for column, cell in _cells(question, answers.get(name), entries_of(item, name)).items():
            cells[_join(name, column)] = cell
    scores = rating.submission.scores
    return cells | {f"score.{name}": scores.get(name) for name in score_names(study)}


def _about(rating: Rating) -> dict[str, Any]:
    sent, pace = rating.submission, rating.submission.pace
    return {
        "rating": sent.id,
        "number": rating.number,
        "rater": sent.rater,
        "place": sent.place,
        "version": sent.version,
        "language": sent.language,
        "received": rating.received,
        "started": pace.started,
        "ended": pace.ended,
        "wall_seconds": pace.wall_seconds,
        "active_seconds": pace.active_seconds,
        "skipped": sent.answers is None,
        "skip_reason": sent.skip_reason,
        "supersedes": sent.supersedes,
        "surplus": rating.surplus,
        "conflict": rating.conflict,
        "imported": rating.imported,
    }


def _answers(study: Study, item: Item, rating: Rating) -> Mapping[str, Answer]:
    """A skip is cannot judge for every question that would have been asked."""
    sent = rating.submission
    if sent.answers is not None:
        return sent.answers
    asked = Deciding(study, item, {})
    skipped = Answer("cannot_judge", reason=sent.skip_reason)
    return {
        name: skipped if asked.applies(name) else Answer("not_applicable") for name in study.questions
    }


def _cells(question: Question, answer: Answer | None, entries: Entries) -> dict[str, Any]:
    of = kind(question.kind)
    empty = dict.fromkeys((column.name for column in of.columns(question)), None)
    beside = dict.fromkeys((column.name for column in _beside(question)), None)
    if answer is None:  # the version of the study had no such question
        return {**empty, **beside}
    answered = answer.state == "answered"
    cells = of.cells(question, answer.value, entries) if answered else empty
    first = answer.first if answer.first is not None else answer.value if answered else None
    beside_cells = {
        "state": answer.state,
        "reason": answer.reason,
        "first": None if first is None else of.cells(question, first, entries)[""],
        "implied": answer.implied,
        "implied_by": answer.implied_by,
        "prompted": answer.prompted,
        "second_look": answer.second_look,
    }
    return {**cells, **{name: beside_cells[name] for name in beside}}


def _beside(question: Question) -> Iterator[Column]:
    """What stands beside the answer, where the question can have it."""
    implied = getattr(question, "implied", None) is not None
    looked = question.second_look is not None
    main = kind(question.kind).columns(question)[0]
    yield Column("state", "text", "answered, not_applicable, cannot_judge or left_out")
    if question.cannot_judge:
        yield Column("reason", "text", "why it cannot be judged")
    if implied or looked:
        yield replace(main, name="first", says="the first choice, also where it was the last")
    if implied:
        yield replace(main, name="implied", says="the level that followed from evidence")
        yield Column("implied_by", "text", "the name of the rule that gave it")
    if looked:
        yield Column("prompted", "boolean", "whether the page asked for a second look")
        yield Column("second_look", "boolean", "whether a second look was due")


def _join(question: str, column: str) -> str:
    return f"{question}.{column}" if column else question


def _named(question: str, column: Column) -> Column:
    return replace(column, name=_join(question, column.name))


def _says_score(name: str) -> str:
    of, _, verdict = name.partition(".")
    return f"whether {of} passes: 1 or 0" if verdict else f"the score {of}"
