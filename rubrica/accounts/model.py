"""Who takes part in a study, and the record of what was done to their accounts."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal, Protocol

RaterState = Literal["invited", "active", "paused", "excluded", "withdrawn"]
"""An invited rater has an id and a code but has not come yet."""


@dataclass(frozen=True, slots=True)
class Rater:
    """A rater of one study. `name` is the annotator id they chose or were given."""

    number: int
    study: str
    name: str
    state: RaterState = "active"
    language: str = "en"
    consent: str | None = None
    """The hash of the consent text they agreed to last."""
    guidelines: str | None = None
    """The hash of the guidelines they confirmed last."""
    practice: Mapping[str, Any] = field(default_factory=dict)
    crowd: Mapping[str, str] = field(default_factory=dict)
    joined: str = ""
    named: bool = True
    """Whether this is a person. Ratings made elsewhere may say only that somebody gave them: they fill
    an unnamed place, and statistics of raters must leave it out."""


ROBOT = "robot "
"""How simulated raters are called, with a number behind."""


def is_robot(name: str) -> bool:
    return name.startswith(ROBOT) and name.removeprefix(ROBOT).isdecimal()


@dataclass(frozen=True, slots=True)
class Joined:
    """The answer to joining: the resume code is shown once and kept only as a hash."""

    rater: Rater
    resume_code: str | None


@dataclass(frozen=True, slots=True)
class LogEntry:
    """One line of the audit log: who did what, when, and the particulars."""

    number: int
    study: str
    when: str
    who: str
    what: str
    details: Mapping[str, Any]


class AccountStore(Protocol):
    def add_rater(
        self,
        study: str,
        name: str,
        code_hash: str,
        language: str,
        crowd: Mapping[str, str],
        state: RaterState = "active",
    ) -> Rater | None:
        """A new rater, or None where the name is taken."""
        ...

    def rater(self, study: str, number: int) -> Rater | None: ...

    def some_raters(self, study: str, numbers: Sequence[int]) -> Mapping[int, Rater]:
        """Those of these numbers that there are."""
        ...

    def rater_named(self, study: str, name: str) -> tuple[Rater, str] | None:
        """The rater and the hash of their resume code."""
        ...

    def raters(self, study: str) -> Sequence[Rater]: ...

    def change_rater(self, study: str, number: int, **changes: Any) -> Rater:
        """Change fields of a rater by their names in `Rater`; `code_hash` sets a new resume code.

        The state `withdrawn` is for good: it is recorded, the name is erased, and the rater's places
        are open to others.
        """
        ...

    def log(self, study: str, who: str, what: str, details: Mapping[str, Any]) -> None:
        """Append to the audit log."""
        ...

    def log_entries(self, study: str) -> Sequence[LogEntry]:
        """The audit log, first to last."""
        ...

    def newest_log(self, study: str, before: int | None, count: int) -> Sequence[LogEntry]:
        """The audit log backwards, from before an entry's number."""
        ...
