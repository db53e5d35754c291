"""No byte that a rater's browser receives holds anything hidden.

A unique marker stands in every hidden value, item key, batch, file name, system and verdict of a
study; a rater is played through it, and everything that arrived is looked through.
"""

from __future__ import annotations

import html
import json
from pathlib import Path
from urllib.parse import unquote

import pytest
from playwright.sync_api import Error, Page, Response
from studies import both, png, scale, write_study

from tests.browser.conftest import Open, Server, at_work, wait_item, wait_saved

pytestmark = pytest.mark.browser

MARKER = "ZQXHIDDEN"


def hidden(what: str) -> str:
    return f"{MARKER}-{what}"


@pytest.fixture
def blind_server(tmp_path: Path) -> Server:
    folder = tmp_path / "blind"
    declared = {
        "title": both("Blind", "盲评"),
        "items": {
            "from": f"{hidden('file')}.jsonl",
            "key": "id",
            "batch": "part",
            "system": "system",
            "media": hidden("media"),
            "thread": {"by": "run", "kind": "sequence", "order": "time"},
            "show": [
                {"chat": "turns", "user": "said", "assistant": "answered"},
                {"text": "shown", "label": both("Text", "文本")},
                {"images": "pictures"},
                {
                    "note_by": "kind",
                    "texts": {hidden("kind-0"): "A note."},
                    "otherwise": "Another note.",
                },
            ],
            "verdict": {"quality": {"path": "score", "judge": "judge"}},
        },
        "checklist": [{"says": "Nothing odd.", "breaks": {"item.secret": [hidden("secret-2")]}}],
        "questions": {
            "quality": scale(
                "How good?",
                "如何？",
                second_look={"when": {"item.secret": [hidden("secret-0")]}, "says": "Look again."},
            ),
            "goals": {
                "kind": "each",
                "ask": both("Reached?", "达成？"),
                "over": {"path": "goals", "label": "goal", "turn": "turn"},
                "answer": {"kind": "scale", "levels": {0: "No", 1: "Yes"}},
            },
            "extra": {
                "kind": "text",
                "ask": both("Why?", "为什么？"),
                "required": False,
                "when": {"item.secret": [hidden("secret-1")]},
            },
        },
    }
    lines = [
        {
            "id": hidden(f"key-{n}"),
            "part": hidden(f"batch-{n // 2}"),
            "run": hidden(f"run-{n // 2}"),
            "time": hidden(f"time-{n}"),
            "turns": [{"said": f"Said {n}", "answered": "Yes", "trap": hidden("trap")}],
            "goals": [{"goal": "Arrive", "turn": 1, "status": hidden("status")}],
            "system": hidden(f"system-{n % 2}"),
            "kind": hidden(f"kind-{n}"),
            "secret": hidden(f"secret-{n}"),
            "score": hidden(f"score-{n}"),
            "judge": hidden("judge"),
            "shown": f"What is shown, {n}.",
            "pictures": [f"{hidden(f'picture-{n}')}.png"],
            "other": {hidden("name"): hidden("value")},
        }
        for n in range(4)
    ]
    write_study(folder, declared, lines)
    (folder / "items.jsonl").rename(folder / f"{hidden('file')}.jsonl")
    for n in range(4):
        png(folder / hidden("media") / f"{hidden(f'picture-{n}')}.png")
    return Server([folder], tmp_path / "blind.db")


ASKED = (
    *("/api/place/1", "/api/place/999", "/api/place/x", "/api/items", "/api/messages", "/api/pulse"),
    *("/media/none", "/media/..%2fstudy.yaml", "/nothing", "/ratings.jsonl", "/guidelines"),
    *("/done", "/practice", "/sw.js", "", "/api/submit"),
)
LONG = "x" * 20
SENT: tuple[tuple[str, object], ...] = (
    ("/api/submit", {"id": LONG, "place": 1, "version": "none"}),
    ("/api/submit", {"id": LONG, "place": 99, "version": "none"}),
    ("/api/submit", "no JSON of ours"),
    ("/api/draft", {"place": 1, "revision": -1, "content": {}}),
    ("/api/goto", {"number": 99}),
    ("/api/goto", {"number": "first"}),
    ("/api/message", {"kind": "flag", "text": "broken", "place": 1}),
    ("/api/practice", {"number": 7, "answers": {}}),
    ("/api/guidelines", {"hash": "another"}),
    ("/api/join", {"name": "\u0000"}),
)


class Received:
    """Everything that came over the network, with how it was asked for."""

    def __init__(self, page: Page) -> None:
        self.parts: list[tuple[str, str]] = []
        self.missed: list[str] = []
        """What the browser had thrown away before it could be read: asked for once more at the end."""
        page.context.on("response", self.take)

    def take(self, response: Response) -> None:
        self.add(response.url, json.dumps(dict(response.headers)))
        if 300 <= response.status < 400:
            return
        try:
            self.add(response.url, response.body().decode("utf-8", "replace"))
        except Error:
            self.missed.append(response.url)

    def add(self, url: str, text: str) -> None:
        self.parts += [(url, form) for form in (url, text, html.unescape(text), unquote(text))]

    def leaks(self) -> list[str]:
        return [
            f"{url}: {text[max(0, at - 60) : at + 80]}"
            for url, text in self.parts
            if (at := text.find(MARKER)) >= 0
        ]


def test_v13_c3_nothing_hidden_reaches_a_rater(blind_server: Server, open_page: Open) -> None:
    blind_server.start()
    try:
        page = open_page()
        received = Received(page)
        base = blind_server.base("blind")
        at_work(page, base)
        for number in (1, 2, 3, 4):
            wait_item(page, number)
            if number == 2:
                page.keyboard.press("s")
                page.keyboard.press("1")
            else:
                page.keyboard.press("3")
                page.keyboard.press(
                    "1"
                )  # after the first item's second look, submitting keeps the answer
                page.keyboard.press("Control+Enter")
            page.wait_for_selector(f'html:not([data-item="{number}"])', state="attached")
            if number == 2:
                page.click("#pause .main")
        page.wait_for_url("**/done")
        page.goto(f"{base}/work#1")
        wait_saved(page)
        for key in "lgfr":
            page.keyboard.press(key)
            page.keyboard.press("Escape")
        answers = [page.request.get(f"{base}{path}") for path in ASKED]
        answers += [page.request.get(url) for url in received.missed]
        answers += [page.request.post(f"{base}{path}", data=body) for path, body in SENT]
        answers += [
            page.request.post(f"{base}/api/leave", data={}, headers={"sec-fetch-site": "cross-site"}),
            page.request.get(f"{base}/work", headers={"host": "elsewhere.example"}),
            page.request.get(f"{base}/nothing", headers={"accept": "text/html"}),
            page.request.put(f"{base}/api/items", data={}),
        ]
        for answer in answers:
            received.add(answer.url, json.dumps(answer.headers) + answer.text())
        page.context.clear_cookies()
        received.add("signed out", page.request.get(f"{base}/done").text())
        received.add("cookies", json.dumps(page.context.cookies()))
    finally:
        blind_server.stop()
    assert len(received.parts) > 300
    assert any("What is shown, 3." in text for _, text in received.parts)
    assert not received.leaks()
    assert not any(MARKER in line for line in blind_server.log if "Traceback" in line)
