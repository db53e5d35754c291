"""The reference semantics of rules, as cases that the server and the page's mirror both pass."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator
from rating_studies import make_item, make_study

from rubrica.kinds.registry import kind
from rubrica.ratings.accept import Deciding
from rubrica.ratings.model import Answer
from rubrica.ratings.page import page_rules
from rubrica.ratings.schema import answers_schema
from rubrica.study.model import Study

FILE = Path(__file__).parent / "rules_cases.json"
TABLE: dict[str, Any] = json.loads(FILE.read_text(encoding="utf-8"))
CASES = [pytest.param(case, id=case["name"]) for case in TABLE["cases"]]


def study_of(case: dict[str, Any]) -> Study:
    declared = TABLE["studies"][case["study"]]
    return make_study(declared["questions"], declared["score"])


def deciding(case: dict[str, Any]) -> Deciding:
    item = case["item"]
    made = make_item(item["facts"], item["turn"], **item.get("entries", {}))
    return Deciding(study_of(case), made, case["replies"])


def kinds_of(study: Study) -> dict[str, Any]:
    languages = tuple(study.languages)
    return {
        name: {"kind": q.kind, "data": kind(q.kind).page_data(q, languages)}
        for name, q in study.questions.items()
    }


def filled() -> str:
    """The table with what the server sends to the page for each case."""
    for study in TABLE["studies"].values():
        study["kinds"] = kinds_of(make_study(study["questions"], study["score"]))
    for case in TABLE["cases"]:
        case["rules"] = page_rules(study_of(case), deciding(case).item)
    return "{\n" + ",\n".join(_lines()) + "\n}\n"


def _lines() -> Iterator[str]:
    """One line per study and case, so that a change shows where it is."""
    yield '"about": ' + json.dumps(TABLE["about"])
    studies = [f"{json.dumps(n)}: {_compact(study)}" for n, study in TABLE["studies"].items()]
    yield '"studies": {\n' + ",\n".join(studies) + "\n}"
    yield '"cases": [\n' + ",\n".join(_compact(case) for case in TABLE["cases"]) + "\n]"


def _compact(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


@pytest.mark.parametrize("case", CASES)
def test_the_server_passes(case: dict[str, Any]) -> None:
    found, expect = deciding(case), case["expect"]
    answers = {name: found.answer(name) or Answer("left_out") for name in found.study.questions}
    for name, state in expect.get("states", {}).items():
        assert (name, answers[name].state) == (name, state)
    if "values" in expect:
        values = {name: a.value for name, a in answers.items() if a.state == "answered"}
        assert values == expect["values"]
    for name, level in expect.get("implied", {}).items():
        implied = found.implied(name)
        assert (implied and [implied.value, implied.name]) == level
    for name, due in expect.get("second_look", {}).items():
        assert (name, found.second_look(name, answers[name]).second_look) == (name, due)
    for name, score in expect.get("scores", {}).items():
        assert found.facts(f"score.{name}") == score


@pytest.mark.parametrize("case", CASES)
def test_the_replies_are_as_a_browser_sends_them(case: dict[str, Any]) -> None:
    found = deciding(case)
    schema = answers_schema(found.study, found.item)
    Draft202012Validator(schema).validate(case["replies"])


def test_the_table_carries_what_the_page_gets() -> None:
    assert FILE.read_text(encoding="utf-8") == filled(), f"run {Path(__file__).name} as a program"


if __name__ == "__main__":
    sys.exit(FILE.write_text(filled(), encoding="utf-8") < 0)
