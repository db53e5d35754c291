"""How sign-ins and rate limits are kept. A session is known by the hash of its id, never the id."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, Protocol

Role = Literal["rater", "coordinator"]


@dataclass(frozen=True, slots=True)
class Session:
    """One sign-in. `who` is the rater's number in `study`, or the account of a coordinator."""

    role: Role
    study: str
    who: int
    touched: float
    """When it was last written, in seconds since 1970."""


class SessionStore(Protocol):
    def installation(self) -> str:
        """A short random name of this database, made once; cookies are named by it."""
        ...

    def answers(self) -> None:
        """Nothing, if the database is there to be asked; a problem otherwise."""
        ...

    def open_session(self, hashed: str, session: Session, until: float) -> None: ...

    def session(self, hashed: str, now: float) -> Session | None:
        """The session, or None where it is unknown, ended or past its time."""
        ...

    def sessions(self, hashes: Sequence[str], now: float) -> Mapping[str, Session]:
        """The same for many at once; those without a session are left out."""
        ...

    def touch_session(self, hashed: str, now: float, until: float) -> None:
        """Write that it was used, and until when it lives."""
        ...

    def end_session(self, hashed: str) -> None: ...

    def sessions_of(
        self, role: Role, study: str, who: int, now: float
    ) -> Sequence[tuple[str, Session]]:
        """A person's live sessions with their hashes, the last used first."""
        ...

    def end_sessions(self, role: Role, study: str, who: int) -> None:
        """End every session of one person: their code was reissued, or they withdrew."""
        ...

    def count_hits(self, keys: Sequence[str], now: float, window: float) -> Sequence[int]:
        """Count one more hit of each key in its present window, atomically; how many there are."""
        ...
