"""Raters at the desk: invited, listed, paused, excluded, handed over, forgotten, paid."""

from __future__ import annotations

import csv
import io
from urllib.parse import parse_qs, urlsplit

from desking import Browser, World, write_study

SHEET = "/api/studies/two/timesheet"
RATERS = "/api/studies/two/raters"


def lines_of(text: str) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(text.removeprefix("\ufeff"))))


def test_an_invitation_link_opens_the_study_under_its_id(coordinator: Browser, world: World) -> None:
    (made,) = coordinator.done(f"{RATERS}/invite", {"names": ["Jürgen & co"]})["invitations"]
    link = urlsplit(made["link"])
    given = parse_qs(link.fragment)
    assert (link.path, given["id"]) == ("/s/two", ["Jürgen & co"])
    guest = world.browser()
    joined = {"name": given["id"][0], "code": given["code"][0]}
    guest.done("/s/two/api/join", joined)
    guest.rate(2)
    shown = coordinator.shown(f"{RATERS}/{made['rater']}")
    assert (shown["rater"]["state"], shown["rater"]["rated"], shown["done"]) == ("active", 1, "1")


def test_many_are_invited_from_a_table_and_come_back_as_one(coordinator: Browser) -> None:
    table = "\ufeffname;mail;annotator_id\nAda;ada@x.example;JD01\n\nBo;=cmd();JD02\nAda2;a@x;JD01\n"
    made = coordinator.done(f"{RATERS}/invite-list", {"csv": table})
    assert [i["problem"] is None for i in made["invitations"]] == [True, True, False]
    lines = lines_of(made["csv"])
    assert [line["mail"] for line in lines] == ["ada@x.example", "'=cmd()", "a@x"]
    assert lines[0]["link"].startswith("http://127.0.0.1/s/two#id=JD01&code=")
    assert "in use" in lines[2]["problem"]
    assert {r["state"] for r in coordinator.shown(RATERS)["raters"]} == {"invited"}


def test_a_list_without_names_is_refused_and_a_bare_one_is_read(coordinator: Browser) -> None:
    assert coordinator.post(f"{RATERS}/invite-list", {"csv": " \n"}).json()["code"] == "W121"
    made = coordinator.done(f"{RATERS}/invite-list", {"csv": "A\nB\n"})
    assert [i["name"] for i in made["invitations"]] == ["A", "B"]


def test_raters_are_found_sorted_and_paged(coordinator: Browser, world: World) -> None:
    for number in range(5):
        rater = world.browser()
        rater.join(f"R-{number}")
        for _ in range(number):
            rater.rate(1)
    by_work = coordinator.shown(f"{RATERS}?sort=rated&count=2&page=2")
    assert [r["name"] for r in by_work["raters"]] == ["R-2", "R-1"]
    assert (by_work["total"], by_work["pages"]) == (5, 3)
    assert [r["number"] for r in coordinator.shown(f"{RATERS}?find=r-3")["raters"]] == [4]
    assert coordinator.shown(f"{RATERS}?state=paused")["total"] == 0
    assert coordinator.shown(f"{RATERS}?page=9")["raters"] == []


def test_reviewers_see_numbers_not_names(reviewer: Browser, rater: Browser) -> None:
    (line,) = reviewer.shown(RATERS)["raters"]
    assert (line["number"], line["name"]) == (1, None)
    assert "JD01" not in reviewer.get(f"{RATERS}/1").text
    assert reviewer.get("/api/studies/two/timesheet").status_code == 403


def test_ids_the_file_lists_are_told_until_they_come(world: World, owner: Browser) -> None:
    write_study(world.folder / "two", raters={"join": "ids", "ids": ["JD01", "JD02"]})
    world.open(world.folder / "two")
    boss = world.entered(1)
    assert boss.shown(RATERS)["expected"] == ["JD01", "JD02"]
    world.browser().join("JD02")
    assert boss.shown(RATERS)["expected"] == ["JD01"]
    assert world.browser().post("/s/two/api/join", {"name": "JD03"}).json()["code"] == "F051"


def test_a_paused_rater_gets_nothing_until_they_are_let_in_again(
    coordinator: Browser, rater: Browser
) -> None:
    assert coordinator.done(f"{RATERS}/1/pause")["state"] == "paused"
    assert rater.post("/s/two/api/next", {"count": 1}).json()["code"] == "F059"
    assert coordinator.done(f"{RATERS}/1/readmit")["state"] == "active"
    rater.rate(1)


def test_an_exclusion_wants_a_reason_and_keeps_it(coordinator: Browser, rater: Browser) -> None:
    assert coordinator.post(f"{RATERS}/1/exclude", {"reason": " "}).json()["code"] == "F042"
    assert coordinator.post(f"{RATERS}/7/exclude", {"reason": "x"}).status_code == 404
    coordinator.done(f"{RATERS}/1/exclude", {"reason": "did not read the items"})
    (entry, *_) = coordinator.shown(f"{RATERS}/1")["log"]
    assert (entry["who"], entry["what"]) == ("person 1", "excluded")
    assert entry["details"]["reason"] == "did not read the items"


def test_reserved_places_are_handed_back(world: World) -> None:
    write_study(world.folder / "two", raters={"per_item": 1})
    world.open(world.folder / "two")
    boss, first, second = world.signed_in("b", {"": "owner"}), world.browser(), world.browser()
    first.join("A")
    second.join("B")
    first.done("/s/two/api/next", {"count": 6})
    assert second.done("/s/two/api/next", {"count": 1})["works"] == []
    assert boss.done(f"{RATERS}/1/release")["places"] == 6
    assert len(second.done("/s/two/api/next", {"count": 6})["works"]) == 6


def test_c1_a_lost_code_is_reissued_and_the_old_one_is_dead(coordinator: Browser, world: World) -> None:
    rater = world.browser()
    old = rater.join("JD01")
    new = coordinator.done(f"{RATERS}/1/code")["code"]
    assert rater.get("/s/two/api/items").status_code == 401
    other = world.browser()
    assert other.post("/s/two/api/join", {"name": "JD01", "code": old}).json()["code"] == "F068"
    assert other.post("/s/two/api/join", {"name": "JD01", "code": new}).status_code == 200
    log = coordinator.shown("/api/studies/two/log")
    assert ("person 1", "reissued resume code") in [(e["who"], e["what"]) for e in log]


def test_w6_a_rater_quits_and_one_action_hands_the_rest_to_others(world: World) -> None:
    two = write_study(world.folder / "two", raters={"lists": "lists.csv"})
    (two / "lists.csv").write_text("rater,item\nA,k0\nA,k1\nA,k2\nB,k3\nC,k1\n")
    world.open(two)
    from rubrica.cli.opening import load_lists
    from rubrica.study.load import load_study

    assert load_lists(load_study(two), world.store)[1] == []
    boss, raters = world.signed_in("b", {"": "owner"}), [world.browser() for _ in "ABC"]
    for rater, name in zip(raters, "ABC", strict=True):
        rater.join(name)
    raters[0].rate(1)
    handed = boss.done(f"{RATERS}/1/hand-over")
    assert (handed["rater"]["state"], handed["items"]) == ("paused", 2)
    works = [len(r.done("/s/two/api/next", {"count": 9})["works"]) for r in raters[1:]]
    assert works == [2, 2]
    assert raters[0].post("/s/two/api/next", {"count": 1}).json()["code"] == "F059"


def test_a_forgotten_rater_leaves_ratings_without_a_name(world: World, rater: Browser) -> None:
    boss = world.signed_in("b", {"": "owner"})
    rater.rate(2)
    boss.done(f"{RATERS}/1/forget")
    assert rater.get("/s/two/api/items").status_code == 401
    shown = boss.shown(f"{RATERS}/1")
    assert (shown["rater"]["name"], shown["rater"]["rated"]) == ("forgotten 1", 1)
    assert world.browser().post("/s/two/api/join", {"name": "forgotten 1"}).json()["code"] == "F052"
    world.browser().join("JD01")


def test_w8_withdrawn_consent_takes_ratings_and_name_and_leaves_a_record(
    world: World, rater: Browser
) -> None:
    boss = world.signed_in("b", {"": "owner"})
    rater.rate(2)
    assert boss.shown("/api/studies/two/progress")["rated"] == 1
    boss.done(f"{RATERS}/1/withdraw")
    progress = boss.shown("/api/studies/two/progress")
    assert (progress["rated"], progress["done"]) == (0, 0)
    assert rater.get("/s/two/api/items").status_code == 401
    shown = boss.shown(f"{RATERS}/1")["rater"]
    assert (shown["state"], shown["name"]) == ("withdrawn", "withdrawn 1")
    assert "withdrawn" in [e["what"] for e in boss.shown("/api/studies/two/log")]
    for what in ("pause", "readmit", "code", "withdraw", "forget"):
        assert boss.post(f"{RATERS}/1/{what}").json()["code"] == "F043"


def test_w7_the_timesheet_says_who_worked_how_long(coordinator: Browser, rater: Browser) -> None:
    for value in (1, 2, None):
        rater.rate(value)
    sheet = coordinator.shown(SHEET)
    (line,) = sheet["lines"]
    assert (line["name"], line["rated"], line["skipped"], line["active_minutes"]) == ("JD01", 2, 1, 0.2)
    assert (line["day"], sheet["active_minutes"]) == (None, 0.2)
    (day,) = coordinator.shown(f"{SHEET}?by=day")["lines"]
    assert day["day"] == line["first"][:10]
    answer = coordinator.get("/api/studies/two/timesheet.csv?by=day")
    assert answer.headers["content-disposition"] == 'attachment; filename="timesheet.csv"'
    assert [(row["day"], row["active_minutes"]) for row in lines_of(answer.text)] == [
        (day["day"], "0.2")
    ]


def test_w7_a_timesheet_is_for_the_days_that_are_paid(coordinator: Browser, rater: Browser) -> None:
    rater.rate(1)
    today = coordinator.shown(f"{SHEET}?by=day")["lines"][0]["day"]
    assert coordinator.shown(f"{SHEET}?since={today}&until={today}")["total"] == 1
    assert coordinator.shown(f"{SHEET}?until=2020-01-01")["lines"] == []
    assert coordinator.shown(f"{SHEET}?page=2")["lines"] == []
    assert coordinator.get(f"{SHEET}?since=yesterday").status_code == 422
    page = coordinator.get("/desk/s/two/timesheet?until=2020-01-01", accept="text/html").text
    assert "Nobody worked on these days." in page


def test_a_crowd_platform_sends_ids_and_gets_its_code_back(world: World) -> None:
    crowd = {"completion_code": "DONE-1", "return_url": "https://crowd.example/back?cc=DONE-1"}
    world.open(write_study(world.folder / "crowd", 2, crowd=crowd))
    rater = world.browser()
    sent = {"PROLIFIC_PID": "p-1", "STUDY_ID": "s-1", "SESSION_ID": "x-1", "other": "dropped"}
    rater.done("/s/crowd/api/join", {"name": "p-1", "crowd": sent})
    assert "DONE-1" not in rater.get("/s/crowd/done").text
    for value in (1, 2):
        rater.rate(value, "crowd")
    done = rater.get("/s/crowd/done").text
    assert "DONE-1" in done
    assert "https://crowd.example/back?cc=DONE-1" in done
    shown = world.signed_in("b", {"": "owner"}).shown("/api/studies/crowd/raters/1")
    assert shown["crowd"] == {"participant": "p-1", "study": "s-1", "session": "x-1"}
