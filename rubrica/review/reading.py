"""How soon a rating can come: nobody has read an item sooner than a very fast reader would."""

from __future__ import annotations

FASTEST = 200
"""Characters in a second, which is several times what people read."""
LONGEST = 6_000
"""A text longer than this is rarely read to its end, and need not be to be rated."""


def is_unread(length: int, seconds: float | None) -> bool:
    """Whether a rating that took so many active seconds came too soon for so long an item."""
    return seconds is not None and seconds * FASTEST < min(length, LONGEST)
