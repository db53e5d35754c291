"""The tidy table: one row for each question of each rating, whatever the study's own layout is.

A rater is a number here. Missing answers are rows too, with the reason in `state`; a skipped item is a
row of "cannot judge" for every question. Scores follow as rows called `score.NAME`.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any, Protocol

from rubrica.accounts.model import AccountStore, Rater
from rubrica.assignment.store import PlaceStore
from rubrica.items.model import Item
from rubrica.items.store import ItemStore
from rubrica.kinds.registry import kind
from rubrica.ratings.facts import entries_of
from rubrica.ratings.model import Answer, Rating
from rubrica.ratings.store import RatingStore
from rubrica.study.load import study_from
from rubrica.study.model import Study
from rubrica.study.store import StudyStore, StudyVersion
from rubrica.verdicts.model import HiddenItem, VerdictStore

Row = dict[str, Any]


class Sources(Protocol):
    """The stores an export reads."""

    @property
    def studies(self) -> StudyStore: ...
    @property
    def items(self) -> ItemStore: ...
    @property
    def verdicts(self) -> VerdictStore: ...
    @property
    def places(self) -> PlaceStore: ...
    @property
    def ratings(self) -> RatingStore: ...
    @property
    def accounts(self) -> AccountStore: ...


@dataclass
class Told:
    """What an export wrote and what it left out."""

    rows: int = 0
    ratings: int = 0
    skips: int = 0
    surplus: int = 0
    superseded_left_out: int = 0
    withdrawn_raters_left_out: int = 0
    excluded_raters: list[int] = field(default_factory=list)


@dataclass(frozen=True)
class Tidy:
    """Rows of one study. `told` is complete when all rows were read."""

    sources: Sources
    study: str
    all_revisions: bool = False
    with_names: bool = False
    told: Told = field(default_factory=Told)

    def rows(self) -> Iterator[Row]:
        self._tell_raters()
        look = _Look(self.sources, self.study)
        kept = self.sources.ratings.ratings(self.study, all_revisions=self.all_revisions)
        for rating in kept:
            self.told.ratings += 1
            self.told.skips += rating.submission.answers is None
            self.told.surplus += rating.surplus
            common = self._common(rating, look)
            for row in look.answers(rating):
                self.told.rows += 1
                yield {**common, **row}
        if not self.all_revisions:
            every = self.sources.ratings.ratings(self.study, all_revisions=True)
            self.told.superseded_left_out = sum(1 for _ in every) - self.told.ratings

    def _tell_raters(self) -> None:
        for rater in self.sources.accounts.raters(self.study):
            self.told.withdrawn_raters_left_out += rater.state == "withdrawn"
            if rater.state == "excluded":
                self.told.excluded_raters.append(rater.number)

    def _common(self, rating: Rating, look: _Look) -> Row:
        rater = look.rater(rating.submission.rater)
        name = {"rater_name": rater.name} if self.with_names else {}
        return {
            "study": self.study,
            **look.item(rating.submission.item),
            "rater": rater.number,
            **name,
            "rater_named": rater.named,
            "rater_state": rater.state,
            **look.place(rating.submission.place),
            **_record(rating),
        }


class _Look:
    """Looks things up once that many rows share."""

    def __init__(self, sources: Sources, study: str) -> None:
        self.sources, self.study = sources, study
        self.rater = lru_cache(10_000)(self._rater)
        self.item = lru_cache(10_000)(self._item)
        self.shown = lru_cache(1_000)(self._shown)
        self.version = lru_cache(100)(self._version)

    def answers(self, rating: Rating) -> Iterator[Row]:
        """One row per question of the version the rating was made under, then its scores."""
        sent = rating.submission
        kept, study = self.version(sent.version)
        item = self.shown(sent.item)
        for name, question in study.questions.items():
            skipped = Answer("cannot_judge", reason=sent.skip_reason)
            answer = skipped if sent.answers is None else sent.answers.get(name, Answer("left_out"))
            yield {
                "question": name,
                "kind": question.kind,
                "question_hash": kept.question_hashes.get(name),
                **_answer(study, name, answer, item),
            }
        for name, value in sent.scores.items():
            score = {"question": f"score.{name}", "kind": "score", "question_hash": None}
            yield {**score, **_plain(Answer("left_out" if value is None else "answered", value), {})}

    def place(self, place: int) -> Row:
        found = self.sources.places.place(self.study, place)
        if found is None:
            return {"number": None, "round": None, "repeat": None, "gold": None}
        repeat = found.repeat_of is not None
        return {"number": found.number, "round": found.round, "repeat": repeat, "gold": found.gold}

    def _rater(self, number: int) -> Rater:
        found = self.sources.accounts.rater(self.study, number)
        if found is None:
            raise LookupError(f"a rating names the rater {number}, who is not kept")
        return found

    def _item(self, item: int) -> Row:
        hidden: HiddenItem = self.sources.verdicts.hidden(self.study, item)
        names = ("key", "copy", "thread", "turn", "system", "wave", "batch", "position")
        return {"item" if name == "key" else name: getattr(hidden, name) for name in names}

    def _shown(self, item: int) -> Item:
        return self.sources.items.item(self.study, item)

    def _version(self, version: str) -> tuple[StudyVersion, Study]:
        kept = self.sources.studies.version(self.study, version)
        if kept is None:
            raise LookupError(f"a rating names the version {version}, which is not kept")
        return kept, study_from(kept.declared)


def _answer(study: Study, name: str, answer: Answer, item: Item) -> Row:
    question = study.questions[name]
    if answer.state != "answered":
        return _plain(answer, {})
    cells = kind(question.kind).cells(question, answer.value, entries_of(item, name))
    return _plain(answer, {column: value for column, value in cells.items() if column})


def _plain(answer: Answer, parts: Row) -> Row:
    """`value` is what was recorded, `parts` the further columns its kind fills."""
    return {
        "state": answer.state,
        "value": answer.value,
        "parts": parts,
        "reason": answer.reason,
        "first": answer.first,
        "implied": answer.implied,
        "implied_by": answer.implied_by,
        "prompted": answer.prompted,
        "second_look": answer.second_look,
    }


def _record(rating: Rating) -> Row:
    sent = rating.submission
    return {
        "rating": sent.id,
        "order": rating.number,
        "supersedes": sent.supersedes,
        "surplus": rating.surplus,
        "conflict": rating.conflict,
        "imported": rating.imported,
        "skipped": sent.answers is None,
        "version": sent.version,
        "language": sent.language,
        "received": rating.received,
        "started": sent.pace.started,
        "ended": sent.pace.ended,
        "wall_seconds": sent.pace.wall_seconds,
        "active_seconds": sent.pace.active_seconds,
    }
