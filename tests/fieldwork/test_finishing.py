from __future__ import annotations

import json
from collections.abc import Callable

from fieldwork_bench import GOOD, Bench, refused

from rubrica.fieldwork.asking import ask, flag, messages, newest, notices
from rubrica.fieldwork.finishing import close_study, own_ratings, own_ratings_file, summary
from rubrica.fieldwork.joining import join
from rubrica.fieldwork.model import Sent
from rubrica.fieldwork.sending import save_draft, submit
from rubrica.fieldwork.store import Message
from rubrica.fieldwork.working import leave, next_work, open_work

Ids = Callable[[], str]
CROWD = "crowd: {completion_code: C1, return_url: 'https://example.org/done'}"


def test_the_completion_code_comes_when_nothing_is_left(bench: Bench, ids: Ids) -> None:
    desk = bench.desk(items=2, extra=CROWD)
    rater = join(desk, "Ann").rater.number
    one, two = next_work(desk, rater, 2)
    submit(desk, rater, Sent(ids(), one.place, one.version, GOOD)).result()
    save_draft(desk, rater, two.place, 1, {"x": 1}).result()
    half = summary(desk, rater)
    assert (half.completion_code, half.done_numbers, half.drafts) == (None, "1", [2])
    leave(desk, rater)
    assert summary(desk, rater).completion_code is None
    again = next_work(desk, rater)[0]
    skip = Sent(ids(), again.place, again.version, skip_reason="black")
    submit(desk, rater, skip).result()
    whole = summary(desk, rater)
    assert (whole.completion_code, whole.return_url) == ("C1", "https://example.org/done")
    assert whole.skipped_numbers == "2"
    assert whole.progress.done == 2


def test_m10_the_checklist_names_the_items_that_break_it(bench: Bench, ids: Ids) -> None:
    line = "checklist: [{says: Low levels say why., breaks: {all: [{answer.note.state: left_out}]}}]"
    desk = bench.desk(items=3, extra=line)
    rater = join(desk, "Ann").rater.number
    low = {"correct": {"value": 1}, "helps": {"value": "Yes"}}
    said = {**low, "note": {"value": "wrong number"}}
    rated = [
        submit(desk, rater, Sent(ids(), work.place, work.version, answers)).result()
        for work, answers in zip(next_work(desk, rater, 3), (low, said, low), strict=True)
    ]
    (checked,) = summary(desk, rater).checklist
    assert (checked.says, checked.numbers) == ("Low levels say why.", [1, 3])
    first = open_work(desk, rater, 1)
    mended = Sent(ids(), first.place, first.version, said, supersedes=rated[0].id)
    submit(desk, rater, mended).result()
    assert summary(desk, rater).checklist[0].numbers == [3]


def test_a_closed_study_pays_whoever_worked(bench: Bench, ids: Ids) -> None:
    desk = bench.desk(items=2, extra=CROWD)
    ann, bo = join(desk, "Ann").rater.number, join(desk, "Bo").rater.number
    work = next_work(desk, ann)[0]
    submit(desk, ann, Sent(ids(), work.place, work.version, GOOD)).result()
    close_study(desk, "coordinator")
    assert summary(desk, ann).completion_code == "C1"
    assert summary(desk, bo).completion_code is None


def test_own_ratings_have_no_keys_systems_or_files(bench: Bench, ids: Ids) -> None:
    desk = bench.desk(items=2)
    rater = join(desk, "Ann").rater.number
    work = next_work(desk, rater)[0]
    first = submit(desk, rater, Sent(ids(), work.place, work.version, GOOD)).result()
    changed = {"correct": {"value": 1}, "helps": {"cannot_judge": True}, "note": {"value": "no"}}
    submit(desk, rater, Sent(ids(), work.place, work.version, changed, supersedes=first.id)).result()
    lines = list(own_ratings(desk, rater))
    assert [line["number"] for line in lines] == [1, 1]
    assert lines[1]["replaces"] == lines[0]["rating"] == first.id
    assert lines[1]["answers"]["correct"] == {"state": "answered", "value": 1}
    assert lines[1]["answers"]["helps"]["state"] == "cannot_judge"
    text = "".join(own_ratings_file(desk, rater))
    assert [json.loads(line) for line in text.splitlines()] == lines
    assert "secret" not in text
    assert "scores" not in text


def test_w1_raters_flag_and_ask_and_get_answers(bench: Bench) -> None:
    desk = bench.desk()
    ann, bo = join(desk, "Ann").rater.number, join(desk, "Bo").rater.number
    work = next_work(desk, ann)[0]
    flagged = flag(desk, ann, work.place, "The picture is black.")
    asked = ask(desk, ann, "May I look things up?")
    ask(desk, bo, "Something else")
    reply = Message(desk.id, "answer", "Yes.", rater=ann, answers=asked.number)
    bench.store.messages.add_message(reply)
    bench.store.messages.add_message(Message(desk.id, "notice", "Read the guidelines again."))
    told = messages(desk, ann)
    assert newest(desk, ann) == told[-1].number
    assert [m.text for m in notices(desk, bo)] == ["Read the guidelines again."]
    assert [m.text for m in told] == [flagged.text, asked.text, "Yes.", "Read the guidelines again."]
    assert (told[0].place, told[2].answers) == (work.place, asked.number)
    assert refused(flag, desk, bo, work.place, "not mine") == "F054"
    for text in ("", "  ", "x" * 4001):
        assert refused(ask, desk, ann, text) == "F064"
