"""How fast the store is, against bare sqlite3 doing the same one by one in the same run.

    python benchmarks/store.py [--items 1000000] [--submits 4000] [--postgres ADDRESS]

Durable submits from 1, 8 and 64 callers at once; the next item among a million, also for a rater who
has had everything that is least covered; loading a million items.
"""

from __future__ import annotations

import argparse
import asyncio
import resource
import sqlite3
import statistics
import tempfile
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from time import perf_counter
from typing import Any

from rubrica.assignment.contract import Design, Place
from rubrica.assignment.everyone import POLICY as EVERYONE
from rubrica.assignment.least_covered import POLICY as LEAST_COVERED
from rubrica.assignment.numbered import POLICY as NUMBERED
from rubrica.items.model import NewItem, Origin, Shown
from rubrica.ratings.model import Answer, Submission
from rubrica.storage import submits
from rubrica.storage.database import SQLITE_SETTINGS
from rubrica.storage.open import open_store
from rubrica.storage.sql import Statements, Tx
from rubrica.storage.store import SqlStore
from rubrica.study.store import StudyVersion

STUDY = "bench"
ANSWERS = {f"q{n}": Answer("answered", n) for n in range(4)}


def new_items(count: int) -> Iterator[NewItem]:
    for n in range(count):
        text = f"answer {n} " * 20
        yield NewItem(
            key=f"item-{n:07d}",
            copy=0,
            position=n,
            origin=Origin("items.jsonl", n + 1),
            shown=Shown([{"text": text}, {"text": "question"}]),
            facts={"item.type": "a"},
            hidden={"score": 0.5},
            source=b'{"score": 0.5}',
            digest=f"{n:032x}",
            system=f"system {n % 4}",
            whole=True,
        )


def prepared(address: str | Path, items: int, raters: int) -> SqlStore:
    store = open_store(address)
    store.studies.add_version(STUDY, StudyVersion("v", {}, {}))
    store.loader.load(STUDY, new_items(items))
    for number in range(raters):
        store.accounts.add_rater(STUDY, f"rater {number}", "", "en", {})
    return store


def reserved(store: SqlStore, rater: int, count: int) -> Sequence[Place]:
    return store.places.reserve(STUDY, rater, count, EVERYONE, Design(1, count, None))


def submission(place: Place) -> Submission:
    name = f"rating-{place.id:020d}"
    return Submission(name, STUDY, place.id, place.rater, place.item, "v", ANSWERS)


def bare(path: Path, sent: Sequence[Submission]) -> float:
    """The same statements, one transaction a submit, on nothing but sqlite3."""
    connection = sqlite3.connect(path, isolation_level=None)
    for setting in SQLITE_SETTINGS:
        connection.execute(setting)
    with open_store(path) as store:
        tx = Tx(connection, Statements(store.database.engine.dialect))
        start = perf_counter()
        for one in sent:
            connection.execute("BEGIN IMMEDIATE")
            submits.record(tx, [submits.Sent(1, one, "2026-01-01T00:00:00.000000Z", False)])
            connection.execute("COMMIT")
        rate = len(sent) / (perf_counter() - start)
    connection.close()
    return rate


def barest(path: Path, sent: Sequence[Submission]) -> float:
    """The statements alone: their texts and values are made beforehand."""
    recorded: list[tuple[str, Any]] = []

    class Recorder:
        def __init__(self, cursor: sqlite3.Cursor) -> None:
            self._cursor = cursor

        def execute(self, text: str, params: Any = ()) -> Any:
            recorded.append((text, params))
            return self._cursor.execute(text, params)

        def executemany(self, text: str, rows: Any) -> Any:
            recorded.append((text, rows[0]))
            return self._cursor.executemany(text, rows)

        def __getattr__(self, name: str) -> Any:
            return getattr(self._cursor, name)

    connection = sqlite3.connect(path, isolation_level=None)
    for setting in SQLITE_SETTINGS:
        connection.execute(setting)
    with open_store(path) as store:
        tx = Tx(connection, Statements(store.database.engine.dialect))
        tx._cursor = Recorder(connection.cursor())  # type: ignore[assignment]
        connection.execute("BEGIN IMMEDIATE")
        ends = []
        for one in sent:
            submits.record(tx, [submits.Sent(1, one, "2026-01-01T00:00:00.000000Z", False)])
            ends.append(len(recorded))
        connection.execute("ROLLBACK")
    start, at = perf_counter(), 0
    for end in ends:
        connection.execute("BEGIN IMMEDIATE")
        for text, params in recorded[at:end]:
            connection.execute(text, params).fetchall()
        connection.execute("COMMIT")
        at = end
    rate = len(sent) / (perf_counter() - start)
    connection.close()
    return rate


def through_store(store: SqlStore, sent: Sequence[Submission], callers: int) -> float:
    """So many callers, each sending its next when its last is acknowledged."""

    async def caller(own: Sequence[Submission]) -> None:
        for one in own:
            await asyncio.wrap_future(store.ratings.submit(one))

    async def everybody() -> None:
        await asyncio.gather(*(caller(sent[n::callers]) for n in range(callers)))

    start = perf_counter()
    asyncio.run(everybody())
    return len(sent) / (perf_counter() - start)


def submitting(folder: Path, count: int, postgres: str | None) -> None:
    rates: dict[str, float] = {}
    for name, measure in (("bare", barest), ("bare, statements composed", bare)):
        path = folder / f"{len(rates)}.db"
        with prepared(path, count, 1) as store:
            sent = [submission(p) for p in reserved(store, 1, count)]
        rates[name] = measure(path, sent)
        print(f"{name:>28}: {rates[name]:9.0f} submits/s")
    targets: list[tuple[str, Callable[[int], str | Path]]] = [("sqlite", lambda n: folder / f"s{n}.db")]
    if postgres:
        targets.append(("postgresql", lambda _: postgres or ""))
    for name, address in targets:
        for callers in (1, 8, 64):
            with prepared(address(callers), count, 1) as store:
                known = store.accounts.add_rater(STUDY, f"extra {callers}", "", "en", {})
                sent = [submission(p) for p in reserved(store, known.number if known else 1, count)]
                rate = through_store(store, sent, callers)
            ratio = rate / rates["bare"]
            print(f"{name + f', {callers} callers':>28}: {rate:9.0f} submits/s, {ratio:5.2f} of bare")


def loading(path: Path, count: int) -> SqlStore:
    store = open_store(path)
    store.studies.add_version(STUDY, StudyVersion("v", {}, {}))
    start = perf_counter()
    for _ in new_items(count):
        pass
    making = perf_counter() - start
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    start = perf_counter()
    store.loader.load(STUDY, new_items(count))
    took = perf_counter() - start - making
    grown = (resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) / 1024
    print(f"{'load':>28}: {count / took:9.0f} items/s, {grown:.0f} MB more memory")
    return store


def times(name: str, calls: int, act: Callable[[int], Any]) -> None:
    took = []
    for n in range(calls):
        start = perf_counter()
        act(n)
        took.append((perf_counter() - start) * 1000)
    cuts = statistics.quantiles(took, n=100)
    print(f"{name:>28}: p50 {cuts[49]:6.2f} ms, p99 {cuts[98]:6.2f} ms, most {max(took):6.2f} ms")


def next_items(store: SqlStore, items: int, calls: int) -> None:
    raters = []
    for n in range(64):
        known = store.accounts.add_rater(STUDY, f"next {n}", "", "en", {})
        raters.append(known.number if known else 0)

    def take(policy: Any, design: Design) -> Callable[[int], Any]:
        def one(n: int) -> Any:
            rater = raters[n % len(raters)]
            open_ = store.places.tally(STUDY, rater).get("reserved", 0)
            start = perf_counter()
            found = store.places.reserve(STUDY, rater, open_ + 1, policy, design)
            assert found
            return perf_counter() - start

        return one

    k3 = Design(1, items, 3)
    times("next, least covered", calls, take(LEAST_COVERED, k3))
    times("next, least covered shuffled", calls, take(LEAST_COVERED, Design(1, items, 3, "shuffled")))
    times("next, everyone shuffled", calls, take(EVERYONE, Design(1, items, None, "shuffled")))
    times("next, numbered shuffled", calls, take(NUMBERED, Design(1, items, 3, "shuffled")))
    _have_all_least_covered(store, raters[0], items)
    rater = raters[0]

    def after_everything(_: int) -> Any:
        store.places.release(STUDY, rater)
        return store.places.reserve(STUDY, rater, 1, LEAST_COVERED, k3)

    times("next, all least covered had", 200, after_everything)


def _have_all_least_covered(store: SqlStore, rater: int, items: int) -> None:
    """Half of the items covered once, all of them by this rater; the other half covered twice."""
    with store.database.write() as tx:
        tx.plain("UPDATE items SET covered = 1 + (position % 2), returned = NULL")
        tx.plain(f"DELETE FROM drafts WHERE rater = {rater}")
        tx.plain(f"DELETE FROM places WHERE rater = {rater}")
        tx.plain(
            "INSERT INTO places "
            "(study, item, rater, number, state, again, gold, round, capacity, surplus) "
            f"SELECT study, id, {rater}, position + 1, 'rated', 0, 0, 'main', 3, 0 FROM items "
            "WHERE position % 2 = 0"
        )
        tx.plain(f"UPDATE walks SET given = {items}, cursor = '{{}}' WHERE rater = {rater}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--items", type=int, default=1_000_000)
    parser.add_argument("--submits", type=int, default=4000)
    parser.add_argument("--calls", type=int, default=2000)
    parser.add_argument("--postgres", help="an empty PostgreSQL database to measure too")
    asked = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="rubrica-bench-") as name:
        folder = Path(name)
        submitting(folder, asked.submits, asked.postgres)
        with loading(folder / "million.db", asked.items) as store:
            next_items(store, asked.items, asked.calls)


if __name__ == "__main__":
    main()
