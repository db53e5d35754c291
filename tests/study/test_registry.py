"""Parts are found by name, and a stranger's broken part harms only the studies that name it."""

from __future__ import annotations

from collections.abc import Iterator
from importlib.metadata import EntryPoint

import pytest

from rubrica.errors import Problem
from rubrica.kinds import registry


@pytest.fixture(autouse=True)
def entries(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    there = [
        EntryPoint("good", "json:dumps", "rubrica.tests"),
        EntryPoint("broken", "json:no_such_name", "rubrica.tests"),
        EntryPoint("absent", "no_such_module_anywhere:x", "rubrica.tests"),
    ]

    def entry_points(group: str) -> list[EntryPoint]:
        return [e for e in there if e.group == group]

    for cached in (registry.registered, registry._loaded):
        cached.cache_clear()
    monkeypatch.setattr(registry, "entry_points", entry_points)
    yield
    for cached in (registry.registered, registry._loaded):
        cached.cache_clear()


def test_only_what_can_be_loaded_is_registered() -> None:
    assert list(registry.registered("rubrica.tests")) == ["good"]


def test_a_part_is_found_by_name() -> None:
    assert registry.find("rubrica.tests", "part", "good")([1]) == "[1]"


def test_an_unknown_part_names_the_nearest_and_all() -> None:
    with pytest.raises(Problem) as raised:
        registry.find("rubrica.tests", "part", "goood")
    assert (raised.value.code, raised.value.nearest) == ("S020", "good")
    assert "good" in raised.value.hint


def test_in_an_empty_group_there_are_none() -> None:
    with pytest.raises(Problem, match="S020") as raised:
        registry.find("rubrica.nothing", "part", "x")
    assert "none" in raised.value.hint


@pytest.mark.parametrize(("name", "reason"), [("broken", "no_such_name"), ("absent", "no_such_module")])
def test_a_broken_part_says_why(name: str, reason: str) -> None:
    with pytest.raises(Problem) as raised:
        registry.find("rubrica.tests", "part", name)
    assert raised.value.code == "S021"
    assert reason in raised.value.message
