"""What only databases have: migrations, triggers, faults, the writer, and a doctor."""

from __future__ import annotations

import os
import re
import sqlite3
import stat
from collections.abc import Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import psycopg
import pytest
from alembic import op
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from storing import STUDY, Clock, fill, item, items, reserve, submission, submit

from rubrica.errors import Problem
from rubrica.ratings.model import Rating
from rubrica.review.board import Counting, ItemFilter, Standing
from rubrica.storage import doctor, ledger, lookup, place_statements
from rubrica.storage import items as item_queries
from rubrica.storage.database import migrating_engine
from rubrica.storage.filelock import FileLock
from rubrica.storage.guards import guard_names, missing_guards
from rubrica.storage.open import open_store
from rubrica.storage.sql import Tx
from rubrica.storage.store import SqlStore
from rubrica.storage.tables import APPEND_ONLY, metadata
from tests.storage.conftest import DATABASES


@pytest.fixture(params=DATABASES)
def database(request: pytest.FixtureRequest, tmp_path: Path, clock: Clock) -> Iterator[SqlStore]:
    sqlite = request.param == "sqlite"
    address = tmp_path / "r.db" if sqlite else request.getfixturevalue("postgres").fresh()
    with open_store(address, clock) as store:
        yield store


def run(store: SqlStore, statement: str) -> None:
    """As another program would: past everything this one checks."""
    with store.database.write() as tx:
        tx.plain(statement)


def count(
    store: SqlStore, counting: Counting = lambda _, ratings: Standing(len(ratings))
) -> tuple[dict[int, int], list[int]]:
    """How many items have been rated so often, and where those of the list stand."""
    while store.board.count(STUDY, counting):
        pass
    listed = store.board.lines(STUDY, ItemFilter(), None, 99).lines
    levels = {one.done: one.items for one in store.board.levels(STUDY)}
    return levels, [line.position for line in listed]


# --- the desk's counts -----------------------------------------------------------------------------


def test_items_left_out_of_the_counts_before_are_filled_in(database: SqlStore) -> None:
    submit(database, reserve(fill(database, 5), 1, 4)[3])
    count(database)
    run(database, "DELETE FROM marks WHERE done = 0 AND position < 3")
    run(database, "UPDATE levels SET items = 1 WHERE level = 0")
    run(database, "DELETE FROM filled")
    assert count(database) == ({0: 4, 1: 1}, [0, 1, 2, 3, 4])


def test_two_who_count_at_once_write_nothing_that_is_older(database: SqlStore) -> None:
    fill(database, 1)
    first, *coming = [reserve(database, rater)[0] for rater in (1, 2)]
    submit(database, first)
    count(database)
    database.accounts.change_rater(STUDY, 1, state="withdrawn")

    def another(item: int, ratings: Sequence[Rating]) -> Standing:
        """While this is counted another rating comes, and somebody else counts it all."""
        if coming:
            submit(database, coming.pop())
            count(database)
        return Standing(len(ratings))

    assert count(database, another) == ({1: 1}, [0])


# --- migrations and triggers ----------------------------------------------------------------------


def test_the_migrations_make_the_tables_the_queries_expect(database: SqlStore) -> None:
    engine = migrating_engine(database.database)
    with engine.connect() as connection:
        context = MigrationContext.configure(connection, opts={"compare_type": True})
        assert compare_metadata(context, metadata) == []
    engine.dispose()


def test_every_table_has_the_study_but_those_of_the_installation() -> None:
    of_installation = {"studies", "settings", "hits", "people", "tokens", "tickets", "deeds"}
    without = {t.name for t in metadata.sorted_tables if "study" not in t.columns}
    assert without <= of_installation


def test_the_triggers_are_there_after_the_migrations(database: SqlStore) -> None:
    with database.database.read() as tx:
        assert missing_guards(tx, [t.name for t in APPEND_ONLY]) == {}


@pytest.mark.parametrize("table", ["ratings", "audit", "moves"])
@pytest.mark.parametrize("act", ["UPDATE {} SET study = study", "DELETE FROM {}"])
def test_nothing_changes_what_is_only_added_to(database: SqlStore, table: str, act: str) -> None:
    submit(database, reserve(fill(database), 1)[0])
    database.accounts.log(STUDY, "a", "b", {})
    with pytest.raises(Problem, match="append-only"):
        run(database, act.format(table))
    assert len(list(database.ratings.ratings(STUDY))) == 1


def test_sqlite_replaces_no_rating_either(tmp_path: Path) -> None:
    with open_store(tmp_path / "r.db") as store:
        submit(store, reserve(fill(store), 1)[0])
        with pytest.raises(Problem, match="append-only"):
            run(store, "INSERT OR REPLACE INTO ratings SELECT * FROM ratings")


@pytest.mark.postgres
def test_postgresql_truncates_no_ratings_either(postgres: Any) -> None:
    with open_store(postgres.fresh()) as store:
        fill(store)
        with pytest.raises(Problem, match="append-only"):
            run(store, "TRUNCATE ratings")


def test_a_database_can_be_opened_many_times(tmp_path: Path) -> None:
    path = tmp_path / "r.db"
    with open_store(path) as first, open_store(f"sqlite:///{path}") as second:
        fill(first)
        assert second.items.count(STUDY) == 4
    with open_store(path) as again:
        assert again.studies.names() == [STUDY]


def test_many_that_open_a_new_database_at_once_migrate_it_once(tmp_path: Path) -> None:
    with ThreadPoolExecutor(6) as pool:
        stores = list(pool.map(lambda _: open_store(tmp_path / "r.db"), range(6)))
    fill(stores[0])
    assert all(store.items.count(STUDY) == 4 for store in stores)
    for store in stores:
        store.close()


@pytest.mark.parametrize("kind", DATABASES)
def test_a_step_that_fails_leaves_the_database_as_it_was(
    kind: str, request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    sqlite = kind == "sqlite"
    address = tmp_path / "r.db" if sqlite else request.getfixturevalue("postgres").fresh("template1")
    tables = iter(range(10))
    create = op.create_table

    def fails_at_the_tenth(*args: Any, **options: Any) -> Any:
        if next(tables, None) is None:
            raise sqlite3.OperationalError("the machine is on fire")
        return create(*args, **options)

    monkeypatch.setattr(op, "create_table", fails_at_the_tenth)
    assert code_of(address) == "D019"
    monkeypatch.undo()
    with open_store(address) as store:
        assert fill(store).items.count(STUDY) == 4


# --- what can be wrong with a database ------------------------------------------------------------


def code_of(address: Any) -> str:
    with pytest.raises(Problem) as caught:
        open_store(address)
    assert str(caught.value)
    return caught.value.code


@pytest.mark.parametrize(
    "address", ["mysql://h/db", "sqlite://relative.db", "", ":memory:", "sqlite:///", "redis://x"]
)
def test_a_wrong_address(address: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    assert code_of(address) == "D001"
    assert list(tmp_path.iterdir()) == []


def test_a_folder_that_is_not_there_or_is_the_database(tmp_path: Path) -> None:
    assert code_of(tmp_path / "none" / "r.db") == "D002"
    assert code_of(tmp_path) == "D001"


def test_a_server_that_does_not_answer_shows_no_password(tmp_path: Path) -> None:
    with pytest.raises(Problem) as caught:
        open_store(f"postgresql://ann:hunter2@/none?host={tmp_path}")
    assert caught.value.code == "D009"
    assert "hunter2" not in str(caught.value)


@pytest.mark.skipif(os.geteuid() == 0, reason="nothing is read-only for root")
def test_a_folder_that_cannot_be_written(tmp_path: Path) -> None:
    tmp_path.chmod(stat.S_IREAD | stat.S_IEXEC)
    assert code_of(tmp_path / "r.db") == "D003"


def test_a_database_that_refuses_writes_says_so(tmp_path: Path) -> None:
    with open_store(tmp_path / "r.db") as store:
        fill(store)
        (place,) = reserve(store, 1)
        store.database._connect = lambda: _read_only(tmp_path)  # type: ignore[attr-defined]
        store.database.engine.dispose()
        store.database.engine.pool._creator = store.database._connect  # type: ignore[attr-defined]
        with pytest.raises(Problem) as caught:
            submit(store, place)
        assert caught.value.code == "D003"


def _read_only(folder: Path) -> sqlite3.Connection:
    return sqlite3.connect(
        f"file:{folder / 'r.db'}?mode=ro", uri=True, check_same_thread=False, isolation_level=None
    )


@pytest.mark.parametrize("content", [b"just some text, long enough to be no database " * 99])
def test_a_file_that_is_no_database_is_left_alone(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "notes.txt"
    path.write_bytes(content)
    assert code_of(path) == "D004"
    assert path.read_bytes() == content


def test_another_programs_database_is_left_alone(tmp_path: Path) -> None:
    path = tmp_path / "other.db"
    with sqlite3.connect(path) as other:
        other.execute("CREATE TABLE bookmarks (url TEXT)")
    other.close()
    assert code_of(path) == "D004"
    with sqlite3.connect(path) as other:
        assert other.execute("SELECT name FROM sqlite_master").fetchall() == [("bookmarks",)]
    other.close()


def test_a_damaged_database_says_so(tmp_path: Path) -> None:
    path = tmp_path / "r.db"
    with open_store(path) as store:
        fill(store, 300)
    whole = bytearray(path.read_bytes())
    whole[4096 * 2 :] = b"\xa5" * (len(whole) - 4096 * 2)
    path.write_bytes(whole)
    assert code_of(path) == "D005"


def test_a_database_made_by_a_newer_version_is_not_touched(database: SqlStore) -> None:
    run(database, "UPDATE alembic_version SET version_num = '9999'")
    address = getattr(database.database, "path", None) or database.database.address  # type: ignore[attr-defined]
    with pytest.raises(Problem) as caught:
        open_store(address)
    assert (caught.value.code, caught.value.got) == ("D006", "9999")


def test_a_database_that_is_held_says_so_after_a_while(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("rubrica.storage.migrate.WAIT_SECONDS", 0.0)
    open_store(tmp_path / "r.db").close()
    lock = FileLock(tmp_path / "r.db.lock")
    with lock:
        assert code_of(tmp_path / "r.db") == "D007"
    lock.close()
    open_store(tmp_path / "r.db").close()


def test_a_full_disk_saves_nothing_by_halves_and_goes_on_when_there_is_room(tmp_path: Path) -> None:
    with open_store(tmp_path / "r.db") as store:
        fill(store, 2)
        first, second = reserve(store, 1, 2)
        _have_pages(store, 1)
        with pytest.raises(Problem) as caught:
            submit(store, first, value="x" * 100_000)
        assert caught.value.code == "D008"
        assert list(store.ratings.ratings(STUDY)) == []
        assert store.places.place(STUDY, first.id).state == "reserved"
        with pytest.raises(Problem) as caught:
            store.loader.load(STUDY, items(3000))
        assert caught.value.code == "D008"
        _have_pages(store, 1_000_000)
        assert submit(store, first, value="x" * 100_000).number == 1
        assert submit(store, second).number == 2


def _have_pages(store: SqlStore, count: int) -> None:
    """No connection may make the file larger than this, or than it is."""
    connect = store.database._connect  # type: ignore[attr-defined]

    def limited() -> sqlite3.Connection:
        connection: sqlite3.Connection = connect()
        connection.execute(f"PRAGMA max_page_count = {count}")
        return connection

    store.database.engine.dispose()
    store.database.engine.pool._creator = limited  # type: ignore[attr-defined]


def test_a_closed_store_takes_nothing_more(tmp_path: Path) -> None:
    store = fill(open_store(tmp_path / "r.db"))
    (place,) = reserve(store, 1)
    waiting = store.ratings.submit(submission(place))
    store.close()
    assert waiting.result().number == 1
    with pytest.raises(Problem) as caught:
        store.places.release(STUDY, 1)
    assert caught.value.code == "D009"


# --- the writer -----------------------------------------------------------------------------------


def stopped(store: SqlStore) -> Any:
    """Holds the writer, so that what is sent meanwhile waits for one group."""
    begun: Future[None] = Future()
    go_on: Future[None] = Future()

    def hold(_: Any) -> None:
        begun.set_result(None)
        go_on.result()

    with ThreadPoolExecutor(1) as pool:
        pool.submit(store.studies._core.writer.call, hold)
        begun.result()
        yield
        go_on.set_result(None)


def test_what_waits_is_written_in_one_transaction(tmp_path: Path) -> None:
    with open_store(tmp_path / "r.db") as store:
        fill(store, 20)
        places = reserve(store, 1, 20)
        commits: list[int] = []
        write = store.database.write

        def counted() -> Any:
            commits.append(1)
            return write()

        holding = stopped(store)
        next(holding)
        store.database.write = counted  # type: ignore[method-assign]
        futures = [store.ratings.submit(submission(place)) for place in places]
        next(holding, None)
        assert [future.result().number for future in futures] == list(range(1, 21))
        assert len(commits) == 1


def test_nothing_is_acknowledged_before_the_commit(database: SqlStore) -> None:
    (place,) = reserve(fill(database), 1)
    write, done = database.database.write, []

    @contextmanager
    def watched() -> Iterator[Tx]:
        with write() as tx:
            yield tx
            done.append(future.done())
        done.append(future.done())

    holding = stopped(database)
    next(holding)
    database.database.write = watched  # type: ignore[method-assign]
    future = database.ratings.submit(submission(place))
    next(holding, None)
    assert future.result().number == 1
    assert done == [False, False]


def test_a_bad_submit_never_fails_its_neighbours(database: SqlStore) -> None:
    fill(database, 6)
    places = reserve(database, 1, 6)
    holding = stopped(database)
    next(holding)
    good = [database.ratings.submit(submission(place)) for place in places[:3]]
    same_id = [database.ratings.submit(submission(p, "same")) for p in places[3:5]]
    stranger = database.ratings.submit(submission(places[5], rater=2))
    next(holding, None)
    assert len({future.result().number for future in good}) == 3
    outcomes = sorted(str(f.exception() and f.exception().code) for f in same_id)  # type: ignore[union-attr]
    assert outcomes == ["D031", "None"]
    assert stranger.exception().code == "D030"  # type: ignore[union-attr]
    assert len(list(database.ratings.ratings(STUDY))) == 4


def test_two_jobs_about_one_place_keep_their_order(database: SqlStore) -> None:
    (place,) = reserve(fill(database), 1)
    holding = stopped(database)
    next(holding)
    drafted = database.ratings.save_draft(STUDY, 1, place.id, 1, {"n": 1})
    sent = database.ratings.submit(submission(place))
    again = database.ratings.submit(submission(place))
    later = database.ratings.save_draft(STUDY, 1, place.id, 2, {"n": 2})
    next(holding, None)
    assert (drafted.result(), sent.result().replay, again.result().replay) == (1, False, True)
    assert later.result() == 2
    assert database.ratings.draft(STUDY, 1, place.id).content == {"n": 2}  # type: ignore[union-attr]


@pytest.mark.postgres
def test_a_lost_connection_is_made_anew(postgres: Any) -> None:
    address = postgres.fresh()
    with open_store(address) as store:
        places = reserve(fill(store), 1, 2)
        submit(store, places[0])
        with psycopg.connect(address, autocommit=True) as other:
            other.execute(
                "SELECT pg_terminate_backend(pid) FROM pg_stat_activity "
                "WHERE datname = current_database() AND pid <> pg_backend_pid()"
            )
        assert submit(store, places[1]).number == 2


@pytest.mark.postgres
def test_what_is_acknowledged_waits_for_the_disk_whatever_the_default(postgres: Any) -> None:
    address = postgres.fresh()
    name = address.split("/")[3].split("?")[0]
    postgres.run(f"ALTER DATABASE {name} SET synchronous_commit = off")
    with open_store(address) as store, store.database.write() as tx:
        assert tx.plain("SHOW synchronous_commit") == [("on",)]


def test_sqlite_is_set_so_that_power_may_fail(tmp_path: Path) -> None:
    with open_store(tmp_path / "r.db") as store, store.database.read() as tx:
        said = {
            name: tx.plain(f"PRAGMA {name}")[0][0]
            for name in ("journal_mode", "synchronous", "foreign_keys", "recursive_triggers")
        }
    assert said == {
        "journal_mode": "wal",
        "synchronous": 2,
        "foreign_keys": 1,
        "recursive_triggers": 1,
    }


# --- blinding -------------------------------------------------------------------------------------


def test_statements_of_the_shown_side_name_no_hidden_table(tmp_path: Path) -> None:
    with open_store(tmp_path / "r.db") as store:
        compiled = [
            store.database.statements.get(getattr(item_queries, name))[0]
            for name in ("ONE", "PUBLIC", "THREAD", "EARLIER", "SIZES", "MEDIA")
        ]
        every = store.database.statements.get(item_queries.HIDDEN_ALL)[0]
    assert "hidden" in every
    assert "batches" in every
    assert not any(name in text_ for text_ in compiled for name in ("hidden", "batches", "names"))


# --- the doctor -----------------------------------------------------------------------------------


def errors(store: SqlStore) -> list[str]:
    return [p.code for p in doctor.findings(store) if p.level == "error"]


def worked(store: SqlStore) -> SqlStore:
    fill(store, 3)
    for place in reserve(store, 1, 2):
        submit(store, place)
    reserve(store, 2, 3)
    return store


def test_a_sound_database_has_no_finding(database: SqlStore) -> None:
    worked(database)
    database.accounts.change_rater(STUDY, 1, state="withdrawn")
    assert errors(database) == []


@pytest.mark.parametrize(
    ("damage", "code"),
    [
        ("UPDATE places SET state = 'reserved', rating = NULL WHERE id = 1", "D012"),
        ("UPDATE places SET capacity = 1", "D013"),
        ("UPDATE items SET covered = 0 WHERE id = 1", "D014"),
        ("DROP TABLE messages", "D015"),
        ("ALTER TABLE items DROP COLUMN place", "D015"),
    ],
)
def test_each_fault_is_found(database: SqlStore, damage: str, code: str) -> None:
    run(worked(database), damage)
    assert code in errors(database)


def test_ratings_from_the_future_are_found(database: SqlStore, clock: Clock) -> None:
    worked(database)
    clock.pass_seconds(-3600)
    assert "D016" in [p.code for p in doctor.findings(database) if p.level == "warning"]


def test_a_lost_trigger_is_found(database: SqlStore) -> None:
    worked(database)
    (name, _, *_) = guard_names("ratings", sqlite=True)
    on = "" if database.database.statements.sqlite else " ON ratings"
    run(database, f"DROP TRIGGER {name}{on}")
    assert errors(database) == ["D011"]


@pytest.mark.parametrize(
    ("version", "risky"),
    [
        ((3, 40, 1), True),
        ((3, 44, 5), True),
        ((3, 44, 6), False),
        ((3, 50, 7), False),
        ((3, 51, 2), True),
        ((3, 51, 3), False),
        ((3, 53, 0), False),
    ],
)
def test_releases_of_sqlite_with_a_known_fault(version: tuple[int, int, int], risky: bool) -> None:
    assert doctor.risky(version) is risky


# --- indexes --------------------------------------------------------------------------------------


QUESTIONS = ["AT", "UNITS", "COVERED", "GIVEN_UP", "GIVEN_BACK", "MINE", "GOLDEN", "OWN", "LAST_RETURN"]


@pytest.mark.parametrize("name", QUESTIONS)
def test_a_policys_questions_scan_nothing(tmp_path: Path, name: str) -> None:
    with open_store(tmp_path / "r.db") as store:
        fill(store, [item(n, thread=f"t{n % 5}") for n in range(50)])
        text_, constants = store.database.statements.get(getattr(lookup, name))
        params: dict[str, Any] = dict.fromkeys(_names(text_), 1)
        lists = {key: "[1, 2]" for key in ("positions", "units", "items", "raters") if key in params}
        connection = sqlite3.connect(tmp_path / "r.db")
        rows = connection.execute(
            f"EXPLAIN QUERY PLAN {text_}", {**params, **constants, **lists}
        ).fetchall()
        connection.close()
    plans = [row[3] for row in rows]
    assert plans
    assert not [plan for plan in plans if plan.startswith("SCAN") and "json_each" not in plan]


def _names(text_: str) -> list[str]:
    return re.findall(r":(\w+)", text_)


@pytest.mark.postgres
def test_postgresql_reads_few_rows_for_the_next_item(postgres: Any) -> None:
    """Where raters went through nine tenths of the items, the first that is free is found at once."""
    with open_store(postgres.fresh()) as store:
        fill(store, 4000)
        reserve(store, 1, 20)
        run(store, "UPDATE items SET covered = 3 WHERE position < 3600")
        params = {"study": 1, "rater": 1, "count": 50, "level": 0, "after": -1, "before": 4000}
        lists = {name: [3601, 3700] for name in ("positions", "units", "items")} | {"raters": [1]}
        rest = {"first": 1, "last": 50, "below": 3, "now": "2026", "number": 1}
        for statement in (
            *(getattr(lookup, name) for name in QUESTIONS),
            place_statements.OPEN,
            ledger.EXPIRED,
        ):
            text_, constants = store.database.statements.get(statement)
            with store.database.read() as tx:
                values = {**params, **lists, **rest, **constants}
                tx._cursor.execute(f"EXPLAIN (ANALYZE, FORMAT JSON) {text_}", values)
                plan = tx._cursor.fetchone()[0][0]["Plan"]
            assert rows_read(plan) < 500, f"{text_}\n{plan}"


def rows_read(plan: dict[str, Any]) -> float:
    """Rows that a plan touched, also those that it left out."""
    own = plan["Actual Rows"] + plan.get("Rows Removed by Filter", 0)
    return float(own * plan["Actual Loops"]) + sum(map(rows_read, plan.get("Plans", ())))
