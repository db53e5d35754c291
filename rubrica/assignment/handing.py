"""Who gets what somebody else leaves undone."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

AFTER_FILES = 1_000_000
"""Entries of a list that were handed on come after everything that stands in the file."""


def spread(left: Sequence[int], theirs: Mapping[int, Sequence[int]]) -> Iterator[tuple[int, int]]:
    """Each item with the rater it goes to: who got the fewest so far among those without it."""
    has = {rater: set(items) for rater, items in theirs.items()}
    got = dict.fromkeys(theirs, 0)
    for item in left:
        free = [rater for rater in got if item not in has[rater]]
        if not free:
            continue
        target = min(free, key=lambda rater: (got[rater], rater))
        got[target] += 1
        has[target].add(item)
        yield item, target
