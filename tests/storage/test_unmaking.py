"""A database is taken back only where nobody would miss it."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

from storing import fill

from rubrica.storage.open import open_store
from rubrica.storage.unmaking import unmake


def test_a_database_with_items_alone_is_taken_back(tmp_path: Path) -> None:
    file = tmp_path / "rubrica.db"
    with open_store(file) as store:
        fill(store, raters=0)
    unmake(file)
    assert list(tmp_path.iterdir()) == []


def test_a_database_that_knows_somebody_stays(tmp_path: Path) -> None:
    for known in ("a rater", "a coordinator"):
        with open_store(tmp_path / known) as store:
            if known == "a rater":
                fill(store, raters=1)
            else:
                store.people.add_person("ann", "", "active")
        unmake(tmp_path / known)
        assert (tmp_path / known).exists()


def test_a_database_somebody_has_open_stays(tmp_path: Path) -> None:
    file = tmp_path / "rubrica.db"
    open_store(file).close()
    with closing(sqlite3.connect(file)) as other:
        other.execute("SELECT count(*) FROM raters").fetchall()
        unmake(file)
        assert file.exists()


def test_what_is_no_database_stays(tmp_path: Path) -> None:
    file = tmp_path / "rubrica.db"
    file.write_bytes(b"something else " * 99)
    unmake(file)
    assert file.exists()
