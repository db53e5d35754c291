"""`rubrica account`, and what `rubrica serve` says before anybody has one."""

from __future__ import annotations

import io
import json
from pathlib import Path
from typing import Any

import pytest

from rubrica.cli import run

pytestmark = pytest.mark.usefixtures("quick_hashes")


@pytest.fixture
def study(tmp_path: Path) -> Path:
    assert run(["new", str(tmp_path / "tryout"), "--json"]) == 0
    return tmp_path / "tryout"


def told(capsys: pytest.CaptureFixture[str], *args: object) -> Any:
    capsys.readouterr()
    run([*map(str, args), "--json"])
    return json.loads(capsys.readouterr().out)


def add(monkeypatch: pytest.MonkeyPatch, *args: object) -> int:
    monkeypatch.setattr("sys.stdin", io.StringIO("five quiet words in a row\n"))
    return run(["account", "add", *map(str, args), "--password-stdin"])


def test_nothing_listens_for_others_before_somebody_has_an_account(
    study: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["serve", str(study), "--host", "0.0.0.0", "--port", "0"]) == 1
    said = capsys.readouterr().err
    assert "W120" in said
    assert "rubrica account add NAME" in said


def test_an_account_is_added_listed_changed_and_closed(
    study: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    assert add(monkeypatch, "olga", "--study", study) == 0
    assert add(monkeypatch, "rita", "--study", study, "--role", "reviewer", "--only") == 0
    listed = told(capsys, "account", "list", "--study", study)
    assert [p["roles"] for p in listed] == [{"": "owner"}, {"tryout": "reviewer"}]
    assert all(p["has_password"] and "password" not in p for p in listed)
    changed = ["account", "role", "rita", "--study", study, "--only", "--role", "coordinator"]
    assert told(capsys, *changed)["roles"] == {"tryout": "coordinator"}
    link = told(capsys, "account", "link", "rita", "--study", study, "--url", "https://desk.example/")
    assert link["link"].startswith("https://desk.example/desk/enter#")
    assert told(capsys, "account", "disable", "rita", "--study", study)["state"] == "disabled"
    assert told(capsys, "account", "enable", "rita", "--study", study)["state"] == "active"


def test_what_is_wrong_with_an_account_is_said(
    study: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("RUBRICA_DB", raising=False)
    assert told(capsys, "account", "list")["problems"][0]["code"] == "C050"
    for args in (["add"], ["link"], ["link", "nobody"], ["add", "eve", "--role", "none"]):
        problems = told(capsys, "account", *args, "--study", study)["problems"]
        assert problems[0]["code"] == "C051"
    monkeypatch.setattr("sys.stdin", io.StringIO("short\n"))
    short = told(capsys, "account", "add", "eve", "--study", study, "--password-stdin")
    assert short["problems"][0]["code"] == "W100"
    assert run(["account", "dance", "--study", str(study)]) == 2


def test_a_password_is_not_asked_for_without_a_terminal(
    study: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sys.stdin", io.StringIO("five quiet words in a row\n"))
    problem = told(capsys, "account", "add", "eve", "--study", study)["problems"][0]
    assert (problem["code"], "--password-stdin" in problem["mend"]) == ("C052", True)
    assert not list(study.glob("rubrica.db*"))
