"""The closing checklist: which ratings break which of its lines."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from rubrica.conditions import holds
from rubrica.items.model import Item
from rubrica.ratings.facts import Facts
from rubrica.ratings.model import Rating
from rubrica.study.model import Checklist, Study
from rubrica.texts import Text


@dataclass(frozen=True, slots=True)
class Line:
    """A line of the checklist and the ratings that break it, in the order they were given."""

    says: Text
    broken: Sequence[Rating]

    @property
    def kept(self) -> bool:
        return not self.broken


def checklist(study: Study, ratings: Iterable[tuple[Item, Rating]]) -> list[Line]:
    """Every line, also those that nothing breaks. A skipped item has no answers to look at."""
    judged = [(item, r) for item, r in ratings if r.submission.answers is not None]
    return [
        Line(line.says, [rating for item, rating in judged if breaks(study, line, item, rating)])
        for line in study.checklist
    ]


def breaks(study: Study, line: Checklist, item: Item, rating: Rating) -> bool:
    answers = rating.submission.answers or {}
    return holds(line.breaks, Facts(study, item, answers.get))
