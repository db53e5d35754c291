"""ARCHITECTURE.md says what import-linter holds."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]


def layers() -> list[set[str]]:
    """The declared floors, top to bottom; rooms in brackets may still be missing."""
    config = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
    contracts = config["tool"]["importlinter"]["contracts"]
    declared = next(c["layers"] for c in contracts if c["id"] == "layers")
    return [{name.strip(" ()") for name in floor.split("|")} for floor in declared]


def rooms_on_the_page() -> list[str]:
    page = (ROOT / "ARCHITECTURE.md").read_text("utf-8")
    return re.findall(r"^\| `(\w+)` \|", page, re.MULTILINE)


def test_the_room_table_has_every_layer_from_top_to_bottom() -> None:
    floor_of = {room: i for i, floor in enumerate(layers()) for room in floor}
    page = rooms_on_the_page()
    assert set(page) == set(floor_of)
    floors = [floor_of[room] for room in page]
    assert floors == sorted(floors)


def test_every_package_is_a_room() -> None:
    here = {p.stem for p in (ROOT / "rubrica").iterdir() if not p.name.startswith("__")}
    assert here - {"studies", "py.typed"} <= set(rooms_on_the_page())


def named_on_the_page(pattern: str) -> list[str]:
    page = (ROOT / "ARCHITECTURE.md").read_text("utf-8")
    return re.findall(pattern, page)


@pytest.mark.parametrize("name", named_on_the_page(r"`(rubrica/[\w/]+\.\w+)`"))
def test_a_file_of_the_journey_is_there(name: str) -> None:
    assert (ROOT / name).is_file()


@pytest.mark.parametrize("name", named_on_the_page(r"`(tests/[\w/]+\.py::\w+)`"))
def test_a_test_that_guards_a_promise_is_there(name: str) -> None:
    file, _, test = name.partition("::")
    assert f"def {test}(" in (ROOT / file).read_text("utf-8")
