"""Raters by number and, for those who may know, by name."""

from __future__ import annotations

from collections.abc import Mapping

from rubrica.accounts.model import Rater
from rubrica.coordinator.endpoint import At


def raters(at: At) -> Mapping[int, Rater]:
    return {r.number: r for r in at.site.stores.accounts.raters(at.name)}


def name_of(at: At, rater: Rater | None) -> str | None:
    """Names stand in accounts only; reviewers judge ratings, not people."""
    return rater.name if rater is not None and at.is_at_least("coordinator") else None
