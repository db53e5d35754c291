"""The desk's pages as they come from the server: who sees which, where one is led, what is told."""

from __future__ import annotations

import re

import pytest
from desking import Browser, World, write_study

from rubrica.coordinator.pages import PAGES

HTML = {"accept": "text/html"}
PATHS = sorted({page.path for page in PAGES})


def address(browser: Browser, path: str) -> str:
    item = browser.shown("/api/studies/two/items")["items"][0]["id"]
    return "/desk" + path.format(study="two", number=1, item=item)


@pytest.mark.parametrize("path", PATHS)
def test_an_owner_sees_every_page(owner: Browser, rater: Browser, path: str) -> None:
    rater.rate(2)
    answer = owner.get(address(owner, path), **HTML)
    assert answer.status_code == 200
    assert answer.headers["content-type"].startswith("text/html")
    assert '<main id="main"' in answer.text


@pytest.mark.parametrize("path", PATHS)
def test_a_stranger_is_led_to_sign_in_and_back(
    owner: Browser, rater: Browser, world: World, path: str
) -> None:
    where = address(owner, path)
    answer = world.browser().get(where, **HTML)
    assert answer.status_code == 303
    assert re.fullmatch(r"/desk/enter\?to=[^/]+", answer.headers["location"])


def test_a_page_of_another_study_is_not_there(reviewer: Browser) -> None:
    answer = reviewer.get("/desk/s/other", **HTML)
    assert answer.status_code == 404
    assert "W113" in answer.text
    assert "Traceback" not in answer.text


def test_a_reviewer_sees_neither_results_nor_names(reviewer: Browser, rater: Browser) -> None:
    rater.rate(3)
    assert reviewer.get("/desk/s/two/results", **HTML).status_code == 403
    raters = reviewer.get("/desk/s/two/raters", **HTML).text
    assert "JD01" not in raters
    assert "invite-raters" not in raters


def test_ids_the_study_s_file_lists_are_not_for_reviewers(world: World) -> None:
    folder = write_study(world.folder / "two", raters={"join": "ids", "ids": ["SECRET-1"]})
    world.open(folder)
    rita = world.signed_in("rita", {"two": "reviewer"})
    carl = world.signed_in("carl", {"two": "coordinator"})
    for path in ("/api/studies/two", "/desk/s/two/study"):
        assert "SECRET-1" in carl.get(path, **HTML).text
        seen = rita.get(path, **HTML).text
        assert "SECRET-1" not in seen
        assert "How good?" in seen


def test_what_raters_and_models_wrote_stays_text(coordinator: Browser, rater: Browser) -> None:
    rater.rate(
        1, answers={"quality": {"value": 1}, "comment": {"value": "<img src=x onerror=alert(1)>"}}
    )
    item = coordinator.shown("/api/studies/two/items")["items"][0]["id"]
    page = coordinator.get(f"/desk/s/two/items/{item}", **HTML).text
    assert "<img src=x" not in page
    assert "&lt;img src=x" in page


def test_a_log_with_braces_in_it_is_shown(coordinator: Browser, rater: Browser) -> None:
    rater.rate(1)
    coordinator.done("/api/studies/two/raters/1/exclude", {"reason": "says {nothing} <b>"})
    page = coordinator.get("/desk/s/two/log", **HTML).text
    assert "says {nothing} &lt;b&gt;" in page


def test_one_is_gone_on_to_pages_of_the_desk_only(world: World) -> None:
    for foreign in ("https://elsewhere.example/", "//elsewhere.example", "/desk/\\elsewhere", "/s/two"):
        page = world.browser().ask("GET", f"/desk/enter?to={foreign}").text
        assert "elsewhere" not in page
        assert 'data-go="/desk"' in page


def test_static_files_have_the_names_of_their_content(world: World) -> None:
    page = world.browser().get("/desk/enter").text
    for path in re.findall(r'"(/desk/static/[^"]+)"', page):
        answer = world.browser().get(path)
        assert answer.status_code == 200
        assert "immutable" in answer.headers["cache-control"]
    assert world.browser().get("/desk/static/000000000000/desk.js").status_code == 404
    assert world.browser().get("/desk/charts/0/vega.js").status_code == 404
