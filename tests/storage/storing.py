"""What storage tests put into a store."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from datetime import UTC, datetime, timedelta
from typing import Any

from rubrica.assignment.contract import Design, Place
from rubrica.assignment.everyone import POLICY as EVERYONE
from rubrica.assignment.least_covered import POLICY as LEAST_COVERED
from rubrica.items.model import NewItem, Origin, Shown
from rubrica.ratings.model import Answer, Receipt, Submission
from rubrica.study.store import StudyVersion

STUDY = "Studie \U0001f697 1"
VERSION = StudyVersion("v1", {"title": {"zh": "评估"}, "weight": float("inf")}, {"q": "h1"})

__all__ = ["EVERYONE", "LEAST_COVERED", "STUDY", "VERSION", "Clock"]


class Clock:
    """Time as the test says."""

    def __init__(self) -> None:
        self.time = datetime(2026, 1, 1, tzinfo=UTC)

    def __call__(self) -> datetime:
        return self.time

    def pass_seconds(self, seconds: float) -> None:
        self.time += timedelta(seconds=seconds)


def item(number: int, **fields: Any) -> NewItem:
    values: dict[str, Any] = {
        "key": f"k{number}",
        "copy": 0,
        "position": number,
        "origin": Origin("items.jsonl", number + 1, fields.pop("batch", None)),
        "shown": Shown([{"text": f"answer {number}"}]),
        "facts": {"item.n": number},
        "hidden": {"score": number / 10},
        "source": b'{"n": %d}' % number,
        "digest": f"d{number}",
    }
    return NewItem(**{**values, **fields})


def items(count: int, **fields: Any) -> Iterator[NewItem]:
    return (item(number, **fields) for number in range(count))


def fill(store: Any, new: Iterable[NewItem] | int = 4, raters: int = 2) -> Any:
    """A study with a version, items and raters."""
    store.studies.add_version(STUDY, VERSION)
    store.loader.load(STUDY, items(new) if isinstance(new, int) else new)
    for number in range(1, raters + 1):
        store.accounts.add_rater(STUDY, f"rater {number}", f"hash {number}", "en", {})
    return store


def design(capacity: int | None = 2, **fields: Any) -> Design:
    return Design(**{"seed": 7, "items": 0, "capacity": capacity, **fields})


def reserve(store: Any, rater: int, count: int = 1, capacity: int | None = 2) -> Sequence[Place]:
    policy = EVERYONE if capacity is None else LEAST_COVERED
    found: Sequence[Place] = store.places.reserve(STUDY, rater, count, policy, design(capacity))
    return found


def submission(place: Place, id_: str | None = None, value: Any = 3, **fields: Any) -> Submission:
    values: dict[str, Any] = {
        "id": id_ or f"r{place.id}",
        "study": STUDY,
        "place": place.id,
        "rater": place.rater,
        "item": place.item,
        "version": VERSION.hash,
        "answers": {"q": Answer("answered", value)},
    }
    return Submission(**{**values, **fields})


def submit(store: Any, place: Place, id_: str | None = None, **fields: Any) -> Receipt:
    receipt: Receipt = store.ratings.submit(submission(place, id_, **fields)).result()
    return receipt
