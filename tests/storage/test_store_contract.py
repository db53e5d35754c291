"""What every store promises, asked of all three."""

from __future__ import annotations

from dataclasses import replace
from math import isinf, isnan
from typing import Any

import pytest
from storing import (
    STUDY,
    VERSION,
    Clock,
    design,
    fill,
    item,
    reserve,
    submission,
    submit,
)

from rubrica.accounts.sessions import Session
from rubrica.assignment.lists import POLICY as LISTS
from rubrica.assignment.numbered import POLICY as NUMBERED
from rubrica.errors import Problem
from rubrica.fieldwork.store import Message
from rubrica.items.model import Shown
from rubrica.ratings.model import Answer, Pace
from rubrica.storage.rules import UNKNOWN_ITEM
from rubrica.study.store import StudyVersion

ODD = "NUL \0, lone \ud83d surrogate, emoji \U0001f697, عربى, \\u0041, =HYPERLINK(1), 'quoted' \"too\""


# --- studies --------------------------------------------------------------------------------------


def test_a_version_is_kept_once_and_comes_back_whole(store: Any) -> None:
    assert store.studies.add_version(STUDY, VERSION)
    assert not store.studies.add_version(STUDY, VERSION)
    kept = store.studies.version(STUDY, "v1")
    assert replace(kept, added="") == VERSION
    assert isinf(kept.declared["weight"])
    assert kept.added == "2026-01-01T00:00:00.000000Z"


def test_versions_stand_in_the_order_they_came(store: Any) -> None:
    for name in ("v2", "v1", "v3"):
        store.studies.add_version(STUDY, StudyVersion(name, {}, {}))
    assert [v.hash for v in store.studies.versions(STUDY)] == ["v2", "v1", "v3"]
    assert store.studies.names() == [STUDY]


def test_a_study_nobody_knows_has_nothing(store: Any) -> None:
    assert store.studies.version("none", "v") is None
    assert not store.studies.versions("none")
    assert not store.studies.is_closed("none")
    assert store.accounts.rater("none", 1) is None
    with pytest.raises(Problem) as caught:
        store.items.item("none", 1)
    assert caught.value.code == "D020"


def test_a_study_is_closed_for_good(store: Any) -> None:
    fill(store)
    assert not store.studies.is_closed(STUDY)
    store.studies.close(STUDY)
    assert store.studies.is_closed(STUDY)


def test_the_revision_grows_with_all_that_live_pages_show(store: Any) -> None:
    fill(store)
    seen = [store.studies.revision(STUDY)]
    (place,) = reserve(store, 1)
    seen.append(store.studies.revision(STUDY))
    submit(store, place)
    seen.append(store.studies.revision(STUDY))
    store.accounts.log(STUDY, "coordinator", "paused", {})
    seen.append(store.studies.revision(STUDY))
    assert seen == sorted(set(seen))


# --- items ----------------------------------------------------------------------------------------


def test_a_loaded_item_comes_back_as_it_was(store: Any) -> None:
    new = item(
        0,
        key=ODD,
        shown=Shown([{"text": ODD}, None], {"goals": [{"label": ODD}]}),
        facts={"item.n": float("nan")},
        hidden={"note": ODD},
        source=b"\xff\x00 bytes",
        thread=ODD,
        system=ODD,
        media=["a b/ü\\1.png"],
    )
    fill(store, [new])
    seen = store.items.item(STUDY, 1)
    assert seen.shown == new.shown
    assert isnan(seen.facts["item.n"])
    hidden = store.verdicts.hidden(STUDY, 1)
    assert (hidden.key, hidden.thread, hidden.system) == (ODD, ODD, ODD)
    assert (hidden.hidden, hidden.source) == ({"note": ODD}, new.source)
    assert store.verdicts.by_key(STUDY, ODD) == hidden


def test_hidden_fields_are_read_from_the_source_where_it_says_all(store: Any) -> None:
    fill(store, [item(0, hidden={"n": 0}, whole=True)])
    assert store.verdicts.hidden(STUDY, 1).hidden == {"n": 0}


def test_public_ids_say_nothing_and_stay(store: Any) -> None:
    fill(store, 3)
    ids = [store.items.item(STUDY, n).public for n in (1, 2, 3)]
    assert len(set(ids)) == 3
    store.loader.load(STUDY, [item(1, digest="new")])
    assert store.items.item(STUDY, 2).public == ids[1]
    assert store.items.by_public(STUDY, ids[1]).id == 2
    assert store.items.by_public(STUDY, "unknown") is None


def test_media_have_opaque_ids_that_lead_back(store: Any) -> None:
    fill(store, [item(0, media=["secret-system/1.png"])])
    (public,) = store.items.item(STUDY, 1).media.values()
    assert "secret" not in public
    assert store.items.media(STUDY, public) == "secret-system/1.png"
    assert store.items.media(STUDY, "0" * 24) is None
    ids = store.items.media_ids(STUDY, ["secret-system/1.png", "practice.png"])
    assert ids["secret-system/1.png"] == public
    assert store.items.media(STUDY, ids["practice.png"]) == "practice.png"


def test_c2_items_keep_their_order_and_batches_are_counted(store: Any) -> None:
    names = ["config_1", "config ä", 'config "2" copy']
    fill(store, [item(n, batch=names[n // 2]) for n in range(5)])
    assert store.items.batches(STUDY) == [2, 2, 1]
    assert store.items.count(STUDY) == 5
    assert [store.items.item(STUDY, n).batch for n in range(1, 6)] == [0, 0, 1, 1, 2]
    assert [h.batch for h in store.verdicts.all_hidden(STUDY)] == [names[n // 2] for n in range(5)]


def test_m1_copies_of_a_key_are_items_of_their_own(store: Any) -> None:
    loaded = fill(store, []).loader.load(STUDY, [item(0), item(1, key="k0", copy=1), item(2)])
    assert (loaded.new, loaded.duplicates) == (3, 1)
    assert store.verdicts.by_key(STUDY, "k0", 1).id == 2


def test_the_same_item_twice_in_a_load_is_refused_and_nothing_is_kept(store: Any) -> None:
    fill(store, 1)
    with pytest.raises(Problem) as caught:
        store.loader.load(STUDY, [item(5), item(6), item(5)])
    assert caught.value.code == "D035"
    assert store.items.count(STUDY) == 1


def test_loading_again_adds_what_is_new_versions_what_changed_and_counts_the_rest(store: Any) -> None:
    fill(store, 4)
    changed = item(1, digest="other", shown=Shown(["new text"]), hidden={"score": 9})
    loaded = store.loader.load(STUDY, [item(0), changed, item(7)])
    assert (loaded.same, loaded.changed, loaded.new, loaded.gone) == (1, 1, 1, 2)
    assert store.items.item(STUDY, 2).shown == Shown(["new text"])
    assert store.verdicts.by_key(STUDY, "k1").hidden == {"score": 9}
    assert [h.key for h in store.verdicts.all_hidden(STUDY)] == ["k0", "k1", "k2", "k3", "k7"]


def test_a_load_that_fails_halfway_leaves_nothing(store: Any) -> None:
    fill(store, 2)

    def broken() -> Any:
        yield item(10)
        raise Problem(UNKNOWN_ITEM)

    with pytest.raises(Problem):
        store.loader.load(STUDY, broken())
    assert store.items.count(STUDY) == 2
    assert store.verdicts.by_key(STUDY, "k10") is None


def test_context_is_shown_before_later_turns_and_never_given(store: Any) -> None:
    thread = [item(n, thread="run", turn=n, rated=n != 0) for n in range(3)]
    fill(store, [*thread, item(3)])
    assert [i.id for i in store.items.earlier(STUDY, 3)] == [1, 2]
    assert store.items.earlier(STUDY, 4) == []
    assert store.items.count(STUDY) == 3
    given = reserve(store, 1, 9, None)
    assert [p.item for p in given] == [2, 3, 4]
    assert len(list(store.verdicts.all_hidden(STUDY))) == 3
    assert len(list(store.verdicts.all_hidden(STUDY, context=True))) == 4


# --- accounts -------------------------------------------------------------------------------------


def test_c1_a_name_is_taken_once(store: Any) -> None:
    fill(store, raters=0)
    first = store.accounts.add_rater(STUDY, ODD, "hash", "zh", {"PROLIFIC_PID": "5f"})
    assert store.accounts.add_rater(STUDY, ODD, "other", "en", {}) is None
    assert (first.number, first.name, first.crowd) == (1, ODD, {"PROLIFIC_PID": "5f"})
    assert store.accounts.rater_named(STUDY, ODD) == (first, "hash")
    assert store.accounts.add_rater(STUDY, "b", "hash", "en", {}, "invited").number == 2
    assert [r.state for r in store.accounts.raters(STUDY)] == ["active", "invited"]


def test_what_is_known_of_a_rater_can_be_changed(store: Any) -> None:
    fill(store)
    changed = store.accounts.change_rater(
        STUDY, 1, language="zh", practice={"passed": True}, guidelines="g", code_hash="new"
    )
    assert store.accounts.rater(STUDY, 1) == changed
    assert (changed.language, changed.practice, changed.guidelines) == ("zh", {"passed": True}, "g")
    assert store.accounts.rater_named(STUDY, "rater 1")[1] == "new"
    with pytest.raises(Problem):
        store.accounts.change_rater(STUDY, 99, language="en")


def test_w8_withdrawal_takes_ratings_name_and_drafts_and_stays_recorded(store: Any) -> None:
    fill(store, 2)
    first, second = reserve(store, 1, 2, 1)
    submit(store, first)
    store.ratings.save_draft(STUDY, 1, second.id, 1, {"q": 1}).result()
    assert reserve(store, 2, 2, 1) == []
    gone = store.accounts.change_rater(STUDY, 1, state="withdrawn")
    assert "rater 1" not in gone.name
    assert store.accounts.rater_named(STUDY, "rater 1") is None
    assert list(store.ratings.ratings(STUDY, all_revisions=True)) == []
    assert store.ratings.rating(STUDY, f"r{first.id}") is not None
    assert store.ratings.drafts(STUDY, 1) == []
    assert [p.item for p in reserve(store, 2, 2, 1)] == [first.item, second.item]


def test_the_log_keeps_every_entry_in_order(store: Any, clock: Clock) -> None:
    fill(store)
    store.accounts.log(STUDY, "ann", "paused", {"rater": 1})
    clock.pass_seconds(5)
    store.accounts.log(STUDY, "ann", ODD, {"why": ODD})
    entries = store.accounts.log_entries(STUDY)
    assert [(e.who, e.what, e.details) for e in entries] == [
        ("ann", "paused", {"rater": 1}),
        ("ann", ODD, {"why": ODD}),
    ]
    assert entries[0].when < entries[1].when


# --- places ---------------------------------------------------------------------------------------


def test_a_rater_gets_so_many_places_and_no_more(store: Any) -> None:
    fill(store, 5)
    first = reserve(store, 1, 3)
    assert [p.number for p in first] == [1, 2, 3]
    assert reserve(store, 1, 3) == first
    assert store.places.tally(STUDY, 1) == {"reserved": 3}
    assert store.places.places(STUDY, 1, 1, 1) == [store.places.place(STUDY, first[1].id)]
    assert store.places.place("other", first[0].id) is None


def test_an_item_never_has_more_raters_than_asked(store: Any) -> None:
    fill(store, 2, raters=3)
    assert len(reserve(store, 1, 2)) == len(reserve(store, 2, 2)) == 2
    assert reserve(store, 3, 2) == []


def test_a_rater_nobody_knows_gets_nothing(store: Any) -> None:
    with pytest.raises(Problem) as caught:
        reserve(fill(store), 9)
    assert caught.value.code == "D022"


def test_places_fetched_ahead_run_out_first_and_go_to_others(store: Any, clock: Clock) -> None:
    fill(store, 3)
    now, ahead = reserve(store, 1, 2, 1)
    clock.pass_seconds(601)
    assert [p.item for p in reserve(store, 2, 3, 1)] == [ahead.item, 3]
    assert store.places.place(STUDY, ahead.id).state == "released"
    assert store.places.place(STUDY, now.id).state == "reserved"


def test_a_place_worked_on_is_kept_alive(store: Any, clock: Clock) -> None:
    fill(store, 2)
    (_, ahead) = reserve(store, 1, 2, 1)
    store.places.extend(STUDY, 1, [ahead.id], 1200)
    store.places.extend(STUDY, 2, [ahead.id], 99999)
    clock.pass_seconds(1199)
    assert reserve(store, 2, 2, 1) == []
    clock.pass_seconds(2)
    assert [p.item for p in reserve(store, 2, 2, 1)] == [ahead.item]


def test_what_everyone_rates_never_runs_out(store: Any, clock: Clock) -> None:
    fill(store, 3)
    first = reserve(store, 1, 2, None)
    clock.pass_seconds(10**6)
    reserve(store, 2, 2, None)
    assert reserve(store, 1, 2, None) == first


def test_w6_what_is_given_back_goes_to_others_and_can_be_had_again(store: Any) -> None:
    fill(store, 3)
    first, second, third = reserve(store, 1, 3, 1)
    assert store.places.release(STUDY, 1, [second.id]) == 1
    assert [p.item for p in reserve(store, 2, 1, 1)] == [second.item]
    assert store.places.release(STUDY, 1) == 2
    again = reserve(store, 1, 3, 1)
    assert [p.id for p in again] == [first.id, third.id]
    assert store.places.tally(STUDY, 1) == {"reserved": 2, "released": 1}


def test_v2_going_elsewhere_gives_back_what_was_not_begun(store: Any) -> None:
    fill(store, 9)
    first = store.places.reserve(STUDY, 1, 3, NUMBERED, design(1), goto=2)
    assert [p.at for p in first] == [2, 3, 4]
    store.ratings.save_draft(STUDY, 1, first[0].id, 1, {"q": 1}).result()
    second = store.places.reserve(STUDY, 1, 2, NUMBERED, design(1), goto=7)
    assert [p.at for p in second] == [7, 8, 2]
    assert [p.at for p in store.places.reserve(STUDY, 2, 2, NUMBERED, design(1), goto=2)] == [3, 4]


def test_fixed_lists_name_items_and_what_they_name_wrongly_is_said(store: Any) -> None:
    fill(store, 4)
    wrong = store.places.set_lists(STUDY, {"rater 1": ["k2", "nothing", "k0"], "rater 2": []})
    assert [(p.code, p.got) for p in wrong] == [("D036", "nothing")]
    given = store.places.reserve(STUDY, 1, 9, LISTS, design(None))
    assert [p.item for p in given] == [3, 1]
    assert store.places.reserve(STUDY, 2, 9, LISTS, design(None)) == []


def test_w6_a_list_left_half_done_goes_on_to_others_and_stays_there(store: Any) -> None:
    fill(store, 6, raters=3)
    lists = {"rater 1": ["k0", "k1", "k2", "k3", "k4"], "rater 2": ["k1"], "rater 3": ["k5"]}
    assert store.places.set_lists(STUDY, lists) == []
    first, _ = store.places.reserve(STUDY, 1, 2, LISTS, design(None))
    submit(store, first)
    assert store.places.release(STUDY, 1) == 1
    assert [p.item for p in store.places.reserve(STUDY, 2, 9, LISTS, design(None))] == [2]
    assert store.places.hand_on(STUDY, 1, [2, 3]) == 4
    for _ in range(2):
        assert [p.item for p in store.places.reserve(STUDY, 2, 9, LISTS, design(None))] == [2, 3, 4]
        assert [p.item for p in store.places.reserve(STUDY, 3, 9, LISTS, design(None))] == [6, 2, 5]
        assert store.places.set_lists(STUDY, lists) == []
    assert store.places.hand_on(STUDY, 1, [2, 3]) == 0


def test_what_nobody_can_take_stays_on_its_list(store: Any) -> None:
    fill(store, 2)
    store.places.set_lists(STUDY, {"rater 1": ["k0", "k1"], "rater 2": ["k0"]})
    assert store.places.hand_on(STUDY, 1, [2]) == 1
    assert [p.item for p in store.places.reserve(STUDY, 1, 9, LISTS, design(None))] == [1]


# --- ratings --------------------------------------------------------------------------------------


def test_a_rating_comes_back_as_it_was_sent(store: Any) -> None:
    (place,) = reserve(fill(store), 1)
    answers = {
        "q": Answer("answered", False, first=0, implied=[ODD], prompted=True),
        "n": Answer("answered", float("nan")),
        "x": Answer("not_applicable"),
        "y": Answer("cannot_judge", reason=ODD),
    }
    pace = Pace("2026-01-01T10:00:00Z", None, 12.5, 0.1)
    sent = submission(place, answers=answers, pace=pace, language="zh", scores={"s": None})
    receipt = store.ratings.submit(sent).result()
    (kept,) = store.ratings.ratings(STUDY)
    assert (receipt.number, receipt.replay, kept.number) == (1, False, 1)
    assert isnan(kept.submission.answers["n"].value)
    same = {**answers, "n": kept.submission.answers["n"]}
    assert kept.submission == replace(sent, answers=same)
    assert store.places.place(STUDY, place.id).state == "rated"
    assert kept.received == "2026-01-01T00:00:00.000000Z"


def test_a_skip_is_kept_as_a_skip(store: Any) -> None:
    (place,) = reserve(fill(store), 1)
    submit(store, place, answers=None, skip_reason="black image")
    kept = store.ratings.latest(STUDY, place.id)
    assert (kept.submission.answers, kept.submission.skip_reason) == (None, "black image")
    assert store.places.tally(STUDY, 1) == {"skipped": 1}


def test_a_submit_sent_again_is_acknowledged_and_recorded_once(store: Any) -> None:
    (place,) = reserve(fill(store), 1)
    sent = submission(place)
    both = [store.ratings.submit(sent), store.ratings.submit(replace(sent, pace=Pace(wall_seconds=9)))]
    first, second = (future.result() for future in both)
    assert (first.replay, second.replay) == (False, True)
    assert first.number == second.number
    assert len(list(store.ratings.ratings(STUDY, all_revisions=True))) == 1


@pytest.mark.parametrize("change", ["answers", "place", "supersedes", "version"])
def test_the_same_id_with_anything_else_is_refused_and_shows_nothing(store: Any, change: str) -> None:
    store.studies.add_version(STUDY, StudyVersion("v2", {}, {}))
    first, second = reserve(fill(store), 1, 2)
    sent = submission(first, "same", value="the secret answer")
    store.ratings.submit(sent).result()
    other = {
        "answers": replace(sent, answers={"q": Answer("answered", 1)}),
        "place": replace(sent, place=second.id, item=second.item),
        "supersedes": replace(sent, supersedes="same"),
        "version": replace(sent, version="v2"),
    }[change]
    with pytest.raises(Problem) as caught:
        store.ratings.submit(other).result()
    assert caught.value.code == "D031"
    assert "secret" not in str(caught.value)
    assert len(list(store.ratings.ratings(STUDY, all_revisions=True))) == 1


def test_another_raters_place_another_item_or_no_place_are_refused_alike(store: Any) -> None:
    (place,) = reserve(fill(store), 1)
    mistakes: list[dict[str, Any]] = [{"rater": 2}, {"item": place.item + 1}, {"place": 999}]
    for wrong in mistakes:
        with pytest.raises(Problem) as caught:
            store.ratings.submit(replace(submission(place), **wrong)).result()
        assert caught.value.code == "D030"
    assert submit(store, place).number == 1


def test_a_version_nobody_keeps_is_refused(store: Any) -> None:
    (place,) = reserve(fill(store), 1)
    with pytest.raises(Problem) as caught:
        submit(store, place, version="v99")
    assert caught.value.code == "D034"


def test_v5_a_revision_names_what_it_supersedes(store: Any) -> None:
    (place,) = reserve(fill(store), 1)
    submit(store, place, "first", value=1)
    with pytest.raises(Problem) as caught:
        submit(store, place, "second", value=2)
    assert caught.value.code == "D032"
    assert not submit(store, place, "second", value=2, supersedes="first").conflict
    assert store.ratings.latest(STUDY, place.id).submission.id == "second"
    assert [r.submission.id for r in store.ratings.ratings(STUDY)] == ["second"]
    every = store.ratings.ratings(STUDY, all_revisions=True)
    assert [r.submission.id for r in every] == ["first", "second"]


def test_two_revisions_of_the_same_rating_are_both_kept_and_flagged(store: Any) -> None:
    (place,) = reserve(fill(store), 1)
    submit(store, place, "first")
    submit(store, place, "second", supersedes="first")
    assert submit(store, place, "third", supersedes="first").conflict
    assert store.ratings.latest(STUDY, place.id).submission.id == "third"
    assert len(list(store.ratings.ratings(STUDY, all_revisions=True))) == 3


def test_a_revision_of_nothing_or_of_another_place_is_refused(store: Any) -> None:
    first, second = reserve(fill(store), 1, 2)
    submit(store, first, "first")
    for place, named in ((second, "first"), (first, "nothing")):
        with pytest.raises(Problem) as caught:
            submit(store, place, "x", supersedes=named)
        assert caught.value.code == "D033"


def test_a_late_submit_takes_its_place_again_if_it_is_free(store: Any) -> None:
    fill(store, 1)
    (place,) = reserve(store, 1, 1, 1)
    store.places.release(STUDY, 1)
    assert not submit(store, place).surplus
    assert reserve(store, 2, 1, 1) == []


def test_a_late_submit_to_a_place_filled_meanwhile_is_kept_as_surplus(store: Any, clock: Clock) -> None:
    fill(store, 1)
    (place,) = reserve(store, 1, 1, 1)
    clock.pass_seconds(4000)
    (other,) = reserve(store, 2, 1, 1)
    assert submit(store, place).surplus
    assert submit(store, place, "again", supersedes=f"r{place.id}").surplus
    assert not submit(store, other).surplus
    assert [r.surplus for r in store.ratings.ratings(STUDY)] == [True, False]
    assert store.places.place(STUDY, place.id).surplus


def test_ratings_of_one_rater(store: Any) -> None:
    fill(store, 2)
    for rater in (1, 2):
        for place in reserve(store, rater, 2):
            submit(store, place)
    (first, _) = store.places.places(STUDY, 1)
    submit(store, first, "revised", supersedes=f"r{first.id}")
    assert len(list(store.ratings.of_rater(STUDY, 1))) == 2
    assert len(list(store.ratings.of_rater(STUDY, 1, all_revisions=True))) == 3
    assert {r.submission.rater for r in store.ratings.of_rater(STUDY, 2)} == {2}


def test_imported_ratings_are_marked(store: Any) -> None:
    (place,) = reserve(fill(store), 1)
    store.ratings.submit(submission(place), imported=True).result()
    assert [r.imported for r in store.ratings.ratings(STUDY)] == [True]


# --- drafts ---------------------------------------------------------------------------------------


def test_the_newest_draft_is_kept_and_an_older_one_loses(store: Any, clock: Clock) -> None:
    (place,) = reserve(fill(store), 1)
    assert store.ratings.save_draft(STUDY, 1, place.id, 2, {"q": ODD}).result() == 2
    clock.pass_seconds(1)
    assert store.ratings.save_draft(STUDY, 1, place.id, 1, {"q": "older"}).result() == 2
    draft = store.ratings.draft(STUDY, 1, place.id)
    assert (draft.revision, draft.content) == (2, {"q": ODD})
    assert draft.saved == "2026-01-01T00:00:00.000000Z"
    assert store.ratings.drafts(STUDY, 1) == [draft]


def test_a_draft_is_its_raters_alone(store: Any) -> None:
    (place,) = reserve(fill(store), 1)
    store.ratings.save_draft(STUDY, 1, place.id, 1, {"q": 1}).result()
    with pytest.raises(Problem) as caught:
        store.ratings.save_draft(STUDY, 2, place.id, 5, {"q": 2}).result()
    assert caught.value.code == "D030"
    assert store.ratings.draft(STUDY, 2, place.id) is None
    assert store.ratings.draft(STUDY, 1, place.id).content == {"q": 1}


def test_a_draft_goes_with_the_submit_and_outlives_its_place(store: Any) -> None:
    first, second = reserve(fill(store), 1, 2)
    for place in (first, second):
        store.ratings.save_draft(STUDY, 1, place.id, 1, {"q": 1}).result()
    store.places.release(STUDY, 1, [second.id])
    submit(store, first)
    assert [d.place for d in store.ratings.drafts(STUDY, 1)] == [second.id]


# --- messages and sessions ------------------------------------------------------------------------


def test_w1_messages_reach_their_rater_and_notices_everybody(store: Any) -> None:
    fill(store)
    asked = store.messages.add_message(Message(STUDY, "question", ODD, rater=1, item=2))
    store.messages.add_message(Message(STUDY, "answer", "yes", rater=1, answers=asked.number))
    store.messages.add_message(Message(STUDY, "notice", "to all"))
    assert [m.text for m in store.messages.messages(STUDY, 2)] == ["to all"]
    assert [m.text for m in store.messages.messages(STUDY, 1)] == [ODD, "yes", "to all"]
    assert [m.number for m in store.messages.messages(STUDY)] == [1, 2, 3]


def test_sessions_live_until_their_time_or_their_end(store: Any) -> None:
    sessions, session = store.sessions, Session("rater", STUDY, 1, 100.0)
    sessions.open_session("h1", session, until=200.0)
    assert sessions.session("h1", 150.0) == session
    assert sessions.session("h1", 200.0) is None
    sessions.touch_session("h1", 160.0, 300.0)
    assert sessions.session("h1", 250.0) == replace(session, touched=160.0)
    sessions.open_session("h2", session, until=300.0)
    sessions.end_sessions("rater", STUDY, 1)
    assert sessions.session("h1", 170.0) is sessions.session("h2", 170.0) is None
    assert sessions.installation() == sessions.installation()


def test_hits_are_counted_per_window(store: Any) -> None:
    hits = store.sessions.count_hits
    assert [hits(["k"], t, 60.0) for t in (0.0, 59.0, 60.0, 61.0)] == [[1], [2], [1], [2]]
    assert hits(["other", "k", "k"], 61.0, 60.0) == [1, 3, 4]
