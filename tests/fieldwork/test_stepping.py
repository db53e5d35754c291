from __future__ import annotations

from fieldwork_bench import GOOD, Bench, refused

from rubrica.accounts.changes import exclude, pause, readmit, withdraw
from rubrica.fieldwork.desk import Desk
from rubrica.fieldwork.finishing import close_study
from rubrica.fieldwork.joining import join
from rubrica.fieldwork.model import Sent, Step
from rubrica.fieldwork.practice import answer_example
from rubrica.fieldwork.sending import submit
from rubrica.fieldwork.stepping import agree, confirm_guidelines, step
from rubrica.fieldwork.working import next_work

EXTRA = """\
consent: {text: May we?}
guidelines: guidelines.md
practice: {from: practice.yaml}
"""
FILES = {"guidelines_md": "# How", "practice_yaml": "- {item: {answer: x}, answers: {correct: 3}}"}


def rate_all(desk: Desk, rater: int) -> int:
    count = 0
    while works := next_work(desk, rater, 3):
        for work in works:
            sent = Sent(f"r{rater:04d}-{work.place:012d}", work.place, work.version, GOOD)
            submit(desk, rater, sent).result()
            count += 1
    return count


def test_c4_the_pages_come_in_order_and_no_item_before_them(bench: Bench) -> None:
    desk = bench.desk(extra=EXTRA, items=2, **FILES)
    rater = join(desk, "Ann").rater.number
    assert step(desk, rater) == Step("consent")
    assert refused(next_work, desk, rater) == "F053"
    agree(desk, rater, desk.version.consent_hash or "")
    assert step(desk, rater) == Step("guidelines")
    assert refused(next_work, desk, rater) == "F053"
    confirm_guidelines(desk, rater, desk.version.guidelines_hash or "")
    assert step(desk, rater) == Step("practice")
    assert refused(next_work, desk, rater) == "F053"
    answer_example(desk, rater, 0, GOOD)
    assert step(desk, rater) == Step("workbench")
    assert rate_all(desk, rater) == 2
    assert step(desk, rater) == Step("done")


def test_a_study_with_nothing_before_it_begins_at_once(bench: Bench) -> None:
    desk = bench.desk()
    assert step(desk, join(desk, "Ann").rater.number) == Step("workbench")


def test_w2_changed_guidelines_are_confirmed_again(bench: Bench) -> None:
    extra = "guidelines: guidelines.md"
    desk = bench.desk(extra=extra, guidelines_md="# One")
    rater = join(desk, "Ann").rater.number
    old = desk.version.guidelines_hash or ""
    confirm_guidelines(desk, rater, old)
    same = bench.desk(extra=extra + "\nseed: 5", guidelines_md="# One")
    assert step(same, rater) == Step("workbench")
    changed = bench.desk(extra=extra, guidelines_md="# Two")
    assert step(changed, rater) == Step("guidelines", "changed")
    assert refused(confirm_guidelines, changed, rater, old) == "F056"
    confirm_guidelines(changed, rater, changed.version.guidelines_hash or "")
    assert step(changed, rater) == Step("workbench")
    confirmed = [
        e.details["version"]
        for e in bench.store.accounts.log_entries(desk.id)
        if e.what == "confirmed guidelines"
    ]
    assert confirmed == [desk.version.hash, changed.version.hash]


def test_whoever_is_stopped_is_told_so_and_gets_nothing(bench: Bench) -> None:
    desk = bench.desk()
    accounts = desk.stores.accounts
    rater = join(desk, "Ann").rater.number
    pause(accounts, desk.id, rater, "c")
    assert step(desk, rater) == Step("stopped", "paused")
    assert refused(next_work, desk, rater) == "F059"
    readmit(accounts, desk.id, rater, "c")
    assert step(desk, rater) == Step("workbench")
    exclude(accounts, desk.id, rater, "c", "random answers")
    assert step(desk, rater) == Step("stopped", "excluded")
    withdraw(accounts, desk.id, rater, "c")
    assert step(desk, rater) == Step("stopped", "withdrawn")
    assert refused(next_work, desk, rater) == "F059"
    assert step(desk, 99) == Step("stopped", "withdrawn")


def test_a_closed_study_is_done_for_everybody(bench: Bench) -> None:
    desk = bench.desk()
    rater = join(desk, "Ann").rater.number
    close_study(desk, "coordinator")
    assert step(desk, rater) == Step("done", "closed")
    assert refused(next_work, desk, rater) == "F058"
