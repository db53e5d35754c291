"""Items are rendered once, and every rater still gets their own page."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from ready import ready_file

from rubrica.annotator.crowd import Crowd
from rubrica.annotator.sheets import Sheets
from rubrica.app import site_for
from rubrica.assignment.contract import Place
from rubrica.fieldwork.model import Opened
from rubrica.storage.open import open_store
from tests.annotator.conftest import serve, write_study


def opened(item: int, number: int) -> Opened:
    return Opened(Place(100 + number, item, 1, number, "reserved"), number, None)


@pytest.fixture
def store(tmp_path: Path) -> Any:
    with open_store(ready_file(tmp_path / "r.db")) as store:
        yield store


def sheets_of(store: Any, folder: Path, most: int = 10**6) -> tuple[Sheets, list[int]]:
    """The sheets of a study, and which items were rendered so far."""
    served = serve(store, write_study(folder / "two"))
    crowd = Crowd(site_for({"two": served}, store.sessions))
    found, rendered = crowd._sheets_of(served), []
    render = found._render

    def counted(sheet: Any, number: str) -> Any:
        rendered.append(sheet.item)
        return render(sheet, number)

    return Sheets(served.desk, counted, most), rendered


def test_an_item_is_rendered_once_for_all_numbers(store: Any, tmp_path: Path) -> None:
    sheets, rendered = sheets_of(store, tmp_path)
    sheets.prepare([1, 2])
    first, second = (json.loads(sheets.opened(opened(1, number))) for number in (3, 17))
    assert (first["number"], second["number"]) == (3, 17)
    assert "Item 3" in first["html"]
    assert "Item 17" in second["html"]
    assert first["html"].replace("3", "17") == second["html"].replace("3", "17")
    sheets.prepare([1, 2])
    assert len(rendered) == 2


def test_what_was_loaded_anew_is_rendered_anew(store: Any, tmp_path: Path) -> None:
    sheets, _ = sheets_of(store, tmp_path)
    sheets.prepare([1])
    before = json.loads(sheets.opened(opened(1, 1)))["html"]
    lines = [{"id": f"k{n}", "text": f"Other {n}", "picture": "a.png"} for n in range(4)]
    folder = tmp_path / "two"
    (folder / "items.jsonl").write_text("\n".join(map(json.dumps, lines)))
    serve(store, folder)
    sheets.prepare([1])
    after = json.loads(sheets.opened(opened(1, 1)))["html"]
    assert "Text 0" in before
    assert "Other 0" in after


def test_only_so_many_bytes_are_kept(store: Any, tmp_path: Path) -> None:
    sheets, rendered = sheets_of(store, tmp_path, most=1_000)
    for _ in range(2):
        for item in (1, 2, 3):
            sheets.prepare([item])
            assert json.loads(sheets.opened(opened(item, item)))["number"] == item
    assert len(rendered) > 3
    assert sheets._size <= 1_000


def test_next_gives_what_the_place_s_own_address_gives(browser: Any, another: Any) -> None:
    for one, name in ((browser, "A"), (another, "B")):
        one.join(name)
        for work in one.next(count=3)["works"]:
            assert one.get(f"/s/two/api/place/{work['place']}").json() == work
