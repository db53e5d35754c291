"""Raters rate over HTTP while everything beneath them fails, one thing after the other.

After each fault the application is back by itself, every acknowledged rating is there once, no item has
too many raters, and the doctor is content. The short form injects each fault once; `make soak` goes on
at random for `RUBRICA_SOAK` rounds.
"""

from __future__ import annotations

import os
import shutil
import signal
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from typing import Any

import pytest
from crowd import Crowd, wrong_with
from places import Clock, Disk
from proxy import Proxy
from stage import Server

from benchmarks.load import write_study
from rubrica.storage import desk_tables
from rubrica.storage.backup import back_up
from rubrica.storage.open import database_at, open_store
from tests.storage.conftest import Server as Postgres
from tests.waiting import until

ROUNDS = int(os.environ.get("RUBRICA_SOAK") or 0)

pytestmark = pytest.mark.slow


@dataclass
class Site:
    """An application with its database, the links to both, and raters who never give up."""

    folder: Path
    server: Server
    address: str
    """The database as the tests reach it, past the link that is cut."""
    browsers: Proxy
    clock: Clock
    disk: Disk | None = None
    postgres: Postgres | None = None
    database: Proxy | None = None
    rng: Random = field(default_factory=lambda: Random(5))
    injected: Counter[str] = field(default_factory=Counter)
    crowd: Crowd = field(init=False)

    def __post_init__(self) -> None:
        self.server.start()
        url = f"http://127.0.0.1:{self.browsers.port}"
        self.crowd = Crowd(url, self.folder / "acks")

    def suffer(self, name: str) -> None:
        FAULTS[name](self)
        self.injected[name] += 1
        self.crowd.goes_on()
        assert wrong_with(self.address, self.crowd.acknowledged()) == []

    def end(self) -> None:
        self.crowd.end()
        self.server.stop()

    def figures(self) -> str:
        said = self.crowd.acknowledged()
        wrong = wrong_with(self.address, said)
        lost, doubled = (sum(one.startswith(word) for one in wrong) for word in ("lost", "doubled"))
        faults = ", ".join(f"{name} {count}" for name, count in sorted(self.injected.items()))
        return (
            f"{sum(self.injected.values())} faults injected ({faults}); {len(said):,} ratings "
            f"acknowledged, {lost} lost, {doubled} doubled, {len(wrong)} findings"
        )


# --- what can happen ------------------------------------------------------------------------------


def worker_killed(site: Site) -> None:
    before = until(site.server.workers, "workers")
    os.kill(site.rng.choice(before), signal.SIGKILL)
    until(lambda: set(site.server.workers()) - set(before), "another worker")


def application_killed(site: Site) -> None:
    """And started again, as the machine's own service manager would."""
    workers = site.server.workers()
    site.server.kill()
    for pid in workers:
        with suppress(ProcessLookupError):
            os.kill(pid, signal.SIGKILL)
    site.server.start()


def database_killed(site: Site) -> None:
    assert site.postgres is not None
    site.postgres.crash()


def browsers_cut_off(site: Site) -> None:
    _cut(site, site.browsers)


def database_cut_off(site: Site) -> None:
    assert site.database is not None
    _cut(site, site.database)


def _cut(site: Site, link: Proxy) -> None:
    for _ in range(site.rng.randrange(1, 4)):
        link.cut()
        time.sleep(site.rng.uniform(0.05, 0.5))
        link.mend()
        time.sleep(site.rng.uniform(0.0, 0.1))


def disk_full(site: Site) -> None:
    assert site.disk is not None
    with site.disk.full([*site.server.workers()]):
        # Until what is left of the files' own room is used up and nothing more is acknowledged.
        quiet, before = 0, -1
        while quiet < 10:
            now = len(site.crowd.acknowledged())
            quiet, before = (quiet + 1 if now == before else 0), now
            time.sleep(0.05)


def clock_jumps(site: Site) -> None:
    """Two hours ahead, in which every reservation runs out; then back to before the beginning."""
    for hours in (2, -3, 0):
        site.clock.jump(hours * 3600)
        site.crowd.goes_on(site.crowd.raters)


def migration_pending(site: Site) -> None:
    """As a database of the version before it, opened by two programs at once."""
    site.server.stop()
    _take_back_the_last_step(site.address)
    with ThreadPoolExecutor(1) as pool:
        other = pool.submit(lambda: open_store(site.address).close())
        site.server.start()
        other.result()


def _take_back_the_last_step(address: str) -> None:
    database = database_at(address)
    with database.write() as tx:
        for trigger, table in (("ratings", "ratings"), ("places", "places"), ("messages", "messages")):
            on = "" if tx.sqlite else f" ON {table}"
            tx.plain(f"DROP TRIGGER {trigger}_queue{on}")
            if not tx.sqlite:
                tx.plain(f"DROP FUNCTION rubrica_{trigger}_queue")
        for table in reversed(desk_tables.TABLES):
            tx.plain(f"DROP TABLE {table.name}" + ("" if tx.sqlite else " CASCADE"))
        tx.plain("DROP INDEX places_item")
        tx.plain("UPDATE alembic_version SET version_num = '0002'")
    database.close()


def backup_meanwhile(site: Site) -> None:
    copy, said = site.folder / f"copy-{site.injected.total()}.db", site.crowd.acknowledged()
    back_up(site.address, copy)
    assert wrong_with(str(copy), said) == []


FAULTS: dict[str, Callable[[Site], None]] = {
    "worker killed": worker_killed,
    "application killed": application_killed,
    "database killed": database_killed,
    "browsers cut off": browsers_cut_off,
    "database cut off": database_cut_off,
    "disk full": disk_full,
    "clock jumps": clock_jumps,
    "migration pending": migration_pending,
    "backup meanwhile": backup_meanwhile,
}
OF_SQLITE = [name for name in FAULTS if not name.startswith("database")]
OF_POSTGRES = [name for name in FAULTS if name != "disk full"]


# --- and goes on happening ------------------------------------------------------------------------


@pytest.fixture
def sqlite(tmp_path: Path) -> Iterator[Site]:
    disk = Disk(tmp_path / "disk", 400 if ROUNDS else 64)
    address = str(disk.folder / "rubrica.db")
    try:
        yield from _site(tmp_path, address, address, disk=disk)
    finally:
        disk.close()


@pytest.fixture
def postgresql(tmp_path: Path) -> Iterator[Site]:
    # Paths of sockets are short, those of tests are not.
    folder = Path(tempfile.mkdtemp(prefix="rubrica-soak-"))
    postgres = Postgres(folder / "data")
    address = postgres.fresh()
    socket = Path(address.partition("host=")[2]) / ".s.PGSQL.5432"
    link = Proxy(socket)
    name = address.partition("?")[0].rpartition("/")[2]
    through = f"postgresql://postgres:@127.0.0.1:{link.port}/{name}?sslmode=disable"
    try:
        yield from _site(tmp_path, address, through, postgres=postgres, database=link)
    finally:
        link.close()
        postgres.end()
        shutil.rmtree(folder, ignore_errors=True)


def _site(folder: Path, address: str, through: str, **more: Any) -> Iterator[Site]:
    study = write_study(folder / "load", 20_000 if ROUNDS else 2_000)
    server = Server([study], through, "--workers", "2")
    clock = Clock(folder)
    server.environment = clock.environment
    browsers = Proxy(server.port)
    site = Site(folder, server, address, browsers, clock, **more)
    try:
        site.crowd.goes_on()
        yield site
    finally:
        site.end()
        browsers.close()


def go_through(site: Site, names: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    if not site.clock.there:
        names = [name for name in names if name != "clock jumps"]
    rounds = [site.rng.choice(names) for _ in range(ROUNDS)] if ROUNDS else names
    for name in rounds:
        site.suffer(name)
    site.end()
    with capsys.disabled():
        sys.stdout.write(f"\n{site.figures()}\n")
    assert wrong_with(site.address, site.crowd.acknowledged()) == []


def test_nothing_is_lost_on_sqlite(sqlite: Site, capsys: pytest.CaptureFixture[str]) -> None:
    go_through(sqlite, OF_SQLITE, capsys)


@pytest.mark.postgres
def test_nothing_is_lost_on_postgresql(postgresql: Site, capsys: pytest.CaptureFixture[str]) -> None:
    go_through(postgresql, OF_POSTGRES, capsys)
