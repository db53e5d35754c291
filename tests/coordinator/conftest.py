"""An installation with two studies, `two` and `other`, and people of every role."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from shutil import copytree

import pytest
from desking import Browser, World, write_study
from ready import ready_file

from rubrica.storage.open import open_store

STUDIES = ("two", "other")


@pytest.fixture(scope="session")
def pattern(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A database with both studies in it, to begin every test with a copy of."""
    folder = tmp_path_factory.mktemp("pattern") / "made"
    with open_store(_database(folder, *STUDIES)) as store:
        World(store, folder).open(*(folder / name for name in STUDIES))
    return folder


def _database(folder: Path, *studies: str) -> Path:
    for name in studies:
        write_study(folder / name)
    return folder / "test.db"


@pytest.fixture
def world(tmp_path: Path, pattern: Path, quick_hashes: None) -> Iterator[World]:
    folder = copytree(pattern, tmp_path / "made")
    with open_store(ready_file(folder / "test.db")) as store:
        made = World(store, folder).open(*(folder / name for name in STUDIES))
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
