"""What a load does with many items, and with large ones."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from storing import STUDY, VERSION, Clock, item, items

from rubrica.items.model import NewItem
from rubrica.storage import load
from rubrica.storage.core import Known
from rubrica.storage.open import open_store
from rubrica.storage.ready import Ready, ready
from rubrica.storage.store import SqlStore
from tests.storage.conftest import DATABASES

MANY = load.CHUNK + 1_234
"""Over more than one chunk, of which the last is of no round number."""


@pytest.fixture(params=DATABASES)
def store(request: pytest.FixtureRequest, tmp_path: Path, clock: Clock) -> Iterator[SqlStore]:
    sqlite = request.param == "sqlite"
    address = tmp_path / "r.db" if sqlite else request.getfixturevalue("postgres").fresh()
    with open_store(address, clock) as store:
        store.studies.add_version(STUDY, VERSION)
        yield store


def test_many_items_keep_their_order_and_come_once(store: SqlStore) -> None:
    assert store.loader.load(STUDY, items(MANY)).new == MANY
    every = list(store.verdicts.all_hidden(STUDY))
    assert [one.key for one in every] == [f"k{number}" for number in range(MANY)]
    assert [one.position for one in every] == list(range(MANY))
    again = store.loader.load(
        STUDY, (item(n, digest="new" if n % 1000 == 7 else f"d{n}") for n in range(MANY + 5))
    )
    assert (again.new, again.same, again.changed, again.gone) == (5, MANY - 4, 4, 0)


def test_what_fails_late_leaves_nothing(store: SqlStore) -> None:
    def failing() -> Iterator[NewItem]:
        yield from items(MANY)
        raise ValueError("the file ends here")

    with pytest.raises(ValueError, match="ends here"):
        store.loader.load(STUDY, failing())
    assert store.items.count(STUDY) == 0
    assert store.loader.load(STUDY, items(3)).new == 3


def readies(count: int, size: int) -> Iterator[Ready]:
    return (ready(Known(1, b"secret"), item(n, source=b"x" * size)) for n in range(count))


def test_small_items_go_in_by_their_number() -> None:
    assert [len(chunk) for chunk in load.chunks(readies(load.CHUNK + 1, 1))] == [load.CHUNK, 1]


def test_large_items_go_in_by_their_size() -> None:
    chunks = load.chunks(readies(5, load.CHUNK_BYTES // 2))
    assert [len(chunk) for chunk in chunks] == [3, 2]
