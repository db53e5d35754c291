"""Chance that can be played again: everything drawn follows from a key, nothing from state.

Draws are hashes, not a generator's numbers, so that they stay the same whatever Python does to its
`random` module.
"""

from __future__ import annotations

from functools import lru_cache
from hashlib import blake2b

Key = tuple[int | str, ...]

SMALL = 256
ROUNDS = 6


def draw(*key: int | str) -> int:
    """A number below 2^64 that depends on the key alone."""
    text = "/".join(map(str, key))
    return int.from_bytes(blake2b(text.encode(), digest_size=8).digest())


def fraction(*key: int | str) -> float:
    """At least 0 and below 1."""
    return (draw(*key) >> 11) / 2**53


class Permutation:
    """A shuffled order of 0 to size - 1, asked for one place at a time.

    Short ones are shuffled outright, so that every order is equally likely. Long ones are a Feistel
    network over the next power of four; what falls beyond the size is sent through again until it
    falls inside, which keeps it a permutation. No list of a million is ever made.
    """

    def __init__(self, size: int, *key: int | str) -> None:
        self.size = size
        self._key = key
        self._half = max(1, (max(size - 1, 1).bit_length() + 1) // 2)
        self._mask = (1 << self._half) - 1

    def __call__(self, index: int) -> int:
        """What stands at this place of the order."""
        if self.size <= SMALL:
            return _shuffled(self.size, self._key)[index]
        index = self._forth(index)
        while index >= self.size:
            index = self._forth(index)
        return index

    def index(self, value: int) -> int:
        """At which place of the order this stands."""
        if self.size <= SMALL:
            return _shuffled(self.size, self._key).index(value)
        value = self._back(value)
        while value >= self.size:
            value = self._back(value)
        return value

    def _forth(self, value: int) -> int:
        left, right = value >> self._half, value & self._mask
        for turn in range(ROUNDS):
            left, right = right, left ^ self._mixed(turn, right)
        return left << self._half | right

    def _back(self, value: int) -> int:
        left, right = value >> self._half, value & self._mask
        for turn in reversed(range(ROUNDS)):
            left, right = right ^ self._mixed(turn, left), left
        return left << self._half | right

    def _mixed(self, turn: int, value: int) -> int:
        return draw(*self._key, turn, value) & self._mask


@lru_cache(maxsize=512)
def _shuffled(size: int, key: Key) -> tuple[int, ...]:
    return tuple(sorted(range(size), key=lambda i: (draw(*key, i), i)))
