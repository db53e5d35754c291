"""A rating: all of one rater's answers to one item. Immutable; a revision is a new record."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

import msgspec

State = Literal["answered", "not_applicable", "cannot_judge", "left_out"]
"""`not_applicable` is the rule's word, `cannot_judge` the rater's; `left_out` was not required."""


class Answer(msgspec.Struct, frozen=True):
    """A reply to one question, and how it came about.

    `first` is the first choice where a prompt or an implied level led to another; `implied` the
    level that followed from evidence and `implied_by` the name of the rule that gave it. The page
    says in `prompted` whether it asked for a second look, the server in `second_look` whether it
    had to.
    """

    state: State
    value: Any = None
    reason: str | None = None
    first: Any = None
    implied: Any = None
    prompted: bool = False
    implied_by: str | None = None
    second_look: bool = False


class Pace(msgspec.Struct, frozen=True):
    """When and how long: wall clock as the browser saw it, and the seconds really spent."""

    started: str | None = None
    ended: str | None = None
    wall_seconds: float | None = None
    active_seconds: float | None = None


@dataclass(frozen=True, slots=True)
class Submission:
    """What a rater sends; the browser made `id`. `answers` is None for a skip.

    `version` is the study's version the page showed, which the answers are checked against.
    """

    id: str
    study: str
    place: int
    rater: int
    item: int
    version: str
    answers: Mapping[str, Answer] | None
    skip_reason: str | None = None
    supersedes: str | None = None
    language: str = "en"
    pace: Pace = field(default_factory=Pace)
    scores: Mapping[str, float | None] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Rating:
    """A submission as it was recorded, in the server's order and by the server's clock."""

    submission: Submission
    number: int
    received: str
    surplus: bool = False
    """Came after its place had been filled: kept, but outside the design's k."""
    conflict: bool = False
    """Superseded a rating that another one had superseded already."""
    imported: bool = False


@dataclass(frozen=True, slots=True)
class Sending:
    """Who is about to send something for which place, and the id of the rating it is or will be."""

    rater: int
    place: int
    rating: str


@dataclass(frozen=True, slots=True)
class Known:
    """What is known before it is taken. `item` is None unless the place is the rater's own."""

    rater: str | None
    """The rater's state."""
    item: int | None
    place: str | None
    """The place's state."""
    until: str | None
    rated: bool
    """Whether there is a rating of that id."""
    draft: int | None
    """The revision of the place's draft."""


@dataclass(frozen=True, slots=True)
class Receipt:
    """The acknowledgement; it exists only after the commit."""

    id: str
    number: int
    replay: bool = False
    surplus: bool = False
    conflict: bool = False


@dataclass(frozen=True, slots=True)
class Draft:
    """What a rater has typed for a place so far; `revision` rises with every change."""

    place: int
    revision: int
    content: Mapping[str, Any]
    saved: str = ""


@dataclass(frozen=True, slots=True)
class NewDraft:
    """What somebody has typed, on its way."""

    rater: int
    place: int
    revision: int
    content: Mapping[str, Any]
