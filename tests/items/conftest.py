"""A tiny study over files the test writes."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from item_studies import QUESTION, MakeStudy

from rubrica.study.load import LoadedStudy, load_study


@pytest.fixture
def make(tmp_path: Path) -> MakeStudy:
    """`make(show=[...], files={"a.jsonl": b"..."})`: the study's folder and its study, loaded."""

    def build(
        files: dict[str, bytes] | None = None,
        questions: dict[str, Any] | None = None,
        top: dict[str, Any] | None = None,
        **items: Any,
    ) -> LoadedStudy:
        for name, data in (files or {}).items():
            path = tmp_path / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(data)
        declared = {"from": "data.jsonl", "show": [{"text": "text"}], **items}
        asked = questions or {"overall": QUESTION}
        whole = {"rubrica": 1, "title": "A study", "items": declared, "questions": asked, **(top or {})}
        (tmp_path / "study.yaml").write_text(json.dumps(whole), encoding="utf-8")
        return load_study(tmp_path)

    return build
