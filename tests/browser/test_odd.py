"""Odd data shows safely: hostile Markdown, huge, empty and right-to-left texts, broken pictures."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from playwright.sync_api import Page, expect
from studies import both, png, scale, write_study

from tests.browser.conftest import Open, Server, at_work, says, wait_item

pytestmark = pytest.mark.browser

HOSTILE = (
    "[link](javascript:alert(1)) <img src=x onerror=alert(1)> <script>alert(1)</script> "
    '![picture](https://elsewhere.example/x.png) <a href="//elsewhere.example">a</a> \u202eturned'
)
ITEMS = {
    "hostile": HOSTILE,
    "huge": "A long line of an answer that goes on.\n" * 41_000,
    "empty": "",
    "rtl": "שלום עולם, זו תשובה ארוכה.",
    "formula": '=HYPERLINK("https://elsewhere.example")',
}


@pytest.fixture(scope="module")
def odd_server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    folder = tmp_path_factory.mktemp("odd")
    show = [
        {"markdown": "text", "label": both("Answer", "回答")},
        {"images": "images"},
        {"chat": "turns"},
    ]
    declared = {
        "title": both("Odd", "怪异"),
        "items": {"from": "items.jsonl", "key": "id", "show": show},
        "questions": {"quality": scale("How good?", "如何？")},
    }
    pictures = {"rtl": ["missing.png", "black.png"], "formula": ["wide.png"]}
    turns = [{"user": f"Question {n}", "assistant": f"Answer {n}"} for n in range(400)]
    lines = [
        {
            "id": name,
            "text": text,
            "images": pictures.get(name, []),
            "turns": turns if name == "empty" else [],
        }
        for name, text in ITEMS.items()
    ]
    made = write_study(folder / "odd", declared, lines)
    png(made / "black.png", 40, (0, 0, 0))
    png(made / "wide.png", 12_000, (200, 200, 90))
    (made / "items.jsonl").write_text((made / "items.jsonl").read_text().replace("\u202e", "\\ud800"))
    started = Server([made], folder / "odd.db", "--with-holes").start()
    yield started
    started.stop()
    assert "Traceback" not in "".join(started.log)


def at_item(page: Page, server: Server, number: int) -> None:
    at_work(page, server.base("odd"))
    for n in range(1, number):
        wait_item(page, n)
        page.keyboard.press("3")
        page.keyboard.press("Enter")
    wait_item(page, number)


def test_hostile_markdown_can_do_nothing(odd_server: Server, open_page: Open) -> None:
    page = open_page()
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    page.on("dialog", lambda dialog: pytest.fail("a script ran"))
    at_item(page, odd_server, 1)
    says(page, "#item", "<img src=x onerror=alert(1)>")
    assert page.locator("#item img, #item script, #item a[href^=javascript]").count() == 0
    assert all(url.startswith((odd_server.url, "data:")) for url in asked)


def test_m1_a_huge_answer_is_folded_and_scrolls(odd_server: Server, open_page: Open) -> None:
    page = open_page()
    at_item(page, odd_server, 2)
    summary = page.locator("#item .view-markdown summary")
    expect(summary).to_contain_text("characters")
    summary.click()
    box = page.locator("#item .body.long")
    assert box.evaluate("box => box.scrollHeight > 20 * box.clientHeight && box.clientHeight < 900")


def test_an_empty_answer_and_400_turns(odd_server: Server, open_page: Open) -> None:
    page = open_page()
    at_item(page, odd_server, 3)
    says(page, "#item .nothing", "Nothing here")
    assert page.locator("#item .turn").count() == 400
    page.keyboard.press("4")
    expect(page.locator("#submit")).to_be_focused()


def test_a_missing_picture_says_so_and_can_be_reported(odd_server: Server, open_page: Open) -> None:
    page = open_page()
    at_item(page, odd_server, 4)
    assert page.locator("#item .body").first.get_attribute("dir") == "auto"
    says(page, ".picture.missing", "This image is missing.")
    assert page.locator(".picture:not(.missing) img").evaluate("image => image.naturalWidth") == 40
    page.click(".picture.missing button")
    assert page.input_value("#ask-text") == "Image 1 is missing."
    page.click("dialog#ask button:has-text('Report this item')")
    says(page, "dialog#ask [role=status]", "Sent.")


def test_a_picture_of_12000_pixels_fits_and_enlarges(odd_server: Server, open_page: Open) -> None:
    page = open_page()
    at_item(page, odd_server, 5)
    picture = page.locator("#item .picture img")
    assert picture.evaluate("image => image.decode().then(() => image.clientWidth < 900)")
    page.keyboard.press("z")
    expect(page.locator("dialog#viewer")).to_be_visible()
    page.keyboard.press("+")
    assert page.locator("#viewer .stage.zoomed").count() == 1
    page.keyboard.press("Escape")
    expect(page.locator("dialog#viewer")).to_have_count(0)
