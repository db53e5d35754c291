"""Study files made of the part a test is about and a plain rest."""

from __future__ import annotations

import re
from pathlib import Path
from tempfile import TemporaryDirectory

from rubrica.errors import Problem
from rubrica.study.load import examine

BASE = {
    "rubrica": "rubrica: 1",
    "title": "title: Answers",
    "items": "items: {from: items.jsonl, show: [{text: answer}]}",
    "questions": "questions:\n good: {kind: scale, ask: Good?, levels: {0: Poor, 1: Fair, 2: Good}}",
}


def whole(part: str = "") -> str:
    """A part of a study file with the rest of a plain study below it."""
    written = set(re.findall(r"^(\w+):", part, re.MULTILINE))
    return "\n".join([part.rstrip("\n"), *(v for k, v in BASE.items() if k not in written)]) + "\n"


def problems(part: str) -> tuple[Problem, ...]:
    with TemporaryDirectory() as folder:
        Path(folder, "study.yaml").write_text(whole(part), encoding="utf-8")
        return examine(folder).problems
