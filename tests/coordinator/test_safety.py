"""What strangers try: forged origins, paths, headers, bodies, redirects, guesses; and the audit log."""

from __future__ import annotations

from statistics import median
from time import perf_counter
from typing import Any

import pytest
from desking import PASSWORD, Browser, World, computed_here, write_study
from looping import in_a_loop

from rubrica.coordinator.api import ENDPOINTS


def raw(browser: Browser, path: str, body: bytes, **headers: str) -> Any:
    given = {"content-type": "application/json", **headers}
    return in_a_loop(browser._ask("POST", path, {"content": body, "headers": given}))


# --- requests from elsewhere ------------------------------------------------------------------------


@pytest.mark.parametrize(
    "headers",
    [
        {"origin": "https://evil.example"},
        {"origin": "null"},
        {"sec-fetch-site": "cross-site"},
        {"sec-fetch-site": "same-site"},
    ],
)
def test_another_sites_page_changes_nothing(owner: Browser, headers: dict[str, str]) -> None:
    answer = owner.ask("POST", "/api/people", {"name": "eve"}, **headers)
    assert (answer.status_code, answer.json()["code"]) == (403, "W002")
    assert [p["name"] for p in owner.shown("/api/people")] == ["olga"]


@pytest.mark.parametrize("kind", ["text/plain", "application/x-www-form-urlencoded", ""])
def test_a_form_of_another_site_cannot_be_sent(owner: Browser, kind: str) -> None:
    answer = raw(owner, "/api/people", b'{"name": "eve"}', **{"content-type": kind})
    assert (answer.status_code, answer.json()["code"]) == (415, "W003")


def test_another_name_for_this_server_is_refused(owner: Browser) -> None:
    assert owner.get("/api/me", host="evil.example").status_code == 421


@pytest.mark.parametrize(
    "to", ["https://evil.example", "//evil.example", "/\\evil.example", "javascript:alert(1)", "/s/two"]
)
def test_signing_in_leads_to_the_desk_only(world: World, to: str) -> None:
    page = world.browser().ask("GET", f"/desk/enter?to={to}").text
    assert "evil.example" not in page
    assert "javascript:alert" not in page


# --- bodies, paths, headers -------------------------------------------------------------------------


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"{",
        b"[]",
        b"null",
        b'"text"',
        b'{"name": 3}',
        b'{"name": "eve", "more": 1}',
        b'{"name": "\xff"}',
        b"[" * 100_000,
        b'{"name": "' + b"x" * 1_000_000 + b'"}',
        b'{"name": "eve", "role": "emperor"}',
        b'{"name": NaN}',
    ],
    ids=lambda body: repr(body[:12]),
)
def test_a_body_that_cannot_be_read_is_refused_kindly(owner: Browser, body: bytes) -> None:
    answer = raw(owner, "/api/people", body)
    assert (answer.status_code, answer.json()["code"]) == (422, "W112")


def test_a_lone_surrogate_is_taken_and_given_back(owner: Browser, rater: Browser) -> None:
    assert raw(owner, "/api/studies/two/messages", b'{"text": "odd \\ud83d"}').status_code == 200
    assert rater.shown("/s/two/api/messages")[-1]["text"] == "odd \ud83d"


@pytest.mark.parametrize(
    "study", ["..%2f..%2fetc", "%2e%2e", "two%00", "two%0d%0ax:y", "TWO", "two%20", "%ff", "~trial"]
)
def test_no_path_leads_out_of_the_studies(owner: Browser, study: str) -> None:
    for rest in ("", "/progress", "/items", "/export"):
        assert owner.get(f"/api/studies/{study}{rest}").status_code == 404


def test_a_studys_name_writes_no_header(world: World) -> None:
    name = 'odd "name"; x=é'
    world.open(write_study(world.folder / name), compute=computed_here(world.store))
    owner = world.signed_in("o", {"": "owner"})
    answer = owner.get("/api/studies/odd%20%22name%22%3B%20x%3D%C3%A9/export?format=csv")
    assert answer.status_code == 200
    assert answer.headers["content-disposition"] == 'attachment; filename="odd__name___x__-tidy.csv"'


def test_numbers_out_of_range_are_refused(owner: Browser) -> None:
    for query in ("page=0", "page=-1", "count=501", "count=x", "page=1e9", "state=gone"):
        assert owner.get(f"/api/studies/two/raters?{query}").status_code == 422


# --- guesses ----------------------------------------------------------------------------------------


def seconds(browser: Browser, path: str, body: Any) -> float:
    begun = perf_counter()
    browser.post(path, body)
    return perf_counter() - begun


def test_an_unknown_name_takes_as_long_as_a_wrong_password(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Both are hashed once: what a hash costs is what tells known names apart, if anything does."""
    from rubrica.accounts import passwords

    world.person("olga", {"": "owner"}, PASSWORD)
    hashed: list[str] = []
    verify = passwords._hasher.verify

    class Counted:
        def verify(self, kept: str, given: bytes) -> bool:
            hashed.append(kept)
            return verify(kept, given)

    monkeypatch.setattr(passwords, "_hasher", Counted())
    for name in ("olga", "nobody"):
        world.browser().post("/api/session", {"name": name, "password": "not the right one"})
    assert len(hashed) == 2
    assert len(set(hashed)) == 2


def test_known_and_unknown_raters_take_the_same_time(world: World) -> None:
    world.browser().join("JD01")
    browser = world.browser()
    times: dict[str, list[float]] = {"JD01": [], "nobody": []}
    for _ in range(7):
        for name, taken in times.items():
            taken.append(seconds(browser, "/s/two/api/join", {"name": name, "code": "0000-0000"}))
    known, unknown = (median(taken) for taken in times.values())
    assert 0.2 < known / unknown < 5


# --- who did what -----------------------------------------------------------------------------------

NOT_LOGGED = {
    "POST /session/end": "leaving opens nothing",
    "POST /studies/{study}/trial": "a trial changes nothing of the study",
}


def test_every_change_is_logged_with_who_did_it(world: World) -> None:
    folder = write_study(world.folder / "two", report={"show_verdicts": "always"})
    world.open(folder, compute=computed_here(world.store))
    world.browser().join("JD01")
    number = world.person("olga", {"": "owner"}, PASSWORD)
    world.person("other", {"": "owner"}, PASSWORD)
    olga = world.entered(number)
    item = olga.shown("/api/studies/two/items")["items"][0]["id"]
    bodies = bodies_of(olga, world)
    changes = [one for one in ENDPOINTS if one.method == "POST"]
    assert {f"POST {one.path}" for one in changes} == set(bodies)
    for route, (path, body) in bodies.items():
        before = logged(world)
        answer = olga.post(f"/api{path.format(study='two', item=item)}", body)
        assert answer.status_code == 200, (route, answer.text)
        fresh = [who for log, old in zip(logged(world), before, strict=True) for who in log[len(old) :]]
        if route not in NOT_LOGGED:
            assert fresh, route
            assert set(fresh) == {f"person {number}"}, route


def logged(world: World) -> list[list[str]]:
    """Who stands in each log, first to last."""
    deeds = world.store.people.deeds(None, 1_000)[::-1]
    return [[d.who for d in deeds], [e.who for e in world.store.accounts.log_entries("two")]]


def bodies_of(olga: Browser, world: World) -> dict[str, tuple[str, Any]]:
    """Every change with what makes it succeed, in an order in which all do."""
    s, r = "/studies/{study}", "/studies/two/raters/1"
    version = world.desks["two"].version.hash
    here = next(one["id"] for one in olga.shown("/api/me/sessions") if one["here"])
    other = world.entered(1)
    there = next(one["id"] for one in other.shown("/api/me/sessions") if one["here"])
    assert here != there
    rater = {
        what: (f"{r}/{what}", {"reason": "why"} if what == "exclude" else {})
        for what in (
            "pause",
            "readmit",
            "exclude",
            "release",
            "hand-over",
            "code",
            "forget",
            "withdraw",
        )
    }
    return {
        "POST /me/sessions/{id}/end": (f"/me/sessions/{there}/end", {}),
        "POST /me/password": ("/me/password", {"password": PASSWORD + "!", "old": PASSWORD}),
        "POST /session": ("/session", {"name": "olga", "password": PASSWORD + "!"}),
        "POST /me/tokens": ("/me/tokens", {"name": "t"}),
        "POST /me/tokens/{number}/end": ("/me/tokens/1/end", {}),
        "POST /people": ("/people", {"name": "rita"}),
        "POST /people/{number}/role": ("/people/3/role", {"study": "two", "role": "reviewer"}),
        "POST /people/{number}/link": ("/people/3/link", {}),
        "POST /people/{number}/disable": ("/people/3/disable", {}),
        "POST /people/{number}/enable": ("/people/3/enable", {}),
        f"POST {s}/members": ("/studies/two/members", {"name": "mia"}),
        f"POST {s}/members/{{number}}/role": ("/studies/two/members/3/role", {"role": "coordinator"}),
        f"POST {s}/raters/invite": ("/studies/two/raters/invite", {"names": ["A"]}),
        f"POST {s}/raters/invite-list": ("/studies/two/raters/invite-list", {"csv": "B\n"}),
        f"POST {s}/messages": ("/studies/two/messages", {"text": "hello"}),
        f"POST {s}/again": (f"/studies/two/again?version={version}", {"text": "again"}),
        f"POST {s}/items/{{item}}/settle": (
            "/studies/two/items/{item}/settle",
            {"question": "quality", "value": 1},
        ),
        **{f"POST {s}/raters/{{number}}/{what}": asked for what, asked in rater.items()},
        f"POST {s}/results/look": ("/studies/two/results/look", {}),
        f"POST {s}/trial": ("/studies/two/trial", {}),
        f"POST {s}/items/{{item}}/verdicts": ("/studies/two/items/{item}/verdicts", {}),
        f"POST {s}/close": ("/studies/two/close", {}),
        "POST /session/end": ("/session/end", {}),
    }
