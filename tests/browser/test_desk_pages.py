"""The desk by clicking and typing: coming in, raters, progress that follows, looks, accessibility."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

from rubrica.cli import run
from tests.browser.conftest import Open, Server, at_work, wait_item, wait_saved
from tests.browser.desk import PASSWORD, enter, link_of, pages_of
from tests.browser.studies import answers_study, talks_study
from tests.browser.test_access import axe

pytestmark = pytest.mark.browser

BOTH = (("en", "light"), ("zh", "dark"))
"""Both languages and both themes, once each: colours do not hang on the language."""


@pytest.fixture(scope="module")
def desk(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A study that tests rate in, one that stays empty, one of conversations robots rated."""
    folder = tmp_path_factory.mktemp("desk")
    studies = [answers_study(folder / "rated", 6), answers_study(folder / "empty", 3)]
    studies.append(talks_study(folder / "talks"))
    robots = ["--db", str(folder / "desk.db"), "--raters", "2", "--seed", "1"]
    assert run(["simulate", str(studies[-1]), *robots]) == 0
    started = Server(studies, folder / "desk.db").start()
    yield started
    started.stop()
    assert "Traceback" not in "".join(started.log)


@pytest.fixture(scope="module")
def signed_in(desk: Server, chromium: Browser) -> Any:
    """The cookies of whoever came by the printed link."""
    context = chromium.new_context()
    page = context.new_page()
    enter(page, desk)
    state = context.storage_state()
    context.close()
    return state


@pytest.fixture
def fresh(own_server: Server) -> Server:
    """Started anew, so that it prints a link nobody has used."""
    own_server.stop()
    return own_server.start()


def rate(page: Page, items: int) -> None:
    """Answers of the first level, all by keys."""
    for number in range(1, items + 1):
        wait_item(page, number)
        page.keyboard.press("4")
        page.keyboard.press("1")
        page.keyboard.press("Enter")
        wait_saved(page)


# --- coming in --------------------------------------------------------------------------------------


def test_the_printed_link_opens_the_desk_once(fresh: Server, open_page: Open) -> None:
    page = open_page()
    enter(page, fresh)
    expect(page.locator("h1")).to_have_text("Studies", use_inner_text=True)
    assert "#" not in page.url
    stranger = open_page()
    stranger.goto(link_of(fresh))
    stranger.click("#by-link button")
    expect(stranger.locator("#by-link .error")).to_contain_text("has been used", use_inner_text=True)


def test_a_password_opens_it_from_anywhere(fresh: Server, open_page: Open) -> None:
    page = open_page()
    enter(page, fresh)
    page.goto(f"{fresh.url}/desk/account")
    page.fill("input[name=password]", "short")
    page.fill("input[name=password]", PASSWORD)
    page.get_by_role("button", name="Save").click()
    expect(page.locator(".toast")).to_contain_text("Saved", use_inner_text=True)

    other = open_page()
    other.goto(f"{fresh.url}/desk/s/answers/raters?state=active")
    other.fill("#by-password [name=name]", "local")
    other.fill("#by-password [name=password]", "not the one it is")
    other.get_by_role("button", name="Sign in").click()
    expect(other.locator("#by-password .error")).to_contain_text(
        "do not belong together", use_inner_text=True
    )
    other.fill("#by-password [name=password]", PASSWORD)
    other.get_by_role("button", name="Sign in").click()
    other.wait_for_url(re.compile(r"/desk/s/answers/raters\?state=active$"))

    page.reload()
    page.get_by_role("button", name="End").click()
    expect(page.locator("#sessions li")).to_have_count(1)
    other.reload()
    expect(other.locator("h1")).to_have_text("Sign in", use_inner_text=True)
    page.locator("details.menu > summary").last.click()
    page.get_by_role("button", name="Sign out").click()
    page.wait_for_url(f"{fresh.url}/desk/enter")


def test_one_is_led_to_pages_of_the_desk_only(desk: Server, open_page: Open) -> None:
    page = open_page()
    for foreign in ("https://elsewhere.example/", "//elsewhere.example/", "/desk/\\elsewhere.example"):
        page.goto(f"{desk.url}/desk/enter?to={foreign}")
        assert page.get_attribute("#by-password", "data-go") == "/desk"


def test_a_reviewer_comes_by_invitation(fresh: Server, open_page: Open) -> None:
    owner = open_page()
    enter(owner, fresh)
    owner.goto(f"{fresh.url}/desk/people")
    owner.get_by_role("button", name="Invite somebody").click()
    owner.fill("#invite [name=name]", "rita")
    owner.select_option("#invite [name=study]", "answers")
    owner.get_by_role("button", name="Make a link").click()
    link = owner.inner_text("#secret")

    guest = open_page()
    guest.goto(link)
    guest.click("#by-link button")
    expect(guest.locator("#choose [name=name]")).to_have_value("rita")
    guest.fill("#choose [name=password]", PASSWORD)
    guest.get_by_role("button", name="Save and go on").click()
    guest.wait_for_url(f"{fresh.url}/desk")
    guest.goto(f"{fresh.url}/desk/s/answers/raters")
    expect(guest.get_by_role("button", name="Invite raters")).to_have_count(0)
    guest.goto(f"{fresh.url}/desk/people")
    expect(guest.locator("main")).to_contain_text("needs the role owner", use_inner_text=True)


# --- raters -----------------------------------------------------------------------------------------


def test_an_invited_rater_joins_and_progress_follows(
    fresh: Server, open_page: Open, tmp_path: Path
) -> None:
    page = open_page()
    enter(page, fresh)
    page.goto(f"{fresh.url}/desk/s/answers")
    page.get_by_role("link", name="Invite raters").click()
    listed = tmp_path / "raters.csv"
    listed.write_text("annotator_id,mail\nJD01,one@raters.example\nJD02,two@raters.example\n")
    page.set_input_files("#invite-raters input[type=file]", listed)
    page.get_by_role("button", name="Make the links").click()
    expect(page.locator(".slip")).to_have_count(2)
    link = page.locator(".slip .link").first.inner_text()
    with page.expect_download() as saved:
        page.get_by_role("button", name="Save for a mail merge").click()
    assert "two@raters.example" in saved.value.path().read_text()

    page.goto(f"{fresh.url}/desk/s/answers")
    page.wait_for_selector("#live-state[data-state=live]")
    page.evaluate("window.same = true")
    rater = open_page()
    rater.goto(link)
    rater.click("#go")
    rater.wait_for_selector("form[data-confirm]")
    rater.check("form[data-confirm] input[type=checkbox]")
    rater.click("form[data-confirm] .main")
    rate(rater, 3)
    expect(page.locator("#progress .done strong")).to_have_text("3", timeout=20_000)
    expect(page.locator("#progress")).to_contain_text("JD01", use_inner_text=True)
    assert page.evaluate("window.same"), "the page asked for itself without being loaded anew"


def test_a_rater_is_excluded_with_a_reason(desk: Server, signed_in: Any, open_page: Open) -> None:
    rater = open_page()
    at_work(rater, desk.base("rated"), "hasty")
    rate(rater, 2)
    page = open_page(storage_state=signed_in)
    page.goto(f"{desk.url}/desk/s/rated/raters")
    page.get_by_role("link", name="hasty").click()
    page.get_by_role("button", name="Exclude").click()
    page.locator("#exclude button.main").click()
    assert page.locator("#exclude[open]").count(), "a reason is asked for"
    page.fill("#exclude textarea", "Every answer within two seconds.")
    page.locator("#exclude button.main").click()
    expect(page.locator("h1")).to_contain_text("excluded", use_inner_text=True)
    expect(page.locator("#rater")).to_contain_text(
        "Every answer within two seconds.", use_inner_text=True
    )
    page.goto(f"{desk.url}/desk/s/rated/log")
    expect(page.locator("main")).to_contain_text(
        "Every answer within two seconds.", use_inner_text=True
    )


# --- items and messages -----------------------------------------------------------------------------


def test_ratings_that_lie_apart_are_settled_with_a_note(
    desk: Server, signed_in: Any, open_page: Open
) -> None:
    for level in ("2", "5"):
        rater = open_page()
        at_work(rater, desk.base("rated"))
        for key in (level, "1", "Enter"):
            rater.keyboard.press(key)
        wait_item(rater, 2)
        wait_saved(rater)
    page = open_page(storage_state=signed_in)
    page.goto(f"{desk.url}/desk/s/rated/items")
    page.select_option("select[name=mark]", "split")
    page.get_by_role("button", name="Find").click()
    page.locator("#items-table tbody a").first.click()
    row = page.locator("#ratings tbody tr", has_text="How good is it?").first
    expect(row).to_contain_text("apart", use_inner_text=True)
    expect(page.locator("#view")).to_contain_text("Answer 0.", use_inner_text=True)
    row.get_by_role("button", name="Settle").click()
    dialog = page.locator("dialog[open]")
    dialog.get_by_role("button", name="Settle").click()
    expect(dialog.locator(".error")).to_contain_text("needs an answer", use_inner_text=True)
    expect(dialog.locator(".given")).to_contain_text("Level 5", use_inner_text=True)
    dialog.get_by_label("Level 4").check()
    dialog.locator("textarea").fill("One small slip only.")
    dialog.get_by_role("button", name="Settle").click()
    expect(row.locator(".state-settled")).to_have_text("Level 4", use_inner_text=True)
    expect(row).to_contain_text("One small slip only.", use_inner_text=True)
    expect(row).to_contain_text("Level 5", use_inner_text=True)


def test_marks_and_lists_are_settled_on_what_no_rater_gave(
    desk: Server, signed_in: Any, open_page: Open
) -> None:
    page = open_page(storage_state=signed_in)
    page.goto(f"{desk.url}/desk/s/talks/items")
    page.locator("#items-table tbody a").first.click()
    settled = page.locator("#settled-title ~ .deeds")

    dialog = page.locator("dialog[open]")

    def settle(question: str) -> None:
        row = page.locator("#ratings tbody tr", has_text=question)
        row.get_by_role("button", name="Settle").click()

    settle("What failed?")
    dialog.get_by_role("button", name="Mark a failure").click()
    dialog.get_by_label("Omission").check()
    dialog.get_by_label("In turn").fill("9")
    dialog.get_by_role("button", name="Add this mark").click()
    expect(dialog.locator(".no-turn")).to_have_text(
        "This conversation has turns 1 to 3.", use_inner_text=True
    )
    dialog.get_by_label("In turn").fill("2")
    dialog.get_by_role("button", name="Settle", exact=True).click()
    expect(dialog.locator(".error")).to_contain_text("add or discard", use_inner_text=True)
    dialog.get_by_role("button", name="Add this mark").click()
    dialog.get_by_role("button", name="Settle", exact=True).click()
    expect(settled).to_contain_text("Omission · Minor", use_inner_text=True)

    settle("Was each goal reached?")
    for row, level in ((0, "Yes"), (1, "No")):
        dialog.locator(".entry").nth(row).get_by_label(level).check()
    dialog.get_by_role("button", name="Settle", exact=True).click()
    expect(settled).to_contain_text("Yes; No", use_inner_text=True)

    settle("Which places?")
    expect(dialog.locator(".entry")).to_have_count(0)
    dialog.locator(".new-place").fill("Museum")
    page.keyboard.press("Enter")
    dialog.get_by_label("Dropped").check()
    dialog.get_by_role("button", name="Settle", exact=True).click()
    expect(settled).to_contain_text("Museum · Dropped", use_inner_text=True)


def test_a_rater_asks_and_is_answered(desk: Server, signed_in: Any, open_page: Open) -> None:
    rater = open_page()
    at_work(rater, desk.base("rated"), "asks")
    rater.keyboard.press("f")
    rater.fill("#ask-text", "Is a refusal an answer?")
    rater.get_by_role("button", name="Ask a question").click()
    expect(rater.locator("#ask [role=status]")).not_to_be_empty()
    page = open_page(storage_state=signed_in)
    page.goto(f"{desk.url}/desk/s/rated/messages")
    asked = page.locator(".message", has_text="Is a refusal an answer?")
    asked.locator("textarea").fill("Yes, if it says why.")
    asked.get_by_role("button", name="Answer").click()
    expect(asked.locator(".reply")).to_contain_text("Yes, if it says why.", use_inner_text=True)
    rater.reload()
    rater.wait_for_selector("#questions .question")
    rater.keyboard.press("f")
    expect(rater.locator("#ask")).to_contain_text("Yes, if it says why.", use_inner_text=True)


# --- looks ------------------------------------------------------------------------------------------


def test_the_language_is_switched_in_place(desk: Server, signed_in: Any, open_page: Open) -> None:
    page = open_page(storage_state=signed_in)
    page.goto(f"{desk.url}/desk/s/empty/raters")
    page.click("header [data-set-language=zh] >> visible=true")
    expect(page.locator("h1")).to_have_text(re.compile("评分员"), use_inner_text=True)
    assert page.title().startswith("评分员")
    assert page.inner_text("select[name=state] option:first-child") == "全部"
    page.reload()
    expect(page.locator("h1")).to_have_text(re.compile("评分员"), use_inner_text=True)
    page.click("header [data-set-language=en] >> visible=true")


def test_axe_finds_nothing_on_the_desk(desk: Server, signed_in: Any, open_page: Open) -> None:
    page = open_page(storage_state=signed_in, bypass_csp=True, reduced_motion="reduce")
    rater = open_page()
    at_work(rater, desk.base("rated"))
    rate(rater, 1)
    found = {}
    rated = [*pages_of("rated"), "/desk/s/rated/raters/1", "/desk/s/rated/nothing"]
    for path in [*rated, *pages_of("empty")[3:]]:
        page.goto(desk.url + path)
        found[path] = axe(page, BOTH)
    stranger = open_page(bypass_csp=True, reduced_motion="reduce")
    stranger.goto(f"{desk.url}/desk/enter")
    found["enter"] = axe(stranger, BOTH)
    assert {name: what for name, what in found.items() if what} == {}


def test_axe_finds_nothing_in_the_dialogs(desk: Server, signed_in: Any, open_page: Open) -> None:
    page = open_page(storage_state=signed_in, bypass_csp=True, reduced_motion="reduce")
    found = {}
    for path in ("/desk/people", "/desk/account", "/desk/s/rated/raters", "/desk/s/rated/study"):
        page.goto(desk.url + path)
        for opener in page.locator("main button[data-open]:visible").all()[:4]:
            opener.click()
            found[f"{path} {opener.get_attribute('data-open')}"] = axe(page, BOTH)
            page.keyboard.press("Escape")
    page.goto(f"{desk.url}/desk/s/talks/items")
    page.locator("#items-table tbody a").first.click()
    for opener in page.locator("button[data-open^=settle]:visible").all():
        opener.click()
        for begin in page.locator("dialog[open] .begin").all():
            begin.click()
        found[f"settling {opener.get_attribute('data-open')}"] = axe(page, BOTH)
        page.locator("dialog[open] [data-close]").click()
    assert len(found) >= 9
    assert {name: what for name, what in found.items() if what} == {}


@pytest.mark.parametrize("width", [320, 390, 768, 1366, 2560])
def test_no_page_runs_out_of_the_window(
    desk: Server, signed_in: Any, open_page: Open, width: int
) -> None:
    page = open_page(storage_state=signed_in, viewport={"width": width, "height": 800})
    wide = []
    for path in [*pages_of("rated"), "/desk/s/rated/raters/1"]:
        page.goto(desk.url + path)
        if page.evaluate("document.documentElement.scrollWidth - innerWidth") > 0:
            wide.append(path)
    assert wide == []


def test_all_is_reached_by_keyboard(desk: Server, signed_in: Any, open_page: Open) -> None:
    page = open_page(storage_state=signed_in)
    page.goto(f"{desk.url}/desk/s/rated/raters")
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    page.keyboard.press("Tab")
    expect(page.locator(":focus")).to_have_text("Timesheet", use_inner_text=True)
    page.get_by_role("button", name="Invite raters").focus()
    page.keyboard.press("Enter")
    expect(page.locator("#invite-raters")).to_be_visible()
    page.keyboard.press("Escape")
    expect(page.locator(":focus")).to_have_text("Invite raters", use_inner_text=True)
