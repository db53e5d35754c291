"""Three ways to rate: by keyboard alone, by mouse alone, by touch."""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar

from playwright.sync_api import ElementHandle, Page, expect

OPEN = "#questions .question:not([hidden])"


class Way:
    """How somebody answers and presses things; `strokes` counts the keys of the last item."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.strokes = 0

    def press(self, selector: str) -> None:
        raise NotImplementedError

    def answer(self) -> None:
        raise NotImplementedError

    def write(self, selector: str, text: str) -> None:
        self.press(selector)
        self.page.keyboard.type(text)

    def read(self, selector: str) -> None:
        """Looks at something, wherever a pointer is then."""

    def tick(self, selector: str) -> None:
        self.press(selector)

    def rate(self) -> None:
        self.strokes = 0
        self.answer()
        self.press("#submit")


class Keyboard(Way):
    """One stroke a question, as the page leads; the focus is never put anywhere from outside."""

    KEYS: ClassVar = {"failures": "0", "places": "0", "scale": "3", "choice": "1", "each": "1"}

    def answer(self) -> None:
        self.page.wait_for_selector(".question:focus-within")
        while kind := self._kind():
            self._key(self.KEYS[kind])

    def _kind(self) -> str | None:
        found = "document.activeElement?.closest('.question')?.dataset.kind ?? null"
        kind: str | None = self.page.evaluate(found)
        return kind

    def _key(self, key: str) -> None:
        self.page.keyboard.press(key)
        self.strokes += 1

    def _reach(self, selector: str) -> None:
        """By Tab, from wherever the focus is."""
        for _ in range(80):
            if self.page.evaluate("s => document.activeElement.matches(s)", selector):
                return
            self._key("Tab")
        raise AssertionError(f"the keyboard never came to {selector}")

    def press(self, selector: str) -> None:
        self._reach(selector)
        self._key("Enter")

    def write(self, selector: str, text: str) -> None:
        self._reach(selector)
        self.page.keyboard.type(text)

    def tick(self, selector: str) -> None:
        self._reach(selector)
        self._key("Space")


class Pointer(Way):
    def answer(self) -> None:
        for selector in self._evidence():
            self.press(selector)
        for group in self.page.query_selector_all(f"{OPEN} [role=radiogroup]"):
            if not group.query_selector(".is-implied, input:checked"):
                self.press(self._level(group))

    def _evidence(self) -> Iterator[str]:
        """`No failure` and `no place`, of every question that is asked for evidence."""
        kinds = f"{OPEN}[data-kind=failures], {OPEN}[data-kind=places]"
        for card in self.page.query_selector_all(kinds):
            yield f"[aria-labelledby='{card.get_attribute('aria-labelledby')}'] .none"

    def _level(self, group: ElementHandle) -> str:
        middle = 3 if len(group.query_selector_all(".level")) == 5 else 1
        labelled = group.get_attribute("aria-labelledby")
        return f"#questions [role=radiogroup][aria-labelledby='{labelled}'] .level:nth-child({middle})"

    def read(self, selector: str) -> None:
        self.press(selector)


class Mouse(Pointer):
    def press(self, selector: str) -> None:
        self.page.click(selector)


class Touch(Pointer):
    PHONE: ClassVar = {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True}

    def press(self, selector: str) -> None:
        self.page.tap(selector)


def join_by(way: Way, base: str, name: str) -> None:
    """From the first page to the first item or worked example."""
    way.page.goto(base)
    way.write("#name", name)
    way.press("#go")
    way.page.wait_for_selector("#welcome:not([hidden])")
    way.press("#go-on")
    way.page.wait_for_selector("form[data-confirm]")
    way.tick("form[data-confirm] input[type=checkbox]")
    way.press("form[data-confirm] .main")
    way.page.wait_for_selector(OPEN)


def practise(page: Page, way: Way) -> None:
    """Through the worked example, where there is one, to the first item."""
    if "/practice" in page.url:
        way.rate()
        expect(page.locator(".feedback").first).to_be_visible()
        assert '{"' not in page.inner_text("#questions"), "a reference is told as it is recorded"
        way.read(".feedback >> nth=0")
        way.press("#submit")
        way.press("#practice-on")
    page.wait_for_url("**/work*")
    page.wait_for_selector(OPEN)
