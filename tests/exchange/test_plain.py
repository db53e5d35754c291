"""A plain table, one row a rating, as scripts and people keep it."""

from __future__ import annotations

from pathlib import Path

import pytest
from answers_elsewhere import answers_study, exported

from rubrica.cli import run

TABLE = """\
item,rater,quality,tone,faults,comment,time,seconds,model
a1,ana,3,Polite,,,2026-05-31T09:15:00Z,12.5,m1
a1,ben,2,cannot judge,"[""Long""]","Hm, wordy",,,m1
a2,ana,1,Rude,,=1+1,,,m2
a3,ana,,,,,,,m2
"""


@pytest.fixture
def study(tmp_path: Path) -> Path:
    return answers_study(tmp_path)


def test_its_rows_become_ratings(study: Path, capsys: pytest.CaptureFixture[str]) -> None:
    table = study / "old.csv"
    table.write_text(TABLE, encoding="utf-8")
    assert run(["import", str(study), str(table)]) == 0
    told = capsys.readouterr()
    assert "3 ratings came in" in told.out
    assert "not filled in: 1" in told.out
    assert "the column 'model' is no question of this study" in told.err
    first, second, third = exported(study)
    assert [r["quality"] for r in (first, second, third)] == [3, 2, 1]
    assert (first["received"], first["wall_seconds"]) == ("2026-05-31T09:15:00.000000Z", 12.5)
    assert (second["tone"], second["tone.state"]) == (None, "cannot_judge")
    assert (second["faults"], second["comment"]) == (["Long"], "Hm, wordy")
    assert third["comment"] == "=1+1"
    assert first["rater"] == third["rater"] != second["rater"]


def test_it_may_be_imported_again(study: Path, capsys: pytest.CaptureFixture[str]) -> None:
    table = study / "old.csv"
    table.write_text(TABLE, encoding="utf-8")
    for _ in range(2):
        assert run(["import", str(study), str(table)]) == 0
    assert "there already: 3" in capsys.readouterr().out
    assert len(exported(study)) == 3


def test_lines_of_json_and_skips(study: Path) -> None:
    lines = study / "old.jsonl"
    lines.write_text(
        '{"item": "a1", "rater": "ana", "quality": 3, "tone": null, "faults": ["Long"]}\n'
        '{"item": "a2", "rater": "ana", "skip_reason": "nothing to see"}\n',
        encoding="utf-8",
    )
    assert run(["import", str(study), str(lines)]) == 0
    rated, skipped = exported(study)
    assert (rated["quality"], rated["faults"]) == (3, ["Long"])
    assert rated["tone.state"] == "left_out"
    assert (skipped["skipped"], skipped["skip_reason"]) == (True, "nothing to see")


@pytest.mark.parametrize(
    ("line", "code"),
    [
        ("a1,ana,7,Polite,,,,,", "A001"),
        ("a1,ana,good,Polite,,,,,", "A002"),
        ("a1,ana,3,Polite,Long,,,,", "A002"),
        (",ana,3,Polite,,,,,", "X022"),
        ("a1,ana,3,Polite,,,yesterday,,", "X029"),
        ("a1,ana,3,Polite,,,,soon,", "X020"),
        ("a9,ana,3,Polite,,,,,", "X013"),
    ],
)
def test_a_bad_row_brings_nothing_in(
    study: Path, capsys: pytest.CaptureFixture[str], line: str, code: str
) -> None:
    table = study / "old.csv"
    table.write_text(TABLE.splitlines()[0] + "\n" + line + "\n", encoding="utf-8")
    assert run(["import", str(study), str(table)]) == 1
    told = capsys.readouterr().err
    assert code in told
    assert "old.csv" in told
    assert exported(study) == []


def test_a_table_without_any_question_is_refused(
    study: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    table = study / "old.csv"
    table.write_text("item,rater,qualty\na1,ana,3\n", encoding="utf-8")
    assert run(["import", str(study), str(table)]) == 1
    told = capsys.readouterr().err
    assert "X052" in told
    assert "quality" in told


def test_it_is_never_written(study: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["export", str(study), "--to", str(study / "o.csv"), "--layout", "plain"]) == 1
    assert "X050" in capsys.readouterr().err
    assert not (study / "o.csv").exists()
