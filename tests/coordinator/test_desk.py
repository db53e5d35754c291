"""The desk answers: studies, progress, and the word that something changed."""

from __future__ import annotations

from desking import Browser, World, write_study
from markupsafe import escape


def test_one_sees_the_studies_one_has_a_part_in(owner: Browser, reviewer: Browser) -> None:
    assert [one["study"] for one in owner.shown("/api/studies")] == ["two", "other"]
    (only,) = reviewer.shown("/api/studies")
    assert (only["study"], only["role"], only["title"]["zh"]) == ("two", "reviewer", "两件事")


def test_a_study_is_shown_as_declared(reviewer: Browser) -> None:
    shown = reviewer.shown("/api/studies/two")
    assert shown["declared"]["study"]["questions"]["quality"]["kind"] == "scale"
    assert [v["now"] for v in shown["versions"]] == [True]
    page = reviewer.get("/desk/s/two/study", accept="text/html").text
    assert str(escape(shown["written"])) in page
    assert "judge" in shown["written"]
    assert (shown["policy"], shown["closed"]) == ("everyone", False)


def test_progress_counts_what_raters_do(reviewer: Browser, rater: Browser) -> None:
    before = reviewer.shown("/api/studies/two/progress")
    assert (before["items"], before["waiting"], before["rated"], before["needed"]) == (6, 6, 0, 6)
    for value in (1, 2, None):
        rater.rate(value)
    after = reviewer.shown("/api/studies/two/progress")
    assert (after["rated"], after["skipped"], after["done"], after["waiting"]) == (2, 1, 3, 3)
    assert [(b["name"], b["items"], b["done"]) for b in after["batches"]] == [
        ("part-0", 3, 3),
        ("part-1", 3, 0),
    ]
    assert after["active_seconds"] == 12.0
    assert after["per_day"] == 3.0
    assert after["revision"] != before["revision"]


def test_the_document_names_every_endpoint(world: World) -> None:
    document = world.browser().shown("/api/openapi.json")
    assert document["openapi"].startswith("3.1")
    assert "/api/studies/{study}/progress" in document["paths"]


def test_what_is_wrong_has_one_shape(reviewer: Browser, world: World) -> None:
    for path, status, code in (
        ("/api/studies", 401, "W110"),
        ("/api/nowhere", 404, "W113"),
        ("/api/session", 405, "W114"),
    ):
        answer = world.browser().get(path)
        assert (answer.status_code, answer.json()["code"]) == (status, code)
        assert answer.headers["content-type"] == "application/problem+json"
        assert set(answer.json()) == {"title", "status", "code", "problems"}
    assert world.browser().get("/api/session").headers["allow"]
    assert reviewer.get("/api/studies/other/progress").status_code == 404
    assert reviewer.post("/api/studies/two/close").status_code == 403


def test_a_study_is_tried_as_a_rater_and_nothing_is_left(world: World, reviewer: Browser) -> None:
    address = reviewer.done("/api/studies/two/trial")["address"]
    assert "Two things" in reviewer.get(f"{address}/work").text
    for value in (1, 2):
        reviewer.rate(value, "two~trial")
    assert reviewer.shown("/api/studies/two/progress")["rated"] == 0
    assert [one["study"] for one in reviewer.shown("/api/studies")] == ["two"]
    assert reviewer.shown(f"{address}/api/items")[0]["state"] == "rated"
    reviewer.done("/api/studies/two/trial")
    assert reviewer.shown(f"{address}/api/items") == []
    assert world.browser().get(f"{address}/api/items").status_code == 401
    assert world.browser().get("/s/other~trial").status_code == 404


def test_a_trial_follows_the_present_version(world: World) -> None:
    owner = world.signed_in("o", {"": "owner"})
    owner.done("/api/studies/two/trial")
    write_study(world.folder / "two", title="Three things", raters={"per_item": 1})
    world.open(world.folder / "two")
    for name in ("p", "q"):
        browser = world.signed_in(name, {"": "owner"})
        address = browser.done("/api/studies/two/trial")["address"]
        assert "Three things" in browser.get(f"{address}/work").text
