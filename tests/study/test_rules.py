"""Every rule of the study file is seen to find its fault, and to let the mended file pass."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
import yaml
from study_texts import whole

from rubrica.errors import RULES, Problem
from rubrica.study import source
from rubrica.study.load import examine

CASES: dict[str, dict[str, Any]] = {
    code: case
    for file in sorted(Path(__file__).with_name("cases").glob("*.yaml"))
    for code, case in yaml.load(file.read_text("utf-8"), Loader=yaml.BaseLoader).items()
}


def problems_of(folder: Path, case: dict[str, Any], which: str) -> tuple[Problem, ...]:
    for name, text in case.get("files", {}).items():
        (folder / name).parent.mkdir(exist_ok=True)
        (folder / name).write_text(text, "utf-8")
    text = case[which] if "whole" in case else whole(case[which])
    raw = bytes.fromhex(text[2:]) if text.startswith("0x") else text.encode()
    if not ("no_file" in case and which == "bad"):
        (folder / "study.yaml").write_bytes(raw)
    return examine(folder).problems


@pytest.mark.parametrize("code", sorted(CASES))
def test_a_rule_finds_its_fault(code: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    case = CASES[code]
    if "huge" in case:
        monkeypatch.setattr(source, "LARGEST", 50)
    found = [p for p in problems_of(tmp_path, case, "bad") if p.code == code.partition("/")[0]]
    assert found, f"{code} did not see it"
    line, _, path = case.get("at", "").partition(" ")
    where = found[0].where
    assert not line or f"{where.line}:{where.column}" == line
    assert not path or where.path == path
    assert found[0].nearest == case.get("nearest", found[0].nearest)


@pytest.mark.parametrize("code", sorted(CASES))
def test_a_rule_lets_the_mended_study_pass(code: str, tmp_path: Path) -> None:
    case = CASES[code]
    problems = problems_of(tmp_path, case, "good")
    assert not [p for p in problems if p.code == code.partition("/")[0]]
    if "whole" not in case:
        assert not problems, "\n".join(map(str, problems))


def test_every_rule_has_a_case() -> None:
    mine = {code for code in RULES if code.startswith("S") and int(code[1:]) < 200}
    elsewhere = {"S017", "S021"}  # these need a stranger's part: test_words.py, test_registry.py
    assert mine - elsewhere <= set(CASES)
    assert {code.partition("/")[0] for code in CASES} <= set(RULES)


@pytest.mark.parametrize("code", sorted(c for c in RULES if c.startswith("S")))
def test_a_rule_is_told_in_full(code: str, tmp_path: Path) -> None:
    rule = RULES[code]
    for text in (rule.title, rule.says, rule.why, rule.mend):
        assert text
        assert not text.startswith(" ")
    assert not rule.title.endswith(".")
    assert rule.why.endswith(".")
    assert rule.mend.endswith(".")
