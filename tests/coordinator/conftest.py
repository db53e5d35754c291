"""An installation with two studies, `two` and `other`, and people of every role."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from desking import Browser, World, write_study

from rubrica.storage.open import open_store


@pytest.fixture
def world(tmp_path: Path) -> Iterator[World]:
    with open_store(tmp_path / "test.db") as store:
        folders = [write_study(tmp_path / name) for name in ("two", "other")]
        made = World(store, tmp_path).open(*folders)
        yield made
        if made.site is not None:
            made.site.stopping.set()


@pytest.fixture
def owner(world: World) -> Browser:
    return world.signed_in("olga", {"": "owner"})


@pytest.fixture
def coordinator(world: World) -> Browser:
    return world.signed_in("carl", {"two": "coordinator"})


@pytest.fixture
def reviewer(world: World) -> Browser:
    return world.signed_in("rita", {"two": "reviewer"})


@pytest.fixture
def rater(world: World) -> Browser:
    browser = world.browser()
    browser.join("JD01")
    return browser
