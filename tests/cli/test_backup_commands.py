"""Backups and bundles as commands: what is opened elsewhere says the same, and overwrites nothing."""

from __future__ import annotations

import json
import shutil
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import rubrica
from rubrica.accounts.changes import withdraw
from rubrica.cli import run
from rubrica.cli.opening import opened
from rubrica.reports.records import report_json
from rubrica.review.gather import gather
from rubrica.review.results import reviewed

BUNDLED = Path(rubrica.__file__).parent / "studies"


@pytest.fixture
def study(tmp_path: Path) -> Path:
    shutil.copytree(BUNDLED / "vtt", tmp_path / "vtt", ignore=shutil.ignore_patterns("make"))
    assert run(["simulate", str(tmp_path / "vtt"), "--raters", "3", "--json"]) == 0
    return tmp_path / "vtt"


def tidy(study: Path, to: Path) -> bytes:
    assert run(["export", str(study), "--to", str(to), "--all-revisions", "--json"]) == 0
    return to.read_bytes()


def reported(study: Path) -> str:
    with opened(study) as found:
        gathered = gather(found.store, found.name, found.loaded.version, 1)
        return report_json(reviewed(found.store, gathered))


@pytest.mark.slow
def code(capsys: pytest.CaptureFixture[str], *args: object) -> str | None:
    """What a command prints as its problem, if it has one."""
    capsys.readouterr()
    failed = run([*map(str, args), "--json"])
    told = json.loads(capsys.readouterr().out)
    assert failed == ("problems" in told)
    return told["problems"][0]["code"] if failed else None


@pytest.mark.slow
def test_a_bundle_is_opened_elsewhere_and_says_the_same(
    study: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    bundle, away = tmp_path / "vtt.zip", tmp_path / "away"
    assert code(capsys, "export", study, "--bundle", "--to", bundle) is None
    before, said = tidy(study, tmp_path / "before.jsonl"), reported(study)
    study.rename(tmp_path / "gone")
    assert code(capsys, "restore", bundle, "--to", away) is None
    assert tidy(away / "vtt", tmp_path / "after.jsonl") == before
    assert reported(away / "vtt") == said
    with opened(away / "vtt") as found:
        assert found.counts.new == found.counts.changed == found.counts.gone == 0
        assert found.media.holes == ()
        assert [r.name for r in found.store.accounts.raters("vtt")] == ["robot 1", "robot 2", "robot 3"]
    assert code(capsys, "restore", bundle, "--to", away) == "X062"
    assert code(capsys, "export", away / "vtt", "--bundle", "--to", bundle) == "X062"
    assert [p.name for p in away.iterdir()] == ["vtt"]


def test_a_bundle_without_the_withdrawn_holds_nothing_of_them(
    study: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with opened(study) as found:
        withdraw(found.store.accounts, found.name, 2, who="coordinator")
        theirs = [r.submission.id for r in found.store.ratings.of_rater("vtt", 2)]
    before = tidy(study, tmp_path / "before.jsonl")
    bundle = tmp_path / "vtt.zip"
    assert code(capsys, "export", study, "--bundle", "--without-withdrawn", "--to", bundle) is None
    assert code(capsys, "restore", bundle, "--to", tmp_path / "away") is None
    kept = (tmp_path / "away" / "vtt" / "rubrica.db").read_bytes()
    assert theirs
    assert not any(id_.encode() in kept for id_ in theirs)
    assert tidy(tmp_path / "away" / "vtt", tmp_path / "after.jsonl") == before


def test_a_backup_is_restored_beside_a_study(
    study: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    before = tidy(study, tmp_path / "before.jsonl")
    assert code(capsys, "backup", study, "--to", tmp_path / "copy.db") is None
    assert code(capsys, "backup", study, "--to", tmp_path / "copy.db") == "D051"
    assert code(capsys, "restore", tmp_path / "copy.db", "--to", study) == "D051"
    (study / "rubrica.db").unlink()
    assert code(capsys, "restore", tmp_path / "copy.db", "--to", study) is None
    assert tidy(study, tmp_path / "after.jsonl") == before


# --- bundles that are not as they were packed -----------------------------------------------------

About = dict[str, Any]
Files = dict[str, bytes]


def other_bytes(about: About, files: Files) -> None:
    files["vtt/study.yaml"] = files["vtt/study.yaml"].replace(b"rubrica", b"rubricb", 1)


def longer(about: About, files: Files) -> None:
    files["vtt/study.yaml"] += b"more"


def left_out(about: About, files: Files) -> None:
    del files["vtt/study.yaml"]


def leads_out(about: About, files: Files) -> None:
    about["files"]["../outside"] = about["files"]["study.yaml"]
    files["vtt/../outside"] = files["vtt/study.yaml"]


def another_home(about: About, files: Files) -> None:
    about["study"] = "../vtt"


def newer(about: About, files: Files) -> None:
    about["bundle"] = 2


def without_database(about: About, files: Files) -> None:
    del about["files"]["rubrica.db"]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("damage", "expected"),
    [
        (other_bytes, "X061"),
        (longer, "X061"),
        (left_out, "X061"),
        (leads_out, "X060"),
        (another_home, "X060"),
        (newer, "X060"),
        (without_database, "X060"),
    ],
)
def test_a_bundle_that_was_changed_is_not_unpacked(
    damage: Callable[[About, Files], None],
    expected: str,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert run(["new", str(tmp_path / "vtt")]) == 0
    assert run(["export", str(tmp_path / "vtt"), "--bundle", "--to", str(tmp_path / "b.zip")]) == 0
    with zipfile.ZipFile(tmp_path / "b.zip") as archive:
        files = {name: archive.read(name) for name in archive.namelist()}
    about = json.loads(files["manifest.json"])
    damage(about, files)
    with zipfile.ZipFile(tmp_path / "b.zip", "w") as archive:
        for name, content in {**files, "manifest.json": json.dumps(about).encode()}.items():
            archive.writestr(name, content)
    away = tmp_path / "below" / "away"
    assert code(capsys, "restore", tmp_path / "b.zip", "--to", away) == expected
    assert not away.exists() or list(away.iterdir()) == []
    assert not (tmp_path / "below" / "outside").exists()


def test_another_archive_is_no_bundle(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with zipfile.ZipFile(tmp_path / "b.zip", "w") as archive:
        archive.writestr("readme.txt", "something else")
    assert code(capsys, "restore", tmp_path / "b.zip", "--to", tmp_path / "away") == "X060"
