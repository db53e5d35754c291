"""`rubrica plan`: items and raters, from assumed or piloted spreads, tried by robots."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from small import grid, make, numbered, rate

from rubrica.cli import run


@pytest.fixture(scope="module")
def study(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return make(tmp_path_factory.mktemp("plan") / "study", numbered(4))


def plan(capsys: pytest.CaptureFixture[str], study: Path, *options: str) -> Any:
    capsys.readouterr()
    assert run(["plan", str(study), "--json", *options]) == 0
    return json.loads(capsys.readouterr().out)


GIVEN = ("--difference", "0.2", "--item-sd", "0.4", "--noise-sd", "0.7")


def test_the_known_answers(study: Path, capsys: pytest.CaptureFixture[str]) -> None:
    alike = plan(capsys, study, *GIVEN, "--times", "0")
    assert [p["items"] for p in alike["plans"]] == [255, 127, 101, 82]
    differing = plan(capsys, study, *GIVEN, "--rater-sd", "0.1", "--times", "0")
    assert [p["items"] for p in differing["plans"]] == [None, None, 471, 135]
    assert "no number of items is enough with 3 raters" in differing["plans"][1]["note"]


def test_robots_find_about_as_often_as_planned(study: Path, capsys: pytest.CaptureFixture[str]) -> None:
    found = plan(capsys, study, *GIVEN, "--raters", "3", "--times", "80")
    (one,) = found["plans"]
    # 80 studies: two standard errors are .09; whole levels add a twelfth to the variance.
    assert 0.6 < one["robots_found"] < 0.9
    assert found == plan(capsys, study, *GIVEN, "--raters", "3", "--times", "80")


def test_robots_do_not_try_what_would_take_days(
    study: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (one,) = plan(capsys, study, *GIVEN[2:], "--difference", "1e-6", "--raters", "5")["plans"]
    assert one["items"] > 10**9
    assert one["robots_found"] is None


def test_an_interval_of_a_wanted_width(study: Path, capsys: pytest.CaptureFixture[str]) -> None:
    found = plan(capsys, study, *GIVEN[2:], "--width", "0.1", "--raters", "5")
    assert found["plans"][0]["items"] == 199
    assert found["plans"][0]["robots_found"] is None


def test_spreads_come_from_the_ratings_there_are(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    items = [{"id": f"i{n}", "system": "ab"[n % 2], "input": n // 2} for n in range(40)]
    piloted = make(tmp_path / "pilot", items, of_items="system: system\nthread: {by: input, kind: set}")
    assert plan(capsys, piloted, "--times", "0")["spread"]["source"] == "assumed"
    rate(piloted, grid({f"i{n}": [1 + n % 5, 1 + n * n % 4, 1 + n % 3] for n in range(40)}))
    spread = plan(capsys, piloted, "--times", "0")["spread"]
    assert spread["source"] == "pilot"
    assert spread["noise"] > 0.5


@pytest.mark.parametrize(
    ("options", "code"),
    [
        (("--question", "qualty"), "C070"),
        (("--raters", "1;3"), "C071"),
        (("--difference", "0"), "C020"),
        (("--item-sd", "-1"), "C020"),
        (("--power", "1"), "C020"),
        (("--times", "-1"), "C020"),
    ],
)
def test_what_cannot_be_planned(
    study: Path, capsys: pytest.CaptureFixture[str], options: tuple[str, str], code: str
) -> None:
    assert run(["plan", str(study), *options]) == 1
    assert code in capsys.readouterr().err


def test_a_person_reads_a_table(study: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["plan", str(study), *GIVEN, "--rater-sd", "0.1", "--times", "2"]) == 0
    said = capsys.readouterr().out
    assert "471" in said
    assert "never enough" in said
    assert "leave a standard error of" in said
