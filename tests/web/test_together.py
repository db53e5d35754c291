"""Requests that come together are handled together, each with its own answer."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from threading import Event, Thread
from typing import Any

import pytest
from looping import in_a_loop

from rubrica.errors import Problem
from rubrica.web.problems import NOT_FOUND
from rubrica.web.together import Tell, Together


def test_what_comes_while_others_are_looked_at_goes_together() -> None:
    batches: list[list[int]] = []
    go_on = Event()

    def act(asked: Sequence[int], tell: Tell) -> None:
        batches.append(list(asked))
        if len(batches) == 1:
            go_on.wait(10)
        for at, number in enumerate(asked):
            tell(at, number * 10)

    async def everybody() -> list[int]:
        together = Together(act)
        first = together(1)
        while not batches:
            await asyncio.sleep(0.001)
        rest = [together(number) for number in (2, 3, 4)]
        go_on.set()
        return [await one for one in (first, *rest)]

    assert in_a_loop(everybody()) == [10, 20, 30, 40]
    assert batches == [[1], [2, 3, 4]]


def test_in_lanes_one_batch_need_not_wait_for_another() -> None:
    met = Event()

    def act(asked: Sequence[str], tell: Tell) -> None:
        if asked == ["waits"]:
            tell(0, met.wait(10))
        else:
            met.set()
            tell(0, True)

    async def both() -> list[bool]:
        together = Together(act, lanes=2)
        first = together("waits")
        await asyncio.sleep(0.02)
        second = together("comes later")
        return [await first, await second]

    assert in_a_loop(both()) == [True, True]


def test_one_that_fails_fails_alone() -> None:
    def act(asked: Sequence[int], tell: Tell) -> None:
        for at, number in enumerate(asked):
            tell(at, Problem(NOT_FOUND) if number == 2 else number)

    async def everybody() -> list[Any]:
        together = Together(act)
        return await asyncio.gather(*map(together, (1, 2, 3)), return_exceptions=True)

    one, problem, three = in_a_loop(everybody())
    assert (one, three) == (1, 3)
    assert problem.code == NOT_FOUND.code


def test_what_breaks_breaks_for_all_that_have_no_answer() -> None:
    def act(_: Sequence[int], tell: Tell) -> None:
        tell(0, "safe")
        raise ValueError("broken")

    async def everybody() -> list[Any]:
        together = Together(act)
        return await asyncio.gather(*map(together, (1, 2)), return_exceptions=True)

    safe, broken = in_a_loop(everybody())
    assert safe == "safe"
    assert isinstance(broken, ValueError)


def test_answers_may_come_later_and_from_any_thread() -> None:
    def act(asked: Sequence[int], tell: Tell) -> None:
        Thread(target=lambda: [tell(at, number) for at, number in enumerate(asked)]).start()

    async def everybody() -> list[Any]:
        together = Together(act)
        return await asyncio.gather(*map(together, range(50)))

    assert in_a_loop(everybody()) == list(range(50))


def test_it_serves_one_loop_after_another() -> None:
    def act(asked: Sequence[int], tell: Tell) -> None:
        for at, number in enumerate(asked):
            tell(at, number)

    together = Together(act)

    async def ask(number: int) -> int:
        found: int = await together(number)
        return found

    assert [in_a_loop(ask(number)) for number in (1, 2)] == [1, 2]


@pytest.mark.parametrize("count", [1, 700])
def test_however_many_come_each_gets_its_own(count: int) -> None:
    def act(asked: Sequence[int], tell: Tell) -> None:
        assert len(asked) <= 256
        for at, number in enumerate(asked):
            tell(at, -number)

    async def everybody() -> list[int]:
        together = Together(act)
        return list(await asyncio.gather(*map(together, range(count))))

    assert in_a_loop(everybody()) == [-number for number in range(count)]
