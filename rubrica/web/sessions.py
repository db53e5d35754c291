"""Sign-ins: an opaque random id in a cookie, its hash in the store."""

from __future__ import annotations

import secrets
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from hashlib import sha256
from time import time
from typing import Any

from litestar.datastructures import Cookie

from rubrica.accounts.sessions import Role, Session, SessionStore

TOUCH_EVERY = 300.0
"""A session is written at most so often: reading a page must not cost a write."""
DAYS = {"rater": 60, "coordinator": 7}


def cookie_in(scope: Mapping[str, Any], name: str) -> str | None:
    """A cookie of a request."""
    start = f"{name}=".encode()
    for header, value in scope["headers"]:
        if header == b"cookie":
            for part in value.split(b";"):
                if part.strip().startswith(start):
                    return str(part.strip()[len(start) :].decode("latin-1"))
    return None


def header_in(scope: Mapping[str, Any], name: bytes) -> str | None:
    """A header of a request, by its name in small letters."""
    return next((value.decode("latin-1") for key, value in scope["headers"] if key == name), None)


def hashed(token: str) -> str:
    return sha256(token.encode()).hexdigest()


@dataclass(frozen=True, slots=True)
class Sessions:
    """Opens, finds and ends the sessions of one role."""

    store: SessionStore
    role: Role
    path: Callable[[str], str] = lambda _study: "/"
    """Where the cookie is sent, given the study: raters keep one sign-in per study."""
    secure: bool = False
    clock: Callable[[], float] = time

    @property
    def cookie_name(self) -> str:
        return f"rubrica_{self.store.installation()}_{self.role}"

    def open(self, study: str, who: int, replaces: str | None = None) -> Cookie:
        """A new sign-in under a new id; the one it replaces ends."""
        if replaces:
            self.store.end_session(hashed(replaces))
        token, now = secrets.token_urlsafe(32), self.clock()
        session = Session(role=self.role, study=study, who=who, touched=now)
        self.store.open_session(hashed(token), session, now + self._seconds)
        return self._cookie(study, token, self._seconds)

    def find(self, token: str | None, study: str | None = None) -> Session | None:
        """The live session behind a cookie, of this role and (where given) this study."""
        if not token:
            return None
        now, known = self.clock(), hashed(token)
        return self._live(self.store.session(known, now), known, study, now)

    def _live(
        self, session: Session | None, known: str, study: str | None, now: float
    ) -> Session | None:
        if session is None or session.role != self.role or study not in (None, session.study):
            return None
        if now - session.touched > TOUCH_EVERY:
            self.store.touch_session(known, now, now + self._seconds)
            return replace(session, touched=now)
        return session

    def find_all(self, asked: Sequence[tuple[str | None, str]]) -> list[Session | None]:
        """The same for many cookies, each with its study."""
        now = self.clock()
        hashes = [hashed(token) if token else "" for token, _ in asked]
        found = self.store.sessions(hashes, now)
        return [
            self._live(found.get(one), one, study, now)
            for one, (_, study) in zip(hashes, asked, strict=True)
        ]

    def end(self, token: str | None, study: str) -> Cookie:
        """End a sign-in; the cookie that comes back removes the browser's."""
        if token:
            self.store.end_session(hashed(token))
        return self._cookie(study, "", 0)

    @property
    def _seconds(self) -> int:
        return DAYS[self.role] * 86_400

    def _cookie(self, study: str, token: str, seconds: int) -> Cookie:
        return Cookie(
            key=self.cookie_name,
            value=token,
            path=self.path(study),
            max_age=seconds,
            httponly=True,
            secure=self.secure,
            samesite="lax",
        )
