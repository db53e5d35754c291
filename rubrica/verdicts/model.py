from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Protocol


@dataclass(frozen=True, slots=True)
class HiddenItem:
    """Everything about an item that raters must not see."""

    id: int
    public: str
    key: str
    copy: int
    file: str
    line: int
    batch: str | None
    thread: str | None
    turn: int
    system: str | None
    wave: str | None
    rated: bool
    position: int
    hidden: Mapping[str, Any]
    source: bytes
    gold: Mapping[str, Any] | None = None


class VerdictStore(Protocol):
    def hidden(self, study: str, item: int) -> HiddenItem: ...

    def all_hidden(self, study: str, *, context: bool = False) -> Iterator[HiddenItem]:
        """Streams in the study's order; with `context`, items that are never rated come too."""
        ...

    def by_key(self, study: str, key: str, copy: int = 0) -> HiddenItem | None: ...
