"""Resume codes: 80 random bits a person can copy by hand, kept only as a hash.

A plain hash is enough: what has 80 random bits cannot be guessed, however fast the hash. Passwords,
which people choose, would need a slow one.
"""

from __future__ import annotations

import secrets
from collections.abc import Callable
from hashlib import sha256
from hmac import compare_digest

Randomness = Callable[[int], bytes]
"""So many unguessable bytes."""

_LETTERS = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"
"""No I, L, O or U: nothing that is read as something else."""
_LENGTH = 16
_READ_AS = str.maketrans("ILO", "110", " -")


def new_code(randomness: Randomness = secrets.token_bytes) -> str:
    """A new code, as in `7K2M-Q0ZD-19XB-RT4F`."""
    bits = int.from_bytes(randomness(_LENGTH * 5 // 8))
    letters = [_LETTERS[bits >> (5 * n) & 31] for n in range(_LENGTH)]
    return "-".join("".join(letters[n : n + 4]) for n in range(0, _LENGTH, 4))


def code_for(name: str, attempt: str) -> str:
    """The code of somebody whose browser made `attempt` up: the same each time it is sent, so that it
    can be told again where the answer was lost. Whoever knows neither cannot know it."""
    digest = sha256(f"{attempt} {name}".encode("utf-8", "surrogatepass")).digest()
    return new_code(lambda count: digest[:count])


def hash_code(code: str) -> str:
    """What is kept of a code; blanks, dashes, case and look-alike letters do not matter."""
    return sha256(code.upper().translate(_READ_AS).encode("utf-8", "replace")).hexdigest()


def matches(code: str | None, code_hash: str) -> bool:
    """Whether this is the code; takes as long for a wrong or missing one as for the right one."""
    return compare_digest(hash_code(code or ""), code_hash)


NOBODY = "-" * 64
"""Stands in for the hash of a name nobody has, so that asking costs the same time; no code has it."""
