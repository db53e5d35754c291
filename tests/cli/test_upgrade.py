"""A database made by the first version opens in this one and says the same."""

from __future__ import annotations

import json
import shutil
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from first_database import FOLDER, numbers

from rubrica.cli import run
from rubrica.cli.opening import opened
from rubrica.fieldwork import joining, sending, working
from rubrica.fieldwork.model import Sent
from rubrica.storage.doctor import findings


@pytest.fixture
def first(tmp_path: Path) -> Path:
    study = tmp_path / "first"
    shutil.copytree(FOLDER, study)
    with closing(sqlite3.connect(study / "rubrica.db")) as database:
        database.executescript((study / "rubrica.sql").read_text())
    return study


def rows(file: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in file.read_text().splitlines()]


def test_the_first_version_s_database_says_the_same(first: Path, tmp_path: Path) -> None:
    before = json.loads((FOLDER / "numbers.json").read_text())
    with opened(first) as found:
        assert (found.counts.same, found.counts.new, found.counts.changed) == (16, 0, 0)
        assert [p for p in findings(found.store) if p.level == "error"] == []
        now = numbers(found)
    assert now["version"] == before["version"]
    for kind in ("agreement", "means"):
        kept = {name: now[kind][name] for name in before[kind]}
        assert kept == pytest.approx(before[kind], abs=1e-9)


def test_the_first_version_s_ratings_are_exported_as_they_were(first: Path, tmp_path: Path) -> None:
    tidy = tmp_path / "now.jsonl"
    assert run(["export", str(first), "--to", str(tidy), "--all-revisions", "--json"]) == 0
    before, now = rows(FOLDER / "ratings.jsonl"), rows(tidy)
    # Later versions may say more of a rating, never anything else.
    assert [{name: row[name] for name in old} for old, row in zip(before, now, strict=True)] == before


def test_the_first_version_s_study_is_rated_further(first: Path) -> None:
    with opened(first) as found:
        desk = found.desk()
        rater = joining.join(desk, "somebody new").rater.number
        (work,) = working.next_work(desk, rater)
        answers = {"quality": {"value": 2}, "clear": {"value": "no"}}
        sent = Sent(id="n" * 22, place=work.place, version=work.version, answers=answers)
        assert sending.submit(desk, rater, sent).result().replay is False
        assert [p for p in findings(found.store) if p.level == "error"] == []
