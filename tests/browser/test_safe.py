"""Nothing typed is lost and nothing is rated twice, whatever happens to network, server or tab."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, Route, expect

from tests.browser.conftest import (
    Open,
    Server,
    at_work,
    confirm,
    item_number,
    join,
    own_ratings,
    says,
    wait_item,
    wait_saved,
    wait_until,
)

pytestmark = pytest.mark.browser


def rate(page: Page, level: str = "4") -> None:
    page.keyboard.press(level)
    page.keyboard.press("1")
    page.keyboard.press("Enter")


def wait_ahead(page: Page, count: int) -> None:
    """Until so many items are here, so that the network may go."""
    wait_until(
        page,
        """count => new Promise((resolve) => indexedDB.databases().then(([{ name }]) => {
          const request = indexedDB.open(name);
          request.onsuccess = () => {
            const units = request.result.transaction("units").objectStore("units").getAll();
            units.onsuccess = () => {
              request.result.close();
              resolve(units.result.filter((one) => one.state === "reserved").length >= count);
            };
          };
        }))""",
        count,
    )


def test_offline_the_rater_goes_on_and_everything_arrives_later(
    server: Server, open_page: Open
) -> None:
    page = open_page()
    base = server.base("many")
    at_work(page, base)
    wait_ahead(page, 4)
    page.context.set_offline(True)
    for number in (1, 2, 3):
        wait_item(page, number)
        rate(page)
    wait_item(page, 4)
    says(page, "#saved", "Offline, 3 waiting")
    page.context.set_offline(False)
    wait_saved(page)
    assert [r["number"] for r in own_ratings(page, base)] == [1, 2, 3]


def test_offline_a_reload_opens_the_workbench_with_its_drafts(server: Server, open_page: Open) -> None:
    page = open_page()
    base = server.base("many")
    at_work(page, base)
    page.evaluate("navigator.serviceWorker.ready.then(() => true)")
    wait_ahead(page, 4)
    rate(page)
    wait_item(page, 2)
    page.context.set_offline(True)
    page.keyboard.press("3")
    page.fill("#questions textarea", "typed without network")
    page.reload()
    wait_item(page, 2)
    assert page.input_value("#questions textarea") == "typed without network"
    page.click("#questions input[name=polite][value=Yes]", force=True)
    page.click("#submit")
    wait_item(page, 3)
    page.context.set_offline(False)
    wait_saved(page)
    assert own_ratings(page, base)[1]["answers"]["comment"]["value"] == "typed without network"


def test_a_slow_network_still_shows_the_next_item_at_once(server: Server, open_page: Open) -> None:
    page = open_page()
    base = server.base("many")
    at_work(page, base)
    wait_ahead(page, 4)
    network = page.context.new_cdp_session(page)
    slow = {"offline": False, "latency": 400, "downloadThroughput": -1, "uploadThroughput": -1}
    network.send("Network.enable")
    network.send("Network.emulateNetworkConditions", slow)
    sent: list[str] = []
    page.on("requestfinished", lambda request: sent.append(request.url))
    page.keyboard.press("4")
    page.keyboard.press("1")
    page.keyboard.press("Enter")
    assert item_number(page) == "2"
    assert not any(url.endswith("/submit") for url in sent)
    says(page, "#saved", "Saving…")
    wait_saved(page)
    assert len(own_ratings(page, base)) == 1


def test_a_double_click_gives_one_rating(server: Server, open_page: Open) -> None:
    page = open_page()
    base = server.base("many")
    at_work(page, base)
    page.keyboard.press("4")
    page.keyboard.press("1")
    page.dblclick("#submit")
    wait_item(page, 2)
    wait_saved(page)
    assert len(own_ratings(page, base)) == 1


@pytest.mark.parametrize("reached", [False, True], ids=["before it was stored", "after it was stored"])
def test_the_server_dies_in_the_middle_of_a_submit(
    own_server: Server, open_page: Open, reached: bool
) -> None:
    page = open_page()
    base = own_server.base("answers")
    at_work(page, base)
    wait_ahead(page, 4)
    page.evaluate("navigator.serviceWorker.ready.then(() => true)")

    def die(route: Route) -> None:
        if reached:
            assert route.fetch().ok
        own_server.kill()
        route.abort()
        page.unroute("**/api/submit")

    page.route("**/api/submit", die)
    rate(page)
    wait_item(page, 2)
    says(page, "#saved", "Offline, 1 waiting")
    page.keyboard.press("5")
    page.reload()
    wait_item(page, 2)
    own_server.start()
    page.click("#saved")
    wait_saved(page)
    assert [r["number"] for r in own_ratings(page, base)] == [1]
    assert page.locator("#questions input[name=quality]:checked").get_attribute("value") == "5"


def test_a_killed_tab_loses_nothing(server: Server, open_page: Open) -> None:
    page = open_page()
    at_work(page, server.base("many"))
    page.keyboard.press("2")
    page.fill("#questions textarea", "last words")
    again = page.context.new_page()
    page.close(run_before_unload=False)
    again.goto(server.base("many"))
    again.wait_for_selector("#questions .question")
    assert again.input_value("#questions textarea") == "last words"
    assert again.locator("#questions input[name=quality]:checked").get_attribute("value") == "2"


def test_a_second_device_goes_on_where_the_first_was(server: Server, open_page: Open) -> None:
    first, second = open_page(), open_page()
    base = server.base("many")
    code = at_work(first, base, "two devices")
    first.keyboard.press("2")
    first.fill("#questions textarea", "from the first")
    wait_saved(first)
    second.goto(base)
    second.fill("#name", "two devices")
    second.click("#have-code")
    second.fill("#code", code.lower().replace("-", " "))
    second.click("#go")
    second.wait_for_selector("#questions .question")
    assert second.input_value("#questions textarea") == "from the first"
    second.click("#questions input[name=polite][value=No]", force=True)
    wait_saved(second)
    first.click("#questions input[name=quality][value='3']", force=True)
    expect(first.locator("#questions input[name=polite][value=No]")).to_be_checked()
    first.click("#submit")
    wait_item(first, 2)
    wait_saved(first)
    second.click("#submit")
    says(second, ".toast", "Item 1 could not be taken")
    assert len(own_ratings(first, base)) == 1
    second.click(".toast button")
    says(second, ".notice", "You have rated this item")
    second.click("#submit")
    wait_saved(second)
    ratings = own_ratings(first, base)
    assert [r["replaces"] for r in ratings] == [None, ratings[0]["rating"]]


def test_of_two_tabs_one_rests(server: Server, open_page: Open) -> None:
    page = open_page()
    base = server.base("many")
    at_work(page, base)
    page.keyboard.press("4")
    other = page.context.new_page()
    other.goto(f"{base}/work")
    other.wait_for_selector("#questions .question")
    assert other.locator("#questions input[name=quality]:checked").get_attribute("value") == "4"
    says(page, "dialog#asleep", "You are working in another tab")
    other.keyboard.press("1")
    other.click("#submit")
    wait_item(other, 2)
    wait_saved(other)
    page.bring_to_front()  # whoever clicks there looks at it
    page.click("dialog#asleep button")
    wait_item(page, 2)
    assert len(own_ratings(page, base)) == 1
    says(other, "dialog#asleep", "another tab")


def test_an_expired_session_keeps_everything_until_the_rater_is_back(
    server: Server, open_page: Open
) -> None:
    page = open_page()
    base = server.base("many")
    code = at_work(page, base, "expires")
    wait_ahead(page, 4)
    kept = page.context.cookies()
    page.context.clear_cookies()
    rate(page)
    wait_item(page, 2)
    says(page, "#saved", "Signed out, 1 waiting")
    assert kept
    page.goto(base)
    page.fill("#name", "expires")
    page.click("#have-code")
    page.fill("#code", code)
    page.click("#go")
    page.wait_for_selector("#questions .question")
    wait_saved(page)
    assert [r["number"] for r in own_ratings(page, base)] == [1]


def test_the_study_changes_meanwhile(own_server: Server, open_page: Open) -> None:
    page = open_page()
    base = own_server.base("answers")
    at_work(page, base)
    wait_ahead(page, 4)
    page.keyboard.press("4")
    wait_saved(page)
    own_server.stop()
    guide = own_server.studies[0] / "guide.en.md"
    guide.write_text("# How to rate\n\nNow read it twice.\n")
    own_server.start()
    page.keyboard.press("1")
    page.keyboard.press("Enter")
    says(page, ".notice", "The guidelines have changed")
    confirm(page)
    page.wait_for_selector("#questions .question")
    wait_saved(page)
    assert [r["number"] for r in own_ratings(page, base)] == [1]


def test_a_name_once_taken_is_kept_by_its_code(server: Server, open_page: Open) -> None:
    page = open_page()
    base = server.base("many")
    join(page, base, "taken")
    other = open_page()
    other.goto(base)
    other.fill("#name", "taken")
    other.click("#go")
    says(other, "#join-error", "This id is in use")
    expect(other.locator("#code")).to_be_focused()
    other.fill("#code", "AAAA-AAAA-AAAA-AAAA")
    other.click("#go")
    says(other, "#join-error", "This id is in use")
