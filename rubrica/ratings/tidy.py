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

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

from rubrica.items.model import Item
from rubrica.kinds.contract import Column, Entries, Kind, Question
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
    return Rows(study).row(rating, lambda: item)


class Rows:
    """Rows of ratings made under one version; what its columns are is found out once."""

    def __init__(self, study: Study) -> None:
        self._study = study
        self._asked = [_Asked.of_question(name, question) for name, question in study.questions.items()]
        self._scores = list(score_names(study))

    def row(self, rating: Rating, item: Callable[[], Item]) -> dict[str, Any]:
        """One cell per column. The item is asked for only where something hangs on it."""
        cells = _about(rating)
        answers = rating.submission.answers
        if answers is None:
            answers = _skipped(self._study, item(), rating)
        for asked in self._asked:
            entries = entries_of(item(), asked.name) if asked.listed else []
            asked.put(cells, answers.get(asked.name), entries)
        scores = rating.submission.scores
        for name in self._scores:
            cells[f"score.{name}"] = scores.get(name)
        return cells


@dataclass(frozen=True, slots=True)
class _Asked:
    """A question with the names of its columns: in its kind or beside it, and in the row."""

    name: str
    question: Question
    of: Kind[Any]
    listed: bool
    own: Mapping[str, str]
    beside: Mapping[str, str]

    @classmethod
    def of_question(cls, name: str, question: Question) -> _Asked:
        of = kind(question.kind)
        own = {column.name: _join(name, column.name) for column in of.columns(question)}
        beside = {column.name: _join(name, column.name) for column in _beside(question)}
        return cls(name, question, of, of.entry_paths(question) is not None, own, beside)

    def put(self, cells: dict[str, Any], answer: Answer | None, entries: Entries) -> None:
        """The answer's cells; all empty where the version of the study had no such question."""
        answered = answer is not None and answer.state == "answered"
        found: Mapping[str, Any] = {}
        if answer is not None and answered:
            found = self.of.cells(self.question, answer.value, entries)
        for column, name in self.own.items():
            cells[name] = found.get(column)
        for column, name in self.beside.items():
            cells[name] = None if answer is None else getattr(answer, column)
        if answer is not None and "first" in self.beside:
            first = answer.value if answer.first is None and answered else answer.first
            cell = None if first is None else self.of.cells(self.question, first, entries)[""]
            cells[self.beside["first"]] = cell


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


def _skipped(study: Study, item: Item, rating: Rating) -> Mapping[str, Answer]:
    """A skip is cannot judge for every question that would have been asked."""
    asked = Deciding(study, item, {})
    skipped = Answer("cannot_judge", reason=rating.submission.skip_reason)
    return {
        name: skipped if asked.applies(name) else Answer("not_applicable") for name in study.questions
    }


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
