"""What raters' use-cases give back. Nothing in here can name a system, a file or a batch."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

from rubrica.assignment.contract import Place, PlaceState
from rubrica.items.model import Shown
from rubrica.ratings.model import Answer, Draft, Pace, State
from rubrica.texts import Text

Page = Literal["consent", "guidelines", "practice", "workbench", "done", "stopped"]
Reason = Literal["changed", "closed", "practice", "paused", "excluded", "withdrawn"]
BreakReason = Literal["items", "minutes", "batch"]


@dataclass(frozen=True, slots=True)
class Step:
    """The page that is due. `changed`: it was confirmed before, in an older form."""

    page: Page
    reason: Reason | None = None


@dataclass(frozen=True, slots=True)
class BatchSpot:
    """Part `number` of `of`; a batch's name stays hidden."""

    number: int
    of: int


@dataclass(frozen=True, slots=True)
class Earlier:
    """An earlier item of the same thread, `turn` counted from 0."""

    item: str
    turn: int
    shown: Shown


@dataclass(frozen=True, slots=True)
class OwnRating:
    """What the rater said about an item before; answers are None for a skip."""

    id: str
    answers: Mapping[str, Answer] | None
    skip_reason: str | None
    received: str
    scores: Mapping[str, float | None] = field(default_factory=dict)
    """Empty unless the study lets raters see scores."""


@dataclass(frozen=True, slots=True)
class Work:
    """One item to rate, with everything its page needs."""

    place: int
    number: int
    item: str
    state: PlaceState
    version: str
    shown: Shown
    context: Sequence[Earlier]
    rules: Mapping[str, Any]
    batch: BatchSpot | None = None
    draft: Draft | None = None
    own: OwnRating | None = None
    until: str | None = None


@dataclass(frozen=True, slots=True)
class Sheet:
    """What the page of an item shows to every rater alike."""

    item: str
    shown: Shown
    context: Sequence[Earlier]
    rules: Mapping[str, Any]
    batch: BatchSpot | None = None


@dataclass(frozen=True, slots=True)
class Opened:
    """A place that is to be rated, without what its item shows: many raters are shown the same."""

    place: Place
    number: int
    draft: Draft | None


@dataclass(frozen=True, slots=True)
class Sent:
    """What a browser sends for one item: answers as the page's JSON, or a reason to skip."""

    id: str
    place: int
    version: str
    answers: Mapping[str, Any] | None = None
    skip_reason: str | None = None
    supersedes: str | None = None
    language: str = "en"
    pace: Pace = field(default_factory=Pace)


@dataclass(frozen=True, slots=True)
class Typed:
    """What somebody has typed for a place so far. `base` is the newest draft its page knew of."""

    place: int
    revision: int
    content: Mapping[str, Any]
    base: int


@dataclass(frozen=True, slots=True)
class Newer:
    """The draft that another page of the rater has saved since: it stays, to be merged there."""

    revision: int


@dataclass(frozen=True, slots=True)
class Progress:
    """How far a rater is. `total` is None where nobody can know it beforehand."""

    rated: int
    skipped: int
    open: int
    total: int | None
    active_seconds: float = 0.0
    numbers: tuple[int, int] | None = None
    """The first and last number that may be gone to, where the rater may choose."""

    @property
    def done(self) -> int:
        return self.rated + self.skipped


@dataclass(frozen=True, slots=True)
class Given:
    """What a rater who asks for work is given, and what their page has to learn of besides."""

    open: Sequence[Opened]
    progress: Progress
    news: int


@dataclass(frozen=True, slots=True)
class Listed:
    """One line of a rater's list of items."""

    place: int
    number: int
    state: PlaceState
    draft: bool
    count: int
    """The rater's own count, to read on from."""


@dataclass(frozen=True, slots=True)
class Feedback:
    """How one practice answer compares; `agreed` is None where nothing can be compared."""

    question: str
    agreed: bool | None
    state: State
    own: Any
    reference: Any
    why: Mapping[str, str] | None


@dataclass(frozen=True, slots=True)
class PracticeStanding:
    """Where a rater stands in practice. `passed` is None while it goes on."""

    round: int
    answered: Sequence[int]
    examples: int
    rounds: int | None
    """How many rounds there may be; None without a pass mark, when one is enough."""
    share: float | None
    passed: bool | None


@dataclass(frozen=True, slots=True)
class Exercise:
    """One practice example as it is shown, without its answers."""

    number: int
    title: Mapping[str, str] | None
    shown: Shown
    context: Sequence[Earlier]
    rules: Mapping[str, Any]
    feedback: Sequence[Feedback] = ()
    """What was said when it was answered in this round."""


@dataclass(frozen=True, slots=True)
class Checked:
    """A line of the closing checklist and the numbers of the items that break it."""

    says: Text
    numbers: Sequence[int]


@dataclass(frozen=True, slots=True)
class Summary:
    """The last page: what was done, what is open, and how the rater gets what they came for."""

    progress: Progress
    done_numbers: str
    skipped_numbers: str
    drafts: Sequence[int]
    checklist: Sequence[Checked]
    completion_code: str | None
    return_url: str | None
