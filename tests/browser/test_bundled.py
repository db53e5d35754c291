"""The three bundled studies, rated from join to done: by keyboard alone, by mouse alone, by touch.

The keyboard takes one stroke a question and one to submit.
"""

from __future__ import annotations

import pytest
from playwright.sync_api import Page
from ways import OPEN, Keyboard, Mouse, Touch, Way, join_by, practise

from tests.browser.conftest import Open, Server, item_number, own_ratings

pytestmark = pytest.mark.browser

ITEMS = 3
WAYS: list[type[Way]] = [Keyboard, Mouse, Touch]
ROWS = ["m3bench", "vtt", "incar"]


def next_item(page: Page, way: Way, before: str) -> None:
    """Waits for what comes after a submit; a break is ended the same way as everything else."""
    page.wait_for_selector(f'html:not([data-item="{before}"])', state="attached")
    page.wait_for_selector("html[data-item], h1", state="attached")
    if page.locator("#pause[open]").count():
        way.press("#pause .main")


def asked(page: Page) -> int:
    """Questions that want a stroke: not those that may stay empty or follow from evidence."""
    no_stroke = ":not([data-kind=text]):not([data-kind=each]):not(:has(.implied))"
    entries = page.locator(f"{OPEN}[data-kind=each] .entry")
    return page.locator(f"{OPEN}{no_stroke}").count() + entries.count()


@pytest.mark.parametrize("made", WAYS)
@pytest.mark.parametrize("study", ROWS)
def test_from_join_to_done(server: Server, open_page: Open, study: str, made: type[Way]) -> None:
    page = open_page(**(Touch.PHONE if made is Touch else {}))
    way, base = made(page), server.base(study)
    join_by(way, base, f"{study} {made.__name__}")
    practise(page, way)
    for number in range(ITEMS):
        before, questions = item_number(page), asked(page)
        way.rate()
        assert made is not Keyboard or way.strokes == questions + 1
        if number + 1 < ITEMS:
            next_item(page, way, before)
    page.wait_for_url("**/done")
    ratings = own_ratings(page, base)
    assert len(ratings) == ITEMS
    assert all(r["skipped_because"] is None for r in ratings)
