"""Pictures of every page a rater meets: `python scripts/screenshots.py [--only WORD]`.

Serves the bundled studies and one of extremes, walks through them in Chromium, and takes each page in
several sizes, languages and colours into build/screenshots, with an index.html to look through. The
three pictures of the README go to docs/images.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from dataclasses import dataclass
from html import escape
from pathlib import Path

ROOT = Path(__file__).parents[1]
sys.path[:0] = [str(ROOT / "scripts")]

from odd_study import odd_study  # noqa: E402
from playwright.sync_api import Browser, Page, ViewportSize  # noqa: E402
from stage import Server, chromium, confirm, join  # noqa: E402

from rubrica.cli.demo import bundled  # noqa: E402
from rubrica.exchange.starting.frame import BUNDLED  # noqa: E402

OUT = ROOT / "build" / "screenshots"
IMAGES = ROOT / "docs" / "images"


@dataclass(frozen=True)
class Look:
    size: str
    width: int
    height: int
    language: str = "en"
    theme: str = "light"

    @property
    def viewport(self) -> ViewportSize:
        return {"width": self.width, "height": self.height}

    @property
    def name(self) -> str:
        return f"{self.size}-{self.language}-{self.theme}"


def sized(size: str, width: int, height: int, *looks: tuple[str, str]) -> list[Look]:
    return [Look(size, width, height, language, theme) for language, theme in looks]


LIGHT, DARK, ZH, ZH_DARK = ("en", "light"), ("en", "dark"), ("zh", "light"), ("zh", "dark")
DESK = [
    *sized("laptop", 1366, 768, LIGHT, DARK, ZH, ZH_DARK),
    *sized("wide", 2560, 1300, LIGHT, ZH_DARK),
    *sized("zoomed", 683, 384, LIGHT),
]
"""A window of half the size is what a page sees at 200 %."""
PHONE = [*sized("phone", 390, 844, LIGHT, ZH_DARK), *sized("narrow", 320, 640, ZH, DARK)]


class Camera:
    """Takes one state of a page in all looks of a device."""

    def __init__(self, page: Page, study: str, looks: list[Look], only: str) -> None:
        self.page, self.study, self.looks, self.only = page, study, looks, only
        self.scrolls = looks is PHONE

    def __call__(self, name: str) -> None:
        self.page.wait_for_selector("html:not([data-saved=saving])", state="attached")
        for look in self.looks:
            file = f"{self.study}-{name}-{look.name}"
            if self.only not in file:
                continue
            self._dress(look)
            whole = self.scrolls and not self.page.query_selector("dialog[open]")
            self.page.screenshot(path=OUT / f"{file}.png", full_page=whole, animations="disabled")
        self._dress(self.looks[0])

    def _dress(self, look: Look) -> None:
        self.page.set_viewport_size(look.viewport)
        self.page.evaluate(
            """([language, theme]) => {
              document.querySelector(`[data-set-language="${language}"]`).click();
              document.querySelector(`[data-set-theme="${theme}"]`).click();
            }""",
            [look.language, look.theme],
        )


Journey = Callable[[Page, str, Camera], None]


def press(page: Page, *keys: str) -> None:
    for key in keys:
        page.keyboard.press(key)


def to_work(page: Page, base: str) -> None:
    join(page, base)
    confirm(page)
    page.wait_for_selector("#questions .question")


def dialogs(page: Page, shoot: Camera) -> None:
    """Each dialog of the workbench, opened by its key."""
    for key, name in {"?": "keys", "l": "picker", "s": "skip", "g": "guide", "f": "ask"}.items():
        press(page, key)
        page.wait_for_selector("dialog[open]")
        if key == "g":
            page.wait_for_selector("#guide h2")
            page.keyboard.type("e")
        shoot(f"dialog-{name}")
        page.evaluate("document.querySelector('dialog').close()")
        page.wait_for_selector("dialog", state="detached")
    page.click(".menu > summary")
    shoot("menu")
    page.click(".menu > summary")


# --- journeys -------------------------------------------------------------------------------------


def entrance(page: Page, base: str, shoot: Camera) -> None:
    page.goto(base.rpartition("/s/")[0])
    shoot("studies")
    page.goto(base)
    shoot("join")
    name = f"JD-{shoot.looks[0].size}"
    page.fill("#name", name)
    page.click("#go")
    page.wait_for_selector("#welcome:not([hidden])")
    shoot("welcome")
    page.click("#go-on")
    page.wait_for_selector("#guidelines")
    shoot("guidelines")
    page.goto(f"{base}/nothing")
    shoot("problem")
    page.context.clear_cookies()
    page.goto(base)
    page.fill("#name", name)
    page.click("#go")
    page.wait_for_selector("#join-error:not([hidden])")
    shoot("join-again")


def practice(page: Page, base: str, shoot: Camera) -> None:
    to_work(page, base)
    shoot("practice")
    press(page, "4", "3", "Enter")
    shoot("practice-complaint")
    for _ in range(8):
        press(page, "4" if page.evaluate("document.activeElement.value") in ("1", "5") else "1")
    page.click("#submit")
    page.wait_for_selector(".feedback")
    shoot("practice-feedback")


def dialogues(page: Page, base: str, shoot: Camera) -> None:
    to_work(page, base)
    shoot("work")
    press(page, "4", "3")
    shoot("answered")
    press(page, "r")
    shoot("rubric")
    press(page, "r", "1")
    page.locator("#item").focus()
    press(page, "Enter")
    page.wait_for_selector(".second-look")
    shoot("second-look")
    for number in range(2, 5):
        page.locator("#item").focus()
        press(page, "n")
        page.wait_for_selector(f'html[data-item="{number}"]', state="attached")
    press(page, "e")
    shoot("earlier")
    press(page, "e")
    page.locator(".cannot-button:visible").first.click()
    shoot("cannot-judge")


def pictures(page: Page, base: str, shoot: Camera) -> None:
    to_work(page, base)
    page.wait_for_function("() => [...document.images].every((image) => image.complete)")
    shoot("work")
    press(page, "4")
    page.hover("#questions .question:nth-of-type(2) .level:nth-of-type(2)")
    shoot("meaning")
    press(page, "r")
    shoot("rubric")
    press(page, "r", "z")
    shoot("viewer")
    press(page, "+", "+")
    shoot("viewer-zoomed")
    press(page, "Escape")
    page.evaluate("document.querySelectorAll('.step img')[1].dispatchEvent(new Event('error'))")
    shoot("missing")
    dialogs(page, shoot)
    press(page, "3", "3", "Enter")
    page.wait_for_selector('html[data-saved="saved"]', state="attached")
    press(page, "p")
    shoot("revision")
    page.goto(f"{base}/done")
    shoot("progress")


def conversations(page: Page, base: str, shoot: Camera) -> None:
    to_work(page, base)
    shoot("work")
    press(page, "2")
    shoot("marking")
    page.fill(".adder:not([hidden]) input.part", "1")
    page.fill(".adder:not([hidden]) .mark-note", "The second half of the request was forgotten.")
    press(page, "Enter")
    shoot("marked")
    press(page, "0", "1", "0", "2")
    shoot("implied")
    for place, mark in {"the harbour museum": "1", "a petrol station": "1", "the bakery": "2"}.items():
        page.fill(".new-place", place)
        press(page, "Enter", mark)
    shoot("places")
    page.locator(".question:has(template.inner) .entry input").first.focus()
    press(page, "1", "1", "0")
    shoot("each")


def extremes(page: Page, base: str, shoot: Camera) -> None:
    page.goto(base)
    shoot("join")
    page.check("#consent")
    page.fill("#name", f"JD-{shoot.looks[0].size}")
    page.click("#go")
    page.click("#go-on")
    page.wait_for_selector("#questions .question")
    shoot("practice")
    answer_extremes(page)
    page.wait_for_selector(".feedback")
    shoot("practice-feedback")
    page.click("#submit")
    page.wait_for_url(lambda url: not url.endswith("/practice"))
    shoot("stopped")


def answer_extremes(page: Page) -> None:
    for value in ("eleven", "long"):
        page.check(f'input[name="{value}"] >> nth=1')
    page.check('input[name="which"] >> nth=2')
    page.fill("input.number", "7")
    page.click("#submit")


def strain(page: Page, base: str, shoot: Camera) -> None:
    join(page, base)
    page.wait_for_selector("#questions .question")
    shoot("work")
    press(page, "Control+Enter")
    shoot("complaints")
    for name in ("empty", "rtl", "huge"):
        answer_extremes(page)
        page.click("#submit") if page.query_selector(".second-look") else None
        page.wait_for_selector("dialog[open]")
        shoot("break")
        press(page, "Escape")
        shoot(name)
    page.context.set_offline(True)
    page.locator("textarea").fill("x")
    page.wait_for_selector('html[data-saved="offline"]', state="attached")
    shoot("offline")
    page.context.set_offline(False)
    answer_extremes(page)
    page.wait_for_url(f"{base}/done")
    shoot("done")


JOURNEYS: dict[str, Journey] = {
    "m3bench": practice,
    "m3bench-work": dialogues,
    "vtt": entrance,
    "vtt-work": pictures,
    "incar-work": conversations,
    "odd": extremes,
    "odd-work": strain,
}

README = {
    "incar-work-marked-laptop-en-light": "conversations",
    "vtt-work-meaning-laptop-zh-light": "pictures",
    "m3bench-work-answered-laptop-en-dark": "dialogues",
}
"""The pictures the README shows, by the names they have there."""


# --- the whole ------------------------------------------------------------------------------------


def studies(folder: Path) -> Iterator[Path]:
    """Each study as it is, and once more without practice: straight to the workbench."""
    for name in BUNDLED:
        yield bundled(name, folder)
        work = bundled(name, folder / "again")
        yield without(work.rename(folder / f"{name}-work"), "practice: ")
    yield odd_study(folder / "odd")
    yield odd_study(folder / "odd-work", practice=False)


def without(study: Path, start: str) -> Path:
    file = study / "study.yaml"
    lines = file.read_text(encoding="utf-8").splitlines(keepends=True)
    file.write_text("".join(one for one in lines if not one.startswith(start)), encoding="utf-8")
    return study


def walk(browser: Browser, server: Server, name: str, only: str) -> None:
    for looks in (DESK, PHONE):
        touch = {"is_mobile": True, "has_touch": True} if looks is PHONE else {}
        context = browser.new_context(
            viewport=looks[0].viewport, locale="en-GB", reduced_motion="reduce", **touch
        )
        context.set_default_timeout(10_000)
        JOURNEYS[name](page := context.new_page(), server.base(name), Camera(page, name, looks, only))
        context.close()


def index() -> None:
    """All pictures on one page."""
    shown = "".join(
        f'<figure><a href="{escape(one.name)}"><img loading="lazy" src="{escape(one.name)}"></a>'
        f"<figcaption>{escape(one.stem)}</figcaption></figure>\n"
        for one in sorted(OUT.glob("*.png"))
    )
    style = "body{display:flex;flex-wrap:wrap;gap:1rem;font:13px sans-serif;background:#888}"
    style += "figure{margin:0}img{max-width:40rem;max-height:30rem;display:block}"
    page = f"<!doctype html><style>{style}</style>\n{shown}"
    (OUT / "index.html").write_text(page, encoding="utf-8")


def main() -> None:
    parser = argparse.ArgumentParser(description="Take pictures of every page a rater meets.")
    parser.add_argument("--study", choices=JOURNEYS, help="walk through this one only")
    parser.add_argument("--only", default="", metavar="WORD", help="keep pictures whose name has it")
    given = parser.parse_args()
    OUT.mkdir(parents=True, exist_ok=True)
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        server = Server(list(studies(folder)), folder / "shots.db").start()
        stack.callback(server.stop)
        browser = stack.enter_context(chromium())
        for name in [given.study] if given.study else JOURNEYS:
            print(f"{name} ...", flush=True)
            walk(browser, server, name, given.only)
    for taken, name in README.items():
        if (OUT / f"{taken}.png").exists():
            IMAGES.mkdir(parents=True, exist_ok=True)
            (IMAGES / f"{name}.png").write_bytes((OUT / f"{taken}.png").read_bytes())
    index()
    print(f"open {(OUT / 'index.html').relative_to(ROOT)}")


if __name__ == "__main__":
    main()
