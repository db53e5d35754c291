"""Telling items of the same key apart, in little memory."""

from __future__ import annotations

from array import array

_FIRST_SIZE = 2**16
"""A power of two, as the places of fingerprints need."""


class Copies:
    """How many earlier items had the same key.

    A million keys as texts would take 150 MB. Kept are 64-bit fingerprints in one flat table, and exact
    counts only for keys that came twice. Were two keys ever to share a fingerprint, the later one would
    be numbered 1 instead of 0 and still be an item of its own.
    """

    def __init__(self) -> None:
        self._table = array("Q", bytes(8 * _FIRST_SIZE))
        self._used = 0
        self._repeated: dict[str, int] = {}

    def count(self, key: str) -> int:
        print_ = _fingerprint(key)
        table, mask = self._table, len(self._table) - 1
        slot = print_ & mask
        while taken := table[slot]:
            if taken == print_:
                self._repeated[key] = count = self._repeated.get(key, 0) + 1
                return count
            slot = (slot + 1) & mask
        table[slot] = print_
        self._used += 1
        if self._used * 2 > mask:
            self._grow()
        return 0

    def _grow(self) -> None:
        old = self._table
        self._table = table = array("Q", bytes(old.itemsize * len(old) * 2))
        mask = len(table) - 1
        for print_ in filter(None, old):
            slot = print_ & mask
            while table[slot]:
                slot = (slot + 1) & mask
            table[slot] = print_


def _fingerprint(key: str) -> int:
    return hash(key) & 2**64 - 1 or 1
