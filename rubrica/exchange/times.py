"""Times in files of other tools, and how they are kept."""

from __future__ import annotations

from datetime import UTC, datetime


def in_utc(text: str) -> str:
    """An ISO time as records keep it, of fixed width; one without a zone is taken as UTC."""
    moment = datetime.fromisoformat(text)
    aware = moment.astimezone(UTC) if moment.tzinfo else moment.replace(tzinfo=UTC)
    return aware.strftime("%Y-%m-%dT%H:%M:%S.%fZ")


def by_the_clock(text: str) -> str:
    """A kept time as Python writes one without a zone."""
    return datetime.fromisoformat(text).replace(tzinfo=None).isoformat()


def whole_seconds(started: str | None, ended: str | None) -> int | None:
    if started is None or ended is None:
        return None
    return int((datetime.fromisoformat(ended) - datetime.fromisoformat(started)).total_seconds())
