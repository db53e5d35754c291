"""Telling items of the same key apart, in little memory."""

from __future__ import annotations

from array import array
from hashlib import blake2b


class Copies:
    """How many earlier items had the same key.

    A million keys as texts would take 150 MB. Kept are 64-bit fingerprints in one flat table, and exact
    counts only for keys that came twice. Were two keys ever to share a fingerprint, the later one would
    be numbered 1 instead of 0 and still be an item of its own.
    """

    def __init__(self) -> None:
        self._table = array("Q", bytes(8 << 10))
        self._used = 0
        self._repeated: dict[str, int] = {}

    def count(self, key: str) -> int:
        if self._add(_fingerprint(key)):
            return 0
        self._repeated[key] = count = self._repeated.get(key, 0) + 1
        return count

    def _add(self, print_: int) -> bool:
        if self._used * 2 > len(self._table):
            self._grow()
        table, mask = self._table, len(self._table) - 1
        slot = print_ & mask
        while table[slot]:
            if table[slot] == print_:
                return False
            slot = (slot + 1) & mask
        table[slot] = print_
        self._used += 1
        return True

    def _grow(self) -> None:
        old = self._table
        self._table = array("Q", bytes(len(old) * 16))
        self._used = 0
        for print_ in old:
            if print_:
                self._add(print_)


def _fingerprint(key: str) -> int:
    return int.from_bytes(blake2b(key.encode(), digest_size=8).digest(), "little") or 1
