"""What a study file may declare.

The models hold types and shapes only. What needs a look at two places at once is a numbered rule in
`rubrica.study.checks`, so that every mistake is found in one run and shown at its own line.
"""

from __future__ import annotations

from datetime import date
from typing import TYPE_CHECKING, Annotated, Any, Literal, Union

from pydantic import BeforeValidator, Discriminator, Field, Tag

from rubrica.conditions import Condition
from rubrica.kinds.contract import Question
from rubrica.kinds.registry import kinds
from rubrica.paths import Path
from rubrica.study.views import AnyView
from rubrica.texts import LanguageTag, Listed, Model, Text, number_as_text

Files = Annotated[list[Annotated[str, Field(min_length=1)]], Listed]
"""One file or pattern, or several, relative to the study's folder."""

NAME = r"^[a-z][a-z0-9_]*$"
Name = Annotated[str, Field(pattern=NAME)]
"""How questions and scores are called, in conditions, columns and addresses."""

Id = Annotated[str, BeforeValidator(number_as_text, json_schema_input_type=str | int)]
"""An id of the author's own, which may look like a number."""

Languages = Annotated[list[LanguageTag], Field(min_length=1), Listed]
FilePerLanguage = str | dict[LanguageTag, str]


# --- items --------------------------------------------------------------------------------------


class Thread(Model):
    """Items that belong together.

    A `sequence` is shown in order, earlier items as context; members of a `set` are kept apart.
    `restarts` names a number that must rise inside a run: where it does not, a new run begins.
    """

    by: Path
    """A path to the value that items of one thread share."""
    kind: Literal["sequence", "set"]
    """A `sequence` is shown in order; members of a `set` are kept apart."""
    order: Path | None = None
    """A path to what a sequence is ordered by: a time, a number. Without it, the order of the file."""
    restarts: Path | None = None
    """A path to a number that rises inside a run; where it does not, a new run begins."""
    context: bool = True
    """Whether earlier items of the sequence are shown with an item."""


class Join(Model):
    """More data for each item from another file, under a name: `as: sample` gives `sample.topic`."""

    from_: Files = Field(alias="from")
    """The file or files with the other data."""
    as_: str = Field(alias="as", pattern=r"^[A-Za-z_]\w*$")
    """The name it gets inside each item."""
    on: Path
    """A path, inside the item, to the key or the place it is looked up by."""
    key: Path | None = None
    """A path to the other file's own key. Without it `on` is a place in that file, counted from 0."""
    required: bool = True
    """Whether an item without its other half is a problem."""


class Verdict(Model):
    """A judge's score for a question, or any other hidden number worth comparing with the raters."""

    path: Path
    """Where the judge's score is."""
    question: str | None = None
    """The question it is about, or `score.NAME`; the verdict's own name, if that is a question."""
    judge: Path | None = None
    """A path to the name of the judge, where items were judged by several."""
    speaks_of: Literal["this", "previous"] = "this"
    """Whose output it assesses: this item's, or the previous one's in its thread."""
    scale: tuple[float, float] | None = None
    """The judge's lowest and highest value; the question's own scale unless given."""
    missing: list[Any] = Field(default_factory=list)
    """Values that mean the judge gave no score, such as -1."""
    note: Text | None = None
    """What the report should say about it."""


class Gold(Model):
    """Items with known answers, slipped in at a rate, to see whether raters read."""

    when: Condition
    """Which items have known answers."""
    answers: dict[str, Path]
    """For each question, a path to its known answer."""
    every: int = Field(default=10, ge=2)
    """One item in so many is such an item."""


def _verdict(value: Any) -> Any:
    return {"path": value} if isinstance(value, str) else value


AnyVerdict = Annotated[Verdict, BeforeValidator(_verdict, json_schema_input_type=str | Verdict)]
"""A bare path is short for a verdict with nothing more to say."""


class Items(Model):
    """Where items come from, what is shown of them and what stays hidden."""

    from_: Files = Field(alias="from")
    """Data files or patterns, relative to the study's folder."""
    reader: str | None = None
    """How to read them; follows from the file's ending unless given."""
    at: Path | None = None
    """A path to the list of items inside each file."""
    key: Path | Annotated[list[Path], Field(min_length=1)] | None = None
    """A path, or several, to what tells items apart. Without it, the place in the file."""
    batch: Path | None = None
    """`folder`, or a path to the name of the part an item belongs to."""
    thread: Thread | None = None
    """Which items belong together."""
    system: Path | None = None
    """A path to the name of what produced the output; never shown to raters."""
    wave: Path | None = None
    """A path to the name of the delivery, for items that came later."""
    only: Condition | None = None
    """Which records are items; the others are context of their thread, never rated."""
    join: list[Join] = Field(default_factory=list)
    """More data for each item from other files."""
    show: list[AnyView] = Field(min_length=1)
    """What raters see of an item, from top to bottom; nothing else ever reaches their browser."""
    media: str = "."
    """The folder that media names are relative to, inside the study's folder."""
    verdict: dict[str, AnyVerdict] = Field(default_factory=dict)
    """Judges' scores and other hidden numbers the report compares with the raters."""
    gold: Gold | None = None
    """Items with known answers."""


# --- scores -------------------------------------------------------------------------------------


class Mean(Model):
    """A weighted mean of answers rescaled to 0..1; missing parts drop out and weights renormalise.

    `onto` rescales the result: [1, 5] gives a number on a five-level scale.
    """

    mean: dict[str, float] = Field(min_length=1)
    """Questions with their weights; `goals.kept` means that number of the answer."""
    onto: tuple[float, float] = (0, 1)
    """The scale of the result: [1, 5] gives a number on a five-level scale."""
    pass_at: float | None = None
    """From this value on an item passes."""
    missing: Literal["drop", "zero", "whole"] = "drop"
    """What a missing part does: drop out, count as 0, or make the whole score missing."""
    label: Text | None = None
    """What the score is called where it is shown."""


class Gap(Model):
    """How far one number lies from another: the absolute difference."""

    gap: Annotated[list[str], Field(min_length=2, max_length=2)]
    """Two questions or scores."""
    label: Text | None = None
    """What it is called where it is shown."""


def _score_shape(value: Any) -> str:
    return "gap" if isinstance(value, Gap) or (isinstance(value, dict) and "gap" in value) else "mean"


Score = Annotated[
    Annotated[Mean, Tag("mean")] | Annotated[Gap, Tag("gap")], Discriminator(_score_shape)
]


# --- raters and pace ----------------------------------------------------------------------------


class Repeats(Model):
    """Planned repeats for test-retest: this share of a rater's items comes again, so far apart."""

    share: float = Field(gt=0, le=1)
    """The share of a rater's items that come again."""
    apart: int = Field(default=20, ge=1)
    """How many items lie between, at least."""


class Raters(Model):
    """Who rates what, and in which order."""

    policy: str | None = None
    """A registered policy; follows from `per_item`, `places` and `lists` unless given."""
    per_item: Literal["all"] | Annotated[int, Field(ge=1)] = "all"
    """How many raters an item gets: a number, or everyone."""
    places: Annotated[int, Field(ge=1)] | None = None
    """Numbered places per item: raters start at any number they like."""
    lists: str | None = None
    """A file with fixed lists: rater and item key a line (csv), or rater: [keys] (json, yaml)."""
    order: Literal["given", "shuffled"] = "given"
    """The order of the files, or shuffled for each rater by the study's seed."""
    batches: Literal["in_turn", "mixed"] = "in_turn"
    """One batch after another, or all mixed."""
    join: Literal["open", "ids", "invitation"] = "open"
    """Who may join: anybody, those whose id is listed, or those with an invitation link."""
    ids: list[Id] = Field(default_factory=list)
    """The ids that may join."""
    reserve_minutes: float = Field(default=60, gt=0)
    """How long an item stays reserved for a rater who opened it."""
    repeats: Repeats | None = None
    """Planned repeats, for test-retest."""
    revise: bool = True
    """Whether raters may change what they submitted."""
    calibration: int = Field(default=0, ge=0)
    """The first so many items are the same for everyone and stay out of results."""
    waves: dict[Id, date] = Field(default_factory=dict)
    """Raters who were asked later: the name of each wave, and the day from which on those who join
    belong to it. Comparisons of systems that raters of different waves have rated say so."""


class Breaks(Model):
    """When the page suggests a break."""

    every_items: Annotated[int, Field(ge=1)] | None = None
    """Suggest a break after so many items."""
    every_minutes: Annotated[float, Field(gt=0)] | None = None
    """Suggest a break after so many minutes."""
    after_batch: bool = True
    """Suggest a break after each batch."""
    says: Text | None = None
    """What the break page says."""


class PracticeExample(Model):
    """One worked example: an item of its own, reference answers and why."""

    item: dict[str, Any]
    """The data of an item, as in the study's files."""
    earlier: list[dict[str, Any]] = Field(default_factory=list)
    """Earlier items of its thread, shown as context."""
    answers: dict[str, Any] = Field(min_length=1)
    """The reference answer to each question."""
    why: dict[str, Text] = Field(default_factory=dict)
    """The reason for each reference answer."""
    title: Text | None = None
    """What the example is called."""


class Practice(Model):
    """Worked examples that teach the rubric before the first item."""

    from_: Files = Field(alias="from")
    """YAML files, each a list of worked examples."""
    pass_at: Annotated[float, Field(ge=0, le=1)] | None = None
    """The share of answers that must agree before the study begins; none unless given."""
    retries: int = Field(default=2, ge=0)
    """How often a rater who did not pass may try again."""
    within: float = Field(default=0, ge=0)
    """How far from the reference a level may be and still count as agreeing."""


class Consent(Model):
    """What raters agree to before they begin."""

    text: Text
    """What raters consent to, in Markdown."""
    accept: Text | None = None
    """The words beside the box they tick."""


class Crowd(Model):
    """Names of URL parameters a crowd platform sends, and what goes back."""

    participant: str = "PROLIFIC_PID"
    """The parameter with the participant's id."""
    study: str = "STUDY_ID"
    """The parameter with the platform's study id."""
    session: str = "SESSION_ID"
    """The parameter with the session's id."""
    completion_code: str | None = None
    """The code shown at the end."""
    return_url: str | None = None
    """Where raters are sent at the end."""


class Checklist(Model):
    """A line of the closing checklist, and the condition that finds the ratings that break it."""

    says: Text
    """The line raters read."""
    breaks: Condition
    """The condition that finds the ratings which break it."""


class Report(Model):
    """What the report needs to know and the data cannot say."""

    reference_system: str | None = None
    """The system all others are compared with."""
    leave_out: list[Id] = Field(default_factory=list)
    """Keys of items that stay out of results."""
    groups: list[Path] = Field(default_factory=list)
    """Paths to values results are broken down by."""
    analyse: Literal["first", "final"] = "first"
    """Whether the first choice or the final one is analysed, where a prompt came between."""
    expertise: Literal["expert", "skilled", "crowd"] = "skilled"
    """Who the raters are; the alternative annotator test needs to know."""
    show_verdicts: Literal["rated", "always", "closed"] = "rated"
    """When coordinators may look at judges' scores of an item: once its ratings are in, always, or
    when the study is closed."""
    calibration: bool = False
    """Whether the calibration round counts in results. It must have been declared before the first
    rating: who has seen the answers can no longer choose."""
    named_raters: bool = True
    """Whether the same id is always the same person."""
    seed: int = 1
    """The seed of every interval and test."""


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
    """The version of this file's format."""
    title: Text
    """What the study is called."""
    about: Text | None = None
    """What it is about, for the join page; Markdown."""
    minutes: Annotated[float, Field(gt=0)] | None = None
    """About how long all of it takes."""
    contact: Text | None = None
    """Whom raters can ask, shown on every page."""
    consent: Consent | None = None
    """What raters consent to before they begin."""
    languages: Languages = Field(default_factory=lambda: ["en"])
    """The languages raters can choose from, the preferred one first."""
    seed: int = 1
    """The seed of every shuffle."""
    items: Items
    """What is rated."""
    guidelines: FilePerLanguage | None = None
    """A Markdown file, or one per language, which raters confirm before they begin."""
    practice: Practice | None = None
    """Worked examples before the first item."""
    questions: dict[Name, AnyQuestion] = Field(min_length=1)
    """What raters are asked about each item, in this order."""
    skip_reasons: list[Text] = Field(default_factory=list)
    """Why a whole item may be left unjudged, to choose from; words of one's own remain possible."""
    score: dict[Name, Score] = Field(default_factory=dict)
    """Numbers derived from the answers."""
    show_score: bool = False
    """Whether raters see the score after they submit."""
    checklist: list[Checklist] = Field(default_factory=list)
    """What raters check at the end, each line computed from their ratings."""
    raters: Raters = Field(default_factory=Raters)
    """Who rates what, in which order."""
    breaks: Breaks = Field(default_factory=Breaks)
    """When the page suggests a break."""
    crowd: Crowd | None = None
    """How raters come from and go back to a crowd platform."""
    report: Report = Field(default_factory=Report)
    """What the report needs to know and the data cannot say."""
    native: str | None = None
    """The native file layout this study speaks."""
    native_options: dict[str, Any] = Field(default_factory=dict)
    """What that layout needs to know."""
