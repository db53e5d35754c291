"""What a study file may declare.

The models hold types and shapes only. What needs a look at two places at once is a numbered rule in
`rubrica.study.checks`, so that every mistake is found in one run and shown at its own line.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any, Literal, Union

from pydantic import BeforeValidator, Discriminator, Field, Tag

from rubrica.conditions import Condition
from rubrica.kinds.contract import Question
from rubrica.kinds.registry import kinds
from rubrica.paths import Path
from rubrica.study.views import AnyView
from rubrica.texts import LanguageTag, Model, Text


def _listed(value: Any) -> Any:
    return [value] if isinstance(value, str | dict) else value


Files = Annotated[list[Annotated[str, Field(min_length=1)]], BeforeValidator(_listed)]
"""One file or pattern, or several, relative to the study's folder."""

NAME = r"^[a-z][a-z0-9_]*$"
Name = Annotated[str, Field(pattern=NAME)]
"""How questions and scores are called, in conditions, columns and addresses."""

Languages = Annotated[list[LanguageTag], Field(min_length=1), BeforeValidator(_listed)]
FilePerLanguage = str | dict[LanguageTag, str]


# --- items --------------------------------------------------------------------------------------


class Thread(Model):
    """Items that belong together.

    A `sequence` is shown in order, earlier items as context; members of a `set` are kept apart.
    `restarts` names a number that must rise inside a run: where it does not, a new run begins.
    """

    by: Path
    kind: Literal["sequence", "set"]
    order: Path | None = None
    restarts: Path | None = None
    context: bool = True


class Join(Model):
    """More data for each item from another file, under a name: `as: sample` gives `sample.topic`."""

    from_: Files = Field(alias="from")
    as_: str = Field(alias="as", pattern=r"^[A-Za-z_]\w*$")
    on: Path
    key: Path | None = None
    """The other file's own key; without it, `on` is the line's place, counted from 0."""
    required: bool = True


class Verdict(Model):
    """A judge's score for a question, or any other hidden number worth comparing with the raters."""

    path: Path
    question: str | None = None
    judge: Path | None = None
    """A path to the name of the judge, where items were judged by several."""
    speaks_of: Literal["this", "previous"] = "this"
    """Whose output the verdict assesses: this item's, or the previous one's in its thread."""
    scale: tuple[float, float] | None = None
    """The judge's lowest and highest value; the question's own scale unless given."""
    missing: list[Any] = Field(default_factory=list)
    note: Text | None = None


class Gold(Model):
    """Items with known answers, slipped in at a rate, to see whether raters read."""

    when: Condition
    answers: dict[str, Path]
    every: int = Field(default=10, ge=2)


def _verdict(value: Any) -> Any:
    return {"path": value} if isinstance(value, str) else value


class Items(Model):
    from_: Files = Field(alias="from")
    reader: str | None = None
    at: Path | None = None
    """A path to the list of items inside each file."""
    key: Path | Annotated[list[Path], Field(min_length=1)] | None = None
    batch: Path | None = None
    """`folder`, or a path."""
    thread: Thread | None = None
    system: Path | None = None
    wave: Path | None = None
    only: Condition | None = None
    """Which records are items; the others are context of their thread, never rated."""
    join: list[Join] = Field(default_factory=list)
    show: list[AnyView] = Field(min_length=1)
    media: str = "."
    """The folder media references are relative to, inside the study's folder."""
    verdict: dict[str, Annotated[Verdict, BeforeValidator(_verdict)]] = Field(default_factory=dict)
    gold: Gold | None = None


# --- scores -------------------------------------------------------------------------------------


class Mean(Model):
    """A weighted mean of answers rescaled to 0..1; missing parts drop out and weights renormalise.

    `onto` rescales the result: [1, 5] gives a number on a five-level scale.
    """

    mean: dict[str, float] = Field(min_length=1)
    onto: tuple[float, float] = (0, 1)
    pass_at: float | None = None
    missing: Literal["drop", "zero", "whole"] = "drop"
    """What a missing part does: drop out, count as 0, or make the whole score missing."""
    label: Text | None = None


class Gap(Model):
    """How far one number lies from another: the absolute difference."""

    gap: Annotated[list[str], Field(min_length=2, max_length=2)]
    label: Text | None = None


def _score_shape(value: Any) -> str:
    return "gap" if isinstance(value, Gap) or (isinstance(value, dict) and "gap" in value) else "mean"


Score = Annotated[
    Annotated[Mean, Tag("mean")] | Annotated[Gap, Tag("gap")], Discriminator(_score_shape)
]


# --- raters and pace ----------------------------------------------------------------------------


class Repeats(Model):
    """Planned repeats for test-retest: this share of a rater's items comes again, so far apart."""

    share: float = Field(gt=0, le=1)
    apart: int = Field(default=20, ge=1)


class Raters(Model):
    policy: str | None = None
    """A registered policy; follows from `per_item`, `places` and `lists` unless given."""
    per_item: Literal["all"] | Annotated[int, Field(ge=1)] = "all"
    places: Annotated[int, Field(ge=1)] | None = None
    """Numbered places per item: the rater may start at any number."""
    lists: str | None = None
    """A file with fixed lists: rater and item key a line (csv), or rater: [keys] (json, yaml)."""
    order: Literal["given", "shuffled"] = "given"
    batches: Literal["in_turn", "mixed"] = "in_turn"
    join: Literal["open", "ids", "invitation"] = "open"
    ids: list[str] = Field(default_factory=list)
    reserve_minutes: float = Field(default=60, gt=0)
    repeats: Repeats | None = None
    revise: bool = True
    calibration: int = Field(default=0, ge=0)
    """The first so many items are the same for everyone and stay out of results."""


class Breaks(Model):
    every_items: Annotated[int, Field(ge=1)] | None = None
    every_minutes: Annotated[float, Field(gt=0)] | None = None
    after_batch: bool = True
    says: Text | None = None


class PracticeExample(Model):
    """One worked example: an item of its own, reference answers and why."""

    item: dict[str, Any]
    earlier: list[dict[str, Any]] = Field(default_factory=list)
    answers: dict[str, Any] = Field(min_length=1)
    why: dict[str, Text] = Field(default_factory=dict)
    title: Text | None = None


class Practice(Model):
    from_: Files = Field(alias="from")
    """YAML files, each a list of worked examples."""
    pass_at: Annotated[float, Field(ge=0, le=1)] | None = None
    retries: int = Field(default=2, ge=0)
    within: float = Field(default=0, ge=0)
    """How far from the reference a level may be and still count as agreeing."""


class Consent(Model):
    text: Text
    accept: Text | None = None


class Crowd(Model):
    """Names of URL parameters a crowd platform sends, and what goes back."""

    participant: str = "PROLIFIC_PID"
    study: str = "STUDY_ID"
    session: str = "SESSION_ID"
    completion_code: str | None = None
    return_url: str | None = None


class Checklist(Model):
    """A line of the closing checklist, and the condition that finds the ratings that break it."""

    says: Text
    breaks: Condition


class Report(Model):
    """What the report needs to know and the data cannot say."""

    reference_system: str | None = None
    leave_out: list[str] = Field(default_factory=list)
    groups: list[Path] = Field(default_factory=list)
    analyse: Literal["first", "final"] = "first"
    expertise: Literal["expert", "skilled", "crowd"] = "skilled"
    named_raters: bool = True
    seed: int = 1


def _kind_name(value: Any) -> str | None:
    named = value.get("kind") if isinstance(value, dict) else getattr(value, "kind", None)
    return named if isinstance(named, str) else None


if TYPE_CHECKING:
    AnyQuestion = Question
else:
    AnyQuestion = Annotated[
        Union[tuple(Annotated[kind.question, Tag(name)] for name, kind in kinds().items())],  # noqa: UP007
        Discriminator(_kind_name),
    ]
    """A question of any registered kind, so that a stranger's kind is checked like a bundled one."""


class Study(Model):
    """One study file."""

    rubrica: Literal[1]
    title: Text
    about: Text | None = None
    minutes: Annotated[float, Field(gt=0)] | None = None
    contact: Text | None = None
    consent: Consent | None = None
    languages: Languages = Field(default_factory=lambda: ["en"])
    seed: int = 1
    items: Items
    guidelines: FilePerLanguage | None = None
    practice: Practice | None = None
    questions: dict[Name, AnyQuestion] = Field(min_length=1)
    score: dict[Name, Score] = Field(default_factory=dict)
    show_score: bool = False
    checklist: list[Checklist] = Field(default_factory=list)
    raters: Raters = Field(default_factory=Raters)
    breaks: Breaks = Field(default_factory=Breaks)
    crowd: Crowd | None = None
    report: Report = Field(default_factory=Report)
    native: str | None = None
    """The native file layout this study speaks (registered under `rubrica.formats`)."""
    native_options: dict[str, Any] = Field(default_factory=dict)
