"""Whatever is wrong with what a command is given: a clear problem, no traceback, nothing by halves."""

from __future__ import annotations

import sqlite3
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import pytest

from rubrica.cli import run

BOMB = "a: &a [x, x, x, x, x, x, x, x, x]\n" + "".join(
    f"{name}: &{name} [{', '.join([f'*{before}'] * 9)}]\n"
    for before, name in zip("abcdefgh", "bcdefghi", strict=True)
)
EARLIER = "  correctness:\n"
MARKS = "  marks: {kind: failures, ask: What failed?, types: {lie: A lie}}\n"


def replaced(old: str, new: str) -> Callable[[str], str]:
    def change(text: str) -> str:
        assert old in text
        return text.replace(old, new, 1)

    return change


def added(text: str) -> Callable[[str], str]:
    return lambda study: study + text


STUDY: dict[str, tuple[Callable[[str], str], str]] = {
    "not YAML": (lambda _: "a: [b\nc: d", "S004"),
    "an alias bomb": (lambda _: BOMB, "S007"),
    "a tab": (replaced("  from:", "\tfrom:"), "S005"),
    "a key twice": (added("title: again\n"), "S006"),
    "an unknown key": (added("tilte: x\n"), "S010"),
    "a wrong type": (replaced("minutes: 10", "minutes: soon"), "S012"),
    "a path that matches nothing": (replaced("items.jsonl", "logs/*.jsonl"), "I001"),
    "a field no item has": (replaced("text: question", "text: queston"), "I033"),
    "a condition on an unknown question": (replaced("answer.correctness", "answer.corectness"), "S050"),
    "a condition in a circle": (replaced(EARLIER, EARLIER + "    when: {answer.fault: x}\n"), "S055"),
    "level rules with a gap": (
        replaced(EARLIER, MARKS + EARLIER + "    implied: {count: marks, levels: {0: 3, 2: 1}}\n"),
        "S202",
    ),
    "weights that sum to nothing": (
        replaced("{correctness: 2, helpful: 1}", "{helpful: 1, correctness: -1}"),
        "S072",
    ),
    "guidelines that are missing": (replaced("guidelines.md", "guide.md"), "S040"),
}
ITEMS: dict[str, tuple[bytes, str]] = {
    "no item": (b"", "I024"),
    "a line that is no JSON": (b"{not json}\n", "I005"),
    "a line that is no object": (b"[1]\n", "I008"),
    "a line that is no text": (b'{"id": "\xff"}\n', "I004"),
    "nested without end": (b"[" * 100_000 + b"\n", "I032"),
}


@pytest.fixture
def study(tmp_path: Path) -> Path:
    assert run(["new", str(tmp_path / "tryout"), "--json"]) == 0
    return tmp_path / "tryout"


def refused(capsys: pytest.CaptureFixture[str], command: str, study: Path, *options: str) -> str:
    """What the command prints when it says no."""
    capsys.readouterr()
    assert run([command, str(study), *options]) == 1
    said = "".join(capsys.readouterr())
    assert "mend:" in said
    assert "Traceback" not in said
    return said


@pytest.mark.parametrize("fault", STUDY)
def test_a_bad_study_file(study: Path, fault: str, capsys: pytest.CaptureFixture[str]) -> None:
    change, code = STUDY[fault]
    file = study / "study.yaml"
    file.write_text(change(file.read_text("utf-8")), "utf-8")
    for command in ("check", "load"):
        assert code in refused(capsys, command, study)


def test_guidelines_that_are_no_text(study: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (study / "guidelines.md").write_bytes(b"\xff\xfe\x00")
    assert "S003" in refused(capsys, "check", study)


@pytest.mark.parametrize("fault", ITEMS)
def test_bad_items(study: Path, fault: str, capsys: pytest.CaptureFixture[str]) -> None:
    raw, code = ITEMS[fault]
    (study / "items.jsonl").write_bytes(raw)
    for command in ("check", "load"):
        assert code in refused(capsys, command, study)


def test_all_problems_are_told_in_one_run(study: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = study / "study.yaml"
    changed = replaced("minutes: 10", "minutes: soon")(file.read_text("utf-8"))
    file.write_text(changed + "tilte: x\n", "utf-8")
    said = refused(capsys, "check", study)
    assert "S010" in said
    assert "S012" in said
    assert "did you mean: title" in said


@pytest.mark.parametrize(
    ("args", "says"),
    [
        ("serve", "missing argument 'studies'"),
        ("serve s --prot 8", "did you mean: --port"),
        ("serve s --port eight", "'--port'"),
        ("serve s --db", "'--db' requires an argument"),
        ("account dance", "'dance' is not one of"),
    ],
)
def test_wrong_use_is_told_like_any_problem(
    args: str, says: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(args.split()) == 2
    said = capsys.readouterr().err
    assert said.startswith("C002: ")
    assert says in said
    assert f"rubrica {args.split()[0]} --help" in said


# --- the database ---------------------------------------------------------------------------------


def test_a_file_that_is_no_database(study: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (study / "rubrica.db").write_bytes(b"certainly no database " * 99)
    assert "D004" in refused(capsys, "load", study)


def test_a_database_cut_short(study: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["load", str(study)]) == 0
    whole = (study / "rubrica.db").read_bytes()
    (study / "rubrica.db").write_bytes(whole[:10_000])
    for command in ("load", "simulate"):
        assert "D005" in refused(capsys, command, study)


def test_a_database_of_a_newer_version(study: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["load", str(study)]) == 0
    with sqlite3.connect(study / "rubrica.db") as database:
        database.execute("UPDATE alembic_version SET version_num = '9999'")
    database.close()
    for command in ("load", "simulate"):
        assert "D006" in refused(capsys, command, study)


def test_a_database_somebody_else_holds(
    study: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("rubrica.storage.migrate.WAIT_SECONDS", 0.0)
    monkeypatch.setattr("rubrica.storage.database.BUSY_SECONDS", 0.0)
    monkeypatch.setattr("rubrica.storage.database.SQLITE_SETTINGS", ("PRAGMA busy_timeout=0",))
    assert run(["load", str(study)]) == 0
    held = sqlite3.connect(study / "rubrica.db", isolation_level=None)
    held.execute("BEGIN IMMEDIATE")
    assert "D007" in refused(capsys, "load", study)
    held.close()
    assert run(["load", str(study)]) == 0


def test_a_command_says_that_it_waits(
    study: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    assert run(["load", str(study)]) == 0
    assert "Waiting" not in capsys.readouterr().err
    monkeypatch.setattr("rubrica.cli.opening.PATIENCE", 0.0)
    monkeypatch.setattr("rubrica.storage.database.BUSY_SECONDS", 0.5)
    monkeypatch.setattr("rubrica.storage.database.SQLITE_SETTINGS", ("PRAGMA busy_timeout=500",))
    with closing(sqlite3.connect(study / "rubrica.db", isolation_level=None)) as held:
        held.execute("BEGIN IMMEDIATE")
        assert f"Waiting for {study / 'rubrica.db'}" in refused(capsys, "load", study)


def test_a_command_that_fails_leaves_no_new_database(
    study: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (study / "ratings.csv").write_text("a,b\n1,2\n", "utf-8")
    assert "X010" in refused(capsys, "import", study, str(study / "ratings.csv"))
    assert "W120" in refused(capsys, "serve", study, "--host", "0.0.0.0")
    assert not list(study.glob("rubrica.db*"))


def test_a_command_that_fails_leaves_a_database_that_was_there(
    study: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["load", str(study)]) == 0
    assert "W120" in refused(capsys, "serve", study, "--host", "0.0.0.0")
    assert (study / "rubrica.db").exists()


def test_an_address_that_answers_nobody(study: Path, capsys: pytest.CaptureFixture[str]) -> None:
    said = refused(capsys, "load", study, "--db", "postgresql://ann:hunter2@127.0.0.1:1/none")
    assert "D009" in said
    assert "hunter2" not in said


# --- the disk -------------------------------------------------------------------------------------


@contextmanager
def mounted(folder: Path, *options: str) -> Iterator[Path]:
    folder.mkdir()
    try:
        subprocess.run(["mount", *options, str(folder)], check=True, capture_output=True)
    except (OSError, subprocess.CalledProcessError):
        pytest.skip("nothing can be mounted here")
    try:
        yield folder
    finally:
        subprocess.run(["umount", "--lazy", str(folder)], check=True)


RUBRICA = [sys.executable, "-c", "from rubrica.cli import main; main()"]


def told(*command: str | Path) -> str:
    """What the command prints when it says no, as a process of its own that leaves no file open."""
    done = subprocess.run([*RUBRICA, *map(str, command)], capture_output=True, text=True)
    assert done.returncode == 1
    assert "Traceback" not in done.stderr
    return done.stdout + done.stderr


def fill(file: Path) -> None:
    with file.open("wb", buffering=0) as filling:
        while True:
            filling.write(bytes(4096))


@pytest.mark.skipif(sys.platform != "linux", reason="a disk as small as wanted is Linux's")
@pytest.mark.slow
def test_a_full_disk(tmp_path: Path) -> None:
    exports = [tmp_path / "before.jsonl", tmp_path / "after.jsonl"]
    with mounted(tmp_path / "disk", "-t", "tmpfs", "-o", "size=1500k", "tmpfs") as disk:
        study = disk / "study"
        assert run(["new", str(study)]) == 0
        assert run(["simulate", str(study), "--raters", "2"]) == 0
        assert run(["export", str(study), "--to", str(exports[0])]) == 0
        with pytest.raises(OSError, match="No space"):
            fill(disk / "filling")
        for command in ("load", "simulate"):
            assert "D008" in told(command, study)
        assert "X001" in told("new", disk / "other")
        assert not (disk / "other").exists()
        (disk / "filling").unlink()
        assert "D008" in told("simulate", study, "--raters", "500")
        assert run(["export", str(study), "--to", str(exports[1])]) == 0
        assert exports[1].read_text("utf-8").startswith(exports[0].read_text("utf-8"))
    assert exports[0].read_text("utf-8").count("\n") == 12


@pytest.mark.skipif(sys.platform != "linux", reason="mounts are Linux's")
@pytest.mark.slow
def test_a_folder_that_is_read_only(study: Path, tmp_path: Path) -> None:
    there = tmp_path / "database.db"
    assert run(["simulate", str(study), "--db", str(there)]) == 0
    with mounted(tmp_path / "fixed", "--bind", "-o", "ro", str(tmp_path / "tryout")) as fixed:
        subprocess.run(["mount", "-o", "remount,bind,ro", str(fixed)], check=True)
        assert "D003" in told("load", fixed)
        assert "X001" in told("new", fixed / "other")
        assert "X001" in told("export", fixed, "--db", there, "--to", fixed / "all.jsonl")
        assert run(["check", str(fixed)]) == 0
