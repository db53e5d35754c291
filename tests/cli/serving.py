"""`rubrica serve` in processes of its own, as an operator runs it, and raters who speak HTTP to it."""

from __future__ import annotations

import os
import re
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from tests.waiting import children, until

COMMAND = "from rubrica.cli import main; main()"


class Served:
    """A running `rubrica serve`."""

    def __init__(self, log: Path, *args: object) -> None:
        self.log = log
        with log.open("wb") as out:
            self.process = subprocess.Popen(
                [sys.executable, "-c", COMMAND, "serve", *map(str, args)],
                stdout=out,
                stderr=subprocess.STDOUT,
                env={**os.environ, "PYTHONUNBUFFERED": "1"},
            )

    @property
    def url(self) -> str:
        def printed() -> str | None:
            assert self.process.poll() is None, self.said()
            found = re.search(r"(http://\S+?)/s/\S+  \(for raters\)", self.said())
            return found[1] if found else None

        return until(printed, "the address")

    def said(self) -> str:
        return self.log.read_text(errors="replace")

    def workers(self) -> list[int]:
        """Their numbers; the process that cleans up after them is none."""
        commands = (
            (pid, Path(f"/proc/{pid}/cmdline").read_bytes()) for pid in children(self.process.pid)
        )
        return [pid for pid, command in commands if b"spawn_main" in command]

    def stop(self, how: signal.Signals = signal.SIGTERM) -> int:
        if self.process.poll() is None:
            self.process.send_signal(how)
        try:
            return self.process.wait(30)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
            raise


@contextmanager
def served(log: Path, *args: object) -> Iterator[Served]:
    made = Served(log, *args)
    try:
        yield made
    finally:
        made.stop()


def free_port() -> int:
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        return int(found.getsockname()[1])
