"""Copies of a database: whole and consistent while others write, of either kind, never over another."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from threading import Event, Thread
from typing import Any

import pytest
from storing import STUDY, fill, reserve, submission, submit

from rubrica.accounts.sessions import Session
from rubrica.errors import Problem, Problems
from rubrica.fieldwork.store import Message
from rubrica.storage.backup import back_up, restore, study_file
from rubrica.storage.copying import TABLES
from rubrica.storage.doctor import findings
from rubrica.storage.open import open_store
from rubrica.storage.store import SqlStore
from tests.storage.conftest import DATABASES


@pytest.fixture(params=DATABASES)
def source(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    sqlite = request.param == "sqlite"
    return str(tmp_path / "r.db" if sqlite else request.getfixturevalue("postgres").fresh())


@pytest.fixture(params=DATABASES)
def target(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    sqlite = request.param == "sqlite"
    return str(tmp_path / "back.db" if sqlite else request.getfixturevalue("postgres").fresh())


def worked(store: SqlStore) -> SqlStore:
    """A study in which everything has happened once."""
    fill(store, 6, raters=3)
    for place in reserve(store, 1, 3):
        submit(store, place)
    kept, revised, *_ = reserve(store, 2, 4)
    submit(store, kept, "gone-1", value="a secret of the withdrawn")
    submit(store, revised, "gone-2")
    store.ratings.save_draft(STUDY, 1, reserve(store, 1, 5)[-1].id, 1, {"typed": "\ud83d"}).result()
    store.messages.add_message(Message(STUDY, "flag", "odd \u0000 item", rater=1, item=1))
    store.accounts.log(STUDY, "rater 2", "joined", {})
    store.accounts.log(STUDY, "rater 1", "joined", {})
    store.sessions.open_session("hashed", Session("rater", STUDY, 1, 1.5), 9e9)
    store.sessions.installation()
    return store


def contents(address: str) -> dict[str, list[Any]]:
    """Every row of every table."""
    with open_store(address) as store, store.database.snapshot() as tx:
        return {t.name: sorted(map(repr, tx.all(t.select()))) for t in TABLES}


def test_a_restored_backup_has_every_row_and_goes_on(source: str, target: str, tmp_path: Path) -> None:
    with open_store(source) as store:
        worked(store)
        made = back_up(source, tmp_path / "copy.db")
    assert made.bytes == (tmp_path / "copy.db").stat().st_size > 0
    restore(tmp_path / "copy.db", target)
    assert contents(target) == contents(source)
    with open_store(target) as store:
        assert [p for p in findings(store) if p.level == "error"] == []
        before = {r.submission.id for r in store.ratings.ratings(STUDY)}
        (place, *_) = reserve(store, 3, 1)
        submit(store, place, "after-the-restore")
        assert {r.submission.id for r in store.ratings.ratings(STUDY)} == {*before, "after-the-restore"}
    assert sorted(p.name for p in tmp_path.glob("*.partial*")) == []


def test_a_backup_is_one_file_and_overwrites_nothing(source: str, tmp_path: Path) -> None:
    with open_store(source) as store:
        fill(store)
    (tmp_path / "out").mkdir()
    back_up(source, tmp_path / "out" / "copy.db")
    with pytest.raises(Problem) as caught:
        back_up(source, tmp_path / "out" / "copy.db")
    assert caught.value.code == "D051"
    assert [p.name for p in (tmp_path / "out").iterdir()] == ["copy.db"]


def test_a_restore_overwrites_nothing(target: str, tmp_path: Path) -> None:
    with open_store(tmp_path / "r.db") as store:
        fill(store)
    back_up(str(tmp_path / "r.db"), tmp_path / "copy.db")
    restore(tmp_path / "copy.db", target)
    with open_store(target) as store:
        submit(store, reserve(store, 1)[0])
    before = contents(target)
    with pytest.raises(Problem) as caught:
        restore(tmp_path / "copy.db", target)
    assert caught.value.code == "D051"
    assert contents(target) == before


def test_a_backup_made_while_others_write_is_of_one_moment(source: str, tmp_path: Path) -> None:
    with open_store(source) as store:
        fill(store, 400)
        acknowledged: list[str] = []
        with writing(store, acknowledged):
            while len(acknowledged) < 20:
                pass
            for number in range(3):
                before = set(acknowledged)
                back_up(source, tmp_path / f"{number}.db")
                with open_store(tmp_path / f"{number}.db") as copy:
                    there = {r.submission.id for r in copy.ratings.ratings(STUDY)}
                    assert before <= there
                    assert [p for p in findings(copy) if p.level == "error"] == []


class writing:  # noqa: N801
    """A rater who rates on and on."""

    def __init__(self, store: SqlStore, acknowledged: list[str]) -> None:
        self._store, self._acknowledged, self._stop = store, acknowledged, Event()
        self._thread = Thread(target=self._work)

    def _work(self) -> None:
        while not self._stop.is_set():
            for place in reserve(self._store, 1):
                self._acknowledged.append(submit(self._store, place).id)

    def __enter__(self) -> None:
        self._thread.start()

    def __exit__(self, *_: object) -> None:
        self._stop.set()
        self._thread.join()


@pytest.fixture
def sound(tmp_path: Path) -> Iterator[Path]:
    with open_store(tmp_path / "r.db") as store:
        worked(store)
    back_up(str(tmp_path / "r.db"), tmp_path / "copy.db")
    yield tmp_path / "copy.db"
    assert not (tmp_path / "back.db").exists()
    assert list(tmp_path.glob(".*")) == []


def refused(file: Path, to: Path) -> str:
    with pytest.raises((Problem, Problems)) as caught:
        restore(file, str(to))
    found = caught.value
    return found.code if isinstance(found, Problem) else found.problems[0].code


def test_what_is_no_sound_backup_is_not_restored(sound: Path) -> None:
    to = sound.with_name("back.db")
    assert refused(sound.with_name("none.db"), to) == "D050"
    (text := sound.with_name("text")).write_text("no database " * 99)
    assert refused(text, to) == "D004"
    (other := sound.with_name("other")).touch()
    assert refused(other, to) == "D004"
    whole = sound.read_bytes()
    sound.write_bytes(whole[: 4096 * 3] + b"\xa5" * (len(whole) - 4096 * 3))
    assert refused(sound, to) == "D005"


def test_a_backup_that_the_doctor_finds_fault_with_is_not_restored(sound: Path) -> None:
    with closing(sqlite3.connect(sound, isolation_level=None)) as copy:
        copy.execute("UPDATE items SET covered = covered + 1")
    assert refused(sound, sound.with_name("back.db")) == "D014"


def test_nothing_is_no_database_to_back_up(tmp_path: Path) -> None:
    with pytest.raises(Problem) as caught:
        back_up(str(tmp_path / "none.db"), tmp_path / "copy.db")
    assert caught.value.code == "D050"
    assert list(tmp_path.iterdir()) == []


# --- one study ------------------------------------------------------------------------------------


def alone(source: str, to: Path, **which: bool) -> SqlStore:
    """The study in a database of its own, out of one that has another one too."""
    with open_store(source) as store:
        store.studies.add_version("other", store.studies.versions(STUDY)[0])
        study_file(store, STUDY, to, **which)
    return open_store(to)


def test_a_study_travels_alone_and_without_names(source: str, tmp_path: Path) -> None:
    with open_store(source) as store:
        worked(store)
        before = list(store.ratings.ratings(STUDY, all_revisions=True))
    with alone(source, tmp_path / "one.db") as store:
        assert store.studies.names() == [STUDY]
        assert list(store.ratings.ratings(STUDY, all_revisions=True)) == before
        assert [r.name for r in store.accounts.raters(STUDY)] == ["rater 1", "rater 2", "rater 3"]
        assert [p for p in findings(store) if p.level == "error"] == []
        assert store.sessions.session("hashed", 2.0) is None
    assert b"hash 1" not in (tmp_path / "one.db").read_bytes()


def test_names_travel_where_they_are_asked_for(tmp_path: Path) -> None:
    with open_store(tmp_path / "r.db") as store:
        worked(store)
    with alone(str(tmp_path / "r.db"), tmp_path / "one.db", with_names=True) as store:
        assert store.accounts.rater_named(STUDY, "rater 1")[1] == "hash 1"  # type: ignore[index]


def test_no_byte_of_withdrawn_raters_is_left(source: str, tmp_path: Path) -> None:
    with open_store(source) as store:
        worked(store)
        store.accounts.change_rater(STUDY, 2, state="withdrawn")
        before = list(store.ratings.ratings(STUDY))
    with alone(source, tmp_path / "one.db", without_withdrawn=True) as store:
        assert list(store.ratings.ratings(STUDY)) == before
        assert [r.number for r in store.accounts.raters(STUDY)] == [1, 3]
        assert [p for p in findings(store) if p.level == "error"] == []
        assert {e.who for e in store.accounts.log_entries(STUDY)} == {"rater 1"}
    whole = (tmp_path / "one.db").read_bytes()
    assert b"gone-1" not in whole
    assert b"secret of the withdrawn" not in whole


def test_submits_of_a_group_survive_a_copy_of_their_queues(tmp_path: Path) -> None:
    """Triggers fill queues when ratings are copied; what had been counted is not counted again."""
    with open_store(tmp_path / "r.db") as store:
        fill(store, 3)
        store.ratings.submit(submission(reserve(store, 1)[0])).result()
        with store.database.write() as tx:
            tx.plain("DELETE FROM new_ratings")
    back_up(str(tmp_path / "r.db"), tmp_path / "copy.db")
    with alone(str(tmp_path / "r.db"), tmp_path / "one.db") as store:
        assert store.board.uncounted(STUDY) == 0
