"""Servers on free ports, ended by their own process id."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, expect
from stage import Server, confirm, join
from studies import answers_study, dialogues_study, exam_study, pictures_study, shortened, talks_study

__all__ = ["Server", "confirm", "join"]

PATIENCE = 60_000
"""Milliseconds: a machine that does other things too is slow, but not wrong."""
expect.set_options(timeout=PATIENCE)


CROWD = {"completion_code": "C0DE-77", "return_url": "https://crowd.example/"}


@pytest.fixture(scope="session")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """The studies that tests leave as they are; every test joins as somebody new."""
    folder = tmp_path_factory.mktemp("served")
    studies = [
        answers_study(folder / "answers"),
        dialogues_study(folder / "dialogues"),
        pictures_study(folder / "pictures"),
        talks_study(folder / "talks"),
        answers_study(folder / "many", 20),
        answers_study(folder / "scarce", 1, raters={"per_item": 1, "reserve_minutes": 0.02}),
        answers_study(folder / "alone", 1, raters={"per_item": 1}),
        answers_study(folder / "crowd", 1, crowd=CROWD),
        answers_study(folder / "firm", 3, raters={"revise": False}),
        answers_study(folder / "breaks", 6, breaks={"every_items": 2, "every_minutes": 1}),
        exam_study(folder / "exam"),
        *(shortened(folder, name) for name in ("m3bench", "vtt", "incar")),
    ]
    started = Server(studies, folder / "served.db", "--name", "lab.example").start()
    yield started
    started.stop()
    assert "Traceback" not in "".join(started.log)


@pytest.fixture(scope="module")
def _own_server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    folder = tmp_path_factory.mktemp("own")
    made = Server([answers_study(folder / "answers", 5)], folder / "own.db")
    yield made
    made.stop()


@pytest.fixture
def own_server(_own_server: Server) -> Server:
    """A server to be killed or changed; whoever comes next finds it running again."""
    return _own_server if _own_server.process else _own_server.start()


Open = Callable[..., Page]


@pytest.fixture
def open_page(chromium: Browser) -> Iterator[Open]:
    """Pages in contexts of their own; errors of a page's scripts fail the test."""
    contexts: list[BrowserContext] = []
    errors: list[str] = []

    def make(**given: Any) -> Page:
        context = chromium.new_context(
            **{"viewport": {"width": 1280, "height": 800}, "locale": "en-GB", **given}
        )
        context.set_default_timeout(PATIENCE)
        contexts.append(context)
        page = context.new_page()
        page.on("pageerror", lambda error: errors.append(str(error)))
        page.on("console", lambda message: errors.append(message.text) if is_fault(message) else None)
        return page

    yield make
    for context in contexts:
        context.close()
    assert not errors


def is_fault(message: Any) -> bool:
    """What the browser writes itself without network, or on plain http, is no fault of ours."""
    expected = r"Failed to load resource|ERR_|net::|Opener-Policy header has been ignored"
    return message.type == "error" and not re.search(expected, message.text)


def at_work(page: Page, base: str, name: str | None = None) -> str:
    """All the way to the workbench's first item."""
    code = join(page, base, name)
    confirm(page)
    page.wait_for_selector("#questions .question")
    return code


def item_number(page: Page) -> str:
    return str(page.evaluate("document.documentElement.dataset.item"))


def wait_until(page: Page, script: str, given: Any = None) -> None:
    """Until a script says true. The browser's own waiting would evaluate text in the page, which the
    pages' policy forbids."""
    for _ in range(400):
        if page.evaluate(script, given):
            return
        page.wait_for_timeout(50)
    raise AssertionError(f"it never came true: {script}")


def wait_item(page: Page, number: int) -> None:
    page.wait_for_selector(f'html[data-item="{number}"]', state="attached")


def wait_saved(page: Page) -> None:
    page.wait_for_selector("html[data-saved=saved]", state="attached")


def says(page: Page, selector: str, text: str) -> None:
    """Waits until an element visibly has this text, in the chosen language only."""
    expect(page.locator(selector).first).to_contain_text(text, use_inner_text=True)


def own_ratings(page: Page, base: str) -> list[dict[str, Any]]:
    text = page.request.get(f"{base}/ratings.jsonl").text()
    return [json.loads(line) for line in text.splitlines()]
