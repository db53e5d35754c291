"""A database: its connections, its write transactions, and what can go wrong with both."""

from __future__ import annotations

import sqlite3
from collections import deque
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

from sqlalchemy import create_engine, event
from sqlalchemy.engine import Engine
from sqlalchemy.pool import PoolProxiedConnection, QueuePool

from rubrica.errors import Problem
from rubrica.storage.faults import as_problem, lost
from rubrica.storage.filelock import FileLock
from rubrica.storage.later import Later
from rubrica.storage.rules import LOCKED
from rubrica.storage.sql import Statements, Tx

if TYPE_CHECKING:
    import psycopg
else:
    psycopg = Later("psycopg")


BUSY_SECONDS = 30.0
"""How long a write waits for another program that does not know our lock."""

CLOSE_SECONDS = 5.0

SQLITE_SETTINGS = (
    "PRAGMA journal_mode=WAL",
    "PRAGMA synchronous=FULL",
    "PRAGMA foreign_keys=ON",
    "PRAGMA recursive_triggers=ON",
    f"PRAGMA busy_timeout={int(BUSY_SECONDS * 1000)}",
    "PRAGMA temp_store=MEMORY",
    "PRAGMA cache_size=-32768",
)

POSTGRES_SETTINGS = {
    "application_name": "rubrica",
    # Of several hosts the one that can be written to: after a failover that is another one.
    "target_session_attrs": "read-write",
    "connect_timeout": 5,
    # A link that was cut without a word is given up after ten seconds, not after hours.
    "keepalives_idle": 5,
    "keepalives_interval": 2,
    "keepalives_count": 3,
    "tcp_user_timeout": 10_000,
}

BEGIN_DURABLE = (
    "BEGIN; SELECT set_config('synchronous_commit', 'on', true) "
    "WHERE current_setting('synchronous_commit') IN ('off', 'local', 'remote_write')"
)
"""Whatever the server's default, what is acknowledged has reached the disk (and the standby)."""


class Database:
    """What both databases have in common, as the rest of this room sees it."""

    def __init__(self, engine: Engine) -> None:
        self.engine = engine
        self.statements = Statements(engine.dialect)
        self.at_hand: deque[PoolProxiedConnection] = deque()

    @contextmanager
    def locked(self) -> Iterator[None]:
        """Held while anything is written, migrated or checkpointed."""
        yield

    def read(self) -> Reading:
        """Single statements, each seeing what has been committed."""
        return Reading(self)

    @contextmanager
    def snapshot(self) -> Iterator[Tx]:
        """Several statements that see the same moment."""
        with self._connection() as connection:
            tx = Tx(connection, self.statements)
            with self._transaction(connection, self.begin_snapshot):
                yield tx

    @contextmanager
    def write(self) -> Iterator[Tx]:
        """One durable transaction: committed when the block ends well, undone when it does not."""
        with (
            self._connection() as connection,
            self.locked(),
            self._transaction(connection, self.begin_write),
        ):
            yield Tx(connection, self.statements)

    one_writer = True
    """Whether only one process at a time can write, so that more of them gain little."""

    @property
    def name(self) -> str:
        """What it is opened by."""
        raise NotImplementedError

    begin_snapshot = "BEGIN"
    begin_write = "BEGIN IMMEDIATE"

    @contextmanager
    def _transaction(self, connection: Any, begin: str) -> Iterator[None]:
        connection.execute(begin)
        try:
            yield
            connection.execute("COMMIT")
        except BaseException:
            with suppress(Exception):
                connection.execute("ROLLBACK")
            raise

    @contextmanager
    def _connection(self) -> Iterator[Any]:
        """The driver's own connection, out of the pool; its faults come out as problems."""
        pooled = self.connect()
        try:
            yield pooled.driver_connection
        except (sqlite3.Error, psycopg.Error) as error:
            self.failed(pooled, error)
            raise as_problem(error) from error
        finally:
            pooled.close()

    def connect(self) -> PoolProxiedConnection:
        try:
            return self.engine.raw_connection()
        except Exception as error:
            raise as_problem(error) from error

    def failed(self, pooled: PoolProxiedConnection, error: BaseException) -> None:
        """Where the server went or changed, what the pool holds is most likely dead too."""
        if lost(error):
            pooled.invalidate()
            self.let_go()

    def let_go(self) -> None:
        """Close the connections that nobody is using."""
        with suppress(IndexError):
            while True:
                self.at_hand.pop().close()
        self.engine.dispose()

    def close(self) -> None:
        self.let_go()


class Reading:
    """A connection at hand for one reader at a time.

    Readers are many and short, and to take a connection from the engine's pool costs as much as the
    statement: so those that readers have finished with are kept here.
    """

    __slots__ = ("_database", "_pooled")

    def __init__(self, database: Database) -> None:
        self._database = database

    def __enter__(self) -> Tx:
        try:
            self._pooled = self._database.at_hand.pop()
        except IndexError:
            self._pooled = self._database.connect()
        return Tx(self._pooled.driver_connection, self._database.statements)

    def __exit__(self, _: object, error: BaseException | None, __: object) -> None:
        if error is None or not isinstance(error, sqlite3.Error | psycopg.Error):
            self._database.at_hand.append(self._pooled)
            return
        self._database.failed(self._pooled, error)
        self._pooled.close()
        raise as_problem(error) from error


class Sqlite(Database):
    """One file. Any number of threads read; one process at a time writes, by a lock beside it."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._connected = False
        engine = create_engine(
            f"sqlite:///{path}",
            creator=self._connect,
            paramstyle="named",
            poolclass=QueuePool,
            pool_size=8,
            max_overflow=-1,
            pool_reset_on_return=None,
        )
        super().__init__(engine)
        self.lock_file = path.with_name(path.name + ".lock")
        self._lock = FileLock(self.lock_file)

    @property
    def name(self) -> str:
        return str(self.path)

    def _connect(self) -> sqlite3.Connection:
        self._connected = True
        connection = sqlite3.connect(
            self.path,
            isolation_level=None,
            check_same_thread=False,
            timeout=BUSY_SECONDS,
            cached_statements=256,
        )
        try:
            for setting in SQLITE_SETTINGS:
                connection.execute(setting)
        except BaseException:
            connection.close()
            raise
        return connection

    @contextmanager
    def locked(self) -> Iterator[None]:
        with self._lock:
            yield

    @contextmanager
    def locked_within(self, seconds: float) -> Iterator[None]:
        """The same for a command, which says after a while that it waits in vain."""
        if not self._lock.acquire(seconds):
            reason = f"{self.lock_file} was not free for {seconds:.0f} s"
            raise Problem(LOCKED, details={"reason": reason})
        try:
            yield
        finally:
            self._lock.release()

    def close(self) -> None:
        # The last connection that closes writes a checkpoint. Whoever holds the lock for longer has a
        # connection of its own, so ours is not the last.
        held = self._lock.acquire(CLOSE_SECONDS if self._connected else 0.0)
        super().close()
        if held:
            self._lock.release()
        self._lock.close()


class Postgres(Database):
    """A server. Any number of processes; rows are locked where two could want the same."""

    one_writer = False
    begin_snapshot = "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY"
    begin_write = BEGIN_DURABLE

    def __init__(self, address: str) -> None:
        self.address = address
        self._unless_given = _settings_of(address)
        engine = create_engine(
            "postgresql+psycopg://",
            creator=self._connect,
            pool_size=8,
            max_overflow=32,
            pool_reset_on_return=None,
        )
        super().__init__(engine)

    @property
    def name(self) -> str:
        return self.address

    def _connect(self) -> psycopg.Connection[Any]:
        made = psycopg.connect(self.address, autocommit=True, **self._unless_given)
        if _is_pooled(made):
            # A pooler may send the next statement to a server where another client prepared one of its
            # own under the same name: the answer would be to what that one asked.
            made.prepare_threshold = None
        return made


def _is_pooled(made: psycopg.Connection[Any]) -> bool:
    """Whether the server that answers is another than the one that was said to be at the other end."""
    (answers,) = made.execute("SELECT pg_backend_pid()").fetchone() or (None,)
    return bool(answers != made.info.backend_pid)


def _settings_of(address: str) -> dict[str, Any]:
    """What holds for a connection unless its address or the environment says otherwise."""
    try:
        given = psycopg.conninfo.conninfo_to_dict(address)
    except psycopg.Error as error:
        raise as_problem(error) from error
    return {name: value for name, value in POSTGRES_SETTINGS.items() if name not in given}


def migrating_engine(database: Database) -> Engine:
    """Connections whose transactions are begun by us: at once for writing, one for each step."""
    if isinstance(database, Sqlite):
        engine = create_engine("sqlite://", creator=database._connect, poolclass=QueuePool)
        begin = "BEGIN IMMEDIATE"
    else:
        assert isinstance(database, Postgres)  # noqa: S101
        engine = create_engine("postgresql+psycopg://", creator=database._connect)
        begin = "BEGIN"

    @event.listens_for(engine, "begin")
    def _begin(connection: Any) -> None:
        connection.exec_driver_sql(begin)

    return engine
