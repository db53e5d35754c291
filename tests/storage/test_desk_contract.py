"""What every store promises the coordinators' desk, asked of all three."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest
from storing import STUDY, Clock, fill, item, items, reserve, submission, submit

from rubrica.accounts.sessions import Session
from rubrica.errors import Problem
from rubrica.fieldwork.store import Message
from rubrica.items.model import Shown
from rubrica.ratings.model import Pace, Rating
from rubrica.review.board import ItemFilter, Kept, Settled, Standing

ODD = "NUL \0, lone \ud83d surrogate, emoji \U0001f697, %_! 'quoted'"


# --- people -----------------------------------------------------------------------------------------


def test_an_account_is_kept_with_its_roles(store: Any) -> None:
    made = store.people.add_person(ODD, "hash", "active")
    assert store.people.add_person(ODD, "other", "active") is None
    store.people.set_role(made.number, ODD, "reviewer")
    store.people.set_role(made.number, "", "coordinator")
    store.people.set_role(made.number, ODD, "owner")
    found = store.people.person_named(ODD)
    assert found.roles == {ODD: "owner", "": "coordinator"}
    assert (found.role(ODD), found.role("other")) == ("owner", "coordinator")
    store.people.set_role(made.number, "", None)
    assert store.people.person(made.number).role("other") is None
    assert store.people.people() == [store.people.person(made.number)]


def test_an_account_changes_and_an_unknown_one_does_not(store: Any) -> None:
    made = store.people.add_person("a", "", "invited")
    assert store.people.change_person(made.number, state="active", password="h").state == "active"
    with pytest.raises(Problem):
        store.people.change_person(99, state="active")


def test_a_link_is_taken_once_and_not_after_its_time(store: Any) -> None:
    made = store.people.add_person("a", "", "active")
    now = 1_767_225_600.0
    store.people.add_ticket("h1", made.number, "sign-in", now + 10)
    store.people.add_ticket("h2", made.number, "password", now + 10)
    assert store.people.take_ticket("h1", now) == (made.number, "sign-in")
    assert store.people.take_ticket("h1", now) is None
    assert store.people.take_ticket("h2", now + 11) is None
    assert store.people.take_ticket("none", now) is None


def test_a_token_ends_only_by_its_own_person(store: Any) -> None:
    first = store.people.add_person("a", "", "active").number
    made = store.people.add_token("h", first, ODD, "read", 5.0)
    assert store.people.token("h") == made
    assert not store.people.end_token(first + 1, made.number)
    assert store.people.end_token(first, made.number)
    assert not store.people.end_token(first, made.number)
    assert [t.ended for t in store.people.tokens(first)] == [True]


def test_deeds_are_logged_and_read_backwards(store: Any) -> None:
    for number in range(5):
        store.people.log_deed("person 1", ODD, {"n": number})
    newest = store.people.deeds(count=2)
    assert [d.details["n"] for d in newest] == [4, 3]
    assert [d.details["n"] for d in store.people.deeds(newest[-1].number, 2)] == [2, 1]


def test_sessions_of_a_person_are_listed(store: Any) -> None:
    store.sessions.open_session("old", Session("coordinator", "", 1, 10.0), 100.0)
    store.sessions.open_session("new", Session("coordinator", "", 1, 20.0), 200.0)
    store.sessions.open_session("other", Session("coordinator", "", 2, 20.0), 200.0)
    assert [h for h, _ in store.sessions.sessions_of("coordinator", "", 1, 50.0)] == ["new", "old"]
    assert [h for h, _ in store.sessions.sessions_of("coordinator", "", 1, 150.0)] == ["new"]


# --- counts -----------------------------------------------------------------------------------------


def counting(item: int, ratings: Sequence[Rating]) -> Standing:
    values = [r.submission.answers["q"].value for r in ratings if r.submission.answers]
    skipped = sum(r.submission.answers is None for r in ratings)
    split = (max(values) - min(values)) / 4 if values else 0.0
    return Standing(len(ratings), skipped, 0, split)


def counted(store: Any) -> Any:
    while store.board.count(STUDY, counting):
        pass
    return store.board


def lines(board: Any, count: int = 50, after: Any = None, **wanted: Any) -> list[int]:
    page = board.lines(STUDY, ItemFilter(**wanted), after, count)
    return [line.position for line in page.lines]


def rate(store: Any, rater: int, values: Sequence[int | None]) -> None:
    for place, value in zip(reserve(store, rater, len(values)), values, strict=True):
        pace = Pace(wall_seconds=9.0, active_seconds=4.0)
        answers = {"answers": None, "skip_reason": "broken"} if value is None else {"value": value}
        submit(store, place, pace=pace, **answers)


def test_items_nobody_rated_are_counted_and_listed(store: Any) -> None:
    board = counted(fill(store, 3))
    assert [(level.done, level.items) for level in board.levels(STUDY)] == [(0, 3)]
    assert lines(board) == [0, 1, 2]
    assert board.marks(STUDY) == {}
    assert board.tallies(STUDY, "rater") == []


def test_ratings_are_counted_by_rater_day_and_level(store: Any, clock: Clock) -> None:
    fill(store, 3)
    rate(store, 1, [1, None, 2])
    clock.pass_seconds(86_400)
    rate(store, 2, [5, 3, 2])
    board = counted(store)
    first, second = board.tallies(STUDY, "rater")
    assert (first.rater, first.rated, first.skipped, first.active_seconds) == (1, 2, 1, 12.0)
    assert (second.rated, second.skipped, second.wall_seconds) == (3, 0, 27.0)
    days = [(t.day, t.rated) for t in board.tallies(STUDY, "day")]
    assert days == [("2026-01-01", 2), ("2026-01-02", 3)]
    assert [(t.version, t.rated) for t in board.tallies(STUDY, "version")] == [("v1", 5)]
    assert [(level.done, level.items) for level in board.levels(STUDY)] == [(2, 3)]
    assert board.marks(STUDY) == {"skipped": 1, "split": 1}
    assert [t.rater for t in board.tallies(STUDY, "rater and day", 2)] == [2]


def test_a_revision_is_counted_as_such_and_moves_the_marks(store: Any) -> None:
    fill(store, 1)
    (place,) = reserve(store, 1)
    submit(store, place, "r1", value=1)
    (other,) = reserve(store, 2)
    submit(store, other, "r2", value=5)
    assert counted(store).marks(STUDY) == {"split": 1}
    submit(store, place, "r3", value=5, supersedes="r1")
    board = counted(store)
    assert board.marks(STUDY) == {}
    (one, _) = board.tallies(STUDY, "rater")
    assert (one.rated, one.revised) == (1, 1)
    assert [r.submission.id for r in board.of_item(STUDY, place.item)] == ["r1", "r2", "r3"]


def test_whoever_withdraws_is_counted_nowhere(store: Any) -> None:
    fill(store, 2)
    rate(store, 1, [1, 1])
    rate(store, 2, [5, 5])
    counted(store)
    store.accounts.change_rater(STUDY, 1, state="withdrawn")
    board = counted(store)
    assert [t.rater for t in board.tallies(STUDY, "rater")] == [2]
    assert [(level.done, level.items) for level in board.levels(STUDY)] == [(1, 2)]
    assert board.marks(STUDY) == {}
    assert [r.submission.rater for r in board.of_item(STUDY, 1)] == [2]


def test_flags_and_settled_answers_are_marks(store: Any) -> None:
    fill(store, 2)
    counted(store)
    store.messages.add_message(Message(STUDY, "flag", "broken", rater=1, item=2))
    board = counted(store)
    assert (board.marks(STUDY), lines(board, mark="flags")) == ({"flags": 1}, [1])
    before = store.studies.revision(STUDY)
    kept = board.settle(STUDY, Settled(1, ODD, {"v": [ODD]}, ODD, "person 1", "v1"))
    board.settle(STUDY, Settled(1, ODD, 4, "", "person 2", "v1"))
    assert store.studies.revision(STUDY) > before
    assert (kept.value, kept.note, kept.when[:4]) == ({"v": [ODD]}, ODD, "2026")
    assert [s.value for s in counted(store).settled(STUDY, 1)] == [{"v": [ODD]}, 4]
    assert lines(board, mark="settled") == [0]
    assert len(board.settled(STUDY)) == 2


def test_items_are_found_by_stage_batch_and_text(store: Any) -> None:
    fill(store, [item(n, batch=f"b{n // 3}") for n in range(6)])
    rate(store, 1, [1, 2])
    board = counted(store)
    assert [(b.name, b.items) for b in board.batches(STUDY)] == [("b0", 3), ("b1", 3)]
    assert lines(board, levels=[0]) == [2, 3, 4, 5]
    assert lines(board, levels=[0, 1]) == [0, 1, 2, 3, 4, 5]
    assert lines(board, levels=[0], batch=0) == [2]
    assert lines(board, batch=1) == [3, 4, 5]
    assert lines(board, find="ANSWER 4") == [4]
    assert lines(board, find="k5") == [5]
    assert lines(board, find="%") == []
    assert [(x.batch, x.done, x.items) for x in board.levels(STUDY)] == [
        (0, 0, 1),
        (0, 1, 2),
        (1, 0, 3),
    ]
    assert [t.batch for t in board.tallies(STUDY, "batch")] == [0]


def test_pages_follow_each_other(store: Any) -> None:
    fill(store, 5, raters=3)
    rate(store, 1, [1, 1, 1, 1, 1])
    rate(store, 2, [1, 2, 5, 5, 3])
    board = counted(store)
    page = board.lines(STUDY, ItemFilter(), None, 2)
    assert [x.position for x in page.lines] == [0, 1]
    assert lines(board, 9, page.after) == [2, 3, 4]
    split = board.lines(STUDY, ItemFilter(mark="split"), None, 2)
    assert [x.position for x in split.lines] == [3, 2]
    rest = board.lines(STUDY, ItemFilter(mark="split"), split.after, 9)
    assert [x.position for x in rest.lines] == [4, 1]
    assert rest.after is None


def test_one_item_is_found_by_its_public_id_and_shows_what_is_hidden(store: Any) -> None:
    fill(store, [item(0, key=ODD, system=ODD, batch=ODD, thread=ODD, wave=ODD)])
    board = counted(store)
    public = store.items.item(STUDY, 1).public
    line = board.line(STUDY, public)
    assert {line.key, line.system, line.batch, line.thread, line.wave} == {ODD}
    assert board.line(STUDY, "none") is None


def test_open_places_are_told_by_rater(store: Any) -> None:
    fill(store, 4)
    reserve(store, 1, 2)
    assert [(h.rater, h.places) for h in store.board.held(STUDY)] == [(1, 2)]


def test_whoever_holds_places_is_at_work_while_they_are_there(store: Any) -> None:
    fill(store, 4)
    reserve(store, 1, 2)
    assert store.board.at_work(STUDY, 0.0) == 0
    for rater in (1, 2):
        store.sessions.open_session(f"of {rater}", Session("rater", STUDY, rater, 100.0), 1e12)
    assert store.board.at_work(STUDY, 50.0) == 1
    assert store.board.at_work(STUDY, 100.0) == 0


def test_fixed_lists_say_how_many_ratings_they_ask_for(store: Any) -> None:
    fill(store, 3)
    assert store.board.listed(STUDY) == 0
    store.places.set_lists(STUDY, {"a": ["k0", "k1"], "b": ["k1"]})
    assert store.board.listed(STUDY) == 3


def test_ratings_sooner_than_one_can_read_are_counted(store: Any) -> None:
    long = {"text": "word " * 300, "mark": None}
    fill(store, [item(0, shown=Shown([long]))], raters=3)
    for rater, seconds in ((1, 2.0), (2, 40.0), (3, None)):
        (place,) = reserve(store, rater, capacity=3)
        submit(store, place, f"r{rater}", value=1, pace=Pace(active_seconds=seconds))
    tallies = counted(store).tallies(STUDY, "rater")
    assert [(t.rater, t.unread) for t in tallies] == [(1, 1), (2, 0), (3, 0)]
    assert store.board.tallies(STUDY, "rater", days=("2020-01-01", "2020-12-31")) == []


def test_ratings_in_any_order_leave_no_item_out(store: Any) -> None:
    fill(store, 6)
    places = reserve(store, 1, 6)
    for at in (4, 1):
        submit(store, places[at])
        assert lines(counted(store)) == [0, 1, 2, 3, 4, 5]
    board = store.board
    assert [(x.done, x.items) for x in board.levels(STUDY)] == [(0, 4), (1, 2)]
    assert lines(board, find="answer") == [0, 1, 2, 3, 4, 5]
    assert lines(board, levels=[0]) == [0, 2, 3, 5]
    store.loader.load(STUDY, items(8))
    submit(store, reserve(store, 2, 8)[7])
    assert lines(counted(store)) == [0, 1, 2, 3, 4, 5, 6, 7]
    assert [(x.done, x.items) for x in board.levels(STUDY)] == [(0, 5), (1, 3)]


def test_items_of_a_later_load_are_counted_too(store: Any) -> None:
    fill(store, 2)
    counted(store)
    store.loader.load(STUDY, items(4))
    assert lines(counted(store)) == [0, 1, 2, 3]


def test_what_came_before_the_counts_is_counted_in_pieces(store: Any) -> None:
    fill(store, 6)
    rate(store, 1, [1, 2, 3, 4, 5, 1])
    while store.board.count(STUDY, counting, most=2):
        pass
    (one,) = store.board.tallies(STUDY, "rater")
    assert one.rated == 6
    assert store.board.uncounted(STUDY) == 0


def test_results_are_kept_by_name_and_replaced(store: Any) -> None:
    fill(store, 1)
    assert store.board.kept(STUDY, "results") is None
    store.board.keep(STUDY, "results", Kept("1", "{}", "2026", 1.5))
    store.board.keep(STUDY, "results", Kept("2", "[]", "2027", 2.5))
    assert store.board.kept(STUDY, "results") == Kept("2", "[]", "2027", 2.5)


def test_a_late_rating_of_a_place_given_back_is_counted(store: Any) -> None:
    fill(store, 1)
    (place,) = reserve(store, 1)
    store.places.release(STUDY, 1)
    store.ratings.submit(submission(place)).result()
    assert [(x.done, x.items) for x in counted(store).levels(STUDY)] == [(1, 1)]
