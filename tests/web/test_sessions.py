"""Sign-ins: an opaque id outside, its hash inside, written seldom."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

import pytest

from rubrica.accounts.sessions import Role, Session
from rubrica.errors import Problem
from rubrica.web.rates import limit
from rubrica.web.sessions import Sessions, cookie_in


class Memory:
    """A session store in memory that counts its writes."""

    def __init__(self) -> None:
        self.kept: dict[str, tuple[Session, float]] = {}
        self.hits: dict[str, int] = {}
        self.writes = 0

    def installation(self) -> str:
        return "abcd"

    def open_session(self, hashed: str, session: Session, until: float) -> None:
        self.writes += 1
        self.kept[hashed] = (session, until)

    def session(self, hashed: str, now: float) -> Session | None:
        session, until = self.kept.get(hashed, (None, 0.0))
        return session if until > now else None

    def touch_session(self, hashed: str, now: float, until: float) -> None:
        self.writes += 1
        self.kept[hashed] = (replace(self.kept[hashed][0], touched=now), until)

    def end_session(self, hashed: str) -> None:
        self.kept.pop(hashed, None)

    def end_sessions(self, role: Role, study: str, who: int) -> None:
        self.kept = {
            h: k
            for h, k in self.kept.items()
            if (k[0].role, k[0].study, k[0].who) != (role, study, who)
        }

    def sessions(self, hashes: Sequence[str], now: float) -> Mapping[str, Session]:
        found = ((one, self.session(one, now)) for one in hashes)
        return {one: session for one, session in found if session is not None}

    def count_hits(self, keys: Sequence[str], now: float, window: float) -> Sequence[int]:
        for key in keys:
            self.hits[key] = self.hits.get(key, 0) + 1
        return [self.hits[key] for key in keys]


@pytest.fixture
def store() -> Memory:
    return Memory()


class Clock:
    now = 1_000.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def sessions(store: Memory, clock: Clock) -> Sessions:
    return Sessions(store, "rater", clock=clock)


def test_the_store_never_sees_the_id(sessions: Sessions, store: Memory) -> None:
    cookie = sessions.open("study", 7)
    assert cookie.value
    assert cookie.value not in str(store.kept)
    assert cookie.key == "rubrica_abcd_rater"
    found = sessions.find(cookie.value, "study")
    assert found is not None
    assert found.who == 7


def test_a_session_opens_its_own_study_and_role_only(sessions: Sessions, store: Memory) -> None:
    cookie = sessions.open("study", 7)
    assert sessions.find(cookie.value, "other") is None
    assert Sessions(store, "coordinator").find(cookie.value) is None
    assert sessions.find("made up", "study") is None
    assert sessions.find(None, "study") is None


def test_it_is_written_at_most_every_five_minutes(
    sessions: Sessions, store: Memory, clock: Clock
) -> None:
    cookie = sessions.open("study", 7)
    for seconds in (10, 200, 299):
        clock.now = 1_000.0 + seconds
        sessions.find(cookie.value)
    assert store.writes == 1
    clock.now = 1_400.0
    sessions.find(cookie.value)
    assert store.writes == 2


def test_signing_in_again_ends_the_session_before(sessions: Sessions) -> None:
    first = sessions.open("study", 7)
    second = sessions.open("study", 7, replaces=first.value)
    assert sessions.find(first.value) is None
    assert sessions.find(second.value) is not None
    gone = sessions.end(second.value, "study")
    assert gone.max_age == 0
    assert sessions.find(second.value) is None


def test_attempts_are_limited(store: Memory) -> None:
    for _ in range(3):
        limit(store, ("join", "10.0.0.1", 3))
    with pytest.raises(Problem, match="W010"):
        limit(store, ("join", "10.0.0.1", 3))
    limit(store, ("join", "10.0.0.2", 3))
    assert "10.0.0.1" not in str(store.hits)


@pytest.mark.parametrize(
    ("sent", "found"),
    [
        ([b"a=1; b=2"], "2"),
        ([b"a=1;b=2;c=3"], "2"),
        ([b"a=1", b"b=2"], "2"),
        ([b"ab=1; bb=3"], None),
        ([b""], None),
        ([], None),
    ],
)
def test_a_cookie_is_found_among_others(sent: list[bytes], found: str | None) -> None:
    headers = [(b"host", b"b=9"), *((b"cookie", value) for value in sent)]
    assert cookie_in({"headers": headers}, "b") == found
