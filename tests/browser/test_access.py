"""Everyone can use every page: axe, both languages and themes, narrow to wide, zoom, reduced motion."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page, expect
from ways import Keyboard, join_by, practise

from tests.browser.conftest import (
    Open,
    Server,
    at_work,
    confirm,
    join,
    wait_item,
    wait_saved,
    wait_until,
)
from tests.browser.test_pages import tell
from tests.browser.test_safe import rate

pytestmark = pytest.mark.browser

RULES = {"runOnly": ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]}
LOOKS = [("en", "light"), ("zh", "dark")]
"""Every language and every theme: words hang on the one, contrast on the other, nothing on both."""


def axe(page: Page, looks: Sequence[tuple[str, str]] = LOOKS, within: str | None = None) -> list[str]:
    """What axe finds, in these languages and themes of the page as it stands, or of one part of it."""
    found: list[str] = []
    for language, theme in looks:
        page.evaluate(
            """([language, theme]) => {
              Object.assign(document.documentElement.dataset, { lang: language, theme });
              document.documentElement.lang = language;
            }""",
            [language, theme],
        )
        results = Axe().run(page, within, options=RULES)
        found += [
            f"{language} {theme} {v['id']}: {v['nodes'][0]['html'][:160]} "
            f"{v['nodes'][0].get('failureSummary', '')[:200]}"
            for v in results.response["violations"]
        ]
    return found


def test_axe_finds_nothing_on_the_pages(server: Server, open_page: Open) -> None:
    page = open_page(bypass_csp=True, reduced_motion="reduce")
    found: dict[str, list[str]] = {}
    base = server.base("talks")
    page.goto(server.url)
    found["studies"] = axe(page)
    page.goto(base)
    found["join"] = axe(page)
    join(page, base)
    found["guidelines"] = axe(page)
    confirm(page)
    page.wait_for_selector("#questions .question")
    found["workbench"] = axe(page)
    page.goto(f"{base}/done")
    found["done"] = axe(page)
    page.goto(f"{base}/nothing")
    found["problem"] = axe(page)
    join(page, server.base("dialogues"))
    confirm(page)
    page.wait_for_selector("#questions .question")
    found["practice"] = axe(page)
    assert {name: what for name, what in found.items() if what} == {}


def test_axe_finds_nothing_on_the_pages_between(server: Server, open_page: Open) -> None:
    """Consent, the code that is shown once, feedback, a second look, breaks, the end of the road."""
    page = open_page(bypass_csp=True, reduced_motion="reduce")
    found: dict[str, list[str]] = {}
    base = server.base("exam")
    page.goto(base)
    page.click("#go")
    found["join with consent, refused"] = axe(page)
    page.fill("#name", "everywhere")
    page.check("#consent")
    page.click("#go")
    page.wait_for_selector("#welcome:not([hidden])")
    found["the code"] = axe(page)
    page.click("#go-on")
    confirm(page)
    for _ in range(2):
        page.wait_for_selector("#questions .question")
        rate(page, "1")
        page.wait_for_selector(".feedback")
        found["feedback"] = axe(page)
        page.keyboard.press("Enter")
        page.wait_for_selector("#practice-on, h1:has-text('cannot go on')")
        found["after practice"] = axe(page)
        if page.locator("#practice-on").count():
            page.click("#practice-on")
    at_work(page, server.base("breaks"))
    page.keyboard.press("f")
    page.wait_for_selector("#ask")
    page.keyboard.press("Escape")
    rate(page)
    wait_item(page, 2)
    rate(page)
    page.wait_for_selector("#pause")
    found["break"] = axe(page)
    page.keyboard.press("Enter")
    page.keyboard.press("p")
    wait_item(page, 2)
    found["rated before"] = axe(page)
    page.context.set_offline(True)
    page.keyboard.press("2")
    page.wait_for_selector("html[data-saved=offline]", state="attached")
    page.evaluate("document.getElementById('stay-note').hidden = false")
    found["offline"] = axe(page)
    page.context.set_offline(False)
    at_work(page, server.base("pictures"))
    page.keyboard.press("z")
    page.wait_for_selector("#viewer[open]")
    found["an image enlarged"] = axe(page)
    way = Keyboard(page)
    join_by(way, server.base("m3bench"), "everywhere")
    practise(page, way)
    for _ in range(3):
        page.keyboard.press("1")
    page.wait_for_selector(".second-look")
    found["a second look"] = axe(page)
    page.click(".second-look .keep")
    page.keyboard.press("Enter")
    wait_item(page, 2)
    wait_saved(page)
    page.goto(f"{server.base('m3bench')}/done")
    found["the last page with its checklist"] = axe(page)
    assert {name: what for name, what in found.items() if what} == {}


def states(page: Page) -> dict[str, Callable[[], None]]:
    """What the workbench can look like."""
    press = page.keyboard.press
    return {
        "complaints": lambda: press("Control+Enter"),
        "a mark begun": lambda: press("2"),
        "rubric": lambda: press("r"),
        "keys": lambda: press("?"),
        "list": lambda: (press("Escape"), press("l"))[0],
        "skip": lambda: (press("Escape"), press("s"))[0],
        "guidelines": lambda: (press("Escape"), press("g"))[0],
        "ask": lambda: (page.reload(), page.wait_for_selector("#questions .question"), press("f"))[0],
    }


def test_axe_finds_nothing_in_any_state_of_the_workbench(server: Server, open_page: Open) -> None:
    page = open_page(bypass_csp=True, reduced_motion="reduce")
    at_work(page, server.base("talks"))
    found = {}
    for name, act in states(page).items():
        act()
        found[name] = axe(page)
    assert {name: what for name, what in found.items() if what} == {}


def test_axe_finds_nothing_in_a_message_that_passes(server: Server, open_page: Open) -> None:
    """It is gone after a few seconds, so it is looked at alone, and must still be there then."""
    page = open_page(bypass_csp=True, reduced_motion="reduce")
    at_work(page, server.base("answers"))
    rater = page.evaluate("JSON.parse(document.getElementById('start').textContent).rater")
    tell(server, "answers", "It does.", rater)
    for look in LOOKS:
        page.reload()
        page.wait_for_selector(".toast button")
        assert axe(page, [look], within=".toast") == []
        expect(page.locator(".toast button")).to_be_visible()


WIDTHS = (320, 390, 768, 1366, 2560)


def too_wide(page: Page) -> list[int]:
    """The window's widths at which the page would have to be scrolled sideways."""
    found = []
    for width in WIDTHS:
        page.set_viewport_size({"width": width, "height": 700})
        if page.evaluate("document.documentElement.scrollWidth - innerWidth") > 0:
            found.append(width)
    return found


@pytest.mark.parametrize("study", ["talks", "pictures", "many", "dialogues"])
def test_nothing_runs_out_of_the_window(server: Server, open_page: Open, study: str) -> None:
    page, base = open_page(), server.base(study)
    page.goto(base)
    found = {"join": too_wide(page)}
    join(page, base)
    found["guidelines"] = too_wide(page)
    confirm(page)
    page.wait_for_selector("#questions .question")
    found["workbench"] = too_wide(page)
    for key in "r?ls":
        page.keyboard.press(key)
        found[f"after {key}"] = too_wide(page)
        page.keyboard.press("Escape")
    for path in ("/done", "/nothing"):
        page.goto(base + path)
        found[path] = too_wide(page)
    assert {name: widths for name, widths in found.items() if widths} == {}


def test_a_screen_reader_is_led(server: Server, open_page: Open) -> None:
    page = open_page()
    at_work(page, server.base("many"))
    tree = page.locator("body").aria_snapshot()
    for expected in (
        'radiogroup "How good is it?',
        'radio "1 Level 1"',
        'region "Item',
        "banner",
        "contentinfo",
        "main",
    ):
        assert expected in tree, tree
    page.keyboard.press("4")
    page.keyboard.press("1")
    page.keyboard.press("Enter")
    wait_item(page, 2)
    wait_until(page, "() => document.getElementById('announcer').innerText.includes('Item 2 of 20')")
