"""Each rule about answers is seen to fail, at its place, and to pass."""

from __future__ import annotations

from typing import Any

import pytest

from rubrica.kinds.contract import Entry
from rubrica.kinds.registry import kind

QUESTIONS: dict[str, dict[str, Any]] = {
    "scale": {"levels": {1: "Poor", 2: "Good"}},
    "choice": {"options": {"Yes": "Yes", "No": "No"}},
    "text": {"longest": 5},
    "number": {"at_least": 0, "at_most": 10, "whole": True},
    "many": {"options": {"blurry": "Blurry", "dark": "Dark", "cropped": "Cropped"}, "at_most": 2},
    "each": {
        "over": "goals",
        "answer": {"kind": "scale", "levels": {0: "No", 1: "Yes"}},
        "dropped": True,
    },
    "places": {"marks": {"asked": "Asked for", "dropped": "Dropped"}, "at_most": 2},
    "failures": {
        "over": "turns",
        "whole": False,
        "severities": {"critical": "Critical", "moderate": "Moderate"},
        "types": {
            "omission": "Omission",
            "overload": {"label": "Too much", "severity": "moderate"},
            "windows": {"label": "Windows", "severity": ["moderate", "critical"]},
        },
    },
}
ENTRIES = [Entry("one"), Entry("two")]


def problems(name: str, value: Any) -> list[tuple[str, str]]:
    of = kind(name)
    question = of.question.model_validate({"kind": name, "ask": "?"} | QUESTIONS[name])
    return [(p.code, p.where.path) for p in of.check(question, value, ENTRIES)]


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("scale", 1),
        ("scale", 2.0),
        ("choice", "No"),
        ("text", "short"),
        ("number", 10),
        ("many", ["dark", "blurry"]),
        ("each", [{"value": 1}, {"value": 0, "dropped": 3}]),
        ("places", []),
        ("places", [{"name": "the bank", "mark": "asked"}]),
        ("failures", []),
        ("failures", [{"type": "omission", "part": 2, "note": "no parking"}]),
        ("failures", [{"type": "windows", "part": 1, "severity": "critical"}]),
    ],
)
def test_good_answers_pass(name: str, value: Any) -> None:
    assert problems(name, value) == []


@pytest.mark.parametrize(
    ("name", "value", "code", "path"),
    [
        ("scale", 3, "A001", ""),
        ("scale", True, "A002", ""),
        ("scale", 1.5, "A002", ""),
        ("scale", "1", "A002", ""),
        ("choice", "yes", "A001", ""),
        ("choice", 1, "A002", ""),
        ("text", "longer", "A030", ""),
        ("text", " \n", "A031", ""),
        ("text", ["short"], "A002", ""),
        ("number", 11, "A005", ""),
        ("number", 2.5, "A002", ""),
        ("number", float("inf"), "A002", ""),
        ("number", "2", "A002", ""),
        ("many", [], "A004", ""),
        ("many", ["dark", "blurry", "cropped"], "A004", ""),
        ("many", ["dark", "dark"], "A004", ""),
        ("many", ["drak"], "A001", "[0]"),
        ("many", "dark", "A002", ""),
        ("each", [{"value": 1}], "A004", ""),
        ("each", [{"value": 1}, {"value": 2}], "A001", "[1].value"),
        ("each", [{"value": 1}, {}], "A003", "[1]"),
        ("each", [{"value": 1}, {"value": 1, "dropped": 0}], "A005", "[1].dropped"),
        ("each", [{"value": 1}, {"value": 1, "dropped": True}], "A002", "[1].dropped"),
        ("each", {"value": 1}, "A002", ""),
        ("places", [{"name": "x", "mark": "asked"}] * 3, "A004", ""),
        ("places", [{"name": " ", "mark": "asked"}], "A031", "[0].name"),
        ("places", [{"name": "x" * 201, "mark": "asked"}], "A030", "[0].name"),
        ("places", [{"name": "x", "mark": "apart"}], "A001", "[0].mark"),
        ("places", [{"name": "x"}], "A003", "[0]"),
        ("places", ["x"], "A002", "[0]"),
        ("failures", None, "A002", ""),
        ("failures", [{"part": 1}], "A003", "[0]"),
        ("failures", [{"type": "ommission", "part": 1}], "A001", "[0].type"),
        ("failures", [{"type": "omission"}], "A003", "[0]"),
        ("failures", [{"type": "omission", "part": 3}], "A005", "[0].part"),
        ("failures", [{"type": "omission", "part": 1, "severity": "critical"}], "A003", "[0]"),
        ("failures", [{"type": "overload", "part": 1, "severity": "critical"}], "A001", "[0].severity"),
        ("failures", [{"type": "windows", "part": 1}], "A003", "[0]"),
        ("failures", [{"type": "omission", "part": 1, "note": ""}], "A031", "[0].note"),
    ],
)
def test_bad_answers_are_told_at_their_place(name: str, value: Any, code: str, path: str) -> None:
    assert problems(name, value) == [(code, path)]


def test_the_nearest_right_name_is_given() -> None:
    of = kind("many")
    question = of.question.model_validate({"kind": "many", "ask": "?"} | QUESTIONS["many"])
    (problem,) = of.check(question, ["drak"])
    assert problem.nearest == "dark"
    assert "'drak' is not among the answers" in str(problem)
