"""What could lose an answer: a dying browser, a false network, a lid shut, a study that changes."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, Route, expect
from stage import FLAGS

from tests.browser.conftest import (
    PATIENCE,
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
from tests.browser.test_safe import rate, wait_ahead

pytestmark = pytest.mark.browser


@contextmanager
def browser_of_its_own(chromium: Browser, profile: Path) -> Iterator[tuple[BrowserContext, int]]:
    """Chromium with a profile on disk, and the process group it can be killed by."""
    path = Path(os.environ.get("RUBRICA_CHROMIUM", "/usr/bin/chromium"))
    command = [str(path if path.exists() else chromium.browser_type.executable_path), *FLAGS]
    command += ["--headless=new", "--remote-debugging-port=0", f"--user-data-dir={profile}"]
    process = subprocess.Popen(command, stderr=subprocess.PIPE, text=True, start_new_session=True)
    assert process.stderr
    try:
        address = next(found[1] for line in process.stderr if (found := re.search(r"(ws://\S+)", line)))
        yield (
            chromium.browser_type.connect_over_cdp(address, timeout=PATIENCE).contexts[0],
            process.pid,
        )
    finally:
        if process.poll() is None:
            os.killpg(process.pid, signal.SIGKILL)
        process.wait(30)
        process.stderr.close()


def test_a_killed_browser_loses_nothing_typed_or_submitted(
    server: Server, chromium: Browser, tmp_path: Path
) -> None:
    base = server.base("many")
    with browser_of_its_own(chromium, tmp_path) as (context, group):
        page = context.new_page()
        code = at_work(page, base, "killed")
        wait_ahead(page, 3)
        context.route(re.compile("/api/(draft|submit)"), lambda route: route.abort())
        rate(page)
        wait_item(page, 2)
        page.fill("#questions textarea", "last words")
        says(page, "#saved", "Offline, 2 waiting")
        os.killpg(group, signal.SIGKILL)
    with browser_of_its_own(chromium, tmp_path) as (context, _):
        page = context.new_page()
        # A cookie may take half a minute to reach the disk: the sign-in is lost, the answers are not.
        assert page.request.post(f"{base}/api/join", data={"name": "killed", "code": code}).ok
        page.goto(base)
        wait_item(page, 2)
        assert page.input_value("#questions textarea") == "last words"
        wait_saved(page)
        assert [r["number"] for r in own_ratings(page, base)] == [1]


def wait_tried(page: Page, address: str, times: int, tried: list[str]) -> None:
    """Until something was asked for so often, answered or not."""
    while sum(url.endswith(address) for url in tried) < times:
        page.wait_for_timeout(20)


def test_the_header_says_offline_for_as_long_as_a_draft_cannot_be_sent(
    server: Server, open_page: Open
) -> None:
    page = open_page()
    at_work(page, server.base("many"))
    page.evaluate(
        """() => {
          window.states = [];
          const root = document.documentElement;
          new MutationObserver(() => window.states.push(root.dataset.saved))
            .observe(root, { attributeFilter: ["data-saved"] });
        }"""
    )
    tried: list[str] = []
    page.on("request", lambda request: tried.append(request.url))
    page.context.route("**/api/draft", lambda route: route.abort())
    page.keyboard.press("4")
    says(page, "#saved", "Offline, 1 waiting")
    wait_tried(page, "/api/draft", 3, tried)
    says(page, "#saved", "Offline, 1 waiting")
    states = page.evaluate("window.states.filter((one, at, all) => one !== all[at - 1])")
    assert states == ["saving", "offline"]
    page.context.unroute("**/api/draft")
    page.click("#saved")
    wait_saved(page)


def test_offline_with_nothing_to_send_is_not_called_saved(server: Server, open_page: Open) -> None:
    page = open_page()
    at_work(page, server.base("many"))
    wait_ahead(page, 3)
    tried: list[str] = []
    page.on("request", lambda request: tried.append(request.url))
    page.context.set_offline(True)
    wait_tried(page, "/api/pulse", 2, tried)
    says(page, "#saved", "Offline")
    page.context.set_offline(False)
    wait_saved(page)


def test_the_page_of_a_hotel_is_not_taken_for_the_server(server: Server, open_page: Open) -> None:
    """A network that wants a sign-in of its own answers everything with "200 OK" and a page."""
    page = open_page()
    base = server.base("many")
    at_work(page, base)
    wait_ahead(page, 3)
    hotel = "<h1>Welcome to the hotel</h1>"
    page.route("**/api/**", lambda route: route.fulfill(content_type="text/html", body=hotel))
    rate(page)
    wait_item(page, 2)
    says(page, "#saved", "Offline, 1 waiting")
    page.unroute("**/api/**")
    page.click("#saved")
    wait_saved(page)
    assert len(own_ratings(page, base)) == 1


def test_one_rating_the_server_stumbles_over_keeps_no_other_waiting(
    server: Server, open_page: Open
) -> None:
    page = open_page()
    base = server.base("many")
    at_work(page, base)
    wait_ahead(page, 4)
    sent: list[str] = []

    def stumble(route: Route) -> None:
        sent.append(route.request.post_data_json["id"])
        if sent[-1] != sent[0]:
            return route.continue_()
        fault = {"code": "W007", "status": 500}
        return route.fulfill(status=500, json=fault)

    page.route("**/api/submit", stumble)
    for number in (1, 2):
        wait_item(page, number)
        rate(page)
    wait_item(page, 3)
    says(page, "#saved", "Offline, 1 waiting")
    assert [r["number"] for r in own_ratings(page, base)] == [2]
    page.unroute("**/api/submit")
    page.click("#saved")
    wait_saved(page)
    assert sorted(r["number"] for r in own_ratings(page, base)) == [1, 2]


def test_a_lid_shut_for_longer_than_the_reservation(server: Server, open_page: Open) -> None:
    """The item goes to somebody else meanwhile; the late answers are stored all the same."""
    page, other = open_page(), open_page()
    base = server.base("scarce")
    at_work(page, base)
    page.keyboard.press("4")
    wait_saved(page)
    page.context.set_offline(True)
    join(other, base)
    confirm(other)
    other.wait_for_url(re.compile("/(work|done)"))
    while not other.locator("#questions .question").count():
        other.goto(f"{base}/work")
        other.wait_for_selector("#questions .question, h1:has-text('nothing left')")
    rate(other)
    other.wait_for_url("**/done")
    page.keyboard.press("1")
    page.keyboard.press("Enter")
    says(page, "#saved", "Offline, 1 waiting")
    page.context.set_offline(False)
    page.wait_for_url("**/done")
    for one in (page, other):
        assert [r["answers"]["quality"]["value"] for r in own_ratings(one, base)] == [4]


def test_another_rater_signs_in_within_the_same_browser(server: Server, open_page: Open) -> None:
    page = open_page()
    base = server.base("many")
    code = at_work(page, base, "first here")
    wait_ahead(page, 3)
    assert page.request.post(f"{base}/api/join", data={"name": "second here"}).ok
    rate(page)
    wait_item(page, 2)
    says(page, "#saved", "Signed out, 1 waiting")
    assert own_ratings(page, base) == []
    assert page.request.post(f"{base}/api/join", data={"name": "first here", "code": code}).ok
    page.click("#saved")
    page.wait_for_url("**/work*")
    wait_saved(page)
    wait_item(page, 2)
    assert [r["number"] for r in own_ratings(page, base)] == [1]


def test_a_draft_never_overtakes_its_rating(server: Server, open_page: Open) -> None:
    page = open_page()
    base = server.base("many")
    at_work(page, base)
    wait_ahead(page, 3)
    held: list[Route] = []
    tried: list[str] = []
    page.on("request", lambda request: tried.append(request.url))
    page.route("**/api/draft", lambda route: held.append(route))
    page.keyboard.press("4")
    wait_tried(page, "/api/draft", 1, tried)
    page.keyboard.press("1")
    page.keyboard.press("Enter")
    wait_item(page, 2)
    says(page, "#saved", "Saving…")
    assert not any(url.endswith("/api/submit") for url in tried)
    held[0].continue_()
    wait_saved(page)
    items = page.request.get(f"{base}/api/items").json()
    assert (items[0]["state"], items[0]["draft"]) == ("rated", False)


def test_a_study_with_new_questions_is_loaded_anew_after_the_item_in_hand(
    own_server: Server, open_page: Open
) -> None:
    page = open_page()
    base = own_server.base("answers")
    at_work(page, base)
    wait_ahead(page, 4)
    page.keyboard.press("4")
    wait_saved(page)
    own_server.stop()
    declared = own_server.studies[0] / "study.yaml"
    study = json.loads(declared.read_text())
    study["questions"]["new"] = {**study["questions"]["polite"], "ask": "Is it new?"}
    declared.write_text(json.dumps(study))
    own_server.start()
    page.keyboard.press("1")
    page.keyboard.press("Enter")
    says(page, "#questions [data-kind=choice] >> nth=1", "Is it new?")
    wait_item(page, 2)
    wait_saved(page)
    assert page.locator("#questions input:checked").count() == 0
    (first,) = own_ratings(page, base)
    assert (first["number"], first["answers"]["quality"]["value"]) == (1, 4)
    assert "new" not in first["answers"]


def test_without_a_service_worker_the_page_says_that_it_must_stay_open(
    server: Server, open_page: Open
) -> None:
    page = open_page()
    base = server.base("many").replace("127.0.0.1", "lab.example")
    at_work(page, base)
    wait_ahead(page, 3)
    expect(page.locator("#stay-note")).to_be_hidden()
    page.context.set_offline(True)
    rate(page)
    wait_item(page, 2)
    says(page, "#stay-note", "Please keep this page open")
    page.click(".menu summary")
    page.click("#my-progress")
    says(page, ".toast", "There is no connection.")
    page.context.set_offline(False)
    wait_saved(page)
    expect(page.locator("#stay-note")).to_be_hidden()


def skip(page: Page) -> None:
    page.keyboard.press("s")
    page.keyboard.press("1")


def test_stopping_for_today_waits_until_everything_is_safe(server: Server, open_page: Open) -> None:
    page = open_page()
    base = server.base("talks")
    at_work(page, base)
    wait_ahead(page, 3)
    skip(page)
    wait_item(page, 2)
    page.context.set_offline(True)
    skip(page)
    page.click("#pause button:has-text('Stop for today')")
    says(page, "#item", "There is no network.")
    page.context.set_offline(False)
    wait_saved(page)
    assert len(own_ratings(page, base)) == 2


def test_signing_out_leaves_nothing_behind_in_the_browser(server: Server, open_page: Open) -> None:
    page = open_page()
    base = server.base("many")
    at_work(page, base)
    page.fill("#questions textarea", "not for the next one here")
    wait_saved(page)
    page.goto(f"{base}/done")
    page.click("#sign-out")
    page.wait_for_selector("#join")
    assert page.evaluate("indexedDB.databases().then((all) => all.length)") == 0
    assert page.evaluate("caches.keys().then((all) => all.length)") == 0
