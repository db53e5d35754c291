"""A small study whose ratings were made with another tool."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from rubrica.cli import run

STUDY = """\
rubrica: 1
title: Answers
items:
  from: items.jsonl
  key: id
  show: [{text: answer, label: Answer}]
questions:
  quality:
    kind: scale
    ask: How good?
    levels: {1: Bad, 2: Fair, 3: Good}
  tone:
    kind: choice
    ask: Is it polite?
    options: {Polite: Polite, Rude: Rude}
    cannot_judge: true
  faults:
    kind: many
    ask: What is wrong?
    options: {False: It is false, Long: It is long}
    required: false
  comment: {kind: text, ask: Anything else?, required: false}
raters: {per_item: all}
"""


def answers_study(folder: Path) -> Path:
    study = folder / "answers"
    study.mkdir()
    (study / "study.yaml").write_text(STUDY, encoding="utf-8")
    lines = [json.dumps({"id": f"a{n}", "answer": f"Answer {n}."}) for n in (1, 2, 3)]
    (study / "items.jsonl").write_text("\n".join(lines), encoding="utf-8")
    return study


def exported(study: Path) -> list[dict[str, Any]]:
    """Its ratings, by item and rater."""
    to = study / "out.jsonl"
    assert run(["export", str(study), "--to", str(to)]) == 0
    rows = [json.loads(line) for line in to.read_text("utf-8").splitlines()]
    return sorted(rows, key=lambda row: (row["item"], row["rater"]))
