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
from dataclasses import dataclass
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


class Batch:
    """Jobs that were put together: one future for the answers to all, problems among them."""

    __slots__ = ("_answers", "_open", "future")

    def __init__(self, count: int) -> None:
        self.future: Future[Sequence[Any]] = Future()
        self.future.set_running_or_notify_cancel()
        self._answers: list[Any] = [None] * count
        self._open = count

    def tell(self, at: int, answer: Any) -> None:
        """Only the writer's thread tells."""
        self._answers[at] = answer
        self._open -= 1
        if not self._open:
            self.future.set_result(self._answers)


@dataclass(slots=True, eq=False)
class Job:
    handler: Handler
    payload: Any
    key: Hashable
    of: Future[Any] | Batch
    at: int = 0

    def begins(self) -> bool:
        """Whether it is still wanted."""
        return isinstance(self.of, Batch) or self.of.set_running_or_notify_cancel()

    def tell(self, answer: Any) -> None:
        if isinstance(self.of, Batch):
            self.of.tell(self.at, answer)
        elif isinstance(answer, BaseException):
            self.of.set_exception(answer)
        else:
            self.of.set_result(answer)


def each(tx: Tx, calls: Sequence[Callable[[Tx], Any]]) -> Sequence[Any]:
    """The handler of jobs that are written one by one, though in the same transaction."""
    return [call(tx) for call in calls]


class Writer:
    def __init__(self, database: Database, handlers: Sequence[Handler]) -> None:
        """`handlers` in the order in which their jobs are written within a group."""
        self._database = database
        self._order = [*handlers, each]
        self._queue: SimpleQueue[Sequence[Job] | None] = SimpleQueue()
        self._waiting: deque[Job] = deque()
        self._closing = Lock()
        self._closed = False
        self._thread = Thread(target=self._work, name="rubrica-writer", daemon=True)
        self._thread.start()

    def put(self, handler: Handler, payload: Any, key: Hashable) -> Future[Any]:
        future: Future[Any] = Future()
        self._put([Job(handler, payload, key, future)])
        return future

    def put_all(
        self, handler: Handler, payloads: Sequence[Any], keys: Sequence[Hashable]
    ) -> Future[Sequence[Any]]:
        """Any number of jobs with one future: the answers in order, problems as they are."""
        batch = Batch(len(payloads))
        if not payloads:
            batch.future.set_result([])
            return batch.future
        pairs = enumerate(zip(payloads, keys, strict=True))
        self._put([Job(handler, payload, key, batch, at) for at, (payload, key) in pairs])
        return batch.future

    def _put(self, jobs: Sequence[Job]) -> None:
        with self._closing:
            if self._closed:
                raise Problem(UNREACHABLE, details={"reason": "it has been closed"})
            self._queue.put(jobs)

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
                jobs = self._queue.get(block=not self._waiting)
                if jobs is None:
                    return False
                self._waiting.extend(jobs)
        except Empty:
            pass
        return open_

    def _group(self) -> list[Job]:
        """As many jobs from the front as speak of different things."""
        group: list[Job] = []
        keys: set[Hashable] = set()
        while len(group) < GROUP and self._waiting and self._waiting[0].key not in keys:
            job = self._waiting.popleft()
            keys.add(job.key)
            if job.begins():
                group.append(job)
        return group

    def _write(self, group: list[Job], *, anew: bool = False) -> None:
        try:
            answers = self._transaction(group)
        except BaseException as error:
            if lost(error) and anew:
                # No job is at fault; to wait for a server that is away once for each would take long.
                for job in group:
                    job.tell(error)
            elif lost(error):
                self._write(group, anew=True)
            elif len(group) == 1:
                self._again(group[0], error)
            else:
                for job in group:
                    self._write([job])
        else:
            for job, answer in zip(group, answers, strict=True):
                job.tell(answer)

    def _again(self, job: Job, error: BaseException) -> None:
        for _ in range(ATTEMPTS - 1):
            if not passes(error):
                break
            try:
                answer = self._transaction([job])[0]
            except BaseException as again:
                error = again
            else:
                return job.tell(answer)
        return job.tell(error)

    def _transaction(self, group: list[Job]) -> list[Any]:
        """All jobs in one transaction; their answers count only now that it is committed."""
        answers: dict[int, Any] = {}
        with self._database.write() as tx:
            for handler in self._order:
                numbers = [n for n, job in enumerate(group) if job.handler == handler]
                if numbers:
                    found = handler(tx, [group[n].payload for n in numbers])
                    answers.update(zip(numbers, found, strict=True))
        return [answers[n] for n in range(len(group))]
