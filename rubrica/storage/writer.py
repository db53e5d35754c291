"""One thread writes; what waits is written together, in one transaction.

Every job says by a key what it is about. No group holds two jobs of one key, so handlers never see two
wishes for the same place and the order of one caller's jobs is kept. A group that fails is undone and
its jobs tried one by one: a bad one never fails its neighbours. Where the server was lost, the whole
group is tried once more on a new link.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Hashable, Sequence
from concurrent.futures import Future
from dataclasses import dataclass, field
from queue import Empty, SimpleQueue
from threading import Lock, Thread
from typing import Any, TypeVar, cast

from rubrica.errors import Problem
from rubrica.storage.database import Database
from rubrica.storage.faults import lost, passes
from rubrica.storage.rules import UNREACHABLE
from rubrica.storage.sql import Tx

T = TypeVar("T")
Handler = Callable[[Tx, Sequence[Any]], Sequence[Any]]
"""Writes all payloads and answers each: a result, or the problem it is refused with."""

GROUP = 256
ATTEMPTS = 3


@dataclass(slots=True, eq=False)
class Job:
    handler: Handler
    payload: Any
    key: Hashable
    future: Future[Any] = field(default_factory=Future)


def each(tx: Tx, calls: Sequence[Callable[[Tx], Any]]) -> Sequence[Any]:
    """The handler of jobs that are written one by one, though in the same transaction."""
    return [call(tx) for call in calls]


class Writer:
    def __init__(self, database: Database, handlers: Sequence[Handler]) -> None:
        """`handlers` in the order in which their jobs are written within a group."""
        self._database = database
        self._order = [*handlers, each]
        self._queue: SimpleQueue[Job | None] = SimpleQueue()
        self._waiting: deque[Job] = deque()
        self._closing = Lock()
        self._closed = False
        self._thread = Thread(target=self._work, name="rubrica-writer", daemon=True)
        self._thread.start()

    def put(self, handler: Handler, payload: Any, key: Hashable) -> Future[Any]:
        job = Job(handler, payload, key)
        with self._closing:
            if self._closed:
                raise Problem(UNREACHABLE, details={"reason": "it has been closed"})
            self._queue.put(job)
        return job.future

    def call(self, call: Callable[[Tx], T], key: Hashable = None) -> T:
        """Write something and wait for it."""
        return cast(T, self.put(each, call, object() if key is None else key).result())

    def close(self) -> None:
        """Write all that waits, then end."""
        with self._closing:
            if self._closed:
                return
            self._closed = True
            self._queue.put(None)
        self._thread.join()

    def _work(self) -> None:
        open_ = True
        while open_ or self._waiting:
            open_ = self._gather(open_)
            if group := self._group():
                self._write(group)

    def _gather(self, open_: bool) -> bool:
        """Take what has come; wait only if there is nothing at all to do."""
        try:
            while open_ and len(self._waiting) < GROUP:
                job = self._queue.get(block=not self._waiting)
                if job is None:
                    return False
                self._waiting.append(job)
        except Empty:
            pass
        return open_

    def _group(self) -> list[Job]:
        """As many jobs from the front as speak of different things."""
        group: list[Job] = []
        keys: set[Hashable] = set()
        while self._waiting and self._waiting[0].key not in keys:
            job = self._waiting.popleft()
            keys.add(job.key)
            if job.future.set_running_or_notify_cancel():
                group.append(job)
        return group

    def _write(self, group: list[Job], *, anew: bool = False) -> None:
        try:
            answers = self._transaction(group)
        except BaseException as error:
            if lost(error) and anew:
                # No job is at fault; to wait for a server that is away once for each would take long.
                for job in group:
                    job.future.set_exception(error)
            elif lost(error):
                self._write(group, anew=True)
            elif len(group) == 1:
                self._again(group[0], error)
            else:
                for job in group:
                    self._write([job])
        else:
            for job, answer in zip(group, answers, strict=True):
                _answer(job, answer)

    def _again(self, job: Job, error: BaseException) -> None:
        for _ in range(ATTEMPTS - 1):
            if not passes(error):
                break
            try:
                return _answer(job, self._transaction([job])[0])
            except BaseException as again:
                error = again
        job.future.set_exception(error)
        return None

    def _transaction(self, group: list[Job]) -> list[Any]:
        """All jobs in one transaction; their answers count only now that it is committed."""
        answers: dict[int, Any] = {}
        with self._database.write() as tx:
            for handler in self._order:
                jobs = [job for job in group if job.handler == handler]
                if jobs:
                    found = handler(tx, [job.payload for job in jobs])
                    answers.update((id(job), answer) for job, answer in zip(jobs, found, strict=True))
        return [answers[id(job)] for job in group]


def _answer(job: Job, answer: Any) -> None:
    if isinstance(answer, Problem):
        job.future.set_exception(answer)
    else:
        job.future.set_result(answer)
