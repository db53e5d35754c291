from __future__ import annotations

import pytest
from fieldwork_bench import Bench, refused

from rubrica.accounts.changes import exclude, invite, pause, readmit, reissue_code, withdraw
from rubrica.fieldwork.joining import join, set_language


def test_a_free_id_is_taken_and_its_code_shown_once(bench: Bench) -> None:
    desk = bench.desk()
    first = join(desk, "  Ann  Bee ", language="zh")
    assert (first.rater.name, first.rater.number, first.rater.language) == ("Ann Bee", 1, "zh")
    assert first.resume_code is not None
    assert join(desk, "Ann Bee", code=first.resume_code).resume_code is None


def test_c1_anothers_id_cannot_be_taken_and_ones_own_is_kept(bench: Bench) -> None:
    desk = bench.desk()
    ann = join(desk, "Ann")
    assert ann.resume_code
    for code in (None, ""):
        assert refused(join, desk, "Ann", code=code) == "F052"
    for code in ("AAAA-BBBB-CCCC-DDDD", join(desk, "Bo").resume_code):
        for name in ("Ann", "nobody's"):  # a code that does not fit says nothing about the id
            assert refused(join, desk, name, code=code) == "F068"
    again = join(desk, "Ann", code=ann.resume_code.lower().replace("-", " "), language="zh")
    assert (again.rater.number, again.rater.language) == (ann.rater.number, "zh")


def test_c1_a_lost_code_is_reissued_and_the_old_one_ends(bench: Bench) -> None:
    desk = bench.desk()
    ann = join(desk, "Ann")
    fresh = reissue_code(desk.stores.accounts, desk.id, 1, "coordinator")
    assert refused(join, desk, "Ann", code=ann.resume_code) == "F068"
    assert join(desk, "Ann", code=fresh.resume_code).rater.number == 1
    assert [e.what for e in desk.stores.accounts.log_entries(desk.id)][-1] == "reissued resume code"


@pytest.mark.parametrize("name", ["", "  ", "a" * 101, "a\x00b", "a‮b"])
def test_an_id_must_be_readable(bench: Bench, name: str) -> None:
    assert refused(join, bench.desk(), name) == "F050"


def test_where_ids_are_listed_unknown_and_taken_ones_look_alike(bench: Bench) -> None:
    desk = bench.desk(extra="raters: {join: ids, ids: [p1, p2]}")
    code = join(desk, "p1").resume_code
    answers = {
        refused(join, desk, "p1"),
        refused(join, desk, "p1", code="AAAA"),
        refused(join, desk, "p9"),
        refused(join, desk, "p9", code=code),
    }
    assert answers == {"F051"}
    assert join(desk, "p1", code=code).rater.number == 1


def test_by_invitation_the_code_comes_with_the_invitation(bench: Bench) -> None:
    desk = bench.desk(extra="raters: {join: invitation}")
    assert refused(join, desk, "Ann") == "F051"
    invited = invite(desk.stores.accounts, desk.id, "Ann", "coordinator")
    assert invited.rater.state == "invited"
    assert refused(join, desk, "Ann") == "F051"
    joined = join(desk, "Ann", code=invited.resume_code, language="zh")
    assert (joined.rater.state, joined.rater.language) == ("active", "zh")
    assert refused(invite, desk.stores.accounts, desk.id, "Ann", "coordinator") == "F041"


def test_crowd_parameters_are_kept_by_our_names_and_others_dropped(bench: Bench) -> None:
    desk = bench.desk(extra="crowd: {participant: PROLIFIC_PID}")
    sent = {"PROLIFIC_PID": "5f0" * 100, "STUDY_ID": "s", "utm": "x", "SESSION_ID": ""}
    joined = join(desk, "Ann", crowd=sent)
    assert joined.rater.crowd == {"participant": ("5f0" * 100)[:200], "study": "s"}
    assert join(bench.desk(), "Bo", crowd=sent).rater.crowd == {}


def test_a_language_nobody_speaks_becomes_the_studys_first(bench: Bench) -> None:
    desk = bench.desk()
    assert join(desk, "Ann", language="xx").rater.language == "en"
    assert set_language(desk, 1, "zh").language == "zh"


def test_what_coordinators_do_is_logged_and_holds(bench: Bench) -> None:
    desk = bench.desk()
    accounts = desk.stores.accounts
    code = join(desk, "Ann").resume_code
    assert pause(accounts, desk.id, 1, "c").state == "paused"
    assert readmit(accounts, desk.id, 1, "c").state == "active"
    assert refused(exclude, accounts, desk.id, 1, "c", "  ") == "F042"
    assert exclude(accounts, desk.id, 1, "c", "straight-lining").state == "excluded"
    gone = withdraw(accounts, desk.id, 1, "c")
    assert (gone.state, "Ann" in gone.name, dict(gone.crowd)) == ("withdrawn", False, {})
    assert refused(join, desk, gone.name, code=code) == "F068"
    assert refused(pause, accounts, desk.id, 9, "c") == "F040"
    told = [e.what for e in accounts.log_entries(desk.id)]
    assert told == ["joined", "paused", "active", "excluded", "withdrawn"]


def test_nobody_new_joins_a_closed_study(bench: Bench) -> None:
    desk = bench.desk()
    code = join(desk, "Ann").resume_code
    desk.stores.studies.close(desk.id)
    assert refused(join, desk, "Bo") == "F058"
    assert join(desk, "Ann", code=code).rater.number == 1


def test_who_does_not_hear_the_answer_may_ask_again(bench: Bench) -> None:
    """The same attempt is the same rater under the same code; anybody else's is refused."""
    desk, attempt = bench.desk(), "a" * 24
    first = join(desk, "Ann", attempt=attempt)
    again = join(desk, " Ann ", attempt=attempt)
    assert (again.rater.number, again.resume_code) == (first.rater.number, first.resume_code)
    assert join(desk, "Ann", code=first.resume_code).rater.number == first.rater.number
    assert refused(join, desk, "Ann", attempt="b" * 24) == "F052"
    other = join(desk, "Bea", attempt=attempt)
    assert other.rater.number != first.rater.number
    assert other.resume_code != first.resume_code
    assert len(bench.store.accounts.raters(desk.id)) == 2


def test_an_attempt_is_hard_to_guess(bench: Bench) -> None:
    for attempt in ("", "short", "x" * 65, "with blanks in it, 24 ch"):
        assert refused(join, bench.desk(), "Ann", attempt=attempt) == "F067"
