"""Ratings made elsewhere: all in one transaction or none, asked of every store."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pytest
from storing import STUDY, VERSION, fill, items, reserve, submit

from rubrica.errors import Problem
from rubrica.exchange.store import Incoming, Seat, TakenIn, Who
from rubrica.ratings.model import Answer, Pace
from rubrica.review.board import ItemFilter, Standing
from rubrica.storage.rules import ID_TAKEN, UNKNOWN_VERSION

TIME = "2025-05-04T03:02:01.000000Z"


def incoming(number: int, item: int = 1, who: Who | None = None, level: int = 3, **more: Any) -> Any:
    one = Incoming(
        id=f"elsewhere-{number:08}",
        item=item,
        who=who or Who("alice"),
        version="v1",
        answers={"q": Answer("answered", level)},
        received=TIME,
        pace=Pace(started="2025-05-04T03:01:00Z", wall_seconds=61.0),
        speaks_of=frozenset({"q"}),
    )
    return replace(one, **more)


def bring(
    store: Any, *ratings: Incoming, capacity: int | None = None, dry_run: bool = False
) -> TakenIn:
    taken: TakenIn = store.imports.import_ratings(
        STUDY, iter(ratings), capacity=capacity, details={"file": "x"}, dry_run=dry_run
    )
    return taken


def numbers(store: Any) -> list[tuple[int, int, Any]]:
    found = [r.submission for r in store.ratings.ratings(STUDY)]
    return [(s.rater, s.item, s.answers and s.answers["q"].value) for s in found]


def test_an_imported_rating_keeps_its_own_time_and_is_marked(store: Any) -> None:
    fill(store, raters=0)
    assert bring(store, incoming(1), incoming(2, item=2)) == TakenIn(new=2, raters=1)
    first, _ = store.ratings.ratings(STUDY)
    assert (first.imported, first.received, first.number) == (True, TIME, 1)
    assert first.submission.pace.wall_seconds == 61.0
    assert [r.name for r in store.accounts.raters(STUDY)] == ["alice"]
    assert store.places.tally(STUDY, 1) == {"rated": 2}
    assert store.accounts.log_entries(STUDY)[-1].what == "imported"


def test_items_that_nothing_was_imported_for_stay_in_the_counts(store: Any) -> None:
    fill(store, 5, raters=0)
    bring(store, incoming(1, item=4), incoming(2, item=2))
    while store.board.count(STUDY, lambda _, ratings: Standing(len(ratings))):
        pass
    assert [(x.done, x.items) for x in store.board.levels(STUDY)] == [(0, 3), (1, 2)]
    assert len(store.board.lines(STUDY, ItemFilter(), None, 9).lines) == 5


def test_one_bad_rating_undoes_all(store: Any) -> None:
    fill(store, raters=1)
    before = store.studies.revision(STUDY)

    def some() -> Iterator[Incoming]:
        yield incoming(1)
        yield incoming(2, item=2, who=Who(None))
        raise RuntimeError("the file ends here")

    with pytest.raises(RuntimeError):
        store.imports.import_ratings(STUDY, some(), capacity=None, details={})
    assert (numbers(store), len(store.accounts.raters(STUDY))) == ([], 1)
    assert store.studies.revision(STUDY) == before
    with pytest.raises(Problem) as caught:
        bring(store, incoming(1), incoming(2, version="v9"))
    assert caught.value.rule is UNKNOWN_VERSION
    assert numbers(store) == []


def test_a_dry_run_counts_and_changes_nothing(store: Any) -> None:
    fill(store, raters=0)
    assert bring(store, incoming(1), incoming(2, item=2), dry_run=True) == TakenIn(new=2, raters=1)
    assert numbers(store) == []
    assert not store.accounts.raters(STUDY)
    assert bring(store, incoming(1)) == TakenIn(new=1, raters=1)


def test_what_is_there_already_is_the_same(store: Any) -> None:
    fill(store, raters=0)
    bring(store, incoming(1))
    assert bring(store, incoming(1)) == TakenIn(same=1)
    assert bring(store, incoming(7)) == TakenIn(same=1), "another id, but the same said"
    with pytest.raises(Problem) as caught:
        bring(store, incoming(1, item=2))
    assert caught.value.rule is ID_TAKEN


def test_saying_something_else_revises(store: Any) -> None:
    fill(store, raters=0)
    bring(store, incoming(1, level=3))
    assert bring(store, incoming(2, level=4)) == TakenIn(revised=1)
    assert numbers(store) == [(1, 1, 4)]
    first, second = store.ratings.ratings(STUDY, all_revisions=True)
    assert second.submission.supersedes == first.submission.id
    assert store.places.tally(STUDY, 1) == {"rated": 1}


def test_a_revision_that_says_the_same_is_a_record_of_its_own(store: Any) -> None:
    fill(store, raters=0)
    first = incoming(1, level=3)
    bring(store, first)
    assert bring(store, incoming(2, level=3, supersedes=first.id)) == TakenIn(revised=1)
    assert len(list(store.ratings.ratings(STUDY, all_revisions=True))) == 2


def test_unnamed_places_are_no_persons_and_take_the_next_free_one(store: Any) -> None:
    fill(store, raters=0)
    bring(store, incoming(1, who=Who(None)), incoming(2, who=Who(None)))
    bring(store, incoming(3, item=2, who=Who(None, at=2)))
    raters = store.accounts.raters(STUDY)
    assert [(r.name, r.named) for r in raters] == [
        ("unnamed place 1", False),
        ("unnamed place 2", False),
    ]
    assert numbers(store) == [(1, 1, 3), (2, 1, 3), (2, 2, 3)]


def test_an_open_reservation_is_filled_and_its_draft_goes(store: Any) -> None:
    fill(store, raters=1)
    place = reserve(store, 1)[0]
    store.ratings.save_draft(STUDY, 1, place.id, 1, {"q": 2}).result()
    assert bring(store, incoming(1, item=place.item, who=Who("rater 1"))) == TakenIn(new=1)
    assert store.places.place(STUDY, place.id).state == "rated"
    assert store.ratings.draft(STUDY, 1, place.id) is None


def test_it_takes_one_of_an_items_places_and_more_are_surplus(store: Any) -> None:
    fill(store, raters=0)
    taken = bring(store, *(incoming(n, who=Who(f"r{n}")) for n in range(3)), capacity=2)
    assert taken == TakenIn(new=3, surplus=1, raters=3)
    assert [r.surplus for r in store.ratings.ratings(STUDY)] == [False, False, True]


def test_later_work_goes_on_beside_it(store: Any) -> None:
    fill(store, raters=1)
    bring(store, incoming(1, item=2, who=Who("rater 1")))
    given = reserve(store, 1, 2, capacity=None)
    submit(store, given[0])
    numbers_ = [p.number for p in store.places.places(STUDY, 1)]
    assert len(set(numbers_)) == len(numbers_)
    assert 2 not in {place.item for place in given}


def test_numbers_and_places_are_kept_where_they_are_free(store: Any) -> None:
    fill(store, raters=1)
    seat = Seat(number=5, at=17, gold=True)
    bring(store, incoming(1, who=Who("zoe", 4, state="excluded"), seat=seat))
    bring(store, incoming(2, who=Who("yan", 1), item=2))
    state = {r.name: (r.number, r.state) for r in store.accounts.raters(STUDY)}
    assert state == {"rater 1": (1, "active"), "zoe": (4, "excluded"), "yan": (5, "active")}
    place = store.places.places(STUDY, 4)[0]
    assert (place.number, place.at, place.gold) == (5, 17, True)
    assert store.accounts.add_rater(STUDY, "later", "", "en", {}).number == 6


def test_a_repeat_stands_beside_its_first(store: Any) -> None:
    fill(store, raters=0)
    bring(store, incoming(1), incoming(2, level=4, seat=Seat(repeat=True)))
    first, again = store.places.places(STUDY, 1)
    assert (first.repeat_of, again.repeat_of) == (None, first.id)
    assert numbers(store) == [(1, 1, 3), (1, 1, 4)]


def test_the_version_is_the_one_loaded(store: Any) -> None:
    store.studies.add_version(STUDY, VERSION)
    store.loader.load(STUDY, items(2))
    assert bring(store, incoming(1, item=2, answers=None, skip_reason=None)).new == 1
    assert store.places.tally(STUDY, 1) == {"skipped": 1}
