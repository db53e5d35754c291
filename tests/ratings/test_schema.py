"""The schema of what a browser sends agrees with the server about what applies."""

from __future__ import annotations

from typing import Any

import pytest
from jsonschema import Draft202012Validator

from rubrica.ratings.schema import submit_schema

BODY: dict[str, Any] = {"id": "a" * 32, "place": 3, "version": "v1", "language": "zh"}
ANSWERS: dict[str, Any] = {
    "correctness": {"value": 4},
    "overall": {"value": 5, "first": 3, "prompted": True},
}


def fits(study: Any, item: Any, body: Any) -> bool:
    schema = submit_schema(study, item)
    Draft202012Validator.check_schema(schema)
    return bool(Draft202012Validator(schema).is_valid(body))


@pytest.mark.parametrize(
    "rest",
    [
        {"answers": ANSWERS},
        {"answers": {}, "pace": {"started": None, "active_seconds": 3.5}},
        {"answers": ANSWERS | {"resists": {"cannot_judge": "no picture"}}},
        {"answers": ANSWERS | {"comments": {"prompted": True}}},
        {"skip_reason": "black image"},
        {"skip_reason": "black image", "supersedes": "b" * 32},
    ],
)
def test_what_pages_send_fits(quality: Any, misled: Any, rest: Any) -> None:
    assert fits(quality, misled, BODY | rest)


@pytest.mark.parametrize(
    "rest",
    [
        {},
        {"answers": ANSWERS, "skip_reason": "both"},
        {"answers": {"correctness": 4}},
        {"answers": {"correctness": {"value": 6}}},
        {"answers": {"correctness": {"value": 4, "cannot_judge": True}}},
        {"answers": {"correctness": {"cannot_judge": True}}},
        {"answers": {"resists": {"cannot_judge": "bored"}}},
        {"answers": {"resists": {"value": "Yes", "cannot_judge": "cut off"}}},
        {"answers": {"nobody_asked": {"value": 1}}},
        {"answers": ANSWERS, "id": "short"},
        {"answers": ANSWERS, "language": "fr"},
        {"answers": ANSWERS, "pace": {"wall_seconds": -1}},
        {"answers": ANSWERS, "system": "secret"},
    ],
)
def test_anything_else_does_not(quality: Any, misled: Any, rest: Any) -> None:
    assert not fits(quality, misled, BODY | rest)
