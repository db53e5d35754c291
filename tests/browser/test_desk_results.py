"""Results and exports at the desk, under the policy that allows no script but the server's own."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

from rubrica.cli import run
from tests.browser.conftest import Open, Server
from tests.browser.desk import enter
from tests.browser.studies import answers_study
from tests.browser.test_access import axe
from tests.browser.test_desk_pages import BOTH

pytestmark = pytest.mark.browser
COMPUTED = 90_000
"""Milliseconds a computation may take on a machine that has much else to do."""


@pytest.fixture(scope="module")
def desk(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A study three robots have rated, and one nobody has."""
    folder = tmp_path_factory.mktemp("results")
    studies = [answers_study(folder / "rated", 12), answers_study(folder / "empty", 2)]
    database = folder / "desk.db"
    simulated = ["simulate", str(studies[0]), "--db", str(database), "--raters", "3", "--seed", "1"]
    assert run(simulated) == 0
    started = Server(studies, database).start()
    yield started
    started.stop()
    assert "Traceback" not in "".join(started.log)


@pytest.fixture(scope="module")
def signed_in(desk: Server, chromium: Browser) -> Any:
    context = chromium.new_context()
    enter(context.new_page(), desk)
    state = context.storage_state()
    context.close()
    return state


def look(page: Page) -> None:
    page.get_by_role("button", name="Look now").locator("visible=true").click()
    expect(page.locator(".report")).to_be_visible(timeout=COMPUTED)


def agreement(page: Page) -> Any:
    """The first figure, once it is drawn anew: that happens when it comes into view."""
    page.locator("#figure-agreement").scroll_into_view_if_needed()
    drawn = page.locator("#figure-agreement .chart.shown .mark-symbol path").first
    expect(drawn).to_be_visible(timeout=COMPUTED)
    return drawn


def test_a_look_is_asked_for_logged_and_drawn(desk: Server, signed_in: Any, open_page: Open) -> None:
    page = open_page(storage_state=signed_in)
    page.goto(f"{desk.url}/desk/s/rated/results")
    expect(page.locator("main")).to_contain_text("Results stay closed", use_inner_text=True)
    look(page)
    expect(page.locator(".report")).to_contain_text("Do the raters agree?", use_inner_text=True)
    dot = agreement(page)
    dot.hover()
    expect(page.locator("#vg-tooltip-element.visible")).to_contain_text("Quality")

    light = str(dot.get_attribute("fill"))
    page.locator("details.menu > summary").last.click()
    page.click("[data-set-theme=dark] >> visible=true")
    expect(dot).not_to_have_attribute("fill", light)
    page.keyboard.press("Escape")
    page.click("header [data-set-language=zh] >> visible=true")
    expect(page.locator(".report")).to_contain_text("评分员", timeout=COMPUTED)
    page.click("header [data-set-language=en] >> visible=true")
    page.goto(f"{desk.url}/desk/s/rated/log")
    expect(page.locator("main")).to_contain_text("results looked at", use_inner_text=True)


def test_a_table_copies_into_a_sheet(desk: Server, signed_in: Any, open_page: Open) -> None:
    page = open_page(storage_state=signed_in)
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    page.goto(f"{desk.url}/desk/s/rated/items")
    page.get_by_role("button", name="Copy the table").click()
    expect(page.locator(".toast")).to_contain_text("Copied", use_inner_text=True)
    rows = page.evaluate("navigator.clipboard.readText()").split("\n")
    assert len(rows) == 13
    assert rows[1].split("\t")[:2] == ["1", "k0"]


def test_axe_finds_nothing_on_results_and_exports(
    desk: Server, signed_in: Any, open_page: Open
) -> None:
    page = open_page(storage_state=signed_in, bypass_csp=True, reduced_motion="reduce")
    found = {}
    page.goto(f"{desk.url}/desk/s/empty/results")
    found["closed"] = axe(page, BOTH)
    page.goto(f"{desk.url}/desk/s/rated/exports")
    found["exports"] = axe(page, BOTH)
    page.goto(f"{desk.url}/desk/s/rated/results")
    if not page.locator(".report").count():
        look(page)
    agreement(page)
    found["results"] = axe(page, BOTH)
    assert {name: what for name, what in found.items() if what} == {}


def test_ratings_are_downloaded(desk: Server, signed_in: Any, open_page: Open) -> None:
    page = open_page(storage_state=signed_in)
    page.goto(f"{desk.url}/desk/s/rated/exports")
    page.select_option("select[name=format]", "csv")
    with page.expect_download(timeout=COMPUTED) as saved:
        page.get_by_role("button", name="Download").click(timeout=COMPUTED)
    assert saved.value.suggested_filename == "rated-tidy.csv"
    assert len(saved.value.path().read_text().splitlines()) > 12


FAILS = """
import os, sys
if os.path.exists(os.environ["BROKEN"]) and "rubrica.coordinator.computed" in sys.orig_argv:
    sys.stderr.write("the disk is full\\n")
    sys.stderr.flush()
    os._exit(1)
"""
"""Read by every Python that starts below the server: the one that computes ends at once."""


def test_what_could_not_be_computed_is_told_and_tried_again(open_page: Open, tmp_path: Path) -> None:
    (tmp_path / "sitecustomize.py").write_text(FAILS)
    broken = tmp_path / "broken"
    broken.touch()
    server = Server([answers_study(tmp_path / "again", 2)], tmp_path / "again.db")
    server.environment = {"PYTHONPATH": str(tmp_path), "BROKEN": str(broken)}
    server.start()
    try:
        page = open_page()
        enter(page, server)
        page.goto(f"{server.url}/desk/s/again/results")
        page.get_by_role("button", name="Look now").locator("visible=true").click()
        told = page.get_by_role("alert").filter(has_text="could not be computed")
        expect(told).to_contain_text("the disk is full", timeout=COMPUTED, use_inner_text=True)
        broken.unlink()
        page.get_by_role("button", name="Try again").click()
        expect(page.locator(".report")).to_be_visible(timeout=COMPUTED)
        expect(told).to_have_count(0)
    finally:
        server.stop()


def test_a_study_without_ratings_has_results_that_say_so(
    desk: Server, signed_in: Any, open_page: Open
) -> None:
    page = open_page(storage_state=signed_in, viewport={"width": 320, "height": 700})
    page.goto(f"{desk.url}/desk/s/empty/results")
    look(page)
    assert page.evaluate("document.documentElement.scrollWidth - innerWidth") <= 0


def test_one_tries_the_study_as_a_rater(desk: Server, signed_in: Any, open_page: Open) -> None:
    page = open_page(storage_state=signed_in)
    page.goto(f"{desk.url}/desk/s/rated/study")
    with page.context.expect_page(timeout=30_000) as opened:
        page.get_by_role("button", name="Try it as a rater").click()
    expect(opened.value.locator("h1").first).to_be_visible(timeout=30_000)
    assert "/desk" not in opened.value.url
