"""Computations in a process of their own, so that the serving one stays light and quick."""

from __future__ import annotations

import json
import logging
import subprocess
import sys
from collections.abc import Mapping, Sequence
from threading import Event, Lock, Semaphore
from typing import Any

from rubrica.coordinator.rules import NO_COMPUTER
from rubrica.errors import Problem

AT_ONCE = 2
LONGEST = 3_600.0
GRACE = 1.0
"""Whoever ends the server often ends its processes first: for so long a failure is not told."""
COMMAND = (sys.executable, "-m", "rubrica.coordinator.computed")

log = logging.getLogger("rubrica")


class Computer:
    """Fulfils `Compute` for one database. A few at once; the rest wait their turn."""

    def __init__(self, database: str, command: Sequence[str] = COMMAND) -> None:
        self._database, self._command = database, command
        self._turn = Semaphore(AT_ONCE)
        self._running: set[subprocess.Popen[str]] = set()
        self._lock = Lock()
        self._closed = Event()

    def __call__(self, what: str, asked: Mapping[str, Any]) -> Mapping[str, Any]:
        given = json.dumps({"database": self._database, "what": what, "asked": dict(asked)})
        with self._turn:
            code, told, said = self._run(given)
        if code != 0:
            if not self._closed.wait(GRACE):
                log.error("a computation failed: %s", said.strip()[-2_000:])
            raise _problem(said.strip().rpartition("\n")[2] or f"its process ended with {code}")
        answer: dict[str, Any] = json.loads(told)
        if "problems" in answer:
            raise _problem("; ".join(p["message"] for p in answer["problems"]))
        found: dict[str, Any] = answer["found"]
        return found

    def _run(self, given: str) -> tuple[int, str, str]:
        pipe = subprocess.PIPE
        with self._lock:
            if self._closed.is_set():
                raise _problem("the server is stopping")
            process = subprocess.Popen(  # noqa: S603
                self._command, stdin=pipe, stdout=pipe, stderr=pipe, text=True
            )
            self._running.add(process)
        try:
            told, said = process.communicate(given, timeout=LONGEST)
        except subprocess.TimeoutExpired:
            process.kill()
            process.communicate()
            raise _problem("it took longer than an hour") from None
        finally:
            with self._lock:
                self._running.discard(process)
        return process.returncode, told, said

    def close(self) -> None:
        """End what still runs: nobody waits for it any more."""
        with self._lock:
            self._closed.set()
            for process in self._running:
                process.terminate()


def _problem(reason: str) -> Problem:
    return Problem(NO_COMPUTER, details={"reason": reason[:300]})
