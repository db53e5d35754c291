"""How studies and their versions are kept: every version a rating can name."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Protocol


@dataclass(frozen=True, slots=True)
class StudyVersion:
    """One version: the hash of its meaning, and what the author wrote as plain data."""

    hash: str
    declared: dict[str, Any]
    question_hashes: dict[str, str]
    added: str = ""


class StudyStore(Protocol):
    def add_version(self, study: str, version: StudyVersion) -> bool:
        """Keep a version; whether it was new."""
        ...

    def version(self, study: str, version: str) -> StudyVersion | None: ...

    def versions(self, study: str) -> Sequence[StudyVersion]: ...

    def close(self, study: str) -> None:
        """No more ratings: the study is closed."""
        ...

    def is_closed(self, study: str) -> bool: ...

    def names(self) -> Sequence[str]:
        """Every study there is, in the order in which they came."""
        ...

    def revision(self, study: str) -> int:
        """Grows with everything that live pages show; cheap enough to be asked every second."""
        ...
