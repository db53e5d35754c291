"""M12: files filled by hand, and what they say of the judges."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from own_files import Ran, filled_in, sample, write_lines

from rubrica.cli import run


def study_of(folder: Path, ran: Ran, *lines: dict[str, Any]) -> Path:
    ran("new", folder / "s", "--like", "m3bench", "--data", write_lines(folder / "in.jsonl", lines))
    return folder / "s"


def statistic(result: Any, judge: str, name: str, group: str | None = None) -> Any:
    return next(
        s
        for s in result["judges"]
        if (s["judge"], s["statistic"], s["group"]) == (judge, name, group)
        and s["question"] == "overall_quality"
    )


def test_m12_each_line_says_what_is_wrong_with_it(tmp_path: Path, ran: Ran) -> None:
    lines = [
        sample(turn, action_type="mislead" if turn % 2 else "guidance", task="k") for turn in range(10)
    ]
    study = study_of(tmp_path, ran, *lines)
    told = [
        filled_in(lines[0]),
        filled_in(lines[1], correctness=None, resists_misleading="Yes", context_consistency="No"),
        filled_in(lines[2], overall_quality=6, context_consistency="Yes"),
        filled_in(lines[3], resists_misleading="yes", context_consistency="Yes"),
        filled_in(lines[4], resists_misleading="Yes", context_consistency="Yes"),
        filled_in(lines[5], resists_misleading="No", context_consistency="Yes", overall_quality=1),
        filled_in(lines[6]),
        filled_in(lines[7], resist_misleading="Yes"),
        {**lines[8], "human_annotation": "good"},
        lines[9],
    ]
    result = ran("validate", study, write_lines(tmp_path / "results.jsonl", told), code=1)
    met = Counter((p["where"]["line"], p["code"], p["level"]) for p in result["problems"])
    assert (2, "X026", "error") in met, "correctness is missing"
    assert met[3, "A001", "error"] or [k for k in met if k[0] == 3 and k[2] == "error"]
    assert [k for k in met if k[0] == 4 and k[2] == "error"], "yes for Yes"
    assert (5, "X019", "warning") in met, "null was due"
    assert (6, "X090", "warning") in met, "overall out of line, and an edge without a comment"
    assert (7, "X091", "note") in met, "null where the question applies"
    assert (8, "X021", "error") in met
    assert (9, "X020", "error") in met
    assert {line for line, _, _ in met} == {2, 3, 4, 5, 6, 7, 8, 9}
    yes = next(p for p in result["problems"] if p["where"]["line"] == 4)
    assert "Yes" in (yes["nearest"] or yes["expected"])
    assert (result["read"], result["matched"], result["unfilled"]) == (7, 4, 1)
    assert not (study / "rubrica.db").exists(), "nothing is imported"


def test_m12_judges_are_compared_with_the_turn_they_speak_of(tmp_path: Path, ran: Ran) -> None:
    """Old lines assess the answer before; one whose next turn was not sampled has no score."""
    confidence = [0.5, 0.1, 0.3, 0.5, 0.7, 0.9]
    lines = [
        sample(turn, auto_evaluation={"confidence": c})
        for turn, c in zip((0, 1, 2, 3, 5, 6), confidence, strict=True)
    ]
    study = study_of(tmp_path, ran, *lines)
    told = [
        filled_in(
            line, overall_quality=level, context_consistency="Yes" if turn else None, comments="x"
        )
        for turn, (line, level) in enumerate(zip(lines, (1, 2, 3, 5, 4, 5), strict=True))
    ]
    result = ran("validate", study, write_lines(tmp_path / "results.jsonl", told))
    assert statistic(result, "confidence", "pearson")["n"] == 4
    assert statistic(result, "confidence", "pearson")["missing"] == 2
    own = statistic(result, "original_tool", "pearson")
    assert (own["n"], own["missing"]) == (6, 0)
    assert "previous" in own["note"] or "before" in own["note"]


def test_m12_scores_of_newer_logs_are_compared_with_their_own_answer(tmp_path: Path, ran: Ran) -> None:
    """Human = (level - 1) / 4; mismatches above 0.4 by size and by action; correctness too."""
    scores = [(1, 0.0), (2, 0.9), (3, 0.5), (4, 0.2), (5, 1.0), (5, None)]
    lines = [
        sample(
            turn,
            auto_evaluation=None if s is None else {"score": s, "correctness": s},
            action_type="follow_up" if turn == 3 else "guidance",
        )
        for turn, (_, s) in enumerate(scores)
    ]
    study = study_of(tmp_path, ran, *lines)
    told = [
        filled_in(
            line, correctness=level, overall_quality=level, comments="x", context_consistency="Yes"
        )
        for line, (level, _) in zip(lines, scores, strict=True)
    ]
    told[0]["human_annotation"]["context_consistency"] = None
    result = ran("validate", study, write_lines(tmp_path / "results.jsonl", told))
    pearson = statistic(result, "quality", "pearson")
    assert (pearson["n"], pearson["missing"]) == (5, 1)
    human, judge = [0.0, 0.25, 0.5, 0.75, 1.0], [0.0, 0.9, 0.5, 0.2, 1.0]
    mh, mj = sum(human) / 5, sum(judge) / 5
    top = sum((h - mh) * (j - mj) for h, j in zip(human, judge, strict=True))
    bottom = sum((h - mh) ** 2 for h in human) * sum((j - mj) ** 2 for j in judge)
    assert pearson["value"] == pytest.approx(top / bottom**0.5)
    sizes = [m["size"] for m in result["mismatches"] if m["question"] == "overall_quality"]
    assert sizes == pytest.approx([0.65, 0.55])
    groups = [g for g in result["mismatches_by_group"] if g["question"] == "correctness"]
    assert {(g["value"], g["mismatches"]) for g in groups} == {("guidance", 1), ("follow_up", 1)}


def test_m12_the_original_tools_figures(shared_data: Path, tmp_path: Path, ran: Ran) -> None:
    file = shared_data / "m3bench" / "annotation_results_demo.jsonl"
    ran("new", tmp_path / "s", "--like", "m3bench", "--data", file)
    result = ran("validate", tmp_path / "s", file)
    assert (result["matched"], result["read"]) == (5, 32)
    assert (result["errors"], result["warnings"], result["notes"]) == (0, 0, 4)
    pearson = statistic(result, "original_tool", "pearson")
    assert (round(pearson["value"], 3), round(pearson["p"], 3)) == (-0.786, 0.115)
    assert round(statistic(result, "original_tool", "spearman")["value"], 3) == -0.649
    assert "validates nothing" in pearson["note"]
    assert statistic(result, "confidence", "pearson")["value"] is None


def test_m12_a_person_reads_it_too(
    tmp_path: Path, ran: Ran, capsys: pytest.CaptureFixture[str]
) -> None:
    lines = [sample(turn, auto_evaluation={"score": 0.2 * turn}) for turn in range(5)]
    study = study_of(tmp_path, ran, *lines)
    told = [filled_in(line, overall_quality=turn + 1) for turn, line in enumerate(lines)]
    assert run(["validate", str(study), str(write_lines(tmp_path / "r.jsonl", told))]) == 0
    text = capsys.readouterr().out
    assert "quality against overall_quality: 5 compared" in text
    assert "pearson = 1.000" in text
    assert "this line of the checklist is not met: Edge cases have a comment." in text


def test_m12_what_is_no_results_file_is_said(tmp_path: Path, ran: Ran) -> None:
    study = study_of(tmp_path, ran, sample())
    (tmp_path / "notes.txt").write_text("good", encoding="utf-8")
    assert ran("validate", study, tmp_path / "notes.txt", code=1)["problems"][0]["code"] == "X010"
    assert ran("validate", study, tmp_path / "gone.jsonl", code=1)["problems"][0]["code"] == "X011"
    other = write_lines(tmp_path / "other.jsonl", [filled_in(sample(task="another"))])
    assert ran("validate", study, other, code=1)["problems"][0]["code"] == "X013"
