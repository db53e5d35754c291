"""How long `rubrica report` takes: over a million ratings, and over the three demo studies.

    python benchmarks/report.py [--items 200000] [--raters 5] [--only million|demo]

The ratings of the large study are written straight into its database, from one that came the usual
way, because a million submits take longer than what is measured here. Each report runs as a process
of its own, as a user starts it; seconds by the clock and of the processor, and peak memory.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import sqlite3
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

import numpy as np

from rubrica.assignment.contract import Design
from rubrica.assignment.everyone import POLICY
from rubrica.cli import run
from rubrica.cli.demo import bundled
from rubrica.cli.opening import opened
from rubrica.exchange.starting.frame import BUNDLED
from rubrica.ratings.model import Answer, Pace, Submission

QUESTIONS = ("right", "complete", "overall")
CREW = 300
STUDY = """\
rubrica: 1
title: A large study
items:
  from: items.jsonl
  key: id
  system: system
  thread: {by: input, kind: set}
  show: [{text: text}]
  verdict: {judge: {path: score, question: right}}
questions:
  right: {kind: scale, ask: Right?, levels: {1: No, 2: Hardly, 3: Partly, 4: Nearly, 5: Yes}}
  complete: {kind: scale, ask: Complete?, levels: {1: No, 2: Hardly, 3: Partly, 4: Nearly, 5: Yes}}
  overall: {kind: scale, ask: Good?, levels: {1: No, 2: Hardly, 3: Partly, 4: Nearly, 5: Yes}}
raters: {per_item: all}
"""


def items_of(count: int) -> Iterator[str]:
    """Four systems' outputs for each input, with a judge's score that is sometimes missing."""
    rng = np.random.default_rng(1)
    truth = np.clip(np.round(rng.normal(3, 1, count)), 1, 5)
    for n in range(count):
        score = None if n % 20 == 0 else int(truth[n])
        one = {"id": f"item {n}", "system": "ABCD"[n % 4], "input": n // 4, "score": score}
        yield json.dumps({**one, "text": f"Answer {n}. " * 10}) + "\n"


def large(folder: Path, items: int, per_item: int) -> Path:
    """The study with all its ratings."""
    study = folder / "large"
    study.mkdir()
    (study / "study.yaml").write_text(STUDY, encoding="utf-8")
    with (study / "items.jsonl").open("w", encoding="utf-8") as file:
        file.writelines(items_of(items))
    with opened(study) as found:
        for number in range(CREW):
            found.store.accounts.add_rater(found.name, f"rater {number}", "", "en", {})
        (place,) = found.store.places.reserve(found.name, 1, 1, POLICY, Design(1, items, None))
        answers = {name: Answer("answered", 3) for name in QUESTIONS}
        pace = Pace("2026-03-01T10:00:00Z", "2026-03-01T10:00:30Z", 30.0, 28.0)
        version = found.loaded.version.hash
        sent = Submission(f"{0:032x}", found.name, place.id, 1, place.item, version, answers, pace=pace)
        found.store.ratings.submit(sent).result()
    _multiply(study / "rubrica.db", per_item)
    return study


def _multiply(database: Path, per_item: int) -> None:
    """Places and ratings for every item, like the one that is there."""
    with sqlite3.connect(database, isolation_level=None) as db:
        db.execute("PRAGMA synchronous=OFF")
        names, place = _row(db, "places")
        of_rating, rating = _row(db, "ratings")
        ids = [one for (one,) in db.execute("SELECT id FROM items ORDER BY id")]
        rng = np.random.default_rng(2)
        levels = np.clip(np.round(rng.normal(3, 1, (len(ids), per_item, 3))), 1, 5).astype(int)
        db.execute("BEGIN")
        wanted = f"INSERT INTO places ({', '.join(names)}) VALUES ({', '.join('?' * len(names))})"
        db.executemany(wanted, _places(names, place, ids, per_item))
        wanted = (
            f"INSERT INTO ratings ({', '.join(of_rating)}) VALUES ({', '.join('?' * len(of_rating))})"
        )
        db.executemany(wanted, _ratings(of_rating, rating, ids, per_item, levels))
        db.execute("COMMIT")


def _row(db: sqlite3.Connection, table: str) -> tuple[list[str], list[object]]:
    found = db.execute(f"SELECT * FROM {table}")
    return [column[0] for column in found.description], list(found.fetchone())


def _spots(ids: list[int], per_item: int) -> Iterator[tuple[int, int, int, int]]:
    """Number, item, rater, and which of the rater's items it is; the first is there already."""
    for n, item in enumerate(ids):
        first = n // 40 * per_item % CREW
        for k in range(per_item):
            if n or k:
                yield n * per_item + k, item, (first + k) % CREW + 1, n + 2


def _places(
    names: list[str], like: list[object], ids: list[int], per_item: int
) -> Iterator[list[object]]:
    for number, item, rater, order in _spots(ids, per_item):
        new = {"id": 10 + number, "item": item, "rater": rater, "number": order}
        new["rating"] = f"{number:032x}"
        yield [new.get(name, old) for name, old in zip(names, like, strict=True)]


def _ratings(
    names: list[str], like: list[object], ids: list[int], per_item: int, levels: np.ndarray
) -> Iterator[list[object]]:
    text = str(like[names.index("answers")])
    kept = json.loads(text)
    place = {id_: n for n, id_ in enumerate(ids)}
    for number, item, rater, _ in _spots(ids, per_item):
        given = levels[place[item], number % per_item]
        answers = json.dumps(_answered(kept, given.tolist()))
        new = {"number": 10 + number, "id": f"{number:032x}", "place": 10 + number}
        new |= {"rater": rater, "item": item, "answers": answers}
        yield [new.get(name, old) for name, old in zip(names, like, strict=True)]


def _answered(kept: object, levels: list[int]) -> object:
    """The stored answers with other levels, whatever their form."""
    text = json.dumps(kept)
    for level in levels:
        text = text.replace('"value": 3', f'"level": {level}', 1)
    return json.loads(text.replace('"level"', '"value"'))


# --- measuring --------------------------------------------------------------------------------------


def report(study: Path, out: Path, *options: str) -> tuple[float, float, float]:
    """Seconds, seconds of the processor, peak memory in GB."""
    command = [sys.executable, "-c", "from rubrica.cli import main; main()", "report", str(study)]
    start = time.perf_counter()
    with subprocess.Popen([*command, "--out", str(out), *options], stdout=subprocess.DEVNULL) as child:
        _, status, used = os.wait4(child.pid, 0)
        child.returncode = os.waitstatus_to_exitcode(status)
    if child.returncode:
        raise SystemExit(f"the report of {study} ended with {child.returncode}")
    took = time.perf_counter() - start
    return took, used.ru_utime + used.ru_stime, used.ru_maxrss / 1e6


def million(folder: Path, items: int, per_item: int) -> None:
    study = large(folder, items, per_item)
    took, worked, peak = report(study, folder / "out")
    found = json.loads((folder / "out" / "report.json").read_text(encoding="utf-8"))
    print(f"report over {found['asked']['ratings']:,} ratings of {items:,} items, 3 questions, a judge")
    print(
        f"  {took:.1f} s ({worked:.1f} s of processor), peak memory {peak:.2f} GB   (aim: 30 s, 2 GB)"
    )


def demo(folder: Path) -> None:
    database = str(folder / "demo.db")
    total = 0.0
    for name in BUNDLED:
        study = bundled(name, folder)
        if run(["simulate", str(study), "--db", database, "--raters", "4"]):
            raise SystemExit(1)
        took, worked, _ = report(study, folder / f"out-{name}", "--db", database)
        total += worked
        print(f"report over the demo of {name}: {took:.1f} s ({worked:.1f} s of processor)")
    print(f"  together {total:.1f} s of processor   (aim: 5 s)")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--items", type=int, default=200_000)
    parser.add_argument("--raters", type=int, default=5)
    parser.add_argument("--only", choices=["million", "demo"])
    given = parser.parse_args()
    folder = Path(tempfile.mkdtemp(prefix="rubrica-report-"))
    try:
        if given.only != "million":
            demo(folder)
        if given.only != "demo":
            million(folder, given.items, given.raters)
    finally:
        shutil.rmtree(folder)


if __name__ == "__main__":
    main()
