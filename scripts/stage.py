"""A server and a browser to try things in: for browser tests, screenshots and benchmarks."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from threading import Event, Thread
from typing import Any

from playwright.sync_api import Browser, Page, sync_playwright

FLAGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--host-resolver-rules=MAP lab.example 127.0.0.1",
]
"""The last one gives this machine a name on plain http, where browsers allow no service worker."""
SERVE = "from rubrica.cli import main; main()"


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


class Server:
    """`rubrica serve` as a process of its own, which can be killed and started again in its place."""

    def __init__(self, studies: list[Path], database: Path | str, *options: str) -> None:
        self.studies, self.database, self.port = studies, database, free_port()
        self.options = options
        self.environment: dict[str, str] = {}
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
            command,
            env={**os.environ, **self.environment},
            stderr=subprocess.PIPE,
            stdout=subprocess.DEVNULL,
            text=True,
        )
        self.log.clear()
        self.reader = Thread(target=self._read, args=[self.process.stderr], daemon=True)
        self.ready = Event()
        self.reader.start()
        self.ready.wait(180)
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

    def workers(self) -> list[int]:
        """Their numbers; the process that cleans up after them is none."""
        keeper = self.process.pid if self.process else 0
        children = Path(f"/proc/{keeper}/task/{keeper}/children").read_text().split()
        return [int(pid) for pid in children if b"spawn_main" in _command(pid)]


def _command(pid: str) -> bytes:
    """What a process was started with; nothing where it has ended meanwhile."""
    try:
        return Path(f"/proc/{pid}/cmdline").read_bytes()
    except (FileNotFoundError, ProcessLookupError):
        return b""


@contextmanager
def chromium() -> Iterator[Browser]:
    path = os.environ.get("RUBRICA_CHROMIUM", "/usr/bin/chromium")
    found = {"executable_path": path} if Path(path).exists() else {}
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(args=FLAGS, **found)
        yield browser
        browser.close()


_names = iter(range(1, 10_000))


def join(page: Page, base: str, name: str | None = None) -> str:
    """Joins as somebody new and comes to the page that is due; returns the resume code."""
    page.goto(base)
    page.fill("#name", name or f"rater {next(_names)}")
    page.click("#go")
    page.wait_for_selector("#welcome:not([hidden])")
    code = page.inner_text("#resume-code")
    with page.expect_navigation():
        page.click("#go-on")
    return code


def confirm(page: Page) -> None:
    page.check("form[data-confirm] input[type=checkbox]")
    page.click("form[data-confirm] .main")
