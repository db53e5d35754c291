from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import asdict

import pytest
from fieldwork_bench import GOOD, STUDY, Bench, records, refused

from rubrica.accounts.changes import pause, withdraw
from rubrica.errors import Problem
from rubrica.fieldwork.desk import Desk
from rubrica.fieldwork.finishing import close_study
from rubrica.fieldwork.joining import join
from rubrica.fieldwork.model import Sent, Work
from rubrica.fieldwork.sending import save_draft, submit
from rubrica.fieldwork.working import go_to, leave, next_work, open_work
from rubrica.ratings.model import Pace, Receipt

Ids = Callable[[], str]


def rater_at(desk: Desk, name: str = "Ann") -> int:
    return join(desk, name).rater.number


def sent(work: Work, rating: str, **more: object) -> Sent:
    return Sent(**{"id": rating, "place": work.place, "version": work.version, "answers": GOOD, **more})  # type: ignore[arg-type]


def rate(desk: Desk, rater: int, work: Work, rating: str, **more: object) -> Receipt:
    return submit(desk, rater, sent(work, rating, **more)).result()


def test_next_tops_up_and_keeps_what_is_open(bench: Bench) -> None:
    desk = bench.desk(items=4)
    rater = rater_at(desk)
    first = next_work(desk, rater, 2)
    assert [w.number for w in first] == [1, 2]
    assert [w.place for w in next_work(desk, rater, 3)][:2] == [w.place for w in first]
    assert len(next_work(desk, rater, 99)) == 4


def test_work_has_what_its_page_needs_and_nothing_hidden(bench: Bench) -> None:
    desk = bench.desk(items=3)
    work = next_work(desk, rater_at(desk))[0]
    assert work.shown.views[0]["text"] == "Answer 0"
    assert "answer.correct" in json.dumps(work.rules["questions"]["note"]["when"])
    text = json.dumps(asdict(work), default=str)
    for secret in ("secret", "0.123456", "items.jsonl"):
        assert secret not in text


def test_a_submit_is_a_rating_with_its_score_and_pace(bench: Bench, ids: Ids) -> None:
    desk = bench.desk(items=2)
    rater = rater_at(desk)
    work = next_work(desk, rater)[0]
    pace = Pace(active_seconds=12.5, wall_seconds=20.0)
    receipt = rate(desk, rater, work, ids(), pace=pace, language="zh")
    assert (receipt.replay, receipt.surplus) == (False, False)
    (kept,) = desk.stores.ratings.ratings(desk.id)
    assert kept.submission.scores["overall"] == 1.0
    assert (kept.submission.language, kept.submission.pace.active_seconds) == ("zh", 12.5)
    assert kept.submission.answers is not None
    assert kept.submission.answers["note"].state == "not_applicable"
    assert next_work(desk, rater)[0].number == 2


def test_answers_that_cannot_stand_are_refused_and_nothing_changes(bench: Bench, ids: Ids) -> None:
    desk = bench.desk(items=2)
    rater = rater_at(desk)
    work = next_work(desk, rater)[0]
    assert refused(rate, desk, rater, work, ids(), answers={"correct": {"value": 3}}) == "A100"
    assert refused(rate, desk, rater, work, ids(), answers={**GOOD, "x": {"value": 1}}) == "A101"
    assert refused(rate, desk, rater, work, "short") == "F065"
    assert refused(rate, desk, rater, work, ids(), version="0000") == "F057"
    assert list(desk.stores.ratings.ratings(desk.id)) == []
    assert next_work(desk, rater)[0].place == work.place


def test_a_double_click_records_once(bench: Bench, ids: Ids) -> None:
    desk = bench.desk()
    rater = rater_at(desk)
    work, rating = next_work(desk, rater)[0], ids()
    first, second = rate(desk, rater, work, rating), rate(desk, rater, work, rating)
    assert (first.number, first.replay, second.number, second.replay) == (1, False, 1, True)
    assert len(list(desk.stores.ratings.ratings(desk.id))) == 1


def test_one_id_with_other_answers_is_refused(bench: Bench, ids: Ids) -> None:
    desk = bench.desk()
    rater = rater_at(desk)
    work, rating = next_work(desk, rater)[0], ids()
    rate(desk, rater, work, rating)
    other = {**GOOD, "correct": {"value": 1}}
    assert refused(rate, desk, rater, work, rating, answers=other) == "D031"


def test_v4_a_skip_says_why_and_is_no_score(bench: Bench, ids: Ids) -> None:
    desk = bench.desk(items=2)
    rater = rater_at(desk)
    work = next_work(desk, rater)[0]
    for reason in (None, "  ", "x" * 2001):
        assert refused(rate, desk, rater, work, ids(), answers=None, skip_reason=reason) == "F060"
    rate(desk, rater, work, ids(), answers=None, skip_reason=" black image ")
    (kept,) = desk.stores.ratings.ratings(desk.id)
    assert (kept.submission.answers, kept.submission.skip_reason) == (None, "black image")
    assert dict(kept.submission.scores) == {}
    assert desk.stores.places.tally(desk.id, rater)["skipped"] == 1
    assert next_work(desk, rater)[0].number == 2


def test_v5_going_back_shows_own_levels_and_a_change_is_a_revision(bench: Bench, ids: Ids) -> None:
    desk = bench.desk()
    rater = rater_at(desk)
    work = next_work(desk, rater)[0]
    first = rate(desk, rater, work, ids())
    seen = open_work(desk, rater, work.place)
    assert seen.own is not None
    assert seen.own.answers is not None
    assert (seen.state, seen.own.id, seen.own.answers["correct"].value) == ("rated", first.id, 3)
    assert refused(rate, desk, rater, work, ids()) == "D032"
    answers = {"correct": {"value": 1}, "helps": {"value": "No"}}
    second = rate(desk, rater, work, ids(), supersedes=first.id, answers=answers)
    (kept,) = desk.stores.ratings.ratings(desk.id)
    assert kept.submission.id == second.id
    assert len(list(desk.stores.ratings.ratings(desk.id, all_revisions=True))) == 2
    late = rate(desk, rater, work, ids(), supersedes=first.id)
    assert late.conflict


def test_own_scores_are_shown_only_if_the_study_says_so(bench: Bench, ids: Ids) -> None:
    for extra, expected in (("", {}), ("show_score: true", {"overall": 1.0})):
        desk = bench.desk(extra=extra)
        rater = rater_at(desk, f"Ann {extra}")
        work = next_work(desk, rater)[0]
        rate(desk, rater, work, ids())
        own = open_work(desk, rater, work.place).own
        assert own is not None
        assert dict(own.scores) == expected


def test_a_study_may_keep_first_ratings(bench: Bench, ids: Ids) -> None:
    desk = bench.desk(extra="raters: {revise: false}")
    rater = rater_at(desk)
    work = next_work(desk, rater)[0]
    first = rate(desk, rater, work, ids())
    assert refused(rate, desk, rater, work, ids(), supersedes=first.id) == "F061"


def test_a_revision_names_a_rating_of_its_own_place(bench: Bench, ids: Ids) -> None:
    desk = bench.desk()
    ann, bo = rater_at(desk), rater_at(desk, "Bo")
    one, two = next_work(desk, ann, 2)
    theirs = rate(desk, bo, next_work(desk, bo)[0], ids())
    mine = rate(desk, ann, one, ids())
    for other in (mine.id, theirs.id, "nothing-of-this-name"):
        assert refused(rate, desk, ann, two, ids(), supersedes=other) == "D033"


def test_others_places_are_as_unknown_as_none(bench: Bench, ids: Ids) -> None:
    desk = bench.desk()
    ann, bo = rater_at(desk), rater_at(desk, "Bo")
    work = next_work(desk, bo)[0]
    ways: list[Callable[[int], object]] = [
        lambda place: open_work(desk, ann, place),
        lambda place: save_draft(desk, ann, place, 1, {}),
        lambda place: submit(desk, ann, Sent(ids(), place, work.version, GOOD)),
    ]
    for way in ways:
        problems = []
        for place in (work.place, 10**6):
            with pytest.raises(Problem) as raised:
                way(place)
            problems.append(raised.value)
        assert problems[0] == problems[1]
        assert problems[0].code == "F054"


def test_drafts_survive_and_the_newest_wins(bench: Bench, ids: Ids) -> None:
    desk = bench.desk()
    rater = rater_at(desk)
    work = next_work(desk, rater)[0]
    content = {"answers": {"note": {"value": "half a sent\x00\ud800"}}}
    assert save_draft(desk, rater, work.place, 5, content).result() == 5
    assert save_draft(desk, rater, work.place, 4, {}).result() == 5
    draft = open_work(desk, rater, work.place).draft
    assert draft is not None
    assert (draft.revision, draft.content) == (5, content)
    assert refused(save_draft, desk, rater, work.place, 6, {"x": "y" * 1_000_001}) == "F062"
    assert refused(save_draft, desk, rater, work.place, -1, {}) == "F062"
    rate(desk, rater, work, ids())
    assert open_work(desk, rater, work.place).draft is None


def test_a_late_submit_is_kept_as_surplus_when_the_place_was_filled(bench: Bench, ids: Ids) -> None:
    desk = bench.desk(items=1, extra="raters: {per_item: 1}")
    ann, bo = rater_at(desk), rater_at(desk, "Bo")
    work = next_work(desk, ann)[0]
    assert next_work(desk, bo) == []
    bench.clock.forward(hours=2)
    theirs = next_work(desk, bo)[0]
    assert not rate(desk, bo, theirs, ids()).surplus
    assert rate(desk, ann, work, ids()).surplus
    assert [r.surplus for r in desk.stores.ratings.ratings(desk.id)] == [False, True]


def test_a_place_that_is_worked_on_stays_the_raters(bench: Bench) -> None:
    desk = bench.desk(items=1, extra="raters: {per_item: 1}")
    ann, bo = rater_at(desk), rater_at(desk, "Bo")
    work = next_work(desk, ann)[0]
    for _ in range(6):
        bench.clock.forward(minutes=40)
        save_draft(desk, ann, work.place, 1, {}).result()
        assert next_work(desk, bo) == []
    bench.clock.forward(minutes=40)
    open_work(desk, ann, work.place)
    bench.clock.forward(minutes=40)
    assert next_work(desk, bo) == []


def test_w6_leaving_gives_the_rest_to_others(bench: Bench) -> None:
    desk = bench.desk(items=2, extra="raters: {per_item: 1}")
    ann, bo = rater_at(desk), rater_at(desk, "Bo")
    next_work(desk, ann, 2)
    assert next_work(desk, bo) == []
    assert leave(desk, ann) == 2
    assert len(next_work(desk, bo, 2)) == 2


def test_v2_numbered_places_start_anywhere(bench: Bench, ids: Ids) -> None:
    desk = bench.desk(items=6, extra="raters: {places: 2}")
    rater = rater_at(desk)
    work = go_to(desk, rater, 4)
    assert work.number == 4
    rate(desk, rater, work, ids())
    assert next_work(desk, rater)[0].number == 5
    again = go_to(desk, rater, 4)
    assert (again.place, again.state) == (work.place, "rated")
    for number in (99, -1):
        assert refused(go_to, desk, rater, number) == "F055"


def test_v2_a_full_number_leads_to_the_next_free_one(bench: Bench, ids: Ids) -> None:
    desk = bench.desk(items=4, extra="raters: {places: 1}")
    ann, bo = rater_at(desk), rater_at(desk, "Bo")
    rate(desk, ann, go_to(desk, ann, 1), ids())
    assert go_to(desk, bo, 1).number == 2
    bench.clock.forward(hours=2)
    again = go_to(desk, bo, 2)
    assert (again.number, again.state) == (2, "reserved")


def test_c9_where_everybody_rates_everything_any_number_can_be_opened(bench: Bench, ids: Ids) -> None:
    desk = bench.desk(items=6)
    rater = rater_at(desk)
    next_work(desk, rater, 2)
    work = go_to(desk, rater, 5)
    assert (work.number, work.shown.views[0]["text"]) == (5, "Answer 4")
    rate(desk, rater, work, ids())
    assert go_to(desk, rater, 5).state == "rated"
    assert go_to(desk, rater, 3).number == 3
    assert [w.number for w in next_work(desk, rater, 9)] == [1, 2, 3, 4, 6]
    for number in (7, 0, -1, 10**9):
        assert refused(go_to, desk, rater, number) == "F055"


def test_a_pool_has_no_numbers_before_they_are_given(bench: Bench) -> None:
    desk = bench.desk(items=6, extra="raters: {per_item: 1}")
    rater = rater_at(desk)
    assert refused(go_to, desk, rater, 3) == "F055"
    assert [w.number for w in next_work(desk, rater, 2)] == [1, 2]
    assert go_to(desk, rater, 2).number == 2


def test_what_was_begun_is_taken_from_a_paused_rater(bench: Bench, ids: Ids) -> None:
    desk = bench.desk()
    rater = rater_at(desk)
    work = next_work(desk, rater)[0]
    pause(desk.stores.accounts, desk.id, rater, "c")
    assert rate(desk, rater, work, ids()).number == 1


def test_a_closed_study_takes_repetitions_only(bench: Bench, ids: Ids) -> None:
    desk = bench.desk()
    rater = rater_at(desk)
    one, two = next_work(desk, rater, 2)
    rating = ids()
    rate(desk, rater, one, rating)
    close_study(desk, "coordinator")
    assert rate(desk, rater, one, rating).replay
    assert refused(rate, desk, rater, two, ids()) == "F058"


def test_nothing_is_taken_from_whoever_withdrew(bench: Bench, ids: Ids) -> None:
    desk = bench.desk()
    rater = rater_at(desk)
    one, two = next_work(desk, rater, 2)
    rate(desk, rater, one, ids())
    withdraw(desk.stores.accounts, desk.id, rater, "c")
    assert refused(rate, desk, rater, two, ids()) == "F059"
    assert list(desk.stores.ratings.ratings(desk.id)) == []


def test_answers_are_checked_against_the_version_their_page_showed(bench: Bench, ids: Ids) -> None:
    desk = bench.desk()
    rater = rater_at(desk)
    one, two = next_work(desk, rater, 2)
    changed = bench.desk(extra="checklist: []\nshow_score: true")
    assert changed.version.hash != one.version
    assert rate(changed, rater, one, ids()).number == 1
    rate(changed, rater, open_work(changed, rater, two.place), ids())
    kept = [r.submission.version for r in changed.stores.ratings.ratings(desk.id)]
    assert kept == [one.version, changed.version.hash]


def test_a_server_left_behind_by_a_new_version_says_so_and_takes_what_was_rated(
    bench: Bench, ids: Ids
) -> None:
    desk = bench.desk()
    rater = rater_at(desk)
    work = next_work(desk, rater)[0]
    two_views = STUDY.replace("    - {text: answer}", "    - {text: answer}\n    - {text: id}")
    bench.desk(extra=two_views)
    assert refused(next_work, desk, rater) == "F066"
    assert rate(desk, rater, work, ids()).number == 1


def test_earlier_turns_come_as_context_but_members_of_a_set_never(bench: Bench) -> None:
    assert [r["batch"] for r in records(4)] == ["secret-batch-0"] * 3 + ["secret-batch-1"]
    study = "rubrica: 1\n" + (
        "title: T\nitems: {from: items.jsonl, key: id, show: [{text: answer}], "
        "thread: {by: batch, kind: KIND}}\n"
        "questions: {q: {kind: text, ask: Why?, required: false}}\n"
    )
    for kind, expected in (("sequence", ["Answer 0", "Answer 1"]), ("set", [])):
        desk = bench.desk(extra=study.replace("KIND", kind), items=3)
        rater = rater_at(desk, kind)
        last = next(w for w in next_work(desk, rater, 3) if w.shown.views[0]["text"] == "Answer 2")
        assert [e.shown.views[0]["text"] for e in last.context] == expected


def test_a_draft_that_comes_after_its_rating_is_no_change_begun(bench: Bench, ids: Ids) -> None:
    desk = bench.desk(items=2)
    rater = rater_at(desk)
    work = next_work(desk, rater)[0]
    rating = ids()
    rate(desk, rater, work, rating)
    assert save_draft(desk, rater, work.place, 7, {"id": rating, "replies": {}}).result() == 7
    assert open_work(desk, rater, work.place).draft is None
    save_draft(desk, rater, work.place, 8, {"id": ids(), "replies": {}}).result()
    assert open_work(desk, rater, work.place).draft is not None
