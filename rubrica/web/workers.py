"""Several processes that serve one socket, and the one that keeps them going.

A worker that dies takes only the requests it was answering with it: another one takes its place. A
worker whose keeper dies ends by itself, so that nothing serves on unseen.
"""

from __future__ import annotations

import logging
import os
import signal
import socket
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from multiprocessing import get_context
from multiprocessing.connection import Connection, wait
from multiprocessing.process import BaseProcess
from threading import Thread
from time import monotonic
from typing import Any, TypeVar

from rubrica.errors import Problem, Problems

T = TypeVar("T")
Ready = Callable[[], None]
Serve = Callable[[T, socket.socket, Ready], None]
"""What a worker does: given what all have in common, the socket, and whom to tell that it answers."""

DRAIN_SECONDS = 20.0
"""Longer than a server needs to answer what it has begun."""
LEAST_WAIT, MOST_WAIT = 0.1, 5.0
"""Seconds between a worker's death and the next one in its place; more where each dies early."""

log = logging.getLogger("rubrica")
spawn = get_context("spawn")


def keep_serving(count: int, serve: Serve[T], what: T, bound: socket.socket, ready: Ready) -> bool:
    """Keep so many workers until asked to stop; whether they could serve at all.

    `ready` is called when the first of them answers.
    """
    with _stop_signals() as stopped:
        keeper = Keeper(serve, what, bound, ready)
        seats = [Seat() for _ in range(count)]
        try:
            return keeper.keep(seats, stopped)
        finally:
            keeper.end(seats)


@dataclass(eq=False)
class Seat:
    """A place for a worker, and the worker in it."""

    process: BaseProcess | None = None
    line: Connection | None = None
    answers: bool = False
    wait: float = LEAST_WAIT
    at: float = 0.0
    """When the next worker may be started."""


@dataclass
class Keeper:
    serve: Serve[Any]
    what: Any
    bound: socket.socket
    ready: Ready
    _told: bool = field(default=False, init=False)

    def keep(self, seats: list[Seat], stopped: Connection) -> bool:
        while True:
            for seat in seats:
                if seat.process is None and monotonic() >= seat.at:
                    self._start(seat)
            found = wait([stopped, *_watched(seats)], self._patience(seats))
            if stopped in found:
                return True
            for seat in [seat for seat in seats if any(one in found for one in _of(seat))]:
                self._look(seat)
            if not self._told and all(seat.process is None for seat in seats):
                return False

    def end(self, seats: list[Seat]) -> None:
        """Ask all to finish what they have begun, and see that they do."""
        running = [seat.process for seat in seats if seat.process is not None]
        for process in running:
            process.terminate()
        until = monotonic() + DRAIN_SECONDS
        for process in running:
            process.join(max(0.0, until - monotonic()))
            if process.is_alive():
                log.warning("a worker did not end in time and is stopped")
                process.kill()
                process.join()

    def _start(self, seat: Seat) -> None:
        ours, theirs = spawn.Pipe()
        process = spawn.Process(
            target=_work, args=(self.serve, self.what, self.bound, theirs), name="rubrica-worker"
        )
        process.start()
        theirs.close()
        seat.process, seat.line, seat.answers = process, ours, False

    def _look(self, seat: Seat) -> None:
        """The worker says that it answers, or has ended."""
        assert seat.process is not None  # noqa: S101
        assert seat.line is not None  # noqa: S101
        if not seat.answers and seat.line.poll():
            try:
                seat.line.recv()
            except EOFError:
                pass
            else:
                return self._answers(seat)
        seat.process.join()
        seat.line.close()
        if self._told:
            log.warning("a worker ended (%s); another one takes its place", seat.process.exitcode)
        seat.wait = LEAST_WAIT if seat.answers else min(MOST_WAIT, seat.wait * 2)
        seat.process, seat.line, seat.at = None, None, monotonic() + seat.wait
        return None

    def _answers(self, seat: Seat) -> None:
        seat.answers = True
        if not self._told:
            self._told = True
            self.ready()

    def _patience(self, seats: list[Seat]) -> float | None:
        due = [seat.at for seat in seats if seat.process is None]
        return max(0.0, min(due) - monotonic()) if due else None


def _watched(seats: list[Seat]) -> Iterator[Any]:
    for seat in seats:
        yield from _of(seat)


def _of(seat: Seat) -> list[Any]:
    if seat.process is None:
        return []
    return [seat.process.sentinel] if seat.answers else [seat.process.sentinel, seat.line]


@contextmanager
def _stop_signals() -> Iterator[Connection]:
    """What becomes readable once somebody asks this process to stop."""
    hear, tell = spawn.Pipe(duplex=False)

    def stop(*_: object) -> None:
        tell.send_bytes(b"stop")

    before = {number: signal.signal(number, stop) for number in (signal.SIGTERM, signal.SIGINT)}
    try:
        yield hear
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
        tell.close()
        hear.close()


# --- inside a worker ------------------------------------------------------------------------------


def _work(serve: Serve[T], what: T, bound: socket.socket, line: Connection) -> None:
    Thread(target=_end_with_keeper, args=(line,), name="rubrica-keeper", daemon=True).start()
    try:
        serve(what, bound, lambda: line.send("ready"))
    except (Problem, Problems) as problem:
        print(problem, file=sys.stderr)  # noqa: T201
        sys.exit(1)
    except KeyboardInterrupt:
        pass


def _end_with_keeper(line: Connection) -> None:
    """Nothing is ever said on this line; that it breaks says that the keeper is gone."""
    try:
        line.recv()
    except (EOFError, OSError):
        os.kill(os.getpid(), signal.SIGTERM)
