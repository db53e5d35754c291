"""How often one address may try to join or sign in: one atomic counter row per window."""

from __future__ import annotations

from hashlib import sha256
from time import time

from rubrica.accounts.sessions import SessionStore
from rubrica.errors import Problem, Rule

TOO_OFTEN = Rule(
    code="W010",
    title="Joining and signing in are tried only so often",
    says="too many attempts from this address",
    why="Without a limit, codes and names could be guessed.",
    mend="Wait {seconds} seconds and try again.",
)


def limit(store: SessionStore, what: str, who: str, most: int, seconds: int = 60) -> None:
    """Count an attempt; a problem once there are more than `most` in the window."""
    key = sha256(f"{what}:{who}".encode()).hexdigest()
    if store.count_hit(key, time(), seconds) > most:
        raise Problem(TOO_OFTEN, details={"seconds": seconds})
