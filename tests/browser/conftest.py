"""One browser for all tests; servers on free ports, ended by their own process id."""

from __future__ import annotations

import json
import os
import re
import signal
import socket
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from threading import Event, Thread
from typing import Any

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, expect, sync_playwright
from studies import answers_study, dialogues_study, pictures_study, talks_study

FLAGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]
SERVE = "from rubrica.cli import main; main()"


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


class Server:
    """`rubrica serve` as a process of its own, which can be killed and started again in its place."""

    def __init__(self, studies: list[Path], database: Path, *options: str) -> None:
        self.studies, self.database, self.port = studies, database, free_port()
        self.options = options
        self.process: subprocess.Popen[str] | None = None
        self.log: list[str] = []
        """What it wrote; a traceback in it fails the test that saw it."""

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def base(self, study: str) -> str:
        return f"{self.url}/s/{study}"

    def start(self) -> Server:
        command = [sys.executable, "-c", SERVE, "serve", *map(str, self.studies)]
        command += ["--db", str(self.database), "--port", str(self.port), *self.options]
        self.process = subprocess.Popen(
            command, stderr=subprocess.PIPE, stdout=subprocess.DEVNULL, text=True
        )
        self.log.clear()
        self.reader = Thread(target=self._read, args=[self.process.stderr], daemon=True)
        self.ready = Event()
        self.reader.start()
        self.ready.wait(60)
        if not any(line.startswith("http://") for line in self.log):
            self.stop()
            raise AssertionError("the server did not start:\n" + "".join(self.log))
        return self

    def _read(self, stream: Any) -> None:
        for line in stream:
            self.log.append(line)
            if line.startswith("http://"):
                self.ready.set()
        self.ready.set()

    def stop(self, how: signal.Signals = signal.SIGTERM) -> None:
        if self.process is not None and self.process.poll() is None:
            os.kill(self.process.pid, how)
            self.process.wait(30)
        if self.process is not None and self.process.stderr is not None:
            self.reader.join(30)
            self.process.stderr.close()
        self.process = None

    def kill(self) -> None:
        self.stop(signal.SIGKILL)


@pytest.fixture(scope="session")
def chromium() -> Iterator[Browser]:
    path = os.environ.get("RUBRICA_CHROMIUM", "/usr/bin/chromium")
    with sync_playwright() as playwright:
        found = {"executable_path": path} if Path(path).exists() else {}
        browser = playwright.chromium.launch(args=FLAGS, **found)
        yield browser
        browser.close()


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
    ]
    started = Server(studies, folder / "served.db").start()
    yield started
    started.stop()
    assert "Traceback" not in "".join(started.log)


@pytest.fixture
def own_server(tmp_path: Path) -> Iterator[Server]:
    """A server of one's own, to be killed or changed."""
    made = Server([answers_study(tmp_path / "answers", 5)], tmp_path / "own.db").start()
    yield made
    made.stop()


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
        context.set_default_timeout(8_000)
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
    """What the browser writes itself when the network is away is no fault of ours."""
    expected = r"Failed to load resource|ERR_|net::"
    return message.type == "error" and not re.search(expected, message.text)


_names = iter(range(1, 10_000))


def join(page: Page, base: str, name: str | None = None) -> str:
    """Joins as somebody new and comes to the page that is due; returns the resume code."""
    page.goto(base)
    page.fill("#name", name or f"rater {next(_names)}")
    page.click("#go")
    page.wait_for_selector("#welcome:not([hidden])")
    code = page.inner_text("#resume-code")
    page.click("#go-on")
    return code


def confirm(page: Page) -> None:
    page.check("form[data-confirm] input[type=checkbox]")
    page.click("form[data-confirm] .main")


def at_work(page: Page, base: str, name: str | None = None) -> str:
    """All the way to the workbench's first item."""
    code = join(page, base, name)
    confirm(page)
    page.wait_for_selector("#questions .question")
    return code


def item_number(page: Page) -> str:
    return str(page.evaluate("document.documentElement.dataset.item"))


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
