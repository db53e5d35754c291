"""Studies, their versions, their log."""

from __future__ import annotations

from typing import Any

from msgspec import Struct

from rubrica.coordinator.shapes.people import Role


class StudyOf(Struct):
    study: str


class StudyLine(Struct):
    study: str
    title: dict[str, str]
    role: Role
    items: int
    needed: int
    """How many ratings are wanted, as far as that is known."""
    given: int
    rated: int
    skipped: int
    raters: int
    closed: bool
    last: str | None


class VersionLine(Struct):
    hash: str
    added: str
    ratings: int
    now: bool
    changed: list[str]
    """What differs from the version before."""


class StudyShown(Struct):
    study: str
    title: dict[str, str]
    version: str
    declared: dict[str, Any]
    written: str
    """The study's file as its author wrote it, comments and all."""
    guidelines: dict[str, str]
    versions: list[VersionLine]
    closed: bool
    holes: list[str]
    policy: str
    per_item: int | None
    calibration: int
