"""Several processes behind one socket: one that dies is replaced, all end together."""

from __future__ import annotations

import os
import signal
import socket
from collections.abc import Iterator
from multiprocessing import get_context

import pytest
from answering import dies, keep

from rubrica.web.server import listen
from rubrica.web.workers import keep_serving
from tests.waiting import is_alive, until


@pytest.fixture
def port() -> int:
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        return int(found.getsockname()[1])


@pytest.fixture
def keeper(port: int) -> Iterator[int]:
    process = get_context("spawn").Process(target=keep, args=(port,))
    process.start()
    assert process.pid is not None
    yield process.pid
    process.terminate()
    process.join()


def ask(port: int) -> int | None:
    """Which worker answers, if any does."""
    try:
        with socket.create_connection(("127.0.0.1", port), 1) as link:
            return int(link.recv(99) or 0) or None
    except OSError:
        return None


def both(port: int) -> set[int]:
    """The two workers there are, once both have been heard of."""
    heard: set[int] = set()

    def more() -> bool:
        heard.update(filter(None, [ask(port)]))
        heard.intersection_update({pid for pid in heard if is_alive(pid)})
        return len(heard) == 2

    until(more, "two workers")
    return heard


def test_a_worker_that_dies_is_replaced_and_all_end_with_their_keeper(keeper: int, port: int) -> None:
    before = both(port)
    os.kill(min(before), signal.SIGKILL)
    until(lambda: not is_alive(min(before)), "its death")
    after = both(port)
    assert len(after & before) == 1
    os.kill(keeper, signal.SIGKILL)
    until(lambda: not any(map(is_alive, after)), "the end of all")


def test_all_end_when_their_keeper_is_asked_to_stop(keeper: int, port: int) -> None:
    workers = both(port)
    os.kill(keeper, signal.SIGTERM)
    until(lambda: not any(map(is_alive, workers)), "the end of all")


def test_workers_that_cannot_begin_are_not_tried_for_ever() -> None:
    with listen("127.0.0.1", 0) as bound:
        assert not keep_serving(2, dies, None, bound, lambda: None)
