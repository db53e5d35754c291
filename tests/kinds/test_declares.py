"""Declarations that no type refuses and that still cannot work."""

from __future__ import annotations

from typing import Any

import pytest
from pydantic import ValidationError

from rubrica.kinds.registry import kind

LEVELS = {0: "Poor", 1: "Partial", 2: "Good"}
SCALE: dict[str, Any] = {"kind": "scale", "levels": LEVELS}
TYPES = {"omission": "Left out", "refusal": "Refused"}
FEW = {"answer.stops.count": {"less_than": 3}}


def declared(question: dict[str, Any]) -> list[tuple[str, str]]:
    of = kind(question["kind"])
    found = of.declares(of.question.model_validate({"ask": "?"} | question))
    return [(problem.code, problem.where.path) for problem in found]


@pytest.mark.parametrize(
    "question",
    [
        SCALE | {"implied": {"count": "failures", "levels": {0: 2, 1: 1, "more": 0}}},
        SCALE | {"implied": [{"when": FEW, "value": 2, "name": "no_plan"}, {"value": 0}]},
        {"kind": "choice", "options": {"Yes": "Yes", "No": "No"}, "implied": [{"value": "Yes"}]},
        {"kind": "failures", "types": TYPES, "severities": {"critical": "Critical"}},
        {"kind": "many", "options": TYPES},
        {"kind": "number", "at_least": 1, "at_most": 1},
        {"kind": "places", "marks": {"asked": "Asked for"}},
        {"kind": "each", "over": "goals", "answer": SCALE},
    ],
)
def test_sound_declarations_pass(question: dict[str, Any]) -> None:
    assert declared(question) == []


@pytest.mark.parametrize(
    ("question", "code", "path"),
    [
        ({"kind": "many", "options": {"count": "x"}}, "S200", "options.count"),
        ({"kind": "many", "options": {"a.b": "x"}}, "S200", "options.a.b"),
        ({"kind": "many", "options": {"state": "x"}}, "S200", "options.state"),
        ({"kind": "failures", "types": {"first": "x"}}, "S200", "types.first"),
        (
            {"kind": "failures", "types": {"critical": "x"}, "severities": {"critical": "x"}},
            "S200",
            "severities.critical",
        ),
        ({"kind": "places", "marks": {"listed": "x"}}, "S200", "marks.listed"),
        (SCALE | {"implied": [{"value": 3}]}, "S201", "implied"),
        (SCALE | {"implied": {"count": "f", "levels": {0: 2, "more": 3}}}, "S201", "implied"),
        (
            SCALE | {"implied": {"count": "f", "levels": {0: 2, 2: 0, "more": 0}}},
            "S202",
            "implied.levels",
        ),
        (SCALE | {"implied": {"count": "f", "levels": {0: 2, 1: 1}}}, "S202", "implied.levels"),
        (SCALE | {"implied": [{"when": FEW, "value": 2}]}, "S203", "implied.0.when"),
        (SCALE | {"implied": [{"value": 2}, {"when": FEW, "value": 1}]}, "S204", "implied.1"),
        ({"kind": "many", "options": TYPES, "at_least": 3}, "S205", "at_least"),
        ({"kind": "number", "at_least": 2, "at_most": 1}, "S205", "at_least"),
        ({"kind": "number", "at_least": 0.2, "at_most": 0.8, "whole": True}, "S205", "at_least"),
        (
            {"kind": "each", "over": "x", "answer": {"kind": "places", "ask": "?"}},
            "S206",
            "answer.kind",
        ),
        (
            {"kind": "each", "over": "x", "answer": {"kind": "each", "over": "x", "answer": SCALE}},
            "S206",
            "answer.kind",
        ),
        (
            {"kind": "each", "over": "x", "answer": SCALE | {"cannot_judge": True}},
            "S207",
            "answer.cannot_judge",
        ),
        (
            {"kind": "each", "over": "x", "answer": {"kind": "number", "at_least": 2, "at_most": 1}},
            "S205",
            "answer.at_least",
        ),
        (
            {"kind": "failures", "types": {"x": {"label": "x", "severity": "bad"}}},
            "S208",
            "types.x.severity",
        ),
    ],
)
def test_unsound_declarations_are_told(question: dict[str, Any], code: str, path: str) -> None:
    assert declared(question) == [(code, path)]


@pytest.mark.parametrize(
    ("answer", "kind_of_error", "path"),
    [
        ({}, "union_tag_not_found", ()),
        ({"kind": "scael"}, "union_tag_invalid", ()),
        ({"kind": ["scale"]}, "union_tag_invalid", ()),
        ("scale", "model_type", ()),
        ({"kind": "scale"}, "missing", ("levels",)),
        ({"kind": "scale", "levels": LEVELS, "levls": 1}, "extra_forbidden", ("levls",)),
    ],
)
def test_a_bad_inner_question_is_told_at_its_place(answer: Any, kind_of_error: str, path: Any) -> None:
    with pytest.raises(ValidationError) as caught:
        kind("each").question.model_validate(
            {"kind": "each", "ask": "?", "over": "x", "answer": answer}
        )
    errors = [(e["type"], e["loc"]) for e in caught.value.errors()]
    assert errors == [(kind_of_error, ("answer", *path))]


def test_a_bare_text_is_short_for_its_label() -> None:
    question = kind("scale").question.model_validate(
        {"kind": "scale", "ask": "?", "levels": {0: "Poor", 1: {"en": "Good", "zh": "好"}, 2: 5}}
    )
    assert [level.label for level in question.levels.values()] == [
        "Poor",
        {"en": "Good", "zh": "好"},
        "5",
    ]
