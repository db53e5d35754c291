"""What every question kind declares and does.

Between server and browser stands one JSON value per answer, described by `schema`. The server trusts
only `check`. Numbers that rules, conditions and scores may use come from `measures` and `fraction`,
so that a new kind works with all of them without a word about it anywhere else.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from importlib.resources import files
from random import Random
from typing import Any, ClassVar, Generic, Literal, TypeVar

from pydantic import Field

from rubrica.conditions import Condition
from rubrica.errors import Problem
from rubrica.texts import Model, Text


class Example(Model):
    """A worked example of the rubric: what happened, what it is worth and why."""

    text: Text
    """What happened."""
    answer: str | int | float | None = None
    """The answer it is worth."""
    why: Text | None = None
    """The reason."""


class Rubric(Model):
    """What a rater can open beside a question; all of it Markdown."""

    about: Text | None = None
    """What the question is about, at length."""
    check: list[Text] = Field(default_factory=list)
    """What to look at, line by line."""
    not_a_failure: list[Text] = Field(default_factory=list)
    """What must not count against the answer."""
    examples: list[Example] = Field(default_factory=list)
    """Worked examples."""


class SecondLook(Model):
    """Asks for another look at a chosen answer; the first choice is kept beside the last."""

    when: Condition
    """When another look is asked for."""
    says: Text
    """What the page then says; it must not suggest a level."""


class Question(Model):
    """What every question may declare, whatever its kind."""

    kind: str
    """The kind of question."""
    ask: Text
    """What the rater is asked."""
    label: Text | None = None
    """What the question is called in results, on the desk and in reports; raters do not see it. A
    change of it leaves the question the same. Without it the question's key is written out."""
    note: Text | None = None
    """A remark below it."""
    rubric: Rubric | None = None
    """What a rater can open beside it."""
    required: bool = True
    """Whether the item can be submitted without it."""
    when: Condition | None = None
    """When it is asked; otherwise it is not applicable."""
    cannot_judge: bool | list[Text] = False
    """Whether the rater may say that they cannot judge; or the reasons to choose from."""
    second_look: SecondLook | None = None
    """When the rater is asked to look again."""


@dataclass(frozen=True, slots=True)
class Entry:
    """One entry of an item's own list: a goal, a turn.

    `turn` is where in the conversation it came up, counted from 1 as the page counts.
    """

    label: str
    note: str | None = None
    turn: int | None = None


Entries = Sequence[Entry]

RESERVED = frozenset(
    {"state", "fraction", "first", "implied", "implied_by", "prompted", "second_look", "reason"}
)
"""What stands beside every answer in tables and conditions: not for keys an author chooses."""


@dataclass(frozen=True, slots=True)
class Column:
    """One column a question's answers fill in tidy tables."""

    name: str
    type: Literal["integer", "number", "text", "boolean", "json"]
    says: str


@dataclass(frozen=True, slots=True)
class Robot:
    """A simulated rater: `skill` is the chance to see what is true, `bias` shifts what it says.

    `truth` is between 0 (worst) and 1 (best): how good this item really is in this question.
    """

    rng: Random
    skill: float
    bias: float
    truth: float

    def sees(self) -> float:
        """The quality this rater perceives, between 0 and 1."""
        noise = self.rng.gauss(0, 0.5 * (1 - self.skill))
        return min(1.0, max(0.0, self.truth + self.bias + noise))


Q = TypeVar("Q", bound=Question)


class Kind(ABC, Generic[Q]):
    """A question kind; one instance each, registered under the entry points `rubrica.kinds`."""

    name: ClassVar[str]
    says: ClassVar[str]
    """One sentence for the reference: what raters do here."""
    question: type[Q]
    """The model of what a question of this kind declares."""
    simple: ClassVar[bool] = True
    """Whether an `each` may ask it once per entry."""
    example: ClassVar[str]
    """A question of this kind as a study would write it (YAML), for the reference page."""

    @abstractmethod
    def schema(self, question: Q, entries: Entries = ()) -> dict[str, Any]:
        """JSON Schema of an answer's value."""

    @abstractmethod
    def check(self, question: Q, value: Any, entries: Entries = ()) -> Iterator[Problem]:
        """Every problem of a value that came from outside; none means it may be stored."""

    def clean(self, question: Q, value: Any, entries: Entries = ()) -> Any:
        """A checked value in the one form that is stored."""
        return value

    def applies(self, question: Q, entries: Entries = ()) -> bool:
        """Whether there is anything to ask about this item."""
        return True

    @abstractmethod
    def columns(self, question: Q) -> Sequence[Column]:
        """The columns an answer fills, the main one (named "") first."""

    @abstractmethod
    def cells(self, question: Q, value: Any, entries: Entries = ()) -> Mapping[str, Any]:
        """A checked value as one cell per column."""

    def recorded(self, question: Q, cells: Mapping[str, Any]) -> Any:
        """The value these cells were made of; `check` decides whether it is one."""
        return cells.get("")

    @abstractmethod
    def robot(self, question: Q, robot: Robot, entries: Entries = ()) -> Any:
        """How a simulated rater answers: always a value that `check` passes."""

    def declares(self, question: Q) -> Iterator[Problem]:
        """Problems of the declaration that its types cannot express.

        `where.path` is the way from the question to the value at fault, its keys joined by dots.
        """
        yield from ()

    def entries_path(self, question: Q) -> str | None:
        """The path of the item's own list this question is about, if it is about one."""
        return None

    def entry_paths(self, question: Q) -> EntryPaths | None:
        """How an entry of that list reads; None where `entries_path` is None."""
        path = self.entries_path(question)
        return None if path is None else EntryPaths(path)

    def measures(self, question: Q) -> Sequence[str]:
        """Names of the numbers `measure` derives, usable as `answer.QUESTION.NAME`.

        Every question has `answer.QUESTION.state` besides: answered, not_applicable, cannot_judge
        or left_out.
        """
        return ()

    def shares(self, question: Q) -> Sequence[str]:
        """Those of them that lie between 0 (worst) and 1 (best), so that a mean may use them."""
        return tuple(name for name in self.measures(question) if name == "fraction")

    def measure(self, question: Q, value: Any) -> Mapping[str, float]:
        """Those numbers for a checked value."""
        return {}

    def fraction(self, question: Q, value: Any) -> float | None:
        """The value between 0 (worst) and 1 (best), or None for a kind or value without a rank."""
        return None

    def levels(self, question: Q) -> Sequence[Any] | None:
        """The values a rule may imply or a condition compare with, where they are a fixed few."""
        return None

    def page_data(self, question: Q, languages: tuple[str, ...]) -> Mapping[str, Any]:
        """What the page part needs beside the common texts, in every language."""
        return {}

    def template(self) -> str:
        """The kind's page part (Jinja2): `part.html` in its folder."""
        return self._file("part.html")

    def module(self) -> str:
        """The kind's ES module: `part.js` in its folder.

        It exports mount, read, focus, onChange, and `measure(data, value)`: what `measure` and
        `fraction` give here, from what `page_data` sent, for the rules the page mirrors.
        """
        return self._file("part.js")

    def _file(self, name: str) -> str:
        package = type(self).__module__.rpartition(".")[0]
        return files(package).joinpath(name).read_text(encoding="utf-8")


@dataclass(frozen=True, slots=True)
class EntryPaths:
    """Where the entries are; `label`, `note` and `turn` are paths inside one entry.

    The list may hold plain texts, objects, or be one object whose keys are the labels. Of an object
    nothing is shown but what is named here; without `label` its label is empty. The number at
    `turn` counts from `turns_from` in the data and is shown counted from 1.
    """

    path: str
    label: str | None = None
    note: str | None = None
    turn: str | None = None
    turns_from: int = 0
