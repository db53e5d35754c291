"""What the desk shows of a study, kept counted: who did how much, and how each item stands."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal, Protocol

from rubrica.ratings.model import Rating

By = Literal["rater", "batch", "day", "version", "rater and day", "rater and batch"]
Mark = Literal["skipped", "comments", "flags", "split", "settled"]
Stage = Literal["waiting", "going", "done"]
Days = tuple[str, str]
"""The first and the last day of a time, as in 2026-01-31."""
EVER: Days = ("", "9999")


@dataclass(frozen=True, slots=True)
class Tally:
    """Work that was done, summed; what it was not summed by is None."""

    rater: int | None
    batch: int | None
    day: str | None
    version: str | None
    rated: int
    skipped: int
    revised: int
    active_seconds: float
    wall_seconds: float
    unread: int
    """Ratings that came sooner than the item can be read."""
    first: str
    last: str


@dataclass(frozen=True, slots=True)
class Held:
    """A rater's open places."""

    rater: int
    places: int


@dataclass(frozen=True, slots=True)
class Batch:
    """A batch with its name, which raters never see. `number` is None for items without one."""

    number: int | None
    name: str | None
    items: int


@dataclass(frozen=True, slots=True)
class Level:
    """How many items of a batch have been rated or skipped by so many raters."""

    batch: int | None
    done: int
    items: int


@dataclass(frozen=True, slots=True)
class Standing:
    """What the ratings of one item come to."""

    done: int = 0
    skipped: int = 0
    comments: int = 0
    split: float = 0.0
    """How far its raters lie apart in the question they disagree about most, from 0 to 1."""


@dataclass(frozen=True, slots=True)
class ItemLine:
    """One line of the list of items."""

    item: int
    public: str
    position: int
    key: str
    copy: int
    batch: str | None
    thread: str | None
    turn: int
    system: str | None
    wave: str | None
    done: int
    skipped: int
    comments: int
    flags: int
    split: float
    settled: bool


@dataclass(frozen=True, slots=True)
class ItemFilter:
    """Which items to list. `levels` are numbers of raters who are done with them."""

    levels: Sequence[int] | None = None
    batch: int | None = None
    mark: Mark | None = None
    skips: int = 0
    """Only items skipped so often, at least."""
    thread: str | None = None
    """Only items of this thread."""
    find: str = ""


Cursor = tuple[float, int]
"""Where a page ends: how split the last item is (0 unless sorted by that), and its position."""


@dataclass(frozen=True, slots=True)
class ItemPage:
    """`after` is where the next page begins, None at the end. A search stops after a while: then
    `searched` says up to which position it came."""

    lines: Sequence[ItemLine]
    after: Cursor | None = None
    searched: int | None = None


@dataclass(frozen=True, slots=True)
class Settled:
    """A settled answer to one question about one item; the ratings stay as they are."""

    item: int
    question: str
    value: Any
    note: str
    who: str
    version: str
    when: str = ""
    number: int = 0


@dataclass(frozen=True, slots=True)
class Kept:
    """Results that were computed once and kept."""

    of: str
    """What they were computed from; other data have another name."""
    body: str
    made: str
    seconds: float


class Counting(Protocol):
    """Says what the ratings of an item come to; only the study's questions can tell."""

    def __call__(self, item: int, ratings: Sequence[Rating]) -> Standing: ...


class BoardStore(Protocol):
    def count(self, study: str, counting: Counting, most: int = 500) -> int:
        """Bring the counts up to date by one piece; how much is left to do."""
        ...

    def uncounted(self, study: str) -> int:
        """How many ratings the counts do not have yet (at most some thousands are told apart)."""
        ...

    def tallies(
        self, study: str, by: By, rater: int | None = None, days: Days = EVER
    ) -> Sequence[Tally]: ...

    def held(self, study: str) -> Sequence[Held]: ...

    def at_work(self, study: str, since: float) -> int:
        """How many raters have an open place and were there since then (seconds since 1970)."""
        ...

    def listed(self, study: str) -> int:
        """How many ratings fixed lists ask for."""
        ...

    def batches(self, study: str) -> Sequence[Batch]: ...

    def levels(self, study: str) -> Sequence[Level]: ...

    def marks(self, study: str) -> Mapping[Mark, int]:
        """How many items have each mark."""
        ...

    def skips(self, study: str) -> Mapping[int, int]:
        """How many items were skipped so often, by how often."""
        ...

    def lines(self, study: str, wanted: ItemFilter, after: Cursor | None, count: int) -> ItemPage: ...

    def line(self, study: str, public: str) -> ItemLine | None: ...

    def of_item(self, study: str, item: int) -> Sequence[Rating]:
        """All ratings of an item, superseded ones too, in recorded order; withdrawn raters' not."""
        ...

    def settle(self, study: str, settled: Settled) -> Settled: ...

    def settled(self, study: str, item: int | None = None) -> Sequence[Settled]:
        """Every settlement in order; the last of each item and question stands."""
        ...

    def keep(self, study: str, what: str, kept: Kept) -> None: ...

    def kept(self, study: str, what: str) -> Kept | None: ...

    def kept_of(self, study: str, what: str) -> Kept | None:
        """The same without its body, which may be long."""
        ...

    def newest(self, study: str) -> int:
        """A number that grows with every rating."""
        ...
