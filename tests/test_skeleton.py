"""From a study file to an export, the whole way through, on a SQLite file."""

from __future__ import annotations

import json
from pathlib import Path

from rubrica.cli import run

STUDY = """\
rubrica: 1
title: Skeleton
items:
  from: items.jsonl
  key: id
  show: [{text: answer}]
questions:
  correct: {kind: scale, ask: "How correct?", levels: {1: Wrong, 2: Mixed, 3: Right}}
  helps: {kind: choice, ask: "Does it help?", options: {Yes: Yes, No: No}}
  note: {kind: text, ask: "Why?", required: false}
"""


def test_check_load_simulate_export(tmp_path: Path) -> None:
    folder = tmp_path / "skeleton"
    folder.mkdir()
    (folder / "study.yaml").write_text(STUDY, encoding="utf-8")
    lines = [json.dumps({"id": n, "answer": f"Answer {n}"}) + "\n" for n in range(3)]
    (folder / "items.jsonl").write_text("".join(lines), encoding="utf-8")

    assert run(["check", str(folder)]) == 0
    assert run(["load", str(folder)]) == 0
    assert run(["simulate", str(folder), "--raters", "2", "--skips", "0"]) == 0
    to = tmp_path / "out.jsonl"
    assert run(["export", str(folder), "--to", str(to)]) == 0

    rows = [json.loads(line) for line in to.read_text(encoding="utf-8").splitlines()]
    assert len(rows) == 2 * 3
    assert {row["item"] for row in rows} == {"0", "1", "2"}
    assert {row["rater"] for row in rows} == {1, 2}
    assert all(row["correct"] in (1, 2, 3) for row in rows)
    assert (folder / "rubrica.db").exists()
