"""Sign-ins and rate limits."""

from __future__ import annotations

import secrets
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass

from sqlalchemy import bindparam, case, delete, select, update

from rubrica.accounts.sessions import Role, Session
from rubrica.storage.codec import text_in, text_out
from rubrica.storage.core import Core
from rubrica.storage.sql import Tx, as_rows, insert_given, insert_into, one_of
from rubrica.storage.tables import hits, sessions, settings

ADD_SETTING = insert_into(settings).on_conflict_do_nothing()
SETTING = select(settings.c.value).where(settings.c.name == bindparam("name"))
OPEN = insert_given(sessions)
FIND = select(sessions.c.role, sessions.c.study, sessions.c.who, sessions.c.touched).where(
    sessions.c.hashed == bindparam("hashed"), sessions.c.until > bindparam("now")
)
FIND_ALL = select(
    sessions.c.hashed, sessions.c.role, sessions.c.study, sessions.c.who, sessions.c.touched
).where(one_of(sessions.c.hashed, "hashes"), sessions.c.until > bindparam("now"))
TOUCH = (
    update(sessions)
    .where(sessions.c.hashed == bindparam("of"))
    .values(touched=bindparam("now"), until=bindparam("late"))
)
END = delete(sessions).where(sessions.c.hashed == bindparam("hashed"))
END_ALL = delete(sessions).where(
    sessions.c.role == bindparam("role"),
    sessions.c.study == bindparam("study"),
    sessions.c.who == bindparam("who"),
)
OF_PERSON = (
    select(sessions.c.hashed, sessions.c.role, sessions.c.study, sessions.c.who, sessions.c.touched)
    .where(
        sessions.c.role == bindparam("role"),
        sessions.c.study == bindparam("study"),
        sessions.c.who == bindparam("who"),
        sessions.c.until > bindparam("now"),
    )
    .order_by(sessions.c.touched.desc())
)
FORGET = delete(sessions).where(sessions.c.until < bindparam("now"))

_HIT = insert_given(hits)
COUNT = _HIT.on_conflict_do_update(
    index_elements=["key"],
    set_={
        "count": case(
            (hits.c.window == _HIT.excluded.window, hits.c.count + _HIT.excluded.count),
            else_=_HIT.excluded.count,
        ),
        "window": _HIT.excluded.window,
    },
).returning(hits.c.key, hits.c.count)


@dataclass(frozen=True, slots=True)
class Opened:
    """A session to be opened, as its row."""

    hashed: str
    role: Role
    study: str
    who: int
    touched: float
    until: float


def open_all(tx: Tx, opened: Sequence[Opened]) -> Sequence[None]:
    """The handler of sessions to be opened; those past their time go."""
    tx.run(FORGET, now=max(one.touched for one in opened))
    tx.run(OPEN, rows=as_rows(asdict(one) for one in opened))
    return [None] * len(opened)


def count_all(tx: Tx, counted: Sequence[tuple[str, int]]) -> Sequence[int]:
    """The handler of hits, each a key and its window: how many the key has with each of them."""
    windows = dict(counted)
    times = Counter(key for key, _ in counted)
    rows = [{"key": key, "window": windows[key], "count": n} for key, n in sorted(times.items())]
    found: dict[str, int] = dict(tx.all(COUNT, rows=as_rows(rows)))
    answers = []
    for key, _ in reversed(counted):
        answers.append(found[key])
        found[key] -= 1
    return answers[::-1]


class Sessions:
    """Fulfils `SessionStore`."""

    def __init__(self, core: Core) -> None:
        self._core = core
        self._installation: str | None = None

    def installation(self) -> str:
        """Never changes, so it is asked for once."""
        if self._installation is None:
            with self._core.database.read() as tx:
                known = tx.value(SETTING, name="installation")
            self._installation = str(known or self._core.writer.call(self._install))
        return self._installation

    def answers(self) -> None:
        """Ask the database something, to see that it is there."""
        with self._core.database.read() as tx:
            tx.value(SETTING, name="installation")

    def _install(self, tx: Tx) -> str:
        tx.run(ADD_SETTING, name="installation", value=secrets.token_hex(4))
        return str(tx.value(SETTING, name="installation"))

    def open_session(self, hashed: str, session: Session, until: float) -> None:
        study = text_in(session.study)
        opened = Opened(hashed, session.role, study, session.who, session.touched, until)
        self._core.writer.put(open_all, opened, hashed).result()

    def session(self, hashed: str, now: float) -> Session | None:
        with self._core.database.read() as tx:
            row = tx.one(FIND, hashed=hashed, now=now)
        return None if row is None else Session(row[0], text_out(row[1]), row[2], row[3])

    def sessions(self, hashes: Sequence[str], now: float) -> Mapping[str, Session]:
        with self._core.database.read() as tx:
            rows = tx.gathered(FIND_ALL, hashes=list(hashes), now=now)
        return {row[0]: Session(row[1], text_out(row[2]), row[3], row[4]) for row in rows}

    def touch_session(self, hashed: str, now: float, until: float) -> None:
        self._core.writer.call(lambda tx: tx.run(TOUCH, of=hashed, now=now, late=until))

    def end_session(self, hashed: str) -> None:
        self._core.writer.call(lambda tx: tx.run(END, hashed=hashed))

    def sessions_of(
        self, role: Role, study: str, who: int, now: float
    ) -> Sequence[tuple[str, Session]]:
        which = {"role": role, "study": text_in(study), "who": who, "now": now}
        with self._core.database.read() as tx:
            return [(row[0], Session(*row[1:])) for row in tx.all(OF_PERSON, **which)]

    def end_sessions(self, role: Role, study: str, who: int) -> None:
        which = {"role": role, "study": text_in(study), "who": who}
        self._core.writer.call(lambda tx: tx.run(END_ALL, **which))

    def count_hits(self, keys: Sequence[str], now: float, window: float) -> Sequence[int]:
        hits_ = [(text_in(key), int(now // window)) for key in keys]
        return _whole(self._core.writer.put_all(count_all, hits_, [object() for _ in keys]).result())


def _whole(counts: Sequence[int | BaseException]) -> list[int]:
    """Counts, unless one of them could not be counted."""
    found: list[int] = []
    for one in counts:
        if isinstance(one, BaseException):
            raise one
        found.append(one)
    return found
