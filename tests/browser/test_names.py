"""What the workbench calls things, and that it speaks only of what is there."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect
from ways import Keyboard

from tests.browser.conftest import Open, Server, at_work, confirm, join, says

pytestmark = pytest.mark.browser


def test_only_keys_that_do_something_are_listed(server: Server, open_page: Open) -> None:
    page = open_page()
    at_work(page, server.base("many"))
    page.keyboard.press("?")
    listed = page.locator("#keys kbd").all_inner_texts()
    assert {"X", "S", "N", "Ctrl"} <= set(listed)
    assert not {"Z", "E"} & set(listed), "there are no images and no earlier items"
    page = open_page()
    at_work(page, server.base("pictures"))
    page.keyboard.press("?")
    listed = page.locator("#keys kbd").all_inner_texts()
    assert "Z" in listed
    assert not {"X", "E", "Ctrl"} & set(listed), "nothing is left unjudged, nothing is written"


def test_what_cannot_be_judged_and_what_is_skipped_have_names_of_their_own(
    server: Server, open_page: Open
) -> None:
    page = open_page()
    at_work(page, server.base("many"))
    says(page, "#questions .cannot-button", "Cannot judge")
    says(page, "#cannot", "Skip item")
    page.click("#cannot")
    says(page, "#skip h2", "Skip this item")


def test_an_entry_without_an_answer_is_named(server: Server, open_page: Open) -> None:
    page = open_page()
    at_work(page, server.base("talks"))
    page.click("#submit")
    label = page.inner_text("#questions .entry-label >> nth=0").split("(")[0].strip()
    says(page, "[data-kind=each] .complaint", f"Please answer this too: {label}")


def test_the_end_of_practice_is_no_example(server: Server, open_page: Open) -> None:
    page = open_page()
    join(page, server.base("dialogues"))
    confirm(page)
    page.wait_for_selector("#questions .question")
    says(page, "#spot", "Example 1 of 1")
    way = Keyboard(page)
    way.rate()
    expect(page.locator(".feedback").first).to_be_visible()
    page.click("#submit")
    expect(page.locator("#practice-on")).to_be_visible()
    expect(page.locator("#spot")).to_be_empty()
