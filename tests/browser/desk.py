"""Coming to the desk, and everything there that can be opened."""

from __future__ import annotations

import re
from time import monotonic, sleep

from playwright.sync_api import Page

from tests.browser.conftest import Server

PASSWORD = "five quiet words in a row"


def link_of(server: Server) -> str:
    """The link that `rubrica serve` printed for whoever sits at the machine."""
    late = monotonic() + 30
    while monotonic() < late:
        for line in list(server.log):
            found = re.search(r"(http\S+/desk/enter#\S+)", line)
            if found:
                return found[1]
        sleep(0.02)
    raise AssertionError("no link was printed:\n" + "".join(server.log))


USED: set[str] = set()


def enter(page: Page, server: Server) -> None:
    """In by the printed link, which works once: a server that goes on is started again for another."""
    if link_of(server) in USED:
        server.stop()
        server.start()
    USED.add(link_of(server))
    page.goto(link_of(server))
    page.click("#by-link button")
    page.wait_for_url(f"{server.url}/desk")


def pages_of(study: str) -> list[str]:
    """Every page that has an address of its own without a number in it."""
    parts = (
        "",
        "/items",
        "/raters",
        "/timesheet",
        "/messages",
        "/results",
        "/exports",
        "/study",
        "/log",
    )
    return ["/desk", "/desk/account", "/desk/people", *(f"/desk/s/{study}{part}" for part in parts)]
