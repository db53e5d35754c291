"""What a rater can reach, and what nobody can: every route with every role."""

from __future__ import annotations

import re
from typing import Any

import pytest
from looping import in_a_loop

from rubrica.annotator.api import API
from rubrica.annotator.files import FILES
from rubrica.annotator.pages import PAGES
from rubrica.annotator.quick import Quick
from tests.annotator.conftest import Browser

ID = "a" * 32


def submission(place: int, version: str, **more: Any) -> dict[str, Any]:
    return {"id": ID, "place": place, "version": version, "answers": {"quality": {"value": 2}}, **more}


OPEN = {
    ("GET", "/"): 200,
    ("GET", "/s/{study:str}"): 200,
    ("GET", "/s/{study:str}/work"): 302,
    ("POST", "/s/{study:str}/api/join"): 200,
    ("POST", "/s/{study:str}/api/leave-browser"): 200,
    ("GET", "/s/{study:str}/sw.js"): 200,
    ("GET", "/static/{etag:str}/{name:str}"): 200,
}
"""What anybody may ask for, and what a stranger gets: nothing of any rater's."""


def routes(place: int, version: str) -> list[tuple[str, str, Any]]:
    """Every address that speaks of a rater's own things, with a body it would take."""
    return [
        ("POST", "api/next", {"count": 1}),
        ("GET", "api/pulse", None),
        ("GET", f"api/place/{place}", None),
        ("POST", "api/goto", {"number": 1}),
        ("POST", "api/draft", {"place": place, "revision": 1, "content": {}}),
        ("POST", "api/submit", submission(place, version)),
        ("GET", "api/items", None),
        ("POST", "api/leave", {}),
        ("POST", "api/language", {"language": "zh"}),
        ("POST", "api/consent", {"hash": "x"}),
        ("POST", "api/guidelines", {"hash": "x"}),
        ("POST", "api/practice", {"number": 0, "answers": {}}),
        ("GET", "api/messages", None),
        ("POST", "api/message", {"kind": "flag", "text": "broken", "place": place}),
        ("GET", "ratings.jsonl", None),
        ("GET", "guidelines", None),
        ("GET", "done", None),
        ("GET", "practice", None),
        ("GET", "media/whatever", None),
    ]


def declared() -> set[tuple[str, str]]:
    quick = {("POST", f"/s/{{study:str}}/api/{name}") for name in Quick(None).handlers}  # type: ignore[arg-type]
    return quick | {
        (str(getattr(method, "value", method)), path)
        for handler in [*PAGES, *API, *FILES]
        for method in handler.http_methods
        for path in handler.paths
    }


def named(path: str) -> str:
    """An address as it is declared."""
    rest = re.sub(r"^api/place/\d+$", "api/place/{place:int}", path)
    return "/s/{study:str}/" + re.sub(r"^media/.*$", "media/{public:str}", rest)


def test_every_route_is_tried_with_every_role() -> None:
    tried = {(method, named(path)) for method, path, _ in routes(1, "v")}
    assert declared() == tried | set(OPEN)


def test_what_is_open_tells_a_stranger_nothing(app: Any, browser: Browser, another: Browser) -> None:
    browser.join("Quiet One")
    browser.next()
    asset = re.search(r"/static/\w+/page.js", another.get("/s/two").text)
    assert asset
    filled = {"{study:str}": "two", "/static/{etag:str}/{name:str}": asset[0]}
    for (method, path), status in OPEN.items():
        address = path
        for gap, value in filled.items():
            address = address.replace(gap, value)
        body = None if method == "GET" else {"name": "JD02"} if "join" in path else {}
        answer = Browser(app).ask(method, address, body)
        assert (path, answer.status_code) == (path, status)
        assert "Quiet One" not in answer.text
        assert "Text 0" not in answer.text


def test_strangers_reach_nothing_of_a_rater(browser: Browser, another: Browser) -> None:
    browser.join("JD01")
    work = browser.next()["works"][0]
    for method, path, body in routes(work["place"], work["version"]):
        answer = another.ask(method, f"/s/two/{path}", body)
        assert (path, answer.status_code, answer.json()["code"]) == (path, 401, "W005")


def test_a_rater_of_another_study_reaches_nothing(browser: Browser, another: Browser) -> None:
    browser.join("JD01")
    another.join("JD01", "other")
    cookie = next(iter(another.client.cookies.jar))
    work = browser.next()["works"][0]
    for method, path, body in routes(work["place"], work["version"]):
        answer = another.ask(method, f"/s/two/{path}", body, cookie=f"{cookie.name}={cookie.value}")
        assert (path, answer.status_code) == (path, 401)


def test_a_page_of_another_rater_speaks_for_nobody(browser: Browser) -> None:
    browser.join("JD01")
    work = browser.next()["works"][0]
    for method, path, body in routes(work["place"], work["version"]):
        answer = browser.ask(method, f"/s/two/{path}", body, **{"rubrica-rater": "77"})
        assert (path, answer.status_code) == (path, 401)
    assert browser.get("/s/two/api/pulse", **{"rubrica-rater": "1"}).status_code == 200


def test_no_rater_reaches_anothers_place_by_its_id(browser: Browser, another: Browser) -> None:
    browser.join("JD01")
    another.join("JD02")
    mine, theirs = browser.next()["works"][0], another.next()["works"][0]
    assert mine["place"] != theirs["place"]
    for method, path, body in routes(mine["place"], mine["version"]):
        if str(mine["place"]) not in path and not (isinstance(body, dict) and "place" in body):
            continue
        answer = another.ask(method, f"/s/two/{path}", body)
        assert (path, answer.status_code, answer.json()["code"]) == (path, 422, "F054")
    assert browser.get("/s/two/ratings.jsonl").text == ""


def test_a_rating_goes_in_once_and_comes_back(browser: Browser) -> None:
    browser.join("JD01")
    work = browser.next()["works"][0]
    sent = submission(work["place"], work["version"], pace={"active_seconds": 2.5})
    first = browser.post("/s/two/api/submit", sent).json()
    again = browser.post("/s/two/api/submit", sent).json()
    assert (first["replay"], again["replay"]) == (False, True)
    other = browser.post("/s/two/api/submit", {**sent, "answers": {"quality": {"value": 1}}})
    assert other.status_code == 422
    assert browser.get("/s/two/ratings.jsonl").text.count("\n") == 1


def test_what_is_wrong_with_an_answer_names_its_question_only(browser: Browser) -> None:
    browser.join("JD01")
    work = browser.next()["works"][0]
    sent = {**submission(work["place"], work["version"]), "answers": {"quality": {"value": 99}}}
    answer = browser.post("/s/two/api/submit", sent)
    assert answer.status_code == 422
    assert answer.json()["problems"] == [{"code": "A001", "question": "quality"}]
    assert set(answer.json()) == {"title", "status", "code", "problems", "text"}


@pytest.mark.parametrize("body", [{}, {"name": 3}, {"name": "x", "more": 1}, [], "text", None])
def test_a_body_of_another_shape_is_refused(browser: Browser, body: Any) -> None:
    answer = browser.post("/s/two/api/join", body if body is not None else "")
    assert (answer.status_code, answer.json()["code"]) == (422, "W020")


def test_a_lone_surrogate_is_taken(browser: Browser) -> None:
    browser.join("JD01")
    place = browser.next()["works"][0]["place"]
    raw = '{"place": ' + str(place) + ', "revision": 1, "content": {"text": "\\ud800"}}'
    answer = browser.ask("POST", "/s/two/api/draft", **{"content-type": "application/json"})
    assert answer.status_code == 422

    sent = browser.client.post(
        "/s/two/api/draft", content=raw, headers={"content-type": "application/json"}
    )
    assert in_a_loop(_done(sent)).status_code == 200
    kept = browser.get(f"/s/two/api/place/{place}")
    assert kept.json()["draft"]["content"]["text"] == "\ud800"


async def _done(answer: Any) -> Any:
    return await answer


def test_media_come_under_opaque_ids_and_nothing_else_does(browser: Browser) -> None:
    browser.join("JD01")
    html = browser.next()["works"][0]["html"]
    address = html.partition('src="')[2].partition('"')[0]
    assert "a.png" not in html
    found = browser.get(address)
    assert (found.content, found.headers["content-type"]) == (b"\x89PNG picture", "image/png")
    assert "sandbox" in found.headers["content-security-policy"]
    assert not {"last-modified", "etag", "content-disposition"} & set(found.headers)
    part = browser.get(address, range="bytes=1-3")
    assert (part.status_code, part.content, part.headers["content-range"]) == (
        206,
        b"PNG",
        "bytes 1-3/12",
    )
    for name in ("a.png", "secret.txt", "..%2fstudy.yaml", "%2e%2e%2fstudy.yaml", "none"):
        assert browser.get(f"/s/two/media/{name}").status_code == 404


def test_codes_of_one_id_cannot_be_tried_for_long(browser: Browser) -> None:
    browser.join("JD01")
    codes = [
        browser.post("/s/two/api/join", {"name": "JD01", "code": f"{n}"}).status_code for n in range(11)
    ]
    assert (codes[0], codes[-1]) == (422, 429)
    browser.join("JD02")


def test_a_class_behind_one_router_can_join_but_not_everybody(
    browser: Browser, monkeypatch: pytest.MonkeyPatch
) -> None:
    for n in range(30):
        browser.join(f"student {n}")
    monkeypatch.setattr("rubrica.annotator.api.ATTEMPTS", 32)
    codes = [browser.post("/s/two/api/join", {"name": f"more {n}"}).status_code for n in range(3)]
    assert codes == [200, 200, 429]


def test_signing_in_makes_a_new_session_and_signing_out_ends_it(
    browser: Browser, another: Browser
) -> None:
    code = browser.join("JD01")
    old = next(iter(browser.client.cookies.jar))
    browser.post("/s/two/api/join", {"name": "JD01", "code": code})
    new = next(iter(browser.client.cookies.jar))
    assert old.value != new.value
    assert another.get("/s/two/api/items", cookie=f"{old.name}={old.value}").status_code == 401
    browser.post("/s/two/api/leave-browser", {})
    assert another.get("/s/two/api/items", cookie=f"{new.name}={new.value}").status_code == 401


def test_the_cookie_is_kept_from_scripts_and_other_sites(browser: Browser) -> None:
    answer = browser.post("/s/two/api/join", {"name": "JD01"})
    cookie = answer.headers["set-cookie"].lower()
    assert "httponly" in cookie
    assert "samesite=lax" in cookie
    assert "path=/s/two" in cookie


def test_pages_have_no_inline_script_or_style(browser: Browser) -> None:
    import re

    pages = [browser.get("/s/two").text]
    browser.join("JD01")
    pages += [browser.get(f"/s/two/{path}").text for path in ("work", "done", "nothing")]
    for page in pages:
        assert not re.search(r"<script(?![^>]*(?: src=|type=\"application/json\"))", page)
        assert not re.search(r"\sstyle=|<style|\son\w+=", page)


def test_the_workbench_carries_its_first_item_and_both_languages(browser: Browser) -> None:
    browser.join("JD01")
    page = browser.get("/s/two/work").text
    assert "Text 0" in page
    assert "两件事" in page


def test_a_page_that_knew_an_older_draft_is_told_so(browser: Browser) -> None:
    browser.join("Two Pages")
    place = browser.next()["open"][0]

    def save(revision: int, base: int) -> Any:
        draft = {"place": place, "revision": revision, "base": base, "content": {"from": revision}}
        return browser.post("/s/two/api/draft", draft).json()

    assert save(1, 0) == {"revision": 1, "newer": False}
    assert save(2, 1) == {"revision": 2, "newer": False}
    # The other page counts on from the same draft, so to the same number.
    assert save(2, 1) == {"revision": 2, "newer": True}
    assert save(3, 2) == {"revision": 3, "newer": False}


def test_joining_is_answered_again_in_the_same_way(browser: Browser, another: Browser) -> None:
    body = {"name": "Heard Nothing", "attempt": "0123456789abcdef01234567"}
    answers = [one.post("/s/two/api/join", body) for one in (browser, another)]
    assert [one.status_code for one in answers] == [200, 200]
    assert answers[0].json() == answers[1].json()
    assert browser.next()["open"] == another.next()["open"]
