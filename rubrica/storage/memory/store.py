"""One store in memory, one part for each protocol."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from rubrica.accounts.model import LogEntry, Rater, RaterState
from rubrica.accounts.sessions import Role, Session
from rubrica.errors import Problem
from rubrica.fieldwork.store import Message
from rubrica.storage.core import Clock, utc_now
from rubrica.storage.memory.board import MemoryBoard
from rubrica.storage.memory.imports import MemoryImports
from rubrica.storage.memory.items import MemoryItems, MemoryLoader, MemoryVerdicts
from rubrica.storage.memory.people import MemoryPeople
from rubrica.storage.memory.places import MemoryPlaces, give_back
from rubrica.storage.memory.ratings import MemoryRatings
from rubrica.storage.memory.world import Walk, World
from rubrica.storage.rules import UNKNOWN_RATER
from rubrica.study.store import StudyVersion


class MemoryStudies:
    """Fulfils `StudyStore`."""

    def __init__(self, world: World) -> None:
        self._world = world

    def add_version(self, study: str, version: StudyVersion) -> bool:
        with self._world.lock:
            versions = self._world.add_study(study).versions
            if version.hash in versions:
                return False
            versions[version.hash] = replace(version, added=self._world.now())
            return True

    def version(self, study: str, version: str) -> StudyVersion | None:
        state = self._world.studies.get(study)
        return None if state is None else state.versions.get(version)

    def versions(self, study: str) -> Sequence[StudyVersion]:
        state = self._world.studies.get(study)
        return [] if state is None else list(state.versions.values())

    def close(self, study: str) -> None:
        self._world.study(study).closed = True

    def is_closed(self, study: str) -> bool:
        state = self._world.studies.get(study)
        return state is not None and state.closed

    def names(self) -> Sequence[str]:
        return list(self._world.studies)

    def revision(self, study: str) -> int:
        state = self._world.study(study)
        ratings = [r for (name, _), r in self._world.ratings.items() if name == study]
        kept = (state.moves, state.log, state.messages, state.settled)
        return len(ratings) + sum(len(one) for one in kept)


class MemoryAccounts:
    """Fulfils `AccountStore`."""

    def __init__(self, world: World) -> None:
        self._world = world

    def add_rater(
        self,
        study: str,
        name: str,
        code_hash: str,
        language: str,
        crowd: Mapping[str, str],
        state: RaterState = "active",
    ) -> Rater | None:
        with self._world.lock:
            known = self._world.study(study)
            if self.rater_named(study, name):
                return None
            number = max(known.raters, default=0) + 1
            joined = self._world.now()
            rater = Rater(number, study, name, state, language, crowd=dict(crowd), joined=joined)
            known.raters[number], known.codes[number] = rater, code_hash
            known.walks[number] = Walk()
            return rater

    def rater(self, study: str, number: int) -> Rater | None:
        state = self._world.studies.get(study)
        return None if state is None else state.raters.get(number)

    def some_raters(self, study: str, numbers: Sequence[int]) -> Mapping[int, Rater]:
        known = self._world.study(study).raters
        return {number: known[number] for number in numbers if number in known}

    def rater_named(self, study: str, name: str) -> tuple[Rater, str] | None:
        state = self._world.studies.get(study)
        found = [r for r in state.raters.values() if r.name == name] if state else []
        return (found[0], state.codes[found[0].number]) if state and found else None

    def raters(self, study: str) -> Sequence[Rater]:
        state = self._world.studies.get(study)
        return [] if state is None else list(state.raters.values())

    def change_rater(self, study: str, number: int, **changes: Any) -> Rater:
        with self._world.lock:
            known = self._world.study(study)
            rater = known.raters.get(number)
            if rater is None:
                raise Problem(UNKNOWN_RATER, got=str(number))
            if changes.get("state") == "withdrawn" and rater.state != "withdrawn":
                changes |= self._withdraw(study, number)
            known.codes[number] = changes.pop("code_hash", known.codes[number])
            known.raters[number] = replace(rater, **changes)
            return known.raters[number]

    def _withdraw(self, study: str, number: int) -> dict[str, Any]:
        known = self._world.study(study)
        known.withdrawn.add(number)
        own = [p for p in self._world.own(study, number) if p.state != "released"]
        for place in self._world.own(study, number):
            self._world.drafts.pop(place.id, None)
        give_back(self._world, study, own, "the rater withdrew")
        name = f"withdrawn {number}"
        while self.rater_named(study, name):
            name += "*"
        return {"name": name, "crowd": {}, "code_hash": ""}

    def log(self, study: str, who: str, what: str, details: Mapping[str, Any]) -> None:
        with self._world.lock:
            entries = self._world.study(study).log
            when = self._world.now()
            entries.append(LogEntry(len(entries) + 1, study, when, who, what, dict(details)))

    def log_entries(self, study: str) -> Sequence[LogEntry]:
        state = self._world.studies.get(study)
        return [] if state is None else list(state.log)

    def newest_log(self, study: str, before: int | None, count: int) -> Sequence[LogEntry]:
        older = [e for e in self._world.study(study).log if before is None or e.number < before]
        return older[::-1][:count]


class MemoryMessages:
    """Fulfils `MessageStore`."""

    def __init__(self, world: World) -> None:
        self._world = world

    def add_message(self, message: Message) -> Message:
        with self._world.lock:
            kept = self._world.study(message.study).messages
            kept.append(replace(message, number=len(kept) + 1, sent=self._world.now()))
            return kept[-1]

    def messages(self, study: str, rater: int | None = None) -> Sequence[Message]:
        found = self._world.study(study).messages
        return [m for m in found if rater is None or m.rater in (None, rater)]

    def newest(self, study: str, raters: Sequence[int]) -> Mapping[int, int]:
        return {rater: self._newest(study, rater) for rater in raters}

    def _newest(self, study: str, rater: int) -> int:
        to_them = (m for m in self.messages(study, rater) if m.kind in ("answer", "notice"))
        return max((m.number for m in to_them), default=0)


class MemorySessions:
    """Fulfils `SessionStore`."""

    def __init__(self, world: World) -> None:
        self._world = world

    def answers(self) -> None:
        """Memory is always there."""

    def installation(self) -> str:
        return self._world.installation

    def open_session(self, hashed: str, session: Session, until: float) -> None:
        self._world.sessions[hashed] = (session, until)

    def session(self, hashed: str, now: float) -> Session | None:
        session, until = self._world.sessions.get(hashed, (None, 0.0))
        return session if until > now else None

    def sessions(self, hashes: Sequence[str], now: float) -> Mapping[str, Session]:
        found = ((hashed, self.session(hashed, now)) for hashed in hashes)
        return {hashed: session for hashed, session in found if session is not None}

    def touch_session(self, hashed: str, now: float, until: float) -> None:
        if hashed in self._world.sessions:
            session = replace(self._world.sessions[hashed][0], touched=now)
            self._world.sessions[hashed] = (session, until)

    def end_session(self, hashed: str) -> None:
        self._world.sessions.pop(hashed, None)

    def sessions_of(
        self, role: Role, study: str, who: int, now: float
    ) -> Sequence[tuple[str, Session]]:
        found = [
            (hashed, session)
            for hashed, (session, until) in self._world.sessions.items()
            if (session.role, session.study, session.who) == (role, study, who) and until > now
        ]
        return sorted(found, key=lambda one: -one[1].touched)

    def end_sessions(self, role: Role, study: str, who: int) -> None:
        for hashed, (session, _) in list(self._world.sessions.items()):
            if (session.role, session.study, session.who) == (role, study, who):
                del self._world.sessions[hashed]

    def count_hits(self, keys: Sequence[str], now: float, window: float) -> Sequence[int]:
        with self._world.lock:
            return [self._count_hit(key, int(now // window)) for key in keys]

    def _count_hit(self, key: str, at: int) -> int:
        before, count = self._world.hits.get(key, (at, 0))
        self._world.hits[key] = (at, count + 1 if before == at else 1)
        return self._world.hits[key][1]


class MemoryStore:
    """Fulfils all that `SqlStore` does, but keeps nothing when it is closed."""

    def __init__(self, now: Clock = utc_now) -> None:
        self.world = world = World(now)
        self.studies = MemoryStudies(world)
        self.items = MemoryItems(world)
        self.loader = MemoryLoader(world)
        self.verdicts = MemoryVerdicts(world)
        self.accounts = MemoryAccounts(world)
        self.places = MemoryPlaces(world)
        self.ratings = MemoryRatings(world)
        self.imports = MemoryImports(world)
        self.messages = MemoryMessages(world)
        self.sessions = MemorySessions(world)
        self.people = MemoryPeople(world)
        self.board = MemoryBoard(world)

    def close(self) -> None:
        """Nothing to let go of."""

    def __enter__(self) -> MemoryStore:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()
