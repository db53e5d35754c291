"""How fast items come from their files into the database, and in how much memory.

    python benchmarks/load_items.py              a million lines, half a minute
    python benchmarks/load_items.py 100000       fewer

Beside it, in the same run: the least anybody must do, `json.loads` of each line and an insert of its
text into a bare SQLite table, durable as ours. Each measurement has a process of its own, so that its
peak of memory is its own; a tenth of the lines is measured too, to see whether the peak grows.
"""

from __future__ import annotations

import json
import resource
import sqlite3
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

from rubrica.items.load import items_of
from rubrica.storage.open import open_store
from rubrica.study.load import load_study

STUDY = """\
rubrica: 1
title: A million answers
items:
  from: data.jsonl
  key: id
  system: model
  show:
    - {values: {Task: task.type}}
    - {text: question}
    - {markdown: answer}
  verdict: {overall: judge.overall}
questions:
  overall:
    kind: scale
    ask: How good is the answer?
    levels: {1: Bad, 2: Good}
    when: {item.action: mislead}
"""
THREADS = "  thread: {by: task.id, kind: sequence, order: time, restarts: turn}\n"


def line(number: int) -> str:
    record = {
        "id": f"item-{number}",
        "task": {"id": f"task-{number // 8}", "type": f"type {number % 7}"},
        "turn": number % 8,
        "time": f"2026-01-01T00:{number // 60_000 % 60:02}:{number // 1000 % 60:02}.{number % 1000:03}",
        "action": "mislead" if number % 3 else "describe",
        "question": f"What is to be seen in picture number {number}?",
        "answer": f"It shows a **thing** of kind {number % 100}. It is blue, and stands beside a tree.",
        "model": f"model {number % 4}",
        "judge": {"overall": number % 5 / 4, "why": "The answer names what is there."},
    }
    return json.dumps(record) + "\n"


def write(folder: Path, count: int, *, threads: bool = False) -> None:
    with (folder / "data.jsonl").open("w") as file:
        file.writelines(line(number) for number in range(count))
    study = STUDY.replace("  system: model\n", "  system: model\n" + (THREADS if threads else ""))
    (folder / "study.yaml").write_text(study)


def bare(folder: Path) -> int:
    with sqlite3.connect(folder / "bare.db") as database:
        database.execute("PRAGMA journal_mode=WAL")
        database.execute("PRAGMA synchronous=FULL")
        database.execute("CREATE TABLE items (key TEXT PRIMARY KEY, data TEXT)")
        with (folder / "data.jsonl").open() as file:
            rows = ((json.loads(text)["id"], text) for text in file)
            database.executemany("INSERT INTO items VALUES (?, ?)", rows)
        count: int = database.execute("SELECT count(*) FROM items").fetchone()[0]
    return count


def mapped(folder: Path) -> int:
    return sum(1 for _ in items_of(load_study(folder)))


def stored(folder: Path) -> int:
    loaded = load_study(folder)
    with open_store(folder / "rubrica.db") as store:
        store.studies.add_version(loaded.name, loaded.version)
        return store.loader.load(loaded.name, items_of(loaded)).new  # type: ignore[arg-type]


WAYS: dict[str, Callable[[Path], int]] = {"bare": bare, "mapped": mapped, "stored": stored}


def measure(way: str, count: int, *, threads: bool = False) -> dict[str, Any]:
    """Items a second and the peak of memory, in a process of its own."""
    with tempfile.TemporaryDirectory() as folder:
        write(Path(folder), count, threads=threads)
        command = [sys.executable, __file__, "--run", way, folder]
        ran = subprocess.run(command, check=True, capture_output=True, text=True)
    found: dict[str, Any] = json.loads(ran.stdout)
    assert found["items"] == count, found
    return found


def run(way: str, folder: str) -> None:
    start, busy = time.perf_counter(), time.process_time()
    items = WAYS[way](Path(folder))
    seconds, worked = time.perf_counter() - start, time.process_time() - busy
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    found = {"items": items, "rate": items / seconds, "megabytes": peak}
    print(json.dumps({**found, "micros": worked / items * 1e6}))


def main(arguments: Iterable[str]) -> None:
    count = int(next(iter(arguments), "1000000"))
    print(f"{count:,} lines                          items/s   peak MB   of bare   µs of processor")
    base = measure("bare", count)
    show("bare json.loads and insert", base, base)
    few = measure("mapped", count // 10)
    show("read and mapped, a tenth of the lines", few, base)
    show("read and mapped", measure("mapped", count), base)
    show("read and mapped, threads put in order", measure("mapped", count, threads=True), base)
    show("read, mapped and stored, a tenth", measure("stored", count // 10), base)
    show("read, mapped and stored", measure("stored", count), base)


def show(name: str, found: dict[str, Any], base: dict[str, Any]) -> None:
    ratio = found["rate"] / base["rate"]
    print(f"{name:<40}{found['rate']:>9,.0f} {found['megabytes']:>9,.0f} {ratio:>9.2f}", end="")
    print(f"{found['micros']:>18.1f}", flush=True)


if __name__ == "__main__":
    if "--run" in sys.argv:
        run(*sys.argv[2:])
    else:
        main(sys.argv[1:])
