"""Results and files: closed until looked at, the report's own numbers, exports, ratings to renew."""

from __future__ import annotations

import csv
import io
import json
from typing import Any

import pytest
from desking import Browser, World, computed_here, until, write_study

from rubrica.coordinator.rules import NO_COMPUTER
from rubrica.errors import Problem
from rubrica.fieldwork.robots import Crew, simulate
from rubrica.reports.records import report
from rubrica.review.gather import gather
from rubrica.review.results import reviewed

RESULTS = "/api/studies/two/results"


@pytest.fixture
def carl(world: World) -> Browser:
    world.open(world.folder / "two", compute=computed_here(world.store))
    simulate(world.desks["two"], Crew(raters=3, seed=2, skips=0.0, revisions=0.0), lambda _: None)
    return world.signed_in("carl", {"two": "coordinator"})


def looked(browser: Browser) -> Any:
    browser.done(f"{RESULTS}/look")
    return until(lambda: browser.shown(RESULTS), lambda shown: shown["report"] is not None)


def test_w9_results_stay_closed_and_each_look_is_logged_and_reported(
    carl: Browser, world: World
) -> None:
    before = carl.shown(RESULTS)
    assert (before["open"], before["report"], before["looked"]) == (True, None, 0)
    assert carl.get(f"{RESULTS}/files/report.html").json()["code"] == "W118"
    shown = looked(carl)
    assert (shown["looked"], shown["current"]) == (1, True)
    log = [e for e in carl.shown("/api/studies/two/log") if e["what"] == "results looked at"]
    assert [(e["who"], e["details"]["ratings"]) for e in log] == [("person 1", 18)]
    other = world.signed_in("cora", {"two": "coordinator"})
    assert other.shown(RESULTS)["report"] is None
    late = world.browser()
    late.join("late")
    late.rate(3)
    assert carl.shown(RESULTS)["current"] is False
    again = until(lambda: looked(carl), lambda shown: shown["current"])
    assert again["report"]["study"]["looks"] == [18]


def test_a_second_look_at_the_same_ratings_is_the_same_look(carl: Browser, world: World) -> None:
    looked(carl)
    assert looked(carl)["looked"] == 1
    late = world.browser()
    late.join("late")
    late.rate(3)
    assert looked(carl)["looked"] == 2


def test_a_failure_is_told_in_both_languages_and_tried_again(world: World) -> None:
    broken = [True]
    right = computed_here(world.store)

    def compute(what: str, asked: Any) -> Any:
        if broken:
            raise Problem(NO_COMPUTER, details={"reason": "no room"})
        return right(what, asked)

    world.open(world.folder / "two", compute=compute)
    carl = world.signed_in("carl", {"two": "coordinator"})
    carl.done(f"{RESULTS}/look")
    failed = until(lambda: carl.shown(RESULTS), lambda shown: not shown["computing"])["failed"]
    assert "no room" in failed["en"]
    assert failed["zh"] != failed["en"]
    broken.clear()
    shown = looked(carl)
    assert (shown["failed"], shown["looked"]) == (None, 1)


def test_a_closed_study_shows_its_results_without_a_look(carl: Browser, world: World) -> None:
    world.signed_in("o", {"": "owner"}).done("/api/studies/two/close")
    shown = until(lambda: carl.shown(RESULTS), lambda shown: shown["report"] is not None)
    assert (shown["open"], shown["looked"]) == (False, 0)


def test_the_numbers_are_those_of_the_report(carl: Browser, world: World) -> None:
    shown = looked(carl)["report"]
    version = world.store.studies.versions("two")[-1]
    found = report(reviewed(world.store, gather(world.store, "two", version)))
    for part in ("agreement", "systems", "comparisons", "judges", "raters", "asked"):
        assert shown[part] == json.loads(json.dumps(found[part])), part
    whole = carl.get(f"{RESULTS}/files/report.json")
    assert whole.json()["agreement"] == shown["agreement"]
    page = carl.get(f"{RESULTS}/files/report.html?language=zh")
    assert 'lang="zh-Hans"' in page.text
    assert carl.get(f"{RESULTS}/files/..%2fstudy.yaml").status_code == 404


def test_reviewers_see_no_results(carl: Browser, world: World) -> None:
    rita = world.signed_in("rita", {"two": "reviewer"})
    assert rita.get(RESULTS).status_code == 403
    assert rita.get("/api/studies/two/export").status_code == 403


def test_ratings_are_exported_without_names_unless_asked(carl: Browser) -> None:
    answer = carl.get("/api/studies/two/export")
    assert answer.headers["content-disposition"] == 'attachment; filename="two-tidy.jsonl"'
    rows = [json.loads(line) for line in answer.text.splitlines()]
    assert len(rows) == 18
    assert "rater_name" not in rows[0]
    named = carl.get("/api/studies/two/export?format=csv&names=true").text
    assert "rater_name" in named.splitlines()[0]
    assert carl.get("/api/studies/two/export?format=xlsx").content.startswith(b"PK")
    logged = [
        e["details"] for e in carl.shown("/api/studies/two/log") if e["what"] == "exported ratings"
    ]
    assert [one["names"] for one in logged] == [False, True, False]
    assert carl.shown("/api/studies/two/export/choices")["native"] == []
    assert carl.get("/api/studies/two/export?layout=vtt").status_code == 422
    assert carl.get("/api/studies/two/export?rater=nobody").status_code == 422


def test_w8_withdrawn_ratings_are_in_no_result_and_no_export(carl: Browser, world: World) -> None:
    owner = world.signed_in("o", {"": "owner"})
    owner.done("/api/studies/two/raters/1/withdraw")
    shown = looked(carl)["report"]
    assert shown["asked"]["ratings"] == 12
    assert "withdrew their consent" in json.dumps(shown["left_out"])
    rows = carl.get("/api/studies/two/export?names=true").text.splitlines()
    assert len(rows) == 12
    assert all(json.loads(row)["rater"] != 1 for row in rows)


def test_w2_a_clarified_guideline_is_confirmed_again_and_ratings_before_it_are_listed(
    world: World,
) -> None:
    folder = world.folder / "two"
    (folder / "rules.md").write_text("Rate what you see.")
    write_study(folder, guidelines="rules.md")
    world.open(folder, compute=computed_here(world.store))
    rater = world.browser()
    rater.join("A")
    confirm(rater, world)
    rater.rate(1)
    rater.rate(2)
    (folder / "rules.md").write_text("Rate what you see, and nothing else.")
    world.open(folder, compute=computed_here(world.store))
    rater.client._transport = world.browser().client._transport
    assert rater.post("/s/two/api/next", {"count": 1}).json()["code"] == "F053"
    confirm(rater, world)
    rater.rate(3)
    carl = world.signed_in("carl", {"two": "coordinator"})
    versions = carl.shown("/api/studies/two")["versions"]
    assert [v["ratings"] for v in versions[-2:]] == [2, 1]
    now = versions[-1]["hash"]
    (line,) = carl.shown(f"/api/studies/two/again?version={now}")
    assert (line["name"], line["numbers"], line["items"]) == ("A", "1-2", 2)
    listed = carl.get(f"/api/studies/two/again.csv?version={now}").text.removeprefix("\ufeff")
    assert [row["item"] for row in csv.DictReader(io.StringIO(listed))] == ["k0", "k1"]
    carl.done(f"/api/studies/two/again?version={now}", {"text": "Rule 1 is clearer now."})
    assert "1-2" in rater.shown("/s/two/api/messages")[-1]["text"]
    assert carl.get("/api/studies/two/again?version=none").status_code == 404


def confirm(rater: Browser, world: World) -> None:
    rater.done("/s/two/api/guidelines", {"hash": world.desks["two"].version.guidelines_hash})


def test_w3_a_calibration_round_is_kept_out_of_results(world: World) -> None:
    folder = write_study(world.folder / "pilot", raters={"calibration": 2})
    world.open(folder, compute=computed_here(world.store))
    simulate(world.desks["pilot"], Crew(raters=2, seed=2, skips=0.0, revisions=0.0), lambda _: None)
    carl = world.signed_in("carl", {"pilot": "coordinator"})
    assert carl.shown("/api/studies/pilot")["calibration"] == 2
    carl.done("/api/studies/pilot/results/look")
    path = "/api/studies/pilot/results"
    shown = until(lambda: carl.shown(path), lambda shown: shown["report"] is not None)["report"]
    assert (shown["asked"]["ratings"], shown["asked"]["ratings_used"]) == (12, 8)
