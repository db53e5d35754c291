"""What the ratings of one item come to, for the desk's list of items."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from rubrica.kinds.registry import kind
from rubrica.ratings.model import Answer, Rating
from rubrica.review.board import Standing
from rubrica.study.load import study_from
from rubrica.study.model import Study
from rubrica.study.store import StudyStore


class ItemCounting:
    """Fulfils `Counting` for one study; versions are read once."""

    def __init__(self, studies: StudyStore, study: str) -> None:
        self._studies, self._study = studies, study
        self._versions: dict[str, Study | None] = {}

    def __call__(self, item: int, ratings: Sequence[Rating]) -> Standing:
        answered = [r for r in ratings if r.submission.answers is not None]
        return Standing(
            done=len({r.submission.rater for r in ratings}),
            skipped=len(ratings) - len(answered),
            comments=sum(self._comments(r) for r in answered),
            split=max(self.splits(answered).values(), default=0.0),
        )

    def splits(self, ratings: Sequence[Rating]) -> dict[str, float]:
        """By question, how far the raters lie apart, from 0 to 1; repeats are no other opinion."""
        worth: dict[str, dict[int, Any]] = {}
        for rating in ratings:
            study = self._version(rating.submission.version)
            for name, answer in (rating.submission.answers or {}).items():
                value = _worth(study, name, answer)
                if value is not None:
                    worth.setdefault(name, {}).setdefault(rating.submission.rater, value)
        return {name: _apart(list(given.values())) for name, given in worth.items()}

    def _comments(self, rating: Rating) -> int:
        study = self._version(rating.submission.version)
        answers: Mapping[str, Answer] = rating.submission.answers or {}
        return sum(
            answer.state == "answered" and _is_text(study, name) and bool(answer.value)
            for name, answer in answers.items()
        )

    def _version(self, version: str) -> Study | None:
        if version not in self._versions:
            kept = self._studies.version(self._study, version)
            try:
                self._versions[version] = None if kept is None else study_from(kept.declared)
            except (ValueError, KeyError):  # a version some other program wrote
                self._versions[version] = None
        return self._versions[version]


def _is_text(study: Study | None, name: str) -> bool:
    question = None if study is None else study.questions.get(name)
    return question is not None and question.kind == "text"


def _worth(study: Study | None, name: str, answer: Answer) -> Any:
    """A number from 0 to 1, or the key of an option that has no rank; None for what has neither."""
    question = None if study is None else study.questions.get(name)
    if question is None or answer.state != "answered":
        return None
    of = kind(question.kind)
    worth = of.fraction(question, answer.value)
    if worth is not None:
        return worth
    return answer.value if of.levels(question) and isinstance(answer.value, str) else None


def _apart(values: Sequence[Any]) -> float:
    numbers = [v for v in values if not isinstance(v, str)]
    if len(numbers) < len(values):
        return float(len(set(map(str, values))) > 1)
    return float(max(numbers) - min(numbers))
