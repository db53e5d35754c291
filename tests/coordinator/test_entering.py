"""Getting in: links, passwords, sessions, tokens, roles; and who may not."""

from __future__ import annotations

import pytest
from desking import PASSWORD, Browser, World

from rubrica.accounts import entering

OTHER = "other words in quite another row"


def test_a_link_opens_the_desk_once(world: World) -> None:
    number = world.person("olga", {"": "owner"})
    person = entering.known(world.store.people, number)
    secret = entering.link(world.store.people, person, "sign-in", "a test")
    first, second = world.browser(), world.browser()
    assert first.done("/api/session", {"link": secret})["name"] == "olga"
    assert first.shown("/api/me")["roles"] == {"": "owner"}
    assert second.post("/api/session", {"link": secret}).json()["code"] == "W102"
    assert second.get("/api/me").status_code == 401


def test_whoever_is_invited_chooses_a_password_and_signs_in_with_it(
    owner: Browser, world: World
) -> None:
    made = owner.done("/api/people", {"name": "rita", "role": "reviewer", "study": "two"})
    assert made["person"]["state"] == "invited"
    secret = made["link"].partition("#")[2]
    rita = world.browser()
    assert rita.done("/api/session", {"link": secret})["choose_password"]
    assert rita.post("/api/me/password", {"password": "short"}).json()["code"] == "W100"
    assert rita.done("/api/me/password", {"password": PASSWORD})["has_password"]
    again = world.browser()
    assert again.done("/api/session", {"name": "rita", "password": PASSWORD})["name"] == "rita"
    assert [one["study"] for one in again.shown("/api/studies")] == ["two"]


def test_a_wrong_password_and_an_unknown_name_are_told_alike(world: World) -> None:
    world.person("olga", {"": "owner"}, PASSWORD)
    browser = world.browser()
    wrong = browser.post("/api/session", {"name": "olga", "password": OTHER})
    unknown = browser.post("/api/session", {"name": "nobody", "password": OTHER})
    assert (wrong.status_code, wrong.json()) == (401, unknown.json())


def test_a_changed_password_ends_every_other_session(world: World) -> None:
    world.person("olga", {"": "owner"}, PASSWORD)
    here, there = world.browser(), world.browser()
    for browser in (here, there):
        browser.done("/api/session", {"name": "olga", "password": PASSWORD})
    wrong = here.post("/api/me/password", {"password": OTHER, "old": "not it at all"})
    assert wrong.json()["code"] == "W101"
    here.done("/api/me/password", {"password": OTHER, "old": PASSWORD})
    assert here.get("/api/me").status_code == 200
    assert there.get("/api/me").status_code == 401
    assert world.browser().post("/api/session", {"name": "olga", "password": PASSWORD}).is_error


def test_a_forgotten_password_is_replaced_by_link(owner: Browser, world: World) -> None:
    number = world.person("rita", {"two": "reviewer"}, PASSWORD)
    link = owner.done(f"/api/people/{number}/link")["link"]
    rita = world.browser()
    assert rita.done("/api/session", {"link": link.partition("#")[2]})["choose_password"]
    rita.done("/api/me/password", {"password": OTHER})
    assert world.browser().post("/api/session", {"name": "rita", "password": PASSWORD}).is_error
    assert world.browser().post("/api/session", {"name": "rita", "password": OTHER}).is_success


def test_sessions_are_listed_and_ended(world: World) -> None:
    number = world.person("olga", {"": "owner"})
    here, there = world.entered(number), world.entered(number)
    listed = here.shown("/api/me/sessions")
    assert [one["here"] for one in listed].count(True) == 1
    (other,) = [one["id"] for one in listed if not one["here"]]
    here.done(f"/api/me/sessions/{other}/end")
    assert there.get("/api/me").status_code == 401
    here.done("/api/session/end")
    assert here.get("/api/me").status_code == 401


def test_signing_in_is_limited(world: World) -> None:
    world.person("olga", {"": "owner"}, PASSWORD)
    tried = {"name": "olga", "password": OTHER}
    codes = [world.browser().post("/api/session", tried).status_code for _ in range(12)]
    assert codes[0] == 401
    assert codes[-1] == 429
    assert world.browser().post("/api/session", {**tried, "password": PASSWORD}).status_code == 429


def test_a_session_id_given_by_somebody_else_is_not_kept(world: World) -> None:
    """Session fixation: the id that was there before signing in opens nothing after."""
    number = world.person("olga", {"": "owner"})
    victim = world.entered(number)
    planted = next(iter(victim.client.cookies.jar)).value
    person = entering.known(world.store.people, number)
    secret = entering.link(world.store.people, person, "sign-in", "a test")
    victim.done("/api/session", {"link": secret})
    name = next(iter(victim.client.cookies.jar)).name
    assert next(c.value for c in victim.client.cookies.jar) != planted
    assert world.browser().get("/api/me", cookie=f"{name}={planted}").status_code == 401


def test_the_cookie_is_kept_from_scripts_and_other_sites(world: World) -> None:
    number = world.person("olga", {"": "owner"})
    secret = entering.link(
        world.store.people, entering.known(world.store.people, number), "sign-in", "a test"
    )
    cookie = world.browser().post("/api/session", {"link": secret}).headers["set-cookie"].lower()
    assert "httponly" in cookie
    assert "samesite=lax" in cookie


@pytest.mark.parametrize(
    ("scope", "read", "write", "manage"),
    [("read", 200, 403, 403), ("write", 200, 200, 403), ("manage", 200, 200, 200)],
)
def test_a_token_does_what_its_scope_says(
    owner: Browser, world: World, scope: str, read: int, write: int, manage: int
) -> None:
    made = owner.done("/api/me/tokens", {"name": "nightly", "scope": scope})
    program, bearer = world.browser(), f"Bearer {made['secret']}"
    session = {"authorization": bearer}
    assert program.get("/api/me", **session).status_code == read
    assert program.post("/api/me/sessions/none/end", {}, **session).status_code == write
    assert program.post("/api/people", {"name": "x"}, **session).status_code == manage
    owner.done(f"/api/me/tokens/{made['token']['number']}/end")
    assert program.get("/api/me", **session).status_code == 401


def test_a_token_makes_no_token_that_may_do_more(owner: Browser, world: World) -> None:
    """Only what may decide about people may make keys, and none above itself."""
    made = owner.done("/api/me/tokens", {"name": "writer", "scope": "write"})
    bearer = f"Bearer {made['secret']}"
    answer = world.browser().post("/api/me/tokens", {"name": "n"}, authorization=bearer)
    assert answer.status_code == 403
    assert owner.post("/api/me/tokens", {"name": "n", "days": 10_000}).json()["code"] == "W106"


def test_a_disabled_account_opens_nothing_and_its_deeds_stay(owner: Browser, world: World) -> None:
    number = world.person("carl", {"two": "coordinator"})
    carl = world.entered(number)
    token = carl.done("/api/me/tokens", {"name": "nightly"})["secret"]
    owner.done(f"/api/people/{number}/disable")
    assert carl.get("/api/me").status_code == 401
    assert world.browser().get("/api/me", authorization=f"Bearer {token}").status_code == 401
    done = [(d["who"], d["what"]) for d in owner.shown("/api/deeds")]
    assert ("person 1", "disabled an account") in done
    owner.done(f"/api/people/{number}/enable")
    assert world.browser().get("/api/me", authorization=f"Bearer {token}").status_code == 200


def test_somebody_always_owns_all_studies(owner: Browser) -> None:
    me = owner.shown("/api/me")["number"]
    assert owner.post(f"/api/people/{me}/disable").json()["code"] == "W105"
    assert owner.post(f"/api/people/{me}/role", {"role": None}).json()["code"] == "W105"


def test_the_owner_of_one_study_decides_about_its_people_only(world: World) -> None:
    boss = world.signed_in("boss", {"two": "owner"})
    assert boss.get("/api/people").status_code == 403
    made = boss.done("/api/studies/two/members", {"name": "rita"})
    assert made["link"]
    number = made["member"]["number"]
    changed = boss.done(f"/api/studies/two/members/{number}/role", {"role": "coordinator"})
    assert changed["role"] == "coordinator"
    assert [m["name"] for m in boss.shown("/api/studies/two/members")] == ["boss", "rita"]
    assert boss.post("/api/studies/other/members", {"name": "eve"}).status_code == 404
    boss.done(f"/api/studies/two/members/{number}/role", {"role": None})
    assert [m["name"] for m in boss.shown("/api/studies/two/members")] == ["boss"]


def test_nobody_can_be_called_like_the_account_of_this_machine(owner: Browser) -> None:
    assert owner.post("/api/people", {"name": " Local "}).json()["code"] == "W103"
