"""A small study served in this process; requests go straight to the application."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest
from looping import in_a_loop
from ready import ready_file

from rubrica.annotator.site import Served
from rubrica.app import build, site_for
from rubrica.fieldwork.desk import desk_for
from rubrica.items.load import items_of
from rubrica.items.media import media_root
from rubrica.items.model import NewItem
from rubrica.storage.open import Store, open_store
from rubrica.study.load import load_study

STUDY = {
    "rubrica": 1,
    "title": {"en": "Two things", "zh": "两件事"},
    "languages": ["en", "zh"],
    "items": {"from": "items.jsonl", "key": "id", "show": [{"text": "text"}, {"images": "picture"}]},
    "questions": {"quality": {"kind": "scale", "ask": "How good?", "levels": {1: "Bad", 2: "Good"}}},
}
HOST = "http://127.0.0.1"


def write_study(folder: Path, **more: Any) -> Path:
    folder.mkdir()
    (folder / "study.yaml").write_text(json.dumps({**STUDY, **more}))
    lines = [{"id": f"k{n}", "text": f"Text {n}", "picture": "a.png"} for n in range(4)]
    (folder / "items.jsonl").write_text("\n".join(map(json.dumps, lines)))
    (folder / "a.png").write_bytes(b"\x89PNG picture")
    (folder / "secret.txt").write_text("not a medium")
    return folder


def serve(store: Store, folder: Path) -> Served:
    loaded = load_study(folder)
    store.studies.add_version(loaded.name, loaded.version)
    found = items_of(loaded, False, lambda _: None)
    store.loader.load(loaded.name, [item for item in found if isinstance(item, NewItem)])
    return Served(desk_for(store, loaded.name, loaded.version), media_root(loaded))


class Browser:
    """One client with its own cookies."""

    def __init__(self, app: Any) -> None:
        self.client = httpx.AsyncClient(transport=httpx.ASGITransport(app=app), base_url=HOST)

    def ask(self, method: str, path: str, body: Any = None, **headers: str) -> httpx.Response:
        given: dict[str, Any] = {"headers": headers}
        if body is not None:
            given["json"] = body
        return in_a_loop(self._ask(method, path, given))

    async def _ask(self, method: str, path: str, given: dict[str, Any]) -> httpx.Response:
        return await self.client.request(method, path, **given)

    def get(self, path: str, **headers: str) -> httpx.Response:
        return self.ask("GET", path, **headers)

    def post(self, path: str, body: Any, **headers: str) -> httpx.Response:
        return self.ask("POST", path, body, **headers)

    def join(self, name: str, study: str = "two") -> str:
        answer = self.post(f"/s/{study}/api/join", {"name": name})
        assert answer.status_code == 200, answer.text
        return str(answer.json()["code"])

    def next(self, study: str = "two", count: int = 1) -> dict[str, Any]:
        answer = self.post(f"/s/{study}/api/next", {"count": count})
        assert answer.status_code == 200, answer.text
        return dict(answer.json())


@pytest.fixture
def app(tmp_path: Path) -> Iterator[Any]:
    with open_store(ready_file(tmp_path / "test.db")) as store:
        studies = {name: serve(store, write_study(tmp_path / name)) for name in ("two", "other")}
        yield build(site_for(studies, store.sessions))


@pytest.fixture
def browser(app: Any) -> Browser:
    return Browser(app)


@pytest.fixture
def another(app: Any) -> Browser:
    return Browser(app)
