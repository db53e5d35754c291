"""What a rater of each bundled study sees, row by row of what their guides ask for."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect
from ways import Keyboard, join_by, practise

from tests.browser.conftest import Open, Server, join, says, wait_item, wait_saved

pytestmark = pytest.mark.browser

ROWS_OF = "levels => new Set([...levels.children].map((one) => one.getBoundingClientRect().top)).size"


def rater_at(page: Page, server: Server, study: str) -> Keyboard:
    way = Keyboard(page)
    join_by(way, server.base(study), f"rows of {study}")
    practise(page, way)
    return way


def test_c4_no_item_before_the_guidelines_are_confirmed(server: Server, open_page: Open) -> None:
    page = open_page()
    base = server.base("incar")
    join(page, base)
    page.goto(f"{base}/work")
    says(page, "h1", "Guidelines")
    assert page.request.post(f"{base}/api/next", data={}).json()["code"] == "F053"
    page.click("form[data-confirm] .main")
    expect(page.locator("form[data-confirm] input:invalid")).to_be_focused()


def test_m2_to_m9_an_answer_in_a_long_dialogue(server: Server, open_page: Open) -> None:
    page = open_page()
    way = Keyboard(page)
    join_by(way, server.base("m3bench"), "rows of m3bench")
    way.rate()
    expect(page.locator(".feedback").first).to_contain_text("Reference:", use_inner_text=True)  # M9
    way.press("#submit")
    way.press("#practice-on")
    wait_item(page, 1)
    item = page.locator("#item")
    for text in (
        *("Task type", "Action type", "Guiding.", "Pictures sent with this turn"),  # M2, M8
        *("Expected answer to the task's final question", 'count pictures from 0 ("Image 0"'),
    ):
        expect(item).to_contain_text(text, use_inner_text=True)
    names = page.locator("#questions .question:not([hidden]) h3")
    expect(names).to_have_count(4)  # M3, M6; no question about misleading (M4) or consistency (M5)
    page.keyboard.press("3")
    page.keyboard.press("r")
    says(page, "#questions .rubric:not([hidden])", "wrong answer can rest on detailed")
    way.rate()
    wait_item(page, 2)
    expect(names).to_have_count(5)
    says(page, "#questions", "Is it consistent with the dialogue so far?")
    page.keyboard.press("e")
    says(page, "#item .earlier", "Turn 1")
    expect(page.locator("#item .earlier img").first).to_be_visible()


def test_v1_to_v7_a_sequence_of_pictures(server: Server, open_page: Open) -> None:
    page = open_page()
    way = rater_at(page, server, "vtt")
    says(page, "#item .values", "Category")
    says(page, "#item .values", "Topic")
    steps, between = page.locator(".sequence .step"), page.locator(".sequence .between")
    assert 1 < steps.count() == between.count() + 1
    says(page, "#questions .meanings > :not([hidden])", "hard to read")  # V3, on focus
    page.keyboard.press("5")
    page.keyboard.press("r")
    for kind in ("extreme", "severe", "mild"):
        says(page, "#questions .rubric:not([hidden]) table", kind)
    page.keyboard.press("s")
    for reason in ("A picture is black", "A picture is missing", "Another reason"):  # V4
        says(page, "#skip .reasons", reason)
    page.keyboard.press("2")
    expect(page.locator("#questions input:checked")).to_have_count(0)
    way.rate()
    page.keyboard.press("Control+Enter")
    wait_saved(page)
    page.goto(f"{server.base('vtt')}/done")  # V7
    expect(page.locator("dl.values")).to_contain_text("(", use_inner_text=True)


def test_c5_to_c9_a_whole_conversation(server: Server, open_page: Open) -> None:
    page = open_page()
    rater_at(page, server, "incar")
    says(page, ".turn >> nth=0", "Driver")
    says(page, ".turn >> nth=0", "Assistant")
    expect(page.locator(".turn .turn-number").first).to_contain_text("1")  # C5
    says(page, "#spot", "Part 1 of 3")  # C2: no folder's name
    page.keyboard.press("r")
    rubric = page.locator("#questions .rubric:not([hidden])")
    for text in ("What to check", "Not a failure", "Failure types", "a valid reason"):  # C6
        expect(rubric).to_contain_text(text, use_inner_text=True)
    expect(page.locator("#questions .question[data-kind=each] .entry").first).to_be_visible()  # C8
    expect(page.locator("#questions .question[data-kind=each]")).to_contain_text(
        "(turn 1)", use_inner_text=True
    )
    page.keyboard.press("l")  # C9
    expect(page.locator("#picker .picker button").first).to_be_visible()


@pytest.mark.parametrize(("width", "rows"), [(1280, 1), (1000, 5)])
def test_five_levels_stand_in_one_row_or_below_each_other(
    server: Server, open_page: Open, width: int, rows: int
) -> None:
    page = open_page(viewport={"width": width, "height": 800})
    way = Keyboard(page)
    join_by(way, server.base("vtt"), f"levels at {width}")
    practise(page, way)
    for language in ("en", "zh"):
        page.click(f"[data-set-language={language}]")
        for levels in page.locator("#questions .levels").all():
            assert levels.evaluate(ROWS_OF) == rows
