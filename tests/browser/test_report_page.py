"""The report as a page: axe finds nothing, the network is left alone, it fits phones and paper."""

from __future__ import annotations

from pathlib import Path
from typing import Literal

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser
from small import grid, make, rate, report

from tests.browser.test_access import RULES

pytestmark = pytest.mark.browser


@pytest.fixture(scope="module")
def written(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folders of one report in both languages."""
    items = [
        {"id": f"i{n}", "system": ("ash", "birch", "cedar")[n % 3], "input": n // 3, "score": 1 + n % 5}
        for n in range(24)
    ]
    of_items = "system: system\nthread: {by: input, kind: set}\n"
    of_items += "verdict: {bot: {path: score, question: quality}}"
    study = make(tmp_path_factory.mktemp("page") / "study", items, of_items=of_items)
    rate(study, grid({f"i{n}": [1 + (n * k + k) % 5 for k in (1, 2, 3)] for n in range(24)}))
    for language in ("en", "zh"):
        report(study, "--lang", language, out=study / language)
    return study


@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("language", ["en", "zh"])
def test_everyone_can_read_it(
    chromium: Browser, written: Path, language: str, theme: Literal["light", "dark"]
) -> None:
    page = chromium.new_page(color_scheme=theme, viewport={"width": 320, "height": 640})
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    page.goto((written / language / "report.html").as_uri())
    assert page.evaluate("document.documentElement.scrollWidth") == 320
    # The answers begin on a phone's first screen.
    assert page.locator("#short li").first.bounding_box()["y"] < 640  # type: ignore[index]
    page.evaluate("document.querySelectorAll('details').forEach((one) => (one.open = true))")
    for width in (320, 1366, 3840):
        page.set_viewport_size({"width": width, "height": 900})
        assert page.evaluate("document.documentElement.scrollWidth") == width
        if width > 2000:
            continue  # axe looked at the same page already
        found = Axe().run(page, options=RULES).response["violations"]
        assert [f"{v['id']}: {v['nodes'][0]['html'][:200]}" for v in found] == []
    assert len(asked) == 1
    page.close()


def test_contents_lead_to_every_chapter(chromium: Browser, written: Path) -> None:
    page = chromium.new_page(viewport={"width": 1366, "height": 800})
    page.goto((written / "en" / "report.html").as_uri())
    links = page.locator("nav a")
    assert links.count() == page.locator("main > section").count() >= 8
    page.get_by_role("link", name="The raters", exact=True).click()
    box = page.locator("#raters").bounding_box()
    assert box is not None
    assert -40 < box["y"] < 300
    assert links.first.is_visible()  # the contents stay in sight
    page.close()


def test_paper_shows_what_is_folded(chromium: Browser, written: Path) -> None:
    page = chromium.new_page(viewport={"width": 690, "height": 900}, color_scheme="dark")
    page.goto((written / "en" / "report.html").as_uri())
    assert page.locator("details[open]").count() == 0
    page.emulate_media(media="print", color_scheme="dark")
    assert page.evaluate("document.documentElement.scrollWidth") <= 690
    table = page.locator("details table").first.bounding_box()
    assert table is not None
    assert table["height"] > 40
    ink = page.evaluate("getComputedStyle(document.body).color")
    assert ink == "rgb(31, 41, 51)"  # dark on white, whatever the screen was
    assert page.pdf(format="A4").startswith(b"%PDF")
    page.close()
