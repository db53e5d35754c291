"""What tests of items share."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

from rubrica.study.load import LoadedStudy

QUESTION = {"kind": "scale", "ask": "How good?", "levels": {1: "bad", 2: "good"}}

MakeStudy = Callable[..., LoadedStudy]


def jsonl(*records: Any) -> bytes:
    return b"".join(json.dumps(record).encode() + b"\n" for record in records)
