"""What a layout of ratings in files is: how it is recognised, read and written.

A layout is registered under the entry points `rubrica.formats`. Reading gives one `Filled` for each
rating a file holds, streaming; which item of the study it belongs to, whose it is and whether it may
be recorded is decided in one place for all layouts (`rubrica.exchange.importing`).
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, ClassVar, Literal, Protocol

from rubrica.accounts.model import Rater
from rubrica.errors import Problem, Where
from rubrica.exchange.store import ImportStore, Seat, Who
from rubrica.items.model import Item
from rubrica.kinds.registry import find, registered
from rubrica.ratings.model import Answer, Pace
from rubrica.review import sources
from rubrica.study.model import Study
from rubrica.verdicts.model import HiddenItem

GROUP = "rubrica.formats"


class Sources(sources.Sources, Protocol):
    """The stores an exchange reads from and writes to: those results are read from, and one more."""

    @property
    def imports(self) -> ImportStore: ...


@dataclass(frozen=True, slots=True)
class Here:
    """The study an exchange is about, in its present version."""

    name: str
    study: Study
    version: str
    sources: Sources


@dataclass(frozen=True, slots=True)
class Exact:
    """What only this program's own layout carries: a rating as it was recorded."""

    id: str
    who: Who
    version: str
    answers: Mapping[str, Answer] | None
    language: str
    seat: Seat
    supersedes: str | None
    surplus: bool
    conflict: bool
    imported: bool


Replies = Mapping[str, Any] | Callable[[Item], Mapping[str, Any]]


@dataclass(frozen=True, slots=True)
class Filled:
    """One rating as a file holds it.

    `references` are what the layout knows an item by, the most telling first; `batch` is what it says
    of the folder. `replies` are in the shape a browser sends, or made so once the item is known; None
    is a skip. Without a `rater` it is one of the item's unnamed places. `received` is when it was made,
    as ISO text in UTC.
    """

    where: Where
    references: Sequence[Hashable]
    replies: Replies | None
    rater: str | None = None
    skip_reason: str | None = None
    received: str | None = None
    pace: Pace = field(default_factory=Pace)
    batch: str | None = None
    exact: Exact | None = None


@dataclass(slots=True)
class Wrote:
    """What an export wrote and what it left out."""

    layout: str = ""
    files: list[str] = field(default_factory=list)
    rows: int = 0
    ratings: int = 0
    skips: int = 0
    surplus: int = 0
    superseded_left_out: int = 0
    withdrawn_raters_left_out: int = 0
    excluded_raters: list[int] = field(default_factory=list)
    notes: list[Problem] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class Asked:
    """What an export was asked for. Without `rater` all raters' ratings are written."""

    to: Path
    rater: Rater | None = None
    all_revisions: bool = False
    with_names: bool = False


class Format(ABC):
    """One layout of ratings in files."""

    name: ClassVar[str]
    says: ClassVar[str]
    """A few sentences for the reference."""
    files: ClassVar[str]
    """What its files are called, for the reference."""
    questions: ClassVar[frozenset[str]]
    """The questions it has; empty for a layout that takes any study."""
    repeats: ClassVar[Literal["items", "places"]] = "items"
    """What a further line with the same reference is: another item, or another rater's place."""
    native: ClassVar[bool] = True
    """Whether it is another tool's layout."""

    def fits(self, study: Study) -> bool:
        """Whether a study's ratings can be written in this layout."""
        return bool(self.questions) and self.questions <= set(study.questions)

    @abstractmethod
    def recognises(self, path: Path) -> bool:
        """Whether a file is of this layout, by a look at its beginning."""

    @abstractmethod
    def references(self, item: HiddenItem) -> Sequence[Hashable]:
        """What the layout knows an item by, the most telling first."""

    @abstractmethod
    def read(self, here: Here, path: Path) -> Iterator[Filled | Problem | None]:
        """Every rating of a file; None where nothing is filled in."""

    @abstractmethod
    def write(self, here: Here, asked: Asked) -> Wrote:
        """Write what was asked for."""


def formats() -> Mapping[str, Format]:
    """Every registered layout by name, other tools' first."""
    there: Mapping[str, Format] = registered(GROUP)
    return dict(sorted(there.items(), key=lambda pair: (not pair[1].native, pair[0])))


def format_named(name: str) -> Format:
    found: Format = find(GROUP, "layout", name)
    return found


def native_formats(study: Study) -> Sequence[Format]:
    """The other tools' layouts a study's ratings can be written in."""
    return [one for one in formats().values() if one.native and one.fits(study)]
