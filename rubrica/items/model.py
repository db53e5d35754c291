"""An item as it is loaded, and as the rater-facing rooms see it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import msgspec


class Shown(msgspec.Struct, frozen=True):
    """All that a rater's browser can ever receive of an item.

    `views` stands in the order of the study's `show`, each the data its view needs; `entries` holds,
    per question, the item's own list that question goes over: `[{"label": ..., "note": ...}]`.
    Media are given as names, replaced by opaque ids before they leave the server
    (`rubrica.items.media.renamed`). What each view holds stands in `rubrica.items.views`.
    """

    views: Sequence[Any]
    entries: Mapping[str, Sequence[Mapping[str, Any]]] = msgspec.field(default_factory=dict)


class Origin(msgspec.Struct, frozen=True):
    """Where an item came from: file, the line or place inside it, the batch it belongs to."""

    file: str
    place: int
    batch: str | None = None


class NewItem(msgspec.Struct, frozen=True):
    """One item on its way into the store; a million of them are made in a load.

    `key` is the author's own; `copy` tells items of the same key apart (0 for the first, by place).
    `position` is its place among the rated items in the study's given order, from 0 without holes;
    -1 for context. `facts` are the values that conditions name, under the names they are written with
    (`item.action_type`). `hidden` is the item's whole data, joined data under their names, so that
    every path of the study can be followed in it; it never leaves the server's closed rooms. `source`
    are the item's bytes as they stood in the file, for exact native export. `digest` changes when, and
    only when, the source (or a joined source) changes; what is shown may change without it, when a new
    version of the study shows something else.
    """

    key: str
    copy: int
    position: int
    origin: Origin
    shown: Shown
    facts: Mapping[str, Any]
    hidden: Mapping[str, Any]
    source: bytes
    digest: str
    thread: str | None = None
    turn: int = 0
    system: str | None = None
    wave: str | None = None
    rated: bool = True
    """False for context: shown with later items of its thread, never rated itself."""
    gold: Mapping[str, Any] | None = None
    media: Sequence[str] = ()
    """The media names its views show; the store gives each an opaque id."""
    whole: bool = False
    """Whether `source` is JSON and says all of `hidden`, so that it need not be written out anew."""


@dataclass(frozen=True, slots=True)
class Item:
    """What fieldwork may know of an item. `public` is the opaque id browsers see."""

    id: int
    public: str
    position: int
    shown: Shown
    facts: Mapping[str, Any]
    batch: int | None = None
    """The batch's place among the study's batches; its name stays hidden."""
    turn: int = 0
    """Position in its thread, counted from 0."""
    gold: bool = False
    media: Mapping[str, str] = field(default_factory=dict)
    """The opaque id of each media name in its views."""


@dataclass(slots=True)
class Loaded:
    """What a load did, counted: nothing is left out in silence."""

    new: int = 0
    same: int = 0
    changed: int = 0
    gone: int = 0
    bad: int = 0
    context: int = 0
    duplicates: int = 0
    """Items whose key another item of the same load had first."""
    problems: list[Any] = field(default_factory=list)
