"""Runs, turns and positions."""

from __future__ import annotations

import random
from itertools import pairwise
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from item_studies import MakeStudy, jsonl

from rubrica.errors import Problem
from rubrica.items.load import items_of
from rubrica.items.model import NewItem
from rubrica.items.threads import InFileOrder, InOrderOf, Spot, rank
from rubrica.study.model import Thread

RUN = Thread(by="task", kind="sequence", order="time", restarts="n")


def spots(thread: Thread, records: list[dict[str, Any]], rated: bool = True) -> list[Spot]:
    if thread.order is None:
        plain = InFileOrder(thread)
        return [plain.spot(record, rated) for record in records]
    order = InOrderOf(thread, thread.order)
    for record in records:
        order.see(record, rated)
    return [order.spot(record, rated) for record in records]


def test_m2_a_run_is_a_task_in_time_and_restarts_where_the_turn_does_not_rise() -> None:
    times = ["2025-12-31T04:39", "2025-12-26T08:36", "2025-12-26T08:37", "2025-12-31T04:40"]
    records = [{"task": "a", "time": t, "n": n} for t, n in zip(times, (0, 0, 4, 4), strict=True)]
    assert [(s.thread, s.turn) for s in spots(RUN, records)] == [
        ("a#2", 0),
        ("a#1", 0),
        ("a#1", 1),
        ("a#2", 1),
    ]


def test_members_of_a_thread_keep_the_files_positions() -> None:
    times = {"a": iter((3, 1, 2)), "b": iter((9,)), None: iter((0,))}
    records = [{"task": task, "time": next(times[task])} for task in ("a", "b", "a", None, "a")]
    as_set = RUN.model_copy(update={"kind": "set", "restarts": None})
    assert spots(as_set, records) == [
        Spot("a", 2, 0),
        Spot("b", 0, 1),
        Spot("a", 0, 2),
        Spot(None, 0, 3),
        Spot("a", 1, 4),
    ]


def test_a_record_whose_path_fails_takes_no_place() -> None:
    thread = Thread(by="task", kind="sequence", order="join('', time)")
    records: list[dict[str, Any]] = [{"task": "a", "time": ["2"]}, {"task": "a", "time": ["1"]}]
    order = InOrderOf(thread, thread.order or "")
    order.see(records[0], True)
    with pytest.raises(Problem, match="I030"):
        order.see({"task": "a", "time": 3}, True)
    order.see(records[1], True)
    assert [order.spot(r, True) for r in records] == [Spot("a", 1, 0), Spot("a", 0, 1)]


def test_a_file_that_grew_between_the_passes_is_a_problem() -> None:
    order = InOrderOf(RUN, "time")
    order.see({"task": "a"}, True)
    order.spot({"task": "a"}, True)
    with pytest.raises(Problem, match="I003"):
        order.spot({"task": "b"}, True)


def test_without_an_order_the_files_order_counts() -> None:
    thread = Thread(by="task", kind="sequence", restarts="n")
    records = [{"task": "a", "n": n} for n in (0, "1", None, 2, 2, 0)]
    assert [(s.thread, s.turn) for s in spots(thread, records)] == [
        ("a#1", 0),
        ("a#1", 1),
        ("a#1", 2),
        ("a#1", 3),
        ("a#2", 0),
        ("a#3", 0),
    ]


def test_numbers_times_texts_and_nothing_can_be_ordered() -> None:
    values = [2, "10", "2025-01-01T00:30:00+01:00", "2025-01-01T00:00:00", "abc", None, float("nan")]
    for seed in range(5):
        mixed = values[:]
        random.Random(seed).shuffle(mixed)
        assert [str(v) for v in sorted(mixed, key=rank)][:5] == [str(v) for v in values[:5]]
    assert rank(True) == (2, 0.0, "true")


@given(
    st.lists(
        st.fixed_dictionaries(
            {
                "task": st.sampled_from(["a", "b", None]),
                "time": st.integers(0, 5),
                "n": st.integers(0, 3),
            }
        ),
        max_size=30,
    ),
)
def test_positions_have_no_holes_and_turns_follow_the_order(records: Any) -> None:
    found = spots(RUN, records)
    assert [s.position for s in found] == list(range(len(records)))
    runs: dict[str, list[tuple[Spot, Any]]] = {}
    for spot, record in zip(found, records, strict=True):
        if spot.thread is not None:
            runs.setdefault(spot.thread, []).append((spot, record))
    for run in runs.values():
        run.sort(key=lambda pair: pair[0].turn)
        assert [spot.turn for spot, _ in run] == list(range(len(run)))
        assert [record["time"] for _, record in run] == sorted(record["time"] for _, record in run)
        numbers = [record["n"] for _, record in run]
        assert all(a < b for a, b in pairwise(numbers))


def test_a_bad_record_leaves_no_hole_in_thread_or_order(make: MakeStudy) -> None:
    records = [
        {"text": "a", "task": "t", "time": 2},
        {"task": "t", "time": 1},
        {"text": "c", "task": "t", "time": 0},
    ]
    thread = {"by": "task", "kind": "sequence", "order": "time"}
    loaded = make({"data.jsonl": jsonl(*records)}, thread=thread)
    found = [i for i in items_of(loaded, skip_bad=True) if isinstance(i, NewItem)]
    assert [(i.position, i.turn, i.facts["thread.position"]) for i in found] == [(0, 1, 1), (1, 0, 0)]
