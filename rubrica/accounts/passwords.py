"""Passwords: argon2id, the slow hash that what people choose needs."""

from __future__ import annotations

from functools import cache

from argon2 import PasswordHasher
from argon2.exceptions import InvalidHashError, VerificationError

from rubrica.errors import Problem, Rule

SHORTEST, LONGEST = 10, 200

BAD_PASSWORD = Rule(
    code="W100",
    title="A password is long enough",
    says="this password cannot be taken",
    why="Short passwords are guessed.",
    mend="Use {shortest} to {longest} characters; a few words that do not belong together are best.",
)

_hasher = PasswordHasher()


@cache
def _nobody() -> str:
    """Stands in for the password of a name nobody has, so that asking costs the same time."""
    return _hasher.hash("nobody has this password")


def hash_password(password: str) -> str:
    if not SHORTEST <= len(password) <= LONGEST:
        raise Problem(BAD_PASSWORD, details={"shortest": SHORTEST, "longest": LONGEST})
    return _hasher.hash(password.encode("utf-8", "surrogatepass"))


def is_password(password: str, kept: str) -> bool:
    """Whether this is the password; takes as long where there is none."""
    given = password[: LONGEST + 1].encode("utf-8", "surrogatepass")
    try:
        return _hasher.verify(kept or _nobody(), given) and bool(kept)
    except (VerificationError, InvalidHashError):
        return False
