"""What is done for many at once is what would be done for each; asked of all three stores."""

from __future__ import annotations

import re
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
from ready import ready_file
from storing import (
    EVERYONE,
    LEAST_COVERED,
    STUDY,
    Clock,
    design,
    fill,
    item,
    reserve,
    submission,
    submit,
)

from rubrica.accounts.sessions import Session
from rubrica.assignment.contract import Design
from rubrica.assignment.numbered import POLICY as NUMBERED
from rubrica.errors import Problem
from rubrica.fieldwork.store import Message
from rubrica.ratings.model import Known, NewDraft, Pace, Sending
from rubrica.storage import (
    accounts,
    drafts,
    items,
    place_statements,
    places,
    ratings,
    sessions,
    submits,
    worked,
)
from rubrica.storage.doctor import findings
from rubrica.storage.memory import MemoryStore
from rubrica.storage.open import open_store


def said(answers: Any) -> list[Any]:
    """Answers of many, problems by their codes."""
    return [one.code if isinstance(one, Problem) else one for one in answers]


# --- what raters send -----------------------------------------------------------------------------


def test_many_submits_are_answered_each_for_itself(store: Any) -> None:
    places_ = reserve(fill(store, 6), 1, 5)
    submit(store, places_[0], "first")
    sent = [
        submission(places_[0], "first"),
        submission(places_[0], "other"),
        submission(places_[1]),
        submission(places_[2], rater=2),
        submission(places_[3]),
    ]
    again, taken, good, stranger, last = said(store.ratings.submit_all(sent).result())
    assert (again.replay, taken, stranger) == (True, "D032", "D030")
    assert [good.number, last.number] == [2, 3]
    assert not said(store.ratings.submit_all([]).result())


def test_two_submits_of_one_place_together_are_decided_in_order(store: Any) -> None:
    (place,) = reserve(fill(store), 1)
    sent = [submission(place, "one"), submission(place, "one"), submission(place, "two")]
    first, again, second = said(store.ratings.submit_all(sent).result())
    assert (first.replay, again.replay, second) == (False, True, "D032")


def test_what_is_known_before_something_is_sent(store: Any) -> None:
    mine, other = reserve(fill(store, 6), 1, 2)
    (theirs,) = reserve(store, 2)
    submit(store, mine, "done")
    store.ratings.save_draft(STUDY, 1, other.id, 7, {}).result()
    asked = [
        Sending(1, mine.id, "done"),
        Sending(1, other.id, "new"),
        Sending(1, theirs.id, "new"),
        Sending(9, theirs.id, "done"),
    ]
    assert store.ratings.known(STUDY, asked) == [
        Known("active", mine.item, "rated", None, True, None),
        Known("active", other.item, "reserved", other.until, False, 7),
        Known("active", None, None, None, False, None),
        Known(None, None, None, None, True, None),
    ]


def test_many_drafts_are_kept_each_for_itself(store: Any) -> None:
    mine, other = reserve(fill(store, 6), 1, 2)
    new = [NewDraft(1, mine.id, 2, {"a": 1}), NewDraft(2, other.id, 1, {})]
    assert said(store.ratings.save_drafts(STUDY, new).result()) == [2, "D030"]
    older = [NewDraft(1, mine.id, 1, {"a": 0}), NewDraft(1, other.id, 1, {"b": 1})]
    assert said(store.ratings.save_drafts(STUDY, older).result()) == [2, 1]
    kept = store.ratings.drafts_of(STUDY, [1, 2])
    assert {place: draft.content for place, draft in kept.items()} == {
        mine.id: {"a": 1},
        other.id: {"b": 1},
    }


# --- what many are told ---------------------------------------------------------------------------


def test_what_is_asked_of_many_is_what_is_asked_of_each(store: Any, clock: Clock) -> None:
    mine, _ = reserve(fill(store, 6, raters=3), 1, 2)
    submit(store, mine)
    reserve(store, 2)
    assert store.places.tallies(STUDY, [1, 2, 3]) == {
        rater: store.places.tally(STUDY, rater) for rater in (1, 2)
    }
    found = store.accounts.some_raters(STUDY, [1, 3, 9])
    assert found == {rater: store.accounts.rater(STUDY, rater) for rater in (1, 3)}
    numbers = [mine.item, 10**6]
    assert store.items.items(STUDY, numbers) == {mine.item: store.items.item(STUDY, mine.item)}
    store.sessions.open_session("a", Session("rater", STUDY, 1, 10.0), 100.0)
    store.sessions.open_session("b", Session("rater", STUDY, 2, 10.0), 20.0)
    found = store.sessions.sessions(["a", "b", "c"], 50.0)
    assert found == {"a": store.sessions.session("a", 50.0)}


def test_seconds_worked_are_added_up_as_they_come(store: Any) -> None:
    places_ = reserve(fill(store, 6), 1, 3)
    seconds = store.ratings.active_seconds
    assert seconds(STUDY, [1, 2]) == {1: 0.0, 2: 0.0}
    for place, active in zip(places_, (1.5, None, 2.0), strict=True):
        submit(store, place, pace=Pace(active_seconds=active))
        assert seconds(STUDY, [1])[1] in (1.5, 3.5)
    submit(store, places_[0], "revised", supersedes=f"r{places_[0].id}", pace=Pace(active_seconds=0.5))
    assert seconds(STUDY, [2, 1]) == {1: 4.0, 2: 0.0}


def test_the_newest_message_to_each(store: Any) -> None:
    fill(store, raters=3)
    assert store.messages.newest(STUDY, [1, 2]) == {1: 0, 2: 0}
    question = store.messages.add_message(Message(STUDY, "question", "?", rater=1))
    store.messages.add_message(Message(STUDY, "notice", "!"))
    store.messages.add_message(Message(STUDY, "answer", "yes", rater=1, answers=question.number))
    store.messages.add_message(Message(STUDY, "question", "?", rater=2))
    assert store.messages.newest(STUDY, [1, 2]) == {1: 3, 2: 2}


def test_the_edition_grows_with_every_load(store: Any) -> None:
    before = fill(store).items.edition(STUDY)
    store.loader.load(STUDY, [item(0, digest="changed")])
    assert store.items.edition(STUDY) > before


# --- places for many ------------------------------------------------------------------------------


def test_many_that_come_at_once_get_no_item_too_often(store: Any) -> None:
    fill(store, 7, raters=5)
    wishes = {1: 3, 2: 3, 3: 3, 99: 1, 4: 3, 5: 3}
    found = store.places.reserve_all(STUDY, wishes, LEAST_COVERED, design(2)).result()
    assert found[3].code == "D022"
    given = [place.item for own in found if not isinstance(own, Problem) for place in own]
    assert max(Counter(given).values()) == 2
    assert len(given) == 14
    again = store.places.reserve_all(STUDY, wishes, LEAST_COVERED, design(2)).result()
    assert said(again) == said(found)


@pytest.mark.parametrize("order", ["given", "shuffled"])
@pytest.mark.parametrize("thread", [None, "set", "sequence"])
@pytest.mark.parametrize("policy", [LEAST_COVERED, EVERYONE, NUMBERED], ids=lambda p: p.name)
def test_together_they_get_what_one_after_the_other_would(
    tmp_path: Any, policy: Any, thread: Any, order: Any
) -> None:
    """Those who ask in one transaction see what those before them took in it."""
    clock = Clock()
    asked: Design = design(
        None if policy is EVERYONE else 2,
        items=24,
        order=order,
        thread=thread,
        gold_every=4,
        calibration=1,
        repeat_share=0.3,
        repeat_apart=2,
    )
    new = [item(n, thread=f"t{n % 6}", gold=({"q": 1} if n % 8 == 7 else None)) for n in range(24)]
    outcomes = []
    with open_store(ready_file(tmp_path / "r.db"), clock) as database:
        for store in (database, MemoryStore(clock)):
            fill(store, new, raters=4)
            seen: list[Any] = []
            for number in range(6):
                wishes = dict.fromkeys((1, 2, 3, 4), 3)
                found = store.places.reserve_all(STUDY, wishes, policy, asked).result()
                seen += [(p.rater, p.number, p.item, p.round, p.gold) for own in found for p in own]
                for own in found:
                    for place in own[: 1 + number % 2]:
                        submit(store, place)
                store.places.release(STUDY, 1 + number % 4)
            outcomes.append(seen)
    assert outcomes[0] == outcomes[1]


def test_places_others_fetched_run_out_for_many_too(store: Any, clock: Clock) -> None:
    fill(store, 2, raters=3)
    held = reserve(store, 1, 2, capacity=1)
    clock.pass_seconds(4000)
    found = store.places.reserve_all(STUDY, {2: 1, 3: 1}, LEAST_COVERED, design(1)).result()
    assert sorted(p.item for own in found for p in own) == sorted(p.item for p in held)


@pytest.mark.postgres
def test_several_processes_give_no_place_twice(postgres: Any) -> None:
    """Each has a writer of its own, so what one has just taken the others do not see."""
    address, asked = postgres.fresh(), design(2)
    with open_store(address) as store:
        fill(store, 60, raters=36)

    def gives(first: int) -> int:
        with open_store(address) as own:
            given = 0
            for count in (2, 4):
                wishes = dict.fromkeys(range(first, first + 12), count)
                found = own.places.reserve_all(STUDY, wishes, LEAST_COVERED, asked).result()
                given = sum(len(places_) for places_ in found)
            return given

    with ThreadPoolExecutor(3) as pool:
        given = list(pool.map(gives, (1, 13, 25)))
    with open_store(address) as store:
        tallies = store.places.tallies(STUDY, range(1, 37))
        assert sum(tally["reserved"] for tally in tallies.values()) == sum(given) <= 120
        assert not findings(store)
        # What one could not have because another was just taking it is there for the next who ask.
        wishes = dict.fromkeys(range(1, 37), 5)
        found = store.places.reserve_all(STUDY, wishes, LEAST_COVERED, asked).result()
        assert sum(len(own) for own in found) == 120
        assert max(Counter(place.item for own in found for place in own).values()) == 2


# --- how databases find them ----------------------------------------------------------------------

MANY = {
    accounts: ("SOME", "ALL_TAKEN"),
    drafts: ("OWNERS", "KEPT", "OF_MANY"),
    items: ("MANY",),
    places: ("TALLIES",),
    ratings: ("KNOWN",),
    place_statements: ("WALKS", "STEP", "OPEN", "KEEP", "COVER"),
    sessions: ("FIND_ALL",),
    submits: ("TARGETS", "RECORDED", "FILL", "DROP_DRAFTS"),
    worked: ("NEW", "COUNTS"),
}


def test_what_is_asked_for_many_walks_through_no_table(tmp_path: Any) -> None:
    with open_store(ready_file(tmp_path / "r.db")) as store:
        fill(store, 50)
        for module, names in MANY.items():
            for name in names:
                text, constants = store.database.statements.get(getattr(module, name))
                with store.database.read() as tx:
                    cursor = tx._cursor
                    params = {**dict.fromkeys(_parameters(text), "[]"), **constants}
                    plan = [row[3] for row in cursor.execute(f"EXPLAIN QUERY PLAN {text}", params)]
                walks = [one for one in plan if one.startswith("SCAN") and "json_each" not in one]
                walks += [one for one in plan if one.rstrip().endswith("(study=?)")]
                assert not walks, (name, plan)


def _parameters(text: str) -> list[str]:

    return re.findall(r":(\w+)", text)


def test_a_session_that_ran_out_goes_when_others_come(store: Any) -> None:
    old, new = Session("rater", STUDY, 1, 10.0), Session("rater", STUDY, 2, 200.0)
    store.sessions.open_session("old", old, 100.0)
    store.sessions.open_session("new", new, 300.0)
    assert store.sessions.sessions(["old", "new"], 250.0) == {"new": new}
