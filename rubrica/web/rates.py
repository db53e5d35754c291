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


def limit(store: SessionStore, *attempts: tuple[str, str, int], seconds: int = 60) -> None:
    """Count attempts: what was tried, by whom, and how often it may be; a problem once any of them was
    tried more often in the window."""
    keys = [sha256(f"{what}:{who}".encode()).hexdigest() for what, who, _ in attempts]
    counts = store.count_hits(keys, time(), seconds)
    if any(count > most for count, (_, _, most) in zip(counts, attempts, strict=True)):
        raise Problem(TOO_OFTEN, details={"seconds": seconds})
