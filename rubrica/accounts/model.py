from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal, Protocol

RaterState = Literal["active", "paused", "excluded", "withdrawn"]


@dataclass(frozen=True, slots=True)
class Rater:
    """A rater of one study. `name` is the annotator id they chose or were given."""

    number: int
    study: str
    name: str
    state: RaterState = "active"
    language: str = "en"
    guidelines: str | None = None
    """The hash of the guidelines they confirmed last."""
    practice: Mapping[str, Any] = field(default_factory=dict)
    crowd: Mapping[str, str] = field(default_factory=dict)
    joined: str = ""


@dataclass(frozen=True, slots=True)
class Joined:
    """The answer to joining: the resume code is shown once and kept only as a hash."""

    rater: Rater
    resume_code: str | None


class AccountStore(Protocol):
    def add_rater(
        self, study: str, name: str, code_hash: str, language: str, crowd: Mapping[str, str]
    ) -> Rater | None:
        """A new rater, or None where the name is taken."""
        ...

    def rater(self, study: str, number: int) -> Rater | None: ...

    def rater_named(self, study: str, name: str) -> tuple[Rater, str] | None:
        """The rater and the hash of their resume code."""
        ...

    def raters(self, study: str) -> Sequence[Rater]: ...

    def change_rater(self, study: str, number: int, **changes: Any) -> Rater: ...

    def log(self, study: str, who: str, what: str, details: Mapping[str, Any]) -> None:
        """Append to the audit log."""
        ...
