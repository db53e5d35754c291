"""Every route with every role, in one table; a route that is not in it fails."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from shutil import copytree
from time import time
from typing import Any

import pytest
from argon2 import PasswordHasher
from desking import Browser, World, computed_here
from litestar import Litestar

from rubrica.accounts import entering, passwords
from rubrica.coordinator.api import ENDPOINTS, EVENTS
from rubrica.coordinator.charts import script_address
from rubrica.storage.open import open_store

ROLES = (
    *("none", "rater", "rater of another study", "reviewer", "coordinator", "owner"),
    *("everything", "coordinator of another study", "expired", "revoked"),
)
"""`owner` owns the study, `everything` all studies. `expired` and `revoked` are tokens of an owner."""

PUBLIC = {"POST /session", "POST /session/end", "GET /openapi.json"}
PERSON = {
    *("GET /me", "GET /me/sessions", "GET /me/tokens", "GET /studies", "POST /me/password"),
    *("POST /me/sessions/{id}/end", "POST /me/tokens", "POST /me/tokens/{number}/end"),
}
EVERYTHING = {
    *("GET /people", "POST /people", "POST /people/{number}/role", "POST /people/{number}/link"),
    *("POST /people/{number}/disable", "POST /people/{number}/enable", "GET /deeds"),
}
S = "/studies/{study}"
REVIEWER = {
    *(f"GET {S}", f"GET {S}/progress", f"GET {S}/events", f"GET {S}/messages"),
    *(f"GET {S}/raters", f"GET {S}/raters/{{number}}", f"GET {S}/media/{{media}}"),
    *(f"GET {S}/items", f"GET {S}/items/{{item}}"),
    *(f"POST {S}/items/{{item}}/settle", f"POST {S}/trial"),
}
COORDINATOR = {
    *(f"GET {S}/log", f"GET {S}/timesheet", f"GET {S}/timesheet.csv", f"GET {S}/results"),
    *(f"GET {S}/results/files/{{name}}", f"POST {S}/results/look", f"GET {S}/export"),
    *(f"GET {S}/export/choices", f"GET {S}/again", f"GET {S}/again.csv", f"POST {S}/again"),
    *(f"POST {S}/messages", f"POST {S}/items/{{item}}/verdicts"),
    *(f"POST {S}/raters/invite", f"POST {S}/raters/invite-list"),
    *(
        f"POST {S}/raters/{{number}}/{what}"
        for what in ("pause", "readmit", "exclude", "release", "hand-over", "code")
    ),
}
OWNER = {
    *(f"GET {S}/members", f"POST {S}/members", f"POST {S}/members/{{number}}/role"),
    *(f"POST {S}/close", f"POST {S}/raters/{{number}}/forget", f"POST {S}/raters/{{number}}/withdraw"),
}
STATIC, CHARTS = "/desk/static/{etag}/{file}", "/desk/charts/{made_of}/vega.js"
ABOVE = {
    "reviewer": {"reviewer", "coordinator", "owner", "everything"},
    "coordinator": {"coordinator", "owner", "everything"},
    "owner": {"owner", "everything"},
    "everything": {"everything"},
}
ANYBODY_SIGNED_IN = ABOVE["reviewer"] | {"coordinator of another study"}
TABLE: Mapping[str, set[str]] = {
    **{route: set(ROLES) for route in PUBLIC},
    **dict.fromkeys(PERSON, ANYBODY_SIGNED_IN),
    **dict.fromkeys(EVERYTHING, ABOVE["everything"]),
    **dict.fromkeys(REVIEWER, ABOVE["reviewer"]),
    **dict.fromkeys(COORDINATOR, ABOVE["coordinator"]),
    **dict.fromkeys(OWNER, ABOVE["owner"]),
}
"""Who gets further than the door, by route."""
P = "/desk/s/{study}"
DESK: Mapping[str, set[str]] = {
    **{path: set(ROLES) for path in ("/desk/enter", STATIC, CHARTS)},
    **dict.fromkeys(("/desk", "/desk/account"), ANYBODY_SIGNED_IN),
    "/desk/people": ABOVE["everything"],
    **dict.fromkeys(
        (P, f"{P}/items", f"{P}/items/{{item}}", f"{P}/messages", f"{P}/study"), ABOVE["reviewer"]
    ),
    **dict.fromkeys((f"{P}/raters", f"{P}/raters/{{number}}"), ABOVE["reviewer"]),
    **dict.fromkeys(
        (f"{P}/timesheet", f"{P}/results", f"{P}/exports", f"{P}/log"), ABOVE["coordinator"]
    ),
}
"""Who sees which page and file of the desk; others are led to sign in, or refused."""
REFUSED = (401, 403, 404)
FILLED = {"study": "two", "number": "1", "name": "report.html", "id": "none", "media": "none"}


@dataclass
class Visitors:
    world: World
    by_role: Mapping[str, tuple[Browser, dict[str, str]]]
    item: str


@pytest.fixture(scope="module")
def visitors(pattern: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Visitors]:
    folder = copytree(pattern, tmp_path_factory.mktemp("roles") / "made")
    with open_store(folder / "test.db") as store, pytest.MonkeyPatch.context() as patched:
        patched.setattr(passwords, "_hasher", PasswordHasher(1, 64, 1))
        world = World(store, folder)
        world.open(folder / "two", folder / "other", compute=computed_here(store))
        assert world.site is not None
        world.site.stopping.set()  # streams end at once
        yield Visitors(world, dict(_visitors(world)), _item(world))


def _visitors(world: World) -> Iterator[tuple[str, tuple[Browser, dict[str, str]]]]:
    yield "none", (world.browser(), {})
    for role, study in (("rater", "two"), ("rater of another study", "other")):
        rater = world.browser()
        rater.join("JD01", study)
        rater.rate(2, study)
        token = next(iter(rater.client.cookies.jar)).value
        name = f"rubrica_{world.store.sessions.installation()}_coordinator"
        yield role, (rater, {"cookie": f"{name}={token}"})
    held = {
        "reviewer": {"two": "reviewer"},
        "coordinator": {"two": "coordinator"},
        "owner": {"two": "owner"},
        "everything": {"": "owner"},
        "coordinator of another study": {"other": "coordinator"},
    }
    for role, roles in held.items():
        yield role, (world.signed_in(role, roles), {})  # type: ignore[arg-type]
    owner = entering.known(world.store.people, world.person("tokens", {"": "owner"}))
    people = world.store.people
    people.add_token(entering.hashed("expired"), owner.number, "t", "manage", time() - 1)
    revoked = people.add_token(entering.hashed("revoked"), owner.number, "t", "manage", time() + 99)
    people.end_token(owner.number, revoked.number)
    for role in ("expired", "revoked"):
        yield role, (world.browser(), {"authorization": f"Bearer {role}"})


def _item(world: World) -> str:
    owner = world.signed_in("looker", {"": "owner"})
    return str(owner.shown("/api/studies/two/items")["items"][0]["id"])


def test_the_table_names_every_route() -> None:
    there = {f"{one.method} {one.path}" for one in (*ENDPOINTS, EVENTS)} | {"GET /openapi.json"}
    assert there == set(TABLE)


def test_the_server_has_no_other_route(world: World) -> None:
    inner = world.app.app
    assert isinstance(inner, Litestar)
    paths = {route.path for route in inner.routes}
    api = {f"/api{route.partition(' ')[2]}".replace("}", ":str}") for route in TABLE}
    desk = {path.replace("file}", "name}").replace("}", ":str}") for path in DESK}
    rater = {path for path in paths if path.startswith(("/s/", "/static/"))}
    assert paths - api - desk - rater == {"/", "/health", "/ready"}


@pytest.mark.parametrize("route", sorted(TABLE))
def test_each_role_gets_as_far_as_the_table_says(visitors: Visitors, route: str) -> None:
    method, _, path = route.partition(" ")
    address = f"/api{path.format(**FILLED, item=visitors.item)}"
    for role, (browser, headers) in visitors.by_role.items():
        answer = browser.ask(method, address, WRONG if method == "POST" else None, **headers)
        further = answer.status_code not in REFUSED or _is_no_refusal(answer.json())
        assert further == (role in TABLE[route]), (role, answer.status_code, answer.text)


@pytest.mark.parametrize("path", sorted(DESK))
def test_each_role_sees_the_pages_the_table_says(visitors: Visitors, path: str) -> None:
    assert visitors.world.site is not None
    files = {
        STATIC: visitors.world.site.assets.url("desk.css"),
        CHARTS: script_address(visitors.world.site),
    }
    page = path not in files
    address = path.format(**FILLED, item=visitors.item) if page else files[path]
    if address is None:
        pytest.skip("nothing draws charts here")
    for role, (browser, headers) in visitors.by_role.items():
        answer = browser.get(address, accept="text/html", **headers)
        expected = 200 if role in DESK[path] else _refused(role, path)
        assert answer.status_code == expected, (role, answer.text)


def _refused(role: str, path: str) -> int:
    """Strangers are led to sign in; a study one has no part in is unknown."""
    if role not in ANYBODY_SIGNED_IN:
        return 303
    return 404 if role == "coordinator of another study" and path.startswith(P) else 403


WRONG = {"no endpoint": "takes this"}
"""Whoever is let in learns that the body cannot be read, and nothing is changed."""


def _is_no_refusal(problem: Mapping[str, Any]) -> bool:
    """Let in, and told that what was asked for is not there."""
    found = problem["code"] == "W113" and problem["problems"][0]["got"] == "none"
    return found or problem["code"] in ("F040", "W104", "W101", "W102")
