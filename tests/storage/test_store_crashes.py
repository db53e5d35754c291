"""Processes and servers are killed while ratings are written: nothing acknowledged is lost."""

from __future__ import annotations

import os
import shutil
import tempfile
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import count
from multiprocessing import get_context
from pathlib import Path
from random import Random
from typing import Any

import pytest
from crashing import work
from storing import STUDY, fill

from rubrica.storage.doctor import findings
from rubrica.storage.open import open_store
from tests.storage.conftest import Server

SOAK = bool(os.environ.get("RUBRICA_SOAK"))
PROCESSES = 8
ITEMS = 30_000 if SOAK else 6_000

pytestmark = pytest.mark.slow


class Crowd:
    """Processes that rate, each of which may die at any moment, and what they have acknowledged."""

    def __init__(self, address: str, rng: Random) -> None:
        self._context = get_context("forkserver")
        self._context.set_forkserver_preload(["rubrica.storage.open"])
        self._address, self._rng, self._names = address, rng, count(1)
        self._read, self._write = self._context.Pipe(duplex=False)
        self._rest = b""
        self.acknowledged: Counter[str] = Counter()
        self.processes = [self._start() for _ in range(PROCESSES)]

    def _start(self) -> Any:
        arguments = (self._address, f"rater-{next(self._names)}", self._write)
        process = self._context.Process(target=work, args=arguments)
        process.start()
        return process

    def listen(self, wanted: int) -> None:
        """Until so many more acknowledgements have come."""
        while wanted > 0:
            *lines, self._rest = (self._rest + os.read(self._read.fileno(), 65536)).split(b"\n")
            assert b"done" not in lines, "there were too few items"
            self.acknowledged.update(line.decode() for line in lines)
            wanted -= len(lines)

    def kill_one(self) -> None:
        at = self._rng.randrange(PROCESSES)
        self.processes[at].kill()
        self.processes[at].join()
        self.processes[at] = self._start()

    def end(self) -> None:
        """All at once, and then what they had still said."""
        for process in self.processes:
            process.kill()
        for process in self.processes:
            process.join()
        self._write.close()
        while said := os.read(self._read.fileno(), 65536):
            self._rest += said
        self.acknowledged.update(line.decode() for line in self._rest.split(b"\n")[:-1])
        self._read.close()


@contextmanager
def crowd(address: str, seed: int) -> Iterator[Crowd]:
    with open_store(address) as store:
        fill(store, ITEMS, raters=0)
    found = Crowd(address, Random(seed))
    try:
        yield found
    finally:
        found.end()


def nothing_is_lost(address: str, acknowledged: Counter[str]) -> None:
    with open_store(address) as store:
        kept = Counter(r.submission.id for r in store.ratings.ratings(STUDY, all_revisions=True))
        assert set(acknowledged) <= set(kept)
        assert max(kept.values()) == 1
        assert [str(p) for p in findings(store) if p.level == "error"] == []


def test_killing_processes_that_write_to_sqlite(tmp_path: Path) -> None:
    address, rng = str(tmp_path / "rubrica.db"), Random(1)
    with crowd(address, 2) as found:
        for _ in range(200 if SOAK else 20):
            found.listen(rng.randrange(1, 60))
            found.kill_one()
    assert len(found.acknowledged) > 200
    nothing_is_lost(address, found.acknowledged)


@pytest.mark.postgres
def test_killing_the_postgresql_server() -> None:
    folder = Path(tempfile.mkdtemp(prefix="rubrica-crash-"))
    server, rng = Server(folder / "data"), Random(3)
    try:
        address = server.fresh()
        with crowd(address, 4) as found:
            for _ in range(20 if SOAK else 3):
                found.listen(rng.randrange(100, 300))
                server.crash()
            found.listen(100)
        nothing_is_lost(address, found.acknowledged)
    finally:
        server.end()
        shutil.rmtree(folder, ignore_errors=True)
