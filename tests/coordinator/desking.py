"""Two small studies with a desk in this process; requests go straight to the application."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from time import monotonic, sleep
from typing import Any

import httpx
from looping import in_a_loop

from rubrica.accounts import entering
from rubrica.accounts.people import StudyRole
from rubrica.annotator.site import Served
from rubrica.app import build, desk_site, site_for
from rubrica.coordinator.site import Compute, DeskSite, Watched
from rubrica.fieldwork.desk import Desk, desk_for
from rubrica.items.load import items_of
from rubrica.items.media import media_root
from rubrica.items.model import NewItem
from rubrica.storage.open import Store
from rubrica.study.load import load_study

STUDY: dict[str, Any] = {
    "rubrica": 1,
    "title": {"en": "Two things", "zh": "两件事"},
    "languages": ["en", "zh"],
    "items": {
        "from": "items.jsonl",
        "key": "id",
        "batch": "part",
        "system": "model",
        "show": [{"text": "text", "label": "Answer"}],
        "verdict": {"quality": "judge"},
    },
    "questions": {
        "quality": {
            "kind": "scale",
            "ask": {"en": "How good?", "zh": "多好？"},
            "levels": {1: "Bad", 2: "So-so", 3: "Good"},
        },
        "comment": {"kind": "text", "ask": "Anything else?", "required": False},
    },
    "skip_reasons": ["broken", "other"],
}
HOST = "http://127.0.0.1"
PASSWORD = "five quiet words in a row"


def write_study(folder: Path, count: int = 6, **more: Any) -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "study.yaml").write_text(json.dumps({**STUDY, **more}))
    lines = [
        {
            "id": f"k{n}",
            "text": f"Text {n}",
            "part": f"part-{n * 2 // count}",
            "model": "secret-a" if n % 2 else "secret-b",
            "judge": n % 3 + 1,
        }
        for n in range(count)
    ]
    (folder / "items.jsonl").write_text("\n".join(map(json.dumps, lines)))
    return folder


def loaded(store: Store, folder: Path) -> tuple[Desk, Path]:
    """The study of a folder, brought into the store."""
    found = load_study(folder)
    store.studies.add_version(found.name, found.version)
    items = [item for item in items_of(found, False, lambda _: None) if isinstance(item, NewItem)]
    store.loader.load(found.name, items)
    return desk_for(store, found.name, found.version), media_root(found)


@dataclass
class World:
    """What a test needs of one installation."""

    store: Store
    folder: Path
    desks: dict[str, Desk] = field(default_factory=dict)
    site: DeskSite | None = None
    app: Any = None

    def open(self, *folders: Path, names: Sequence[str] = (), **more: Any) -> World:
        """(Re)start with these studies, as after a change of their files."""
        there = {folder.name: loaded(self.store, folder) for folder in folders}
        self.desks = {name: desk for name, (desk, _) in there.items()}
        served = {name: Served(desk, media) for name, (desk, media) in there.items()}
        watched = {
            name: Watched(desk, media, written=(self.folder / name / "study.yaml").read_text())
            for name, (desk, media) in there.items()
        }
        self.site = desk_site(watched, self.store, **more)
        self.app = build(site_for(served, self.store.sessions), names, self.site)
        return self

    def browser(self) -> Browser:
        return Browser(self.app)

    def person(self, name: str, roles: Mapping[str, StudyRole], password: str | None = None) -> int:
        made: int | None = None
        for study, role in roles.items():
            if made is None:
                made = entering.add(self.store.people, name, study, role, "a test", password).number
            else:
                entering.set_role(self.store.people, made, study, role, "a test")
        assert made is not None
        return made

    def signed_in(self, name: str, roles: Mapping[str, StudyRole]) -> Browser:
        """A browser of somebody with these roles."""
        number = self.person(name, roles)
        return self.entered(number)

    def entered(self, number: int) -> Browser:
        person = entering.known(self.store.people, number)
        secret = entering.link(self.store.people, person, "sign-in", "a test")
        browser = self.browser()
        answer = browser.post("/api/session", {"link": secret})
        assert answer.status_code == 200, answer.text
        return browser


class Browser:
    """One client with its own cookies."""

    def __init__(self, app: Any) -> None:
        self.client = httpx.AsyncClient(
            transport=httpx.ASGITransport(app=app, raise_app_exceptions=False), base_url=HOST
        )

    def ask(self, method: str, path: str, body: Any = None, **headers: str) -> httpx.Response:
        given: dict[str, Any] = {"headers": {k.replace("_", "-"): v for k, v in headers.items()}}
        if body is not None:
            given["json"] = body
        return in_a_loop(self._ask(method, path, given))

    async def _ask(self, method: str, path: str, given: dict[str, Any]) -> httpx.Response:
        return await self.client.request(method, path, **given)

    def get(self, path: str, **headers: str) -> httpx.Response:
        return self.ask("GET", path, **headers)

    def post(self, path: str, body: Any = None, **headers: str) -> httpx.Response:
        return self.ask("POST", path, {} if body is None else body, **headers)

    def shown(self, path: str, **headers: str) -> Any:
        """What an endpoint gives; anything but 200 is an error."""
        answer = self.get(path, **headers)
        assert answer.status_code == 200, (path, answer.status_code, answer.text)
        return answer.json()

    def done(self, path: str, body: Any = None) -> Any:
        answer = self.post(path, body)
        assert answer.status_code == 200, (path, answer.status_code, answer.text)
        return answer.json()

    # --- as a rater ---

    def join(self, name: str, study: str = "two") -> str:
        return str(self.done(f"/s/{study}/api/join", {"name": name})["code"])

    def rate(self, value: int | None, study: str = "two", **more: Any) -> dict[str, Any]:
        """Rate the next item, or skip it."""
        works = self.done(f"/s/{study}/api/next", {"count": 1})["works"]
        work: dict[str, Any] = works[0]
        sent = {
            "id": f"rating-{work['place']:010d}-{value}",
            "place": work["place"],
            "version": work["version"],
            "pace": {"wall_seconds": 9.0, "active_seconds": 4.0},
            **more,
        }
        if value is None:
            sent.setdefault("skip_reason", "broken")
        else:
            sent.setdefault("answers", {"quality": {"value": value}})
        self.done(f"/s/{study}/api/submit", sent)
        return work


def computed_here(store: Store) -> Compute:
    """The computations of the desk's own process, done in this one."""
    from rubrica.coordinator.computed import COMPUTES

    def compute(what: str, asked: Mapping[str, Any]) -> Mapping[str, Any]:
        found: Mapping[str, Any] = json.loads(json.dumps(COMPUTES[what](store, asked)))
        return found

    return compute


def until(asked: Callable[[], Any], is_there: Callable[[Any], bool], seconds: float = 60) -> Any:
    """What is shown once it is there: some things are computed behind the page."""
    late = monotonic() + seconds
    while True:
        shown = asked()
        if is_there(shown):
            return shown
        assert monotonic() < late, shown
        sleep(0.02)
