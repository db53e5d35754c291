"""What comes before, between and after the items: news, notices, breaks, the clock, the last page."""

from __future__ import annotations

import json
import re

import pytest
from playwright.sync_api import Page, expect
from ways import Keyboard, join_by, practise

from rubrica.fieldwork.store import Message
from rubrica.storage.open import open_store
from tests.browser.conftest import (
    Open,
    Server,
    at_work,
    confirm,
    join,
    own_ratings,
    says,
    wait_item,
    wait_saved,
)
from tests.browser.test_safe import rate

pytestmark = pytest.mark.browser


def tell(server: Server, study: str, text: str, rater: int | None) -> None:
    """What a coordinator writes; to one rater, or as a notice to all."""
    with open_store(server.database) as store:
        kind = "notice" if rater is None else "answer"
        store.messages.add_message(Message(study, kind, text, rater=rater))


def test_w1_a_report_a_question_and_the_answer_that_comes(server: Server, open_page: Open) -> None:
    page = open_page()
    at_work(page, server.base("many"))
    page.keyboard.press("f")
    says(page, "dialog#ask", "the study office")
    page.fill("#ask-text", "Does politeness count?")
    page.click("dialog#ask button:has-text('Ask a question')")
    says(page, "dialog#ask [role=status]", "Sent.")
    page.keyboard.press("Escape")
    rater = page.evaluate("JSON.parse(document.getElementById('start').textContent).rater")
    tell(server, "many", "It does.", rater)
    rate(page)
    says(page, ".toast", "There is a message for you.")
    page.click(".toast button")
    says(page, "dialog#ask", "Does politeness count?")
    says(page, "dialog#ask", "It does.")
    page.keyboard.press("Escape")
    expect(page.locator(".unread")).to_have_count(0)


def test_w1_a_contact_stands_on_every_page(server: Server, open_page: Open) -> None:
    page = open_page()
    base = server.base("dialogues")
    page.goto(base)
    says(page, "footer", "the study office")
    join(page, base)
    says(page, "footer", "the study office")
    confirm(page)
    page.wait_for_selector("#questions .question")  # practice
    page.click(".menu summary")
    says(page, ".menu-list", "the study office")
    page.goto(f"{base}/done")
    says(page, "footer", "the study office")
    page.goto(f"{base}/nothing")
    says(page, "footer", "the study office")


def test_w2_a_clarified_guideline_is_told_and_confirmed_again(
    own_server: Server, open_page: Open
) -> None:
    page = open_page()
    base = own_server.base("answers")
    at_work(page, base)
    page.keyboard.press("4")
    wait_saved(page)
    own_server.stop()
    guide = own_server.studies[0] / "guide.en.md"
    guide.write_text("# How to rate\n\nShort answers may be polite too.\n")
    own_server.start()
    tell(own_server, "answers", "Short answers are no longer impolite.", None)
    page.reload()
    says(page, ".notice", "The guidelines have changed")
    says(page, "main", "Short answers are no longer impolite.")
    says(page, "#guidelines", "may be polite too")
    confirm(page)
    wait_item(page, 1)
    assert page.locator("#questions input[name=quality]:checked").get_attribute("value") == "4"


def test_m10_the_closing_checklist_leads_to_the_items_it_names(server: Server, open_page: Open) -> None:
    page = open_page()
    base = server.base("m3bench")
    way = Keyboard(page)
    join_by(way, base, "careful")
    practise(page, way)
    page.keyboard.press("1")
    page.keyboard.press("1")
    page.keyboard.press("1")
    says(page, ".second-look", "A short comment would help")
    page.click(".second-look .keep")
    page.keyboard.press("Enter")
    wait_item(page, 2)
    wait_saved(page)
    page.goto(f"{base}/done")
    broken = page.locator(".checklist .broken")
    expect(broken).to_have_count(1)
    expect(broken).to_contain_text("Edge cases have a comment.", use_inner_text=True)
    broken.locator("a").click()
    wait_item(page, 1)
    page.fill("#questions textarea", "useless")
    page.click("#submit")
    wait_item(page, 2)
    wait_saved(page)
    page.goto(f"{base}/done")
    expect(page.locator(".checklist .broken")).to_have_count(0)


def test_the_last_page_pays_and_hands_out_ones_own_ratings(server: Server, open_page: Open) -> None:
    page = open_page()
    base = server.base("crowd")
    page.goto(f"{base}?PROLIFIC_PID=5f3c&SESSION_ID=s1")
    assert page.input_value("#name") == "5f3c"
    page.click("#go")
    page.click("#go-on")
    confirm(page)
    page.wait_for_selector("#questions .question")
    rate(page)
    page.wait_for_url("**/done")
    says(page, ".code", "C0DE-77")
    assert (
        page.locator("a:has-text('Back to the platform')").get_attribute("href")
        == "https://crowd.example/"
    )
    with page.expect_download() as expected:
        page.click("a[download]")
    lines = expected.value.path().read_text().splitlines()
    assert [json.loads(line)["answers"]["quality"]["value"] for line in lines] == [4]
    says(page, "dl.values", "1")


def test_a_study_that_keeps_every_first_rating(server: Server, open_page: Open) -> None:
    page = open_page()
    base = server.base("firm")
    at_work(page, base)
    rate(page)
    wait_item(page, 2)
    page.keyboard.press("p")
    wait_item(page, 1)
    says(page, ".notice", "This study keeps every first rating.")
    expect(page.locator("#submit")).to_be_hidden()
    page.keyboard.press("2")
    expect(page.locator("#questions input[name=quality][value='4']")).to_be_checked()
    wait_saved(page)
    assert len(own_ratings(page, base)) == 1


# --- time ----------------------------------------------------------------------------------------


def rested(page: Page) -> None:
    """Goes on after a break, and waits until the clock goes on too."""
    page.keyboard.press("Enter")
    expect(page.locator("#pause")).to_have_count(0)


def pass_time(page: Page, seconds: int) -> None:
    page.clock.fast_forward(seconds * 1000)


def test_active_seconds_count_to_a_minute_after_the_last_sign_of_life(
    server: Server, open_page: Open
) -> None:
    page = open_page()
    base = server.base("many")
    page.clock.install()
    at_work(page, base)
    page.keyboard.press("4")
    pass_time(page, 30)
    page.keyboard.press("3")
    pass_time(page, 600)  # away: a minute of it counts
    page.keyboard.press("1")
    page.keyboard.press("Enter")
    wait_item(page, 2)
    wait_saved(page)
    active = own_ratings(page, base)[0]["active_seconds"]
    assert 90 <= active < 120


def test_c11_reminders_by_count_and_by_time(server: Server, open_page: Open) -> None:
    page = open_page()
    page.clock.install()
    at_work(page, server.base("breaks"))
    rate(page)
    wait_item(page, 2)
    expect(page.locator("#pause")).to_have_count(0)
    rate(page)
    says(page, "#pause", "Time for a short break")
    rested(page)
    wait_item(page, 3)
    for _ in range(2):
        pass_time(page, 40)
        page.keyboard.press("2")
    rate(page)
    says(page, "#pause", "Time for a short break")
    pass_time(page, 300)  # a break is no work
    rested(page)
    wait_item(page, 4)
    rate(page)
    wait_item(page, 5)
    wait_saved(page)
    spent = [r["active_seconds"] for r in own_ratings(page, server.base("breaks"))]
    assert 80 <= spent[2] < 110
    assert spent[3] < 60


# --- practice ------------------------------------------------------------------------------------


def test_practice_explains_each_answer_and_keeps_what_was_begun(
    server: Server, open_page: Open
) -> None:
    page = open_page()
    base = server.base("dialogues")
    join(page, base)
    confirm(page)
    page.wait_for_selector("#questions .question")
    page.keyboard.press("4")
    page.keyboard.press("2")
    page.evaluate("new Promise((done) => setTimeout(done))")
    page.reload()
    page.wait_for_selector("#questions input[name=correct][value='4']:checked")
    page.keyboard.press("4")
    page.dblclick("#submit")
    says(page, ".feedback.agreed", "Because it holds.")
    says(page, ".feedback.differs", "Reference: Yes")
    assert own_ratings(page, base) == []
    page.locator(".feedback").first.click()
    page.click("#submit")
    says(page, "#item h2", "Practice is done")


def test_an_examples_title_comes_after_the_answers_and_all_of_them_are_done(
    server: Server, open_page: Open
) -> None:
    page = open_page()
    way = Keyboard(page)
    join_by(way, server.base("incar"), "titled")
    page.wait_for_url("**/practice*")
    assert "Nothing to find fault with" not in page.inner_text("#item")
    way.rate()
    says(page, "#item .item-title", "Nothing to find fault with")
    done = "() => [document.getElementById('progress').value, document.getElementById('progress').max]"
    assert page.evaluate(done) == [1, 1]
    says(page, "#progress-text", "1 of 1 done")


def test_whoever_comes_when_every_item_is_taken_is_told_so(server: Server, open_page: Open) -> None:
    base = server.base("alone")
    at_work(open_page(), base)
    page = open_page()
    join(page, base)
    confirm(page)
    says(page, "h1", "There is nothing left to rate")
    says(page, ".lead", "none is left for you")
    expect(page.locator("main")).not_to_contain_text("Rated")
    page.click("[data-set-language=zh]")
    says(page, "h1", "已经没有需要评分的条目")


def test_a_code_that_does_not_fit_is_told_from_an_id_in_use(server: Server, open_page: Open) -> None:
    base = server.base("many")
    join(open_page(), base, "taken")
    page = open_page()
    page.goto(base)
    page.fill("#name", "taken")
    page.click("#go")
    says(page, "#join-error", "This id is in use.")
    page.fill("#code", "AAAA-BBBB-CCCC-DDDD")
    page.click("#go")
    says(page, "#join-error", "This code does not fit this id.")
    expect(page.locator("#code")).to_be_focused()


def test_practice_with_a_pass_mark_can_be_tried_again_but_not_for_ever(
    server: Server, open_page: Open
) -> None:
    page = open_page()
    base = server.base("exam")
    page.goto(base)
    page.fill("#name", "examined")
    page.click("#go")
    says(page, "#join-error", "Please agree first")
    page.check("#consent")
    page.click("#go")
    page.click("#go-on")
    confirm(page)
    for text in ("Practise once more", None):
        page.wait_for_selector("#questions .question")
        rate(page, "1")
        expect(page.locator(".feedback").first).to_be_visible()
        page.keyboard.press("Enter")
        if text:
            says(page, "#item h2", text)
            page.click("#practice-on")
    says(page, "h1", "You cannot go on rating here")
    page.goto(f"{base}/work")
    says(page, "h1", "You cannot go on rating here")


def test_the_address_of_an_item_opens_it(server: Server, open_page: Open) -> None:
    page = open_page()
    base = server.base("many")
    at_work(page, base)
    page.goto(f"{base}/work#3")
    wait_item(page, 3)
    page.evaluate("location.hash = '#2'")
    wait_item(page, 2)
    assert re.search("#2$", page.url)
