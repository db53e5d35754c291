"""The editor's schema says of a study what the models say."""

from __future__ import annotations

import json
from typing import Any

import pytest
from jsonschema import Draft202012Validator
from study_texts import whole
from test_fuzz import VALID

from rubrica.kinds.registry import kinds
from rubrica.study.schema import FILE, schema, schema_text
from rubrica.study.source import parse_yaml


@pytest.fixture(scope="module")
def validator() -> Draft202012Validator:
    Draft202012Validator.check_schema(schema())
    return Draft202012Validator(schema())


def parsed(text: str) -> Any:
    return parse_yaml(text.encode(), "f").data


def test_the_schema_that_is_shipped_is_current() -> None:
    assert FILE.read_text("utf-8") == schema_text(), "run `make docs`"


def test_a_study_with_everything_in_it_is_valid(validator: Draft202012Validator) -> None:
    assert [e.message for e in validator.iter_errors(VALID)] == []


@pytest.mark.parametrize("name", list(kinds()))
def test_the_example_of_every_kind_is_valid(validator: Draft202012Validator, name: str) -> None:
    study = parsed(whole("questions: {}"))
    study["questions"] = {"q": parsed(kinds()[name].example)}
    assert [e.message for e in validator.iter_errors(study)] == []


@pytest.mark.parametrize(
    "part",
    [
        "titel: x",
        "minutes: long",
        "title: {english: x}",
        "raters: {order: shuffeld}",
        "items: {from: a, show: [{txt: a}]}",
        "questions: {q: {kind: scael, ask: Q}}",
        "questions: {Q: {kind: text, ask: Q}}",
        "questions: {q: {kind: text, ask: Q, when: {foo: 1}}}",
        "questions: {q: {kind: text, ask: Q, when: {not: {item.a: {least: 1}}}}}",
    ],
)
def test_what_the_models_refuse_an_editor_marks(validator: Draft202012Validator, part: str) -> None:
    assert not validator.is_valid(parsed(whole(part)))


def test_every_key_is_explained() -> None:
    whole_schema = schema()
    for name, shape in [("Study", whole_schema), *whole_schema["$defs"].items()]:
        assert shape.get("description"), name
        for key, declared in shape.get("properties", {}).items():
            assert declared.get("description"), f"{name}.{key}"


def test_nothing_of_the_machinery_is_told() -> None:
    text = json.dumps(schema())
    assert '"title": "' not in text
    assert "null" not in text
