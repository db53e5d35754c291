"""Items at the desk: filtered, looked at, settled; judges' scores kept back; what raters ask."""

from __future__ import annotations

import json
from typing import Any

import pytest
from desking import Browser, World, write_study

ITEMS = "/api/studies/two/items"
MESSAGES = "/api/studies/two/messages"


@pytest.fixture
def rated(world: World) -> World:
    """Two raters disagree about the first item; one of them skips the third."""
    for name, values in (("A", (1, 2, None, 2)), ("B", (3, 2, 2))):
        rater = world.browser()
        rater.join(name)
        for value in values:
            comment = {"answers": {"quality": {"value": value}, "comment": {"value": "odd"}}}
            rater.rate(value, **(comment if (name, value) == ("B", 2) else {}))
    return world


@pytest.fixture
def carl(rated: World) -> Browser:
    return rated.signed_in("carl", {"two": "coordinator"})


def keys(browser: Browser, **asked: Any) -> list[str]:
    query = "&".join(f"{name}={value}" for name, value in asked.items())
    return [row["key"] for row in browser.shown(f"{ITEMS}?{query}")["items"]]


def test_items_are_filtered_by_what_was_done_about_them(carl: Browser) -> None:
    assert keys(carl) == ["k0", "k1", "k2", "k3", "k4", "k5"]
    assert keys(carl, stage="done") == ["k0", "k1", "k2"]
    assert keys(carl, stage="going") == ["k3"]
    assert keys(carl, stage="waiting") == ["k4", "k5"]
    assert keys(carl, mark="split") == ["k0"]
    assert keys(carl, mark="skipped") == ["k2"]
    assert keys(carl, mark="skipped", skips=2) == []
    assert keys(carl, mark="comments") == ["k1", "k2"]
    assert keys(carl, batch=1) == ["k3", "k4", "k5"]
    assert keys(carl, find="text 4") == ["k4"]
    shown = carl.shown(f"{ITEMS}?count=1")
    assert shown["stages"] == {"waiting": 2, "going": 1, "done": 3}
    assert shown["marks"] == {"split": 1, "skipped": 1, "comments": 2}


def test_no_item_is_left_out_whatever_the_order_of_ratings(world: World) -> None:
    world.open(write_study(world.folder / "two", 20, raters={"order": "shuffled", "per_item": 2}))
    carl = world.signed_in("carl", {"two": "coordinator"})
    for name, count in (("A", 5), ("B", 1)):
        rater = world.browser()
        rater.join(name)
        for _ in range(count):
            rater.rate(2)
            assert keys(carl) == [f"k{n}" for n in range(20)]
    progress = carl.shown("/api/studies/two/progress")
    stages = carl.shown(f"{ITEMS}?count=1")["stages"]
    assert stages == {name: progress[name] for name in ("waiting", "going", "done")}
    for stage, count in stages.items():
        assert len(keys(carl, stage=stage)) == count
    assert sum(stages.values()) == progress["items"] == 20


def test_items_come_a_page_at_a_time(carl: Browser) -> None:
    first = carl.shown(f"{ITEMS}?count=4")
    rest = carl.shown(f"{ITEMS}?count=4&after={first['after']}")
    assert [row["key"] for row in rest["items"]] == ["k4", "k5"]
    assert rest["after"] is None
    assert carl.get(f"{ITEMS}?after=nonsense").status_code == 404


def test_items_of_a_thread_are_found(world: World) -> None:
    thread = {"by": "model", "kind": "set"}
    items = {"from": "items.jsonl", "key": "id", "thread": thread, "show": [{"text": "text"}]}
    world.open(write_study(world.folder / "runs", items=items))
    owner = world.signed_in("o", {"": "owner"})
    found = owner.shown("/api/studies/runs/items?thread=secret-a")["items"]
    assert [row["key"] for row in found] == ["k1", "k3", "k5"]
    assert owner.shown("/api/studies/runs/items?thread=none")["items"] == []


def item_of(browser: Browser, key: str) -> dict[str, Any]:
    (row,) = [row for row in browser.shown(ITEMS)["items"] if row["key"] == key]
    shown: dict[str, Any] = browser.shown(f"{ITEMS}/{row['id']}")
    return shown


def test_all_ratings_of_an_item_stand_side_by_side(carl: Browser) -> None:
    shown = item_of(carl, "k0")
    assert shown["views"][0]["text"] == "Text 0"
    assert [(r["name"], r["answers"]["quality"]["says"]["en"]) for r in shown["ratings"]] == [
        ("A", "Bad"),
        ("B", "Good"),
    ]
    assert shown["splits"] == {"quality": 1.0}
    assert item_of(carl, "k2")["ratings"][0]["skip_reason"] == "broken"


def test_revisions_stay_visible(carl: Browser, rated: World) -> None:
    rater = rated.browser()
    rater.join("C")
    work = rater.rate(1)
    again = {
        "id": "rating-again-00000001",
        "place": work["place"],
        "version": work["version"],
        "answers": {"quality": {"value": 3}},
        "supersedes": f"rating-{work['place']:010d}-1",
    }
    rater.done("/s/two/api/submit", again)
    mine = [r for r in item_of(carl, "k0")["ratings"] if r["name"] == "C"]
    assert [r["superseded"] for r in mine] == [True, False]
    assert mine[1]["supersedes"] == mine[0]["id"]


def test_evidence_stands_on_its_turns(world: World) -> None:
    chat = [{"user": "hi", "assistant": "yo"}, {"user": "where", "assistant": "there"}]
    questions = {
        "errors": {
            "kind": "failures",
            "ask": "What went wrong?",
            "over": "turns",
            "types": {"refusal": "It refused", "wrong": {"label": "Wrong", "means": "not so"}},
        }
    }
    view = {"chat": "turns", "user": "user", "assistant": "assistant"}
    items = {"from": "items.jsonl", "key": "id", "show": [view]}
    folder = write_study(world.folder / "talks", items=items, questions=questions)
    (folder / "items.jsonl").write_text(json.dumps({"id": "t", "turns": chat}))
    world.open(folder)
    rater = world.browser()
    rater.join("A", "talks")
    mark = {"type": "wrong", "part": 2, "note": "not there"}
    rater.rate(1, "talks", answers={"errors": {"value": [mark]}})
    owner = world.signed_in("o", {"": "owner"})
    (row,) = owner.shown("/api/studies/talks/items")["items"]
    (found,) = owner.shown(f"/api/studies/talks/items/{row['id']}")["marks"]
    assert (found["turn"], found["rater"], found["question"]) == (2, 1, "errors")
    assert found["says"]["en"] == "Wrong · not there"


def test_answers_to_each_entry_say_what_they_are_about(world: World) -> None:
    levels = {"yes": {"en": "Reached", "zh": "达成"}, "no": {"en": "Missed", "zh": "未达成"}}
    answer = {"kind": "choice", "options": levels}
    questions = {"goals": {"kind": "each", "ask": "Each goal?", "over": "goals", "answer": answer}}
    items = {"from": "items.jsonl", "key": "id", "show": [{"text": "text"}]}
    folder = write_study(world.folder / "goals", items=items, questions=questions)
    goals = ["Find a park", "Call " + "a friend " * 20]
    (folder / "items.jsonl").write_text(json.dumps({"id": "t", "text": "x", "goals": goals}))
    world.open(folder)
    rater = world.browser()
    rater.join("A", "goals")
    value = [{"value": "yes"}, {"value": "no"}]
    rater.rate(1, "goals", answers={"goals": {"value": value}})
    owner = world.signed_in("o", {"": "owner"})
    (row,) = owner.shown("/api/studies/goals/items")["items"]
    (rating,) = owner.shown(f"/api/studies/goals/items/{row['id']}")["ratings"]
    first, second = rating["answers"]["goals"]["says"]["en"].split("; ")
    assert first == "Find a park: Reached"
    assert second.startswith("Call a friend")
    assert second.endswith("…: Missed")
    assert rating["answers"]["goals"]["says"]["zh"].startswith("Find a park：达成; ")


def test_reviewers_settle_and_the_ratings_stay(rated: World) -> None:
    rita = rated.signed_in("rita", {"two": "reviewer"})
    shown = item_of(rita, "k0")
    assert (shown["row"]["system"], shown["ratings"][0]["name"]) == (None, None)
    path = f"{ITEMS}/{shown['row']['id']}/settle"
    assert rita.post(path, {"question": "none", "value": 1}).json()["code"] == "W115"
    assert rita.post(path, {"question": "quality", "value": 9}).json()["code"] == "W115"
    rita.done(path, {"question": "quality", "value": 2, "note": "first look"})
    first, second = rita.done(path, {"question": "quality", "value": 3, "note": "after talking"})
    assert (first["stands"], second["stands"], second["says"]["zh"]) == (False, True, "Good")
    after = item_of(rita, "k0")
    assert after["ratings"] == shown["ratings"]
    assert after["row"]["settled"]
    assert keys(rita, mark="settled") == ["k0"]


def test_judges_scores_wait_for_people_and_every_look_is_logged(carl: Browser, rated: World) -> None:
    early, done = item_of(carl, "k4"), item_of(carl, "k0")
    assert (early["verdicts"], early["verdicts_why"]) == (None, "ratings")
    assert (done["verdicts"], done["verdicts_why"]) == (None, "ask")
    assert carl.post(f"{ITEMS}/{early['row']['id']}/verdicts").json()["code"] == "W122"
    (score,) = carl.done(f"{ITEMS}/{done['row']['id']}/verdicts")
    assert (score["verdict"], score["value"]) == ("quality", 1)
    looks = [e for e in carl.shown("/api/studies/two/log") if e["what"] == "judges' scores looked at"]
    assert [(e["who"], e["details"]["item"]) for e in looks] == [("person 1", done["row"]["id"])]
    rita = rated.signed_in("rita", {"two": "reviewer"})
    assert item_of(rita, "k0")["verdicts_why"] == "role"
    assert rita.post(f"{ITEMS}/{done['row']['id']}/verdicts").status_code == 403
    owner = rated.signed_in("o", {"": "owner"})
    owner.done("/api/studies/two/close")
    assert item_of(carl, "k4")["verdicts"][0]["value"] == 2


@pytest.mark.parametrize(("says", "why"), [("always", "ask"), ("closed", "closed")])
def test_a_study_says_otherwise_when_scores_may_be_seen(world: World, says: str, why: str) -> None:
    write_study(world.folder / "two", report={"show_verdicts": says})
    world.open(world.folder / "two")
    owner = world.signed_in("o", {"": "owner"})
    shown = item_of(owner, "k0")
    assert shown["verdicts_why"] == why
    looked = owner.post(f"{ITEMS}/{shown['row']['id']}/verdicts").status_code
    assert looked == (200 if why == "ask" else 409)


def test_w1_a_rater_flags_an_item_and_is_answered(carl: Browser, rated: World) -> None:
    rater = rated.browser()
    rater.join("C")
    work = rater.done("/s/two/api/next", {"count": 1})["works"][0]
    flag = {"kind": "flag", "text": "the text is cut", "place": work["place"]}
    rater.done("/s/two/api/message", flag)
    rater.done("/s/two/api/message", {"kind": "question", "text": "may I skip?"})
    listed = carl.shown(MESSAGES)
    assert [(m["kind"], m["item_key"], m["name"]) for m in listed["messages"]] == [
        ("question", None, "C"),
        ("flag", "k0", "C"),
    ]
    assert listed["open"] == [1, 2]
    assert keys(carl, mark="flags") == ["k0"]
    assert ("flags", None) in [
        (a["code"], a["rater"]) for a in carl.shown("/api/studies/two/progress")["alerts"]
    ]
    carl.done(MESSAGES, {"text": "thank you, mended", "answers": 1})
    assert [m["number"] for m in carl.shown(f"{MESSAGES}?open=true")["messages"]] == [2]
    assert [m["text"] for m in rater.shown("/s/two/api/messages")][-1] == "thank you, mended"
    assert [m["text"] for m in item_of(carl, "k0")["flags"]] == ["the text is cut", "thank you, mended"]
    other = rated.browser()
    other.join("D")
    assert other.shown("/s/two/api/messages") == []


def test_w2_a_notice_reaches_everybody(carl: Browser, rated: World) -> None:
    rater = rated.browser()
    rater.join("C")
    carl.done(MESSAGES, {"text": "Rule 3 was made clearer."})
    carl.done(MESSAGES, {"text": "Please look at 4 again.", "rater": 1})
    assert [m["kind"] for m in rater.shown("/s/two/api/messages")] == ["notice"]
    assert carl.post(MESSAGES, {"text": " "}).json()["code"] == "W116"
    assert carl.post(MESSAGES, {"text": "x", "answers": 99}).status_code == 404
    assert carl.post(MESSAGES, {"text": "x", "rater": 99}).status_code == 404


def test_media_come_by_opaque_ids_only(world: World) -> None:
    items = {"from": "items.jsonl", "key": "id", "show": [{"images": "text"}]}
    folder = write_study(world.folder / "seen", 1, items=items)
    (folder / "items.jsonl").write_text('{"id": "a", "text": "a.png"}')
    (folder / "a.png").write_bytes(b"\x89PNG picture")
    world.open(folder)
    owner = world.signed_in("o", {"": "owner"})
    (row,) = owner.shown("/api/studies/seen/items")["items"]
    (public,) = owner.shown(f"/api/studies/seen/items/{row['id']}")["views"][0]["images"]
    answer = owner.get(f"/api/studies/seen/media/{public}")
    assert (answer.content, answer.headers["content-type"]) == (b"\x89PNG picture", "image/png")
    assert "sandbox" in answer.headers["content-security-policy"]
    for name in ("a.png", "study.yaml", "..%2fstudy.yaml", "%2e%2e%2f%2e%2e%2fetc%2fpasswd"):
        assert owner.get(f"/api/studies/seen/media/{name}").status_code == 404
