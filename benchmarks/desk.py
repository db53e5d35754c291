"""How long the desk's pages and endpoints take with 200 raters and a million items.

    python benchmarks/desk.py [--items 1000000] [--raters 200] [--ratings 300000] [--at FILE]

Requests go to the application in this process, one after another; what is printed is the time until
the whole answer is there. The limit is 300 ms for each, the first look after a load included. With
`--at` the database is kept, and used again if it is there.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import statistics
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path
from time import perf_counter, process_time, sleep
from typing import Any

import httpx

from rubrica.accounts import entering
from rubrica.annotator.site import Served
from rubrica.app import build, desk_site, site_for
from rubrica.coordinator.live import NUMBERS
from rubrica.coordinator.site import DeskSite, Watched
from rubrica.coordinator.telling import CALLED
from rubrica.exchange.store import Incoming, Who
from rubrica.fieldwork.desk import desk_for
from rubrica.items.model import NewItem, Origin, Shown
from rubrica.ratings.model import Answer, Pace
from rubrica.review.board import Kept
from rubrica.storage.open import open_store
from rubrica.storage.store import SqlStore
from rubrica.study.load import load_study

STUDY = "bench"
LIMIT = 0.3
TIMES = 7
DAYS = 60
THEN = "2026-03-01T00:00:00+00:00"
"""So long the raters have worked, a few batches each day."""
DECLARED = {
    "rubrica": 1,
    "title": "Bench",
    "items": {"from": "*.jsonl", "key": "id", "batch": "part", "show": [{"text": "text"}]},
    "raters": {"per_item": 3},
    "questions": {
        "quality": {"kind": "scale", "ask": "How good?", "levels": {1: "a", 2: "b", 3: "c", 4: "d"}},
        "comment": {"kind": "text", "ask": "Anything else?", "required": False},
    },
}


def new_items(count: int) -> Iterator[NewItem]:
    for n in range(count):
        yield NewItem(
            key=f"item-{n:07d}",
            copy=0,
            position=n,
            origin=Origin("items.jsonl", n + 1, f"part-{n * 100 // count:02d}"),
            shown=Shown([{"text": f"answer {n} " * 20, "mark": None}]),
            facts={},
            hidden={},
            source=b"{}",
            digest=f"{n:032x}",
            system=f"system {n % 4}",
            whole=True,
        )


def new_ratings(ratings: int, raters: int, version: str, first_item: int) -> Iterator[Incoming]:
    """Three raters an item, from the first item on; every fiftieth is a skip."""
    for n in range(ratings):
        item, rater = first_item + n // 3, (n // 3 * 7 + n % 3) % raters + 1
        answers = {"quality": Answer("answered", (n * n) % 4 + 1), "comment": Answer("left_out")}
        if n % 20 == 0:
            answers["comment"] = Answer("answered", "odd")
        skip, day = n % 50 == 0, n * DAYS // ratings
        yield Incoming(
            id=f"rating-{first_item}-{n:09d}",
            item=item,
            who=Who(f"rater {rater}", rater),
            version=version,
            answers=None if skip else answers,
            skip_reason="broken" if skip else None,
            received=f"2026-{1 + day // 28:02d}-{1 + day % 28:02d}T10:00:00.000000Z",
            pace=Pace(wall_seconds=30.0, active_seconds=20.0 + n % 10),
        )


def prepared(store: SqlStore, folder: Path, items: int, raters: int, ratings: int) -> DeskSite:
    (folder / "study.yaml").write_text(json.dumps(DECLARED))
    loaded = load_study(folder)
    if STUDY not in store.studies.names():
        begun = perf_counter()
        store.studies.add_version(STUDY, loaded.version)
        store.loader.load(STUDY, new_items(items))
        print(f"{items:,} items loaded in {perf_counter() - begun:.0f} s")
        bring(store, new_ratings(ratings, raters, loaded.version.hash, 1))
        store.board.keep(STUDY, NUMBERS, Kept("then", json.dumps(statistics_of(raters)), THEN, 1.0))
    desk = desk_for(store, STUDY, loaded.version)
    return desk_site({STUDY: Watched(desk, folder)}, store)


def statistics_of(raters: int) -> dict[str, Any]:
    """As long as those of ten questions are: the page reads them, however they came about."""
    line = {"value": 0.5, "low": 0.4, "high": 0.6, "n": 700, "why": None}
    named = [{"name": name, "question": f"q{q}", **line} for name in CALLED for q in range(10)]
    return {"agreement": [], "alerts": [], "raters": {str(n + 1): named for n in range(raters)}}


def bring(store: SqlStore, ratings: Iterator[Incoming]) -> None:
    begun = perf_counter()
    taken = store.imports.import_ratings(STUDY, ratings, capacity=3, details={})
    print(f"{taken.new:,} ratings recorded in {perf_counter() - begun:.1f} s")


def addresses(store: SqlStore) -> dict[str, str]:
    api, page = f"/api/studies/{STUDY}", f"/desk/s/{STUDY}"
    item = store.verdicts.hidden(STUDY, 1).public
    return {
        "page of studies": "/desk",
        "page of progress": page,
        "page of raters": f"{page}/raters",
        "page of one rater": f"{page}/raters/1",
        "page of the timesheet": f"{page}/timesheet",
        "page of items": f"{page}/items",
        "page of one item": f"{page}/items/{item}",
        "progress": f"{api}/progress",
        "raters by speed": f"{api}/raters?sort=speed&count=200",
        "one rater": f"{api}/raters/1",
        "timesheet by day": f"{api}/timesheet?by=day",
        "timesheet as a file": f"{api}/timesheet.csv?by=day",
        "items": f"{api}/items?count=100",
        "items far on": f"{api}/items?count=100&after=0.0_990000",
        "items waiting": f"{api}/items?stage=waiting&count=100",
        "items of a batch": f"{api}/items?batch=50&count=100",
        "items by disagreement": f"{api}/items?mark=split&count=100",
        "items with comments": f"{api}/items?mark=comments&count=100",
        "skipped by several": f"{api}/items?mark=skipped&skips=2&count=100",
        "text that is there": f"{api}/items?find=answer%2099123%20",
        "text that is nowhere": f"{api}/items?find=nowhere",
        "one item": f"{api}/items/{item}",
        "log": f"{api}/log",
    }


class Visitor:
    def __init__(self, site: DeskSite) -> None:
        served = {name: Served(one.desk, one.media) for name, one in site.studies.items()}
        app = build(site_for(served, site.stores.sessions), (), site)
        transport = httpx.ASGITransport(app=app)
        self.client = httpx.AsyncClient(transport=transport, base_url="http://127.0.0.1", timeout=600)
        people = site.stores.people
        secret = entering.link(people, entering.local_person(people), "sign-in", "benchmark")
        assert asyncio.run(self.client.post("/api/session", json={"link": secret})).is_success

    def seconds(self, address: str) -> float:
        begun = perf_counter()
        answer = asyncio.run(self.client.get(address, headers={"accept": "text/html"}))
        taken = perf_counter() - begun
        assert answer.is_success, (address, answer.status_code, answer.text[:300])
        return taken


def settled(site: DeskSite) -> float:
    """Until everything is counted, behind the pages as it is there."""
    begun = perf_counter()
    while site.counters.refresh(STUDY):
        sleep(0.2)
    return perf_counter() - begun


def measured(visitor: Visitor, there: dict[str, str], times: int) -> list[str]:
    late = []
    print(f"{'':24}{'median':>10}{'most':>10}{'processor':>12}")
    for name, address in there.items():
        begun = process_time()
        taken = sorted(visitor.seconds(address) for _ in range(times))
        own = (process_time() - begun) / times
        middle, most = statistics.median(taken), taken[-1]
        print(f"{name:24}{1000 * middle:>7.0f} ms{1000 * most:>7.0f} ms{1000 * own:>9.0f} ms")
        late += [name] if middle > LIMIT else []
    return late


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--items", type=int, default=1_000_000)
    parser.add_argument("--raters", type=int, default=200)
    parser.add_argument("--ratings", type=int, default=300_000)
    parser.add_argument("--at", type=Path, default=None)
    given = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="rubrica-desk-") as folder:
        where = given.at or Path(folder) / "desk.db"
        with open_store(where) as store:
            run(store, Path(folder), given.items, given.raters, given.ratings)


def told(visitor: Visitor, what: str, address: str) -> float:
    begun = process_time()
    taken = visitor.seconds(address)
    own = process_time() - begun
    print(f"{what}: {1000 * taken:.0f} ms, {1000 * own:.0f} ms of the processor")
    return taken


def run(store: SqlStore, folder: Path, items: int, raters: int, ratings: int) -> None:
    site = prepared(store, folder, items, raters, ratings)
    site.warm()  # as the server does when it has started
    visitor, there = Visitor(site), addresses(store)
    late: Sequence[str] = []
    for name in ("page of progress", "page of items"):
        taken = told(visitor, f"first look, nothing counted yet: {name}", there[name])
        late = [*late, name] if taken > LIMIT else late
    print(f"everything counted after {settled(site):.0f} s more, behind the pages")
    late = [*late, *measured(visitor, there, TIMES)]
    version = site.study(STUDY).desk.version.hash
    bring(store, new_ratings(3_000, raters, version, ratings // 3 + 10))
    told(visitor, "page of progress after 3,000 more ratings", there["page of progress"])
    settled(site)
    print("no page is late" if not late else f"LATE (over {1000 * LIMIT:.0f} ms): {', '.join(late)}")


if __name__ == "__main__":
    main()
