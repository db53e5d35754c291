"""Commands called in this process, as the entry point calls them."""

from __future__ import annotations

import json
import shutil
import socket
import webbrowser
from pathlib import Path
from typing import Any

import pytest

from rubrica.accounts.changes import exclude, withdraw
from rubrica.cli import doctor, machine, run
from rubrica.cli.doctor import examine
from rubrica.cli.opening import opened, opened_together
from rubrica.errors import Problem, Problems
from rubrica.study.load import examine as look_at


@pytest.fixture
def study(tmp_path: Path) -> Path:
    assert run(["new", str(tmp_path / "tryout"), "--json"]) == 0
    return tmp_path / "tryout"


def told(capsys: pytest.CaptureFixture[str]) -> Any:
    return json.loads(capsys.readouterr().out)


def ran(capsys: pytest.CaptureFixture[str], *args: object) -> Any:
    """What a command prints as JSON."""
    capsys.readouterr()
    code = run([*map(str, args), "--json"])
    result = told(capsys)
    return {"exit": code, **result} if isinstance(result, dict) else result


def rows_of(file: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in file.read_text(encoding="utf-8").splitlines()]


def test_new_makes_a_study_without_a_problem(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    made = ran(capsys, "new", tmp_path / "tryout")
    assert made["files"] == ["guidelines.md", "items.jsonl", "study.schema.json", "study.yaml"]
    examined = look_at(tmp_path / "tryout")
    assert examined.problems == ()
    assert examined.loaded is not None
    assert examined.loaded.study.title == "tryout"


def test_new_overwrites_nothing(study: Path, capsys: pytest.CaptureFixture[str]) -> None:
    result = ran(capsys, "new", study)
    assert (result["exit"], result["problems"][0]["code"]) == (1, "C010")
    (study.parent / "empty").mkdir()
    assert run(["new", str(study.parent / "empty")]) == 0
    (study.parent / "file").touch()
    assert run(["new", str(study.parent / "file" / "below")]) == 1


def test_new_takes_any_name(tmp_path: Path) -> None:
    name = 'a "quoted" \\ name: größer'
    assert run(["new", str(tmp_path / name)]) == 0
    examined = look_at(tmp_path / name)
    assert examined.loaded is not None
    assert examined.loaded.study.title == name


def test_load_says_what_it_did(study: Path, capsys: pytest.CaptureFixture[str]) -> None:
    first = ran(capsys, "load", study)
    assert (first["exit"], first["new"], first["same"]) == (0, 6, 0)
    again = ran(capsys, "load", study)
    assert (again["new"], again["same"]) == (0, 6)
    items = study / "items.jsonl"
    lines = items.read_text(encoding="utf-8").splitlines(keepends=True)
    items.write_text("".join([lines[0].replace("lower", "LOWER"), *lines[1:-1]]), encoding="utf-8")
    changed = ran(capsys, "load", study)
    assert (changed["changed"], changed["gone"], changed["same"]) == (1, 1, 4)


def test_a_bad_line_loads_nothing_unless_it_may_be_left_out(
    study: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with (study / "items.jsonl").open("a", encoding="utf-8") as file:
        file.write('{"id": "x"}\n{not json}\n')
    refused = ran(capsys, "load", study)
    assert refused["exit"] == 1
    assert [p["where"]["line"] for p in refused["problems"]] == [7, 8]
    skipped = ran(capsys, "load", study, "--skip-bad")
    assert (skipped["exit"], skipped["new"], skipped["bad"]) == (0, 6, 2)


def test_simulate_is_the_same_for_the_same_seed(
    study: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    exports = []
    for name in ("one", "two"):
        db = tmp_path / f"{name}.db"
        done = ran(capsys, "simulate", study, "--raters", 3, "--seed", 7, "--db", db)
        assert done["ratings"] + done["skips"] == 12
        assert (
            run(["export", str(study), "--to", str(tmp_path / f"{name}.jsonl"), "--db", str(db)]) == 0
        )
        exports.append([_without_times(row) for row in rows_of(tmp_path / f"{name}.jsonl")])
    assert exports[0] == exports[1]


def _without_times(row: dict[str, Any]) -> dict[str, Any]:
    return {k: v for k, v in row.items() if k not in ("received", "started", "ended")}


def test_simulate_refuses_numbers_that_make_no_sense(
    study: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for option, value in (("--raters", 0), ("--skips", 1.5), ("--dropouts", -1)):
        result = ran(capsys, "simulate", study, option, value)
        assert (result["exit"], result["problems"][0]["code"]) == (1, "C020")


def test_export_is_tidy_and_pseudonymous(
    study: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    ran(capsys, "simulate", study, "--raters", 2)
    result = ran(capsys, "export", study, "--to", tmp_path / "out.jsonl")
    rows = rows_of(tmp_path / "out.jsonl")
    assert result["rows"] == len(rows)
    assert {"correctness", "helpful", "fault", "score.overall"} <= rows[0].keys()
    assert {row["system"] for row in rows} == {"system A", "system B"}
    assert all("robot" not in json.dumps(row) for row in rows)
    for row in rows:
        assert (row["correctness"] is not None) == (row["correctness.state"] == "answered")
    named = ran(capsys, "export", study, "--to", tmp_path / "out.jsonl", "--with-names")
    assert named["exit"] == 0
    assert "robot 1" in (tmp_path / "out.jsonl").read_text(encoding="utf-8")


def test_export_counts_what_it_leaves_out(
    study: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    done = ran(capsys, "simulate", study, "--raters", 2, "--seed", 3)
    result = ran(capsys, "export", study, "--to", tmp_path / "out.jsonl")
    assert result["superseded_left_out"] == done["revisions"]
    every = ran(capsys, "export", study, "--to", tmp_path / "out.jsonl", "--all-revisions")
    assert every["ratings"] == result["ratings"] + done["revisions"]


def test_w8_export_leaves_out_who_withdrew_and_marks_who_is_excluded(
    study: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    ran(capsys, "simulate", study, "--raters", 2, "--skips", 0)
    with opened(study) as found:
        exclude(found.store.accounts, found.name, 1, "coordinator", "straight-lining")
        withdraw(found.store.accounts, found.name, 2, "coordinator")
    result = ran(capsys, "export", study, "--to", tmp_path / "out.jsonl", "--with-names")
    assert (result["withdrawn_raters_left_out"], result["excluded_raters"]) == (1, [1])
    rows = rows_of(tmp_path / "out.jsonl")
    assert {(row["rater"], row["rater_state"]) for row in rows} == {(1, "excluded")}
    assert "robot 2" not in json.dumps(rows)


def test_export_says_where_it_cannot_write(
    study: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    unknown = ran(capsys, "export", study, "--to", tmp_path / "out.jsnl")
    assert (unknown["exit"], unknown["problems"][0]["code"]) == (1, "X047")
    assert unknown["problems"][0]["nearest"] == ".jsonl"
    nowhere = ran(capsys, "export", study, "--to", tmp_path / "no" / "out.jsonl")
    assert (nowhere["exit"], nowhere["problems"][0]["code"]) == (1, "X001")


def test_the_database_is_where_it_is_asked_for(
    study: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("RUBRICA_DB", str(tmp_path / "env.db"))
    assert run(["load", str(study)]) == 0
    assert run(["load", str(study), "--db", str(tmp_path / "asked.db")]) == 0
    assert (tmp_path / "env.db").exists()
    assert (tmp_path / "asked.db").exists()
    assert not (study / "rubrica.db").exists()


def test_a_study_that_is_not_there_is_a_kind_problem(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for command in ("load", "simulate"):
        assert run([command, str(tmp_path / "nothing")]) == 1
        assert "mend:" in capsys.readouterr().err
    assert run(["load"]) == 2
    assert run(["load", str(tmp_path), "--nonsense"]) == 2


def test_c14_doctor_finds_nothing_where_all_is_well(
    study: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    run(["load", str(study)])
    findings = ran(capsys, "doctor", study)
    assert not [f for f in findings if f["level"] == "error"]
    assert {"program", "installed parts", "study", "disk", "database"} <= {f["what"] for f in findings}


def test_c14_doctor_says_what_is_wrong(
    study: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (study / "guidelines.md").unlink()
    assert run(["doctor", str(study)]) == 1
    assert "guidelines.md" in capsys.readouterr().out
    wrong = tmp_path / "wrong.db"
    wrong.write_bytes(b"certainly no database, but long enough to be read as one" * 40)
    assert "D004" in doctor_codes(None, str(wrong))


def test_robots_do_not_rate_among_people(study: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (study / "old.csv").write_text("item,rater,correctness,helpful\nmoon-a,ana,3,Yes\n")
    assert run(["simulate", str(study), "--raters", "1"]) == 0
    assert run(["simulate", str(study), "--raters", "1"]) == 0
    assert run(["import", str(study), str(study / "old.csv")]) == 0
    assert run(["simulate", str(study), "--raters", "1"]) == 1
    assert "C021" in capsys.readouterr().err


def test_what_only_reads_makes_no_database(
    study: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    missing = tmp_path / "misspelt.db"
    for command in (["report"], ["export", "--to", str(tmp_path / "out.csv")]):
        assert run([command[0], str(study), "--db", str(missing), *command[1:]]) == 1
        assert "C016" in capsys.readouterr().err
    assert not missing.exists()


def test_doctor_makes_no_database(study: Path) -> None:
    assert "C045" in doctor_codes(study)
    assert not (study / "rubrica.db").exists()


def test_c14_doctor_looks_into_the_database(study: Path) -> None:
    run(["load", str(study)])
    with opened(study) as found, found.store.database.write() as tx:
        tx.plain("DROP TRIGGER ratings_no_update")
    assert "D011" in doctor_codes(study)


def test_w4_load_lists_the_media_that_are_missing(
    study: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = study / "study.yaml"
    text = file.read_text(encoding="utf-8")
    file.write_text(text.replace("  show:", "  show:\n    - {images: picture}", 1), encoding="utf-8")
    items = study / "items.jsonl"
    lines = items.read_text(encoding="utf-8").replace('"id":', '"picture": ["a.png", "b.png"], "id":')
    items.write_text(lines, encoding="utf-8")
    (study / "a.png").write_bytes(b"\x89PNG")
    result = ran(capsys, "load", study)
    assert (result["exit"], result["media"], result["media_missing"]) == (0, 1, ["b.png"])
    assert run(["load", str(study)]) == 0
    assert "I027" in capsys.readouterr().out
    with opened(study) as found, pytest.raises(Problems):
        found.refuse_holes()
    (study / "b.png").write_bytes(b"\x89PNG")
    with opened(study) as found:
        found.refuse_holes()


def test_fixed_lists_are_loaded_and_robots_take_their_names(
    study: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = study / "study.yaml"
    text = file.read_text(encoding="utf-8").replace("per_item: 2 #", "lists: lists.csv #", 1)
    file.write_text(text, encoding="utf-8")
    (study / "lists.csv").write_text("rater,item\np1,moon-a\np1,bread-b\np2,moon-a\n", encoding="utf-8")
    done = ran(capsys, "simulate", study, "--skips", 0)
    assert (done["raters"], done["ratings"]) == (2, 3)
    (study / "lists.csv").write_text("rater,item\np1,nothing\n", encoding="utf-8")
    assert ran(capsys, "load", study)["exit"] == 1


def doctor_codes(*args: Any) -> set[str]:
    return {f.says[:4] for f in examine(*args) if f.level != "well"}


def test_c14_doctor_looks_at_the_disk(study: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    free = shutil.disk_usage(study)._replace(free=10_000_000)
    monkeypatch.setattr(shutil, "disk_usage", lambda path: free)
    monkeypatch.setattr(doctor, "_file_system", lambda folder: "nfs4")
    monkeypatch.setattr(doctor, "_writable", lambda folder: False)
    assert {"C041", "C042", "C043"} <= doctor_codes(study)
    assert not {"C041", "C042", "C043"} & doctor_codes(None, "postgresql://nobody@127.0.0.1:1/x")


def test_c14_doctor_looks_at_what_is_installed(monkeypatch: pytest.MonkeyPatch) -> None:
    class Broken:
        name = "stranger"

        def load(self) -> None:
            raise ImportError("no module named stranger")

    monkeypatch.setattr(machine, "entry_points", lambda group: [Broken()])
    monkeypatch.setattr(machine, "find_spec", lambda package: None)
    monkeypatch.setattr(machine, "version", lambda package: "0.1")
    monkeypatch.setattr(webbrowser, "get", no_browser)
    assert {"C040", "C044", "C060", "C063"} <= doctor_codes()
    monkeypatch.undo()
    assert not {"C040", "C060"} & doctor_codes()


def no_browser() -> None:
    raise webbrowser.Error("none")


def test_c14_doctor_looks_at_the_port_and_the_clock(monkeypatch: pytest.MonkeyPatch) -> None:
    with socket.socket() as other:
        other.bind(("127.0.0.1", 0))
        other.listen()
        port = other.getsockname()[1]
        assert "C061" in doctor_codes(None, None, port)
    assert "C061" not in doctor_codes(None, None, port)
    monkeypatch.setattr(machine.time, "time", lambda: 1_000_000.0)
    assert "C064" in doctor_codes()


def test_studies_opened_together_share_a_database_and_have_their_own_names(
    study: Path, tmp_path: Path
) -> None:
    other, twin = tmp_path / "other", tmp_path / "below" / "tryout"
    assert run(["new", str(other)]) == run(["new", str(twin)]) == 0
    with opened_together([study, other], str(tmp_path / "all.db")) as found:
        assert [one.name for one in found] == ["tryout", "other"]
        assert found[0].store is found[1].store
    for paths, db, code in (([study, other], None, "C012"), ([study, twin], "all.db", "C013")):
        with pytest.raises(Problem) as raised, opened_together(paths, db):
            pass
        assert raised.value.code == code
