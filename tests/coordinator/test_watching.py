"""What a coordinator watches: agreement so far, pace, and alerts that say what to do."""

from __future__ import annotations

import asyncio
import os
import signal
import sys
from collections.abc import Callable, Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from desking import Browser, World, computed_here, until, write_study
from looping import in_a_loop

from rubrica.accounts.model import Rater
from rubrica.coordinator.alerts import alerts
from rubrica.coordinator.computing import Computer
from rubrica.coordinator.live import NUMBERS, Found, events, is_running, start
from rubrica.coordinator.progress import finish, pace
from rubrica.errors import Problem
from rubrica.fieldwork.robots import Crew, simulate
from rubrica.review.board import Tally

FROM_STATISTICS = ("hurried_often", "straight_lining", "one_level", "drift", "gold_failures")
PROGRESS = "/api/studies/{}/progress"


def tally(
    rater: int, rated: int, skipped: int = 0, seconds: float = 0.0, day: str = "", unread: int = 0
) -> Tally:
    return Tally(rater, None, day or None, None, rated, skipped, 0, seconds, 0.0, unread, "a", "b")


def raters(*numbers: int) -> list[Rater]:
    return [Rater(number, "two", f"R{number}") for number in numbers]


def codes(tallies: Sequence[Tally], found: Sequence[Found] = (), **more: Any) -> list[tuple[str, Any]]:
    made = alerts(tallies, raters(1, 2, 3), more.get("marks", {}), more.get("skips", {}), found)
    for one in made:
        assert one.says.format(**one.values)
        assert one.do
    return [(one.code, one.rater) for one in made]


def test_many_skips_and_rushing_show_in_the_counts() -> None:
    usual = [tally(1, 20, seconds=600), tally(2, 20, seconds=640)]
    assert codes(usual) == []
    assert codes([*usual, tally(3, 20, 5, seconds=600)]) == [("many_skips", 3)]
    assert codes([*usual, tally(3, 20, 4, seconds=600)]) == []
    assert codes([*usual, tally(3, 20, seconds=100)]) == [("hurried", 3)]
    assert codes([*usual, tally(3, 9, seconds=20)]) == []


def test_ratings_sooner_than_one_can_read_show_in_the_counts() -> None:
    assert codes([tally(1, 3, unread=1)]) == [("unread", 1)]
    assert codes([tally(1, 40, unread=3)]) == []
    assert codes([tally(1, 40, unread=4)]) == [("unread", 1)]


def test_an_item_skipped_by_several_and_reports_show_in_the_counts() -> None:
    assert codes([], skips={1: 7}) == []
    assert codes([], skips={1: 7, 2: 3}) == [("skipped_by_several", None)]
    assert codes([], marks={"flags": 2}) == [("flags", None)]


def test_a_question_waits_on_the_first_page_until_it_is_answered(world: World) -> None:
    carl, rater = world.signed_in("carl", {"two": "coordinator"}), world.browser()
    rater.join("A")
    rater.done("/s/two/api/message", {"kind": "question", "text": "What is meant?"})
    (alert,) = carl.shown(PROGRESS.format("two"))["alerts"]
    assert (alert["code"], alert["values"], alert["link"]) == (
        "questions",
        {"n": 1},
        "messages?open=1",
    )
    assert "(1)</a>" in carl.get("/desk/s/two").text
    (asked,) = carl.shown("/api/studies/two/messages")["open"]
    carl.done("/api/studies/two/messages", {"text": "This.", "answers": asked})
    assert carl.shown(PROGRESS.format("two"))["alerts"] == []
    assert "(1)</a>" not in carl.get("/desk/s/two").text


def test_what_the_statistics_found_is_said_of_those_who_work() -> None:
    values = {"percent": 60, "n": 30, "question": "quality", "value": 0.4, "failed": 3}
    for code in FROM_STATISTICS:
        assert codes([], [Found(code, 1, values)]) == [(code, 1)]
        assert codes([], [Found(code, 9, values)]) == []
    rushed = [tally(1, 20, seconds=600), tally(2, 20, seconds=640), tally(3, 20, seconds=100)]
    assert codes(rushed, [Found("hurried_often", 3, values)]) == [("hurried", 3)]


def test_whoever_merely_joins_makes_nobody_s_work_less(owner: Browser, world: World) -> None:
    """Everybody rates every item here: what is wanted grows with the first rating of somebody new."""
    first = world.browser()
    first.join("A")
    for _ in range(6):
        first.rate(2)
    assert standing(owner) == (6, 6, 6)
    second = world.browser()
    second.join("B")
    assert standing(owner) == (6, 6, 6)
    second.rate(1)
    assert standing(owner) == (7, 12, 1)
    (line,) = (one for one in owner.shown("/api/studies") if one["study"] == "two")
    assert (line["given"], line["needed"]) == (7, 12)


def standing(owner: Browser) -> tuple[int, int, int]:
    shown = owner.shown(PROGRESS.format("two"))
    return shown["given"], shown["needed"], shown["done"]


def test_raters_the_file_names_are_wanted_from_the_start(world: World) -> None:
    world.open(write_study(world.folder / "two", raters={"join": "ids", "ids": ["A", "B"]}))
    owner, rater = world.signed_in("o", {"": "owner"}), world.browser()
    rater.join("A")
    rater.rate(2)
    assert standing(owner) == (1, 12, 0)
    owner.done("/api/studies/two/raters/invite", {"names": ["B"]})
    owner.done("/api/studies/two/raters/2/exclude", {"reason": "gone"})
    assert standing(owner) == (1, 6, 1)


def test_a_place_fetched_ahead_is_not_worked_on(owner: Browser, world: World) -> None:
    rater = world.browser()
    rater.join("A")
    assert owner.shown(PROGRESS.format("two"))["at_work"] == 0
    rater.done("/s/two/api/next", {"count": 3})
    assert owner.shown(PROGRESS.format("two"))["at_work"] == 1


def test_pace_and_finish_follow_the_last_week() -> None:
    now = datetime(2026, 3, 10, 12, tzinfo=UTC)
    days = [
        tally(1, 70, day="2026-01-01"),
        tally(1, 10, day="2026-03-09"),
        tally(1, 4, day="2026-03-10"),
    ]
    assert pace(days, now) == 2.0
    assert pace(days[1:], now) == 7.0
    assert pace([], now) is None
    assert pace([tally(1, 3, day="2026-01-01")], now) is None
    assert finish(now, 100, 86, 7.0) == "2026-03-12"
    assert finish(now, 100, 100, 7.0) is None
    assert finish(now, 10**9, 1, 1.0) == (now + timedelta(days=36_500)).date().isoformat()


@pytest.fixture
def busy(world: World) -> World:
    """Three robots and one straight-liner have rated a study with gold items."""
    questions = {
        name: {"kind": "scale", "ask": name, "levels": {1: "Bad", 2: "So-so", 3: "Good"}}
        for name in ("clear", "true", "useful")
    }
    items = {
        "from": "items.jsonl",
        "key": "id",
        "system": "model",
        "show": [{"text": "text"}],
        "gold": {"when": {"item.part": "part-0"}, "answers": {"true": "judge"}, "every": 2},
    }
    folder = write_study(world.folder / "busy", 40, questions=questions, items=items)
    world.open(folder, compute=computed_here(world.store))
    simulate(world.desks["busy"], Crew(raters=3, seed=3, dropouts=0.0, skips=0.0), lambda _: None)
    flat = world.browser()
    flat.join("flat", "busy")
    answers = {name: {"value": 3} for name in questions}
    for _ in range(30):
        flat.rate(3, "busy", answers=answers, pace={"active_seconds": 1.0})
    return world


@pytest.mark.slow
def test_agreement_and_raters_are_computed_behind_the_page(busy: World) -> None:
    owner = busy.signed_in("o", {"": "owner"})
    shown = until(
        lambda: owner.shown(PROGRESS.format("busy")), lambda p: p["agreement_made"] is not None
    )
    by_name = {one["question"]: one for one in shown["agreement"]}
    clear = by_name["clear"]
    assert clear["low"] <= clear["value"] <= clear["high"]
    assert clear["raters"] == 4
    found = {(a["code"], a["rater"]) for a in shown["alerts"]}
    assert {rater for code, rater in found if code == "straight_lining"} == {4}
    assert ("gold_failures", 4) in found
    numbers = owner.shown("/api/studies/busy/raters/4")["numbers"]
    lined = {n["name"]: n["value"] for n in numbers if n["question"] is None}
    assert lined["straight_lined_share"] == 1.0
    assert 0 < lined["gold_failed_share"] <= 1


@pytest.mark.slow
def test_the_list_of_raters_says_who_needs_a_look(busy: World) -> None:
    owner = busy.signed_in("o", {"": "owner"})
    listed = "/api/studies/busy/raters"
    shown = until(lambda: owner.shown(listed), lambda found: found["figures_made"] is not None)
    figures = {line["number"]: line["figures"] for line in shown["raters"]}
    assert figures[4]["straight_lined"] == 1.0
    assert figures[4]["gold_missed"] > 0
    assert figures[4]["severity"] > max(abs(figures[n]["severity"]) for n in (1, 2, 3))
    assert all(figures[n]["agreement"] is not None for n in (1, 2, 3))
    orders = {"straight_lined": "straight", "gold_missed": "gold", "severity": "severity"}
    for figure, sort in orders.items():
        found = [one["figures"][figure] for one in owner.shown(f"{listed}?sort={sort}")["raters"]]
        assert [abs(one) for one in found] == sorted(map(abs, found), reverse=True), sort
    worst = owner.shown(f"{listed}?sort=agreement")["raters"]
    known = [one["figures"]["agreement"] for one in worst if one["figures"]["agreement"] is not None]
    assert known == sorted(known)
    page = owner.get("/desk/s/busy/raters?sort=gold", accept="text/html").text
    assert "100%" in page


def test_a_process_of_its_own_gives_the_same_numbers(busy: World) -> None:
    desk = busy.desks["busy"]
    asked = {"study": "busy", "version": desk.version.hash}
    computer = Computer(str(busy.folder / "test.db"))
    assert computer("watched", asked) == computed_here(busy.store)("watched", asked)


def test_a_computation_that_cannot_be_done_says_why(world: World) -> None:
    computer = Computer(str(world.folder / "nowhere" / "x.db"))
    with pytest.raises(Problem, match="W119") as raised:
        computer("watched", {"study": "two", "version": "?"})
    assert "nowhere" in raised.value.message
    computer.close()
    with pytest.raises(Problem, match="W119"):
        computer("watched", {"study": "two", "version": "?"})


def told_of(caplog: pytest.LogCaptureFixture) -> list[str]:
    return [one.getMessage() for one in caplog.records]


def test_a_process_that_dies_is_told_with_its_last_words(
    world: World, caplog: pytest.LogCaptureFixture
) -> None:
    dies = [sys.executable, "-c", "raise SystemExit('the disk is full')"]
    with pytest.raises(Problem, match="the disk is full"):
        Computer("x.db", dies)("watched", {"study": "two"})
    assert told_of(caplog) == ["a computation failed: the disk is full"]


@pytest.mark.parametrize("first", ["the server", "the process"])
def test_a_computation_that_is_ended_with_the_server_is_no_failure(
    world: World, caplog: pytest.LogCaptureFixture, tmp_path: Path, first: str
) -> None:
    there = tmp_path / "there"
    waits = "import os, sys, time; print(os.getpid(), file=open(sys.argv[1], 'w')); time.sleep(60)"
    computer = Computer("x.db", [sys.executable, "-c", waits, str(there)])
    world.open(world.folder / "two", compute=computer)
    assert world.site is not None
    start(world.site, "two", NUMBERS, "of", {})
    pid = int(until(lambda: there.read_text() if there.exists() else "", bool))
    if first == "the process":
        os.kill(pid, signal.SIGTERM)
    world.site.stopping.set()
    computer.close()
    site = world.site
    until(lambda: is_running(site, "two", NUMBERS), lambda runs: not runs)
    assert told_of(caplog) == []


def test_a_page_shows_old_numbers_when_new_ones_fail(world: World) -> None:
    def fails(what: str, asked: Any) -> Any:
        raise OSError("no room")

    world.open(world.folder / "two", compute=fails)
    owner = world.signed_in("o", {"": "owner"})
    shown = owner.shown(PROGRESS.format("two"))
    assert (shown["agreement"], shown["agreement_made"]) == ([], None)


def test_the_stream_tells_of_every_change(world: World, rater: Browser) -> None:
    assert world.site is not None
    told = in_a_loop(_told(world, lambda: rater.rate(1)))
    first, second = (line for line in told if line.startswith("data:"))
    assert first != second


async def _told(world: World, change: Callable[[], Any]) -> list[str]:
    assert world.site is not None
    stream, told = events(world.site, "two"), []
    async for piece in stream:
        told.append(piece.decode())
        if len([t for t in told if t.startswith("data:")]) == 1:
            await asyncio.to_thread(change)
        elif len(told) > 2:
            world.site.stopping.set()
    return told
