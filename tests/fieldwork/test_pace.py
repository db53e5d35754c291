from __future__ import annotations

from collections.abc import Callable, Sequence

import pytest
from fieldwork_bench import GOOD, Bench
from hypothesis import given
from hypothesis import strategies as st

from rubrica.fieldwork.desk import Desk
from rubrica.fieldwork.joining import join
from rubrica.fieldwork.model import BreakReason, Progress, Sent
from rubrica.fieldwork.pace import break_after, breaks_due, my_items, numbers_done, progress
from rubrica.fieldwork.ranges import as_ranges
from rubrica.fieldwork.sending import save_draft, submit
from rubrica.fieldwork.working import next_work
from rubrica.ratings.model import Pace
from rubrica.study.model import Breaks

Ids = Callable[[], str]


def test_v7_numbers_done_as_ranges() -> None:
    assert as_ranges([*range(18), 19, *range(23, 41)]) == "0-17, 19, 23-40"
    assert (as_ranges([]), as_ranges([7]), as_ranges([2, 1, 1])) == ("", "7", "1-2")


@given(st.sets(st.integers(0, 200)))
def test_ranges_name_each_number_once(numbers: set[int]) -> None:
    named: list[int] = []
    for part in filter(None, as_ranges(numbers).split(", ")):
        first, _, last = part.partition("-")
        named += range(int(first), int(last or first) + 1)
    assert named == sorted(numbers)


@pytest.mark.parametrize(
    ("done", "active", "spent", "due"),
    [
        (4, 100, 10, []),
        (5, 100, 10, ["items"]),
        (10, 1805, 10, ["items", "minutes"]),
        (11, 1805, 3, []),
        (11, 3600, 3, ["minutes"]),
        (0, 0, 0, []),
    ],
)
def test_c11_breaks_by_count_and_by_active_time(
    done: int, active: float, spent: float, due: list[BreakReason]
) -> None:
    assert breaks_due(Breaks(every_items=5, every_minutes=30), done, active, spent) == due


def rate(
    desk: Desk, rater: int, ids: Ids, seconds: float = 10, **more: object
) -> Sequence[BreakReason]:
    work = next_work(desk, rater, 3)[0]
    parts = {"answers": GOOD, "pace": Pace(active_seconds=seconds), **more}
    submit(desk, rater, Sent(ids(), work.place, work.version, **parts)).result()  # type: ignore[arg-type]
    return break_after(desk, rater, work.place)


def test_a_break_after_so_many_items_and_so_much_work(bench: Bench, ids: Ids) -> None:
    desk = bench.desk(items=6, extra="breaks: {every_items: 2, every_minutes: 1}")
    rater = join(desk, "Ann").rater.number
    due = [list(rate(desk, rater, ids, seconds)) for seconds in (30, 10, 30, 10, 100)]
    assert due == [[], ["items"], ["minutes"], ["items"], ["minutes"]]


def test_c2_a_break_after_each_part_but_the_last(bench: Bench, ids: Ids) -> None:
    study = (
        "rubrica: 1\ntitle: T\n"
        "items: {from: items.jsonl, key: id, batch: batch, show: [{text: answer}]}\n"
        "questions: {q: {kind: text, ask: Why?, required: false}}\n"
    )
    desk = bench.desk(extra=study, items=6)
    rater = join(desk, "Ann").rater.number
    spots = [work.batch for work in next_work(desk, rater, 6)]
    assert [(s.number, s.of) for s in spots if s] == [(1, 2)] * 3 + [(2, 2)] * 3
    due = [list(rate(desk, rater, ids, answers={})) for _ in range(6)]
    assert due == [[], [], ["batch"], [], [], []]


def test_progress_counts_what_is_done_and_how_long_it_took(bench: Bench, ids: Ids) -> None:
    desk = bench.desk(items=4)
    rater = join(desk, "Ann").rater.number
    rate(desk, rater, ids)
    rate(desk, rater, ids, answers=None, skip_reason="black")
    next_work(desk, rater, 1)
    expected = Progress(rated=1, skipped=1, open=2, total=4, active_seconds=20, numbers=(1, 4))
    assert progress(desk, rater) == expected
    assert progress(desk, rater).done == 2


def test_my_items_with_their_state_page_by_page(bench: Bench, ids: Ids) -> None:
    desk = bench.desk(items=5)
    rater = join(desk, "Ann").rater.number
    rate(desk, rater, ids)
    rate(desk, rater, ids, answers=None, skip_reason="black")
    open_ = next_work(desk, rater, 2)
    save_draft(desk, rater, open_[0].place, 1, {"x": 1}).result()
    listed = my_items(desk, rater)
    assert [(i.number, i.state, i.draft) for i in listed][:3] == [
        (1, "rated", False),
        (2, "skipped", False),
        (3, "reserved", True),
    ]
    pages = [my_items(desk, rater, after, 1) for after in (0, 1, 2)]
    assert [page[0] for page in pages] == list(listed)[:3]
    assert numbers_done(desk, rater) == "1-2"


@pytest.mark.parametrize(
    ("raters", "total", "numbers"),
    [
        ("{per_item: all}", 6, (1, 6)),
        ("{per_item: all, repeats: {share: 0.5, apart: 2}}", 8, (1, 8)),
        ("{per_item: 2}", None, None),
        ("{places: 2}", None, (0, 5)),
    ],
)
def test_the_total_is_said_only_where_it_is_known(
    bench: Bench, raters: str, total: int | None, numbers: tuple[int, int] | None
) -> None:
    desk = bench.desk(items=6, extra=f"raters: {raters}")
    found = progress(desk, join(desk, "Ann").rater.number)
    assert (found.total, found.numbers) == (total, numbers)
