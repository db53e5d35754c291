"""What every kind promises, tried on questions and values of all sorts."""

from __future__ import annotations

import json
from random import Random
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from jsonschema import Draft202012Validator
from kind_values import ANYTHING, ENTRIES, KINDS, ROBOTS, fitting, nearly, questions

from rubrica.kinds.contract import RESERVED, Entry, Robot
from rubrica.kinds.registry import kind, kinds
from rubrica.study.source import parse_yaml

EVERY = pytest.mark.parametrize("name", sorted(KINDS))
quick = settings(max_examples=40, deadline=None, suppress_health_check=list(HealthCheck))


def test_all_registered_kinds_are_tried() -> None:
    assert sorted(KINDS) == sorted(kinds())


@EVERY
@quick
@given(data=st.data())
def test_schema_and_check_agree(name: str, data: st.DataObject) -> None:
    question, entries = data.draw(questions(name)), data.draw(ENTRIES)
    schema = kind(name).schema(question, entries)
    Draft202012Validator.check_schema(schema)
    values = fitting(schema)
    value = data.draw(values | nearly(values) | nearly(nearly(values)) | ANYTHING)
    problems = list(kind(name).check(question, value, entries))
    assert Draft202012Validator(schema).is_valid(value) == (not problems), problems
    for problem in problems:
        assert problem.level == "error"
        assert str(problem)


@EVERY
@quick
@given(data=st.data())
def test_a_checked_value_has_one_form(name: str, data: st.DataObject) -> None:
    question, entries = data.draw(questions(name)), data.draw(ENTRIES)
    value = data.draw(fitting(kind(name).schema(question, entries)))
    if list(kind(name).check(question, value, entries)):
        return
    stored = kind(name).clean(question, value, entries)
    assert not list(kind(name).check(question, stored, entries))
    assert kind(name).clean(question, stored, entries) == stored
    assert json.loads(json.dumps(stored)) == stored


@EVERY
@quick
@given(data=st.data())
def test_robots_answer_as_raters_could(name: str, data: st.DataObject) -> None:
    question, entries = data.draw(questions(name)), data.draw(ENTRIES)
    value = kind(name).robot(question, data.draw(ROBOTS), entries)
    assert not list(kind(name).check(question, value, entries))
    assert Draft202012Validator(kind(name).schema(question, entries)).is_valid(value)
    assert kind(name).clean(question, value, entries) == value


@EVERY
@quick
@given(data=st.data())
def test_what_is_derived_is_what_was_declared(name: str, data: st.DataObject) -> None:
    of, question, entries = kind(name), data.draw(questions(name)), data.draw(ENTRIES)
    value = of.robot(question, data.draw(ROBOTS), entries)
    columns = [column.name for column in of.columns(question)]
    assert columns[0] == ""
    assert len(set(columns)) == len(columns)
    assert not RESERVED & set(columns)
    assert set(of.cells(question, value, entries)) == set(columns)
    assert set(of.cells(question, value)) == set(columns)
    measures = of.measure(question, value)
    assert set(measures) <= set(of.measures(question))
    assert all(isinstance(number, int | float) for number in measures.values())
    assert measures.get("fraction") == of.fraction(question, value)
    assert set(of.shares(question)) <= set(of.measures(question))
    assert all(0 <= measures[share] <= 1 for share in of.shares(question) if share in measures)


@EVERY
@quick
@given(data=st.data())
def test_cells_have_the_type_of_their_column(name: str, data: st.DataObject) -> None:
    of, question, entries = kind(name), data.draw(questions(name)), data.draw(ENTRIES)
    cells = of.cells(question, of.robot(question, data.draw(ROBOTS), entries), entries)
    types = {"integer": int, "number": int | float, "text": str, "boolean": bool, "json": object}
    for column in of.columns(question):
        cell = cells[column.name]
        assert cell is None or isinstance(cell, types[column.type])
        assert json.dumps(cell)


@EVERY
@quick
@given(data=st.data())
def test_page_data_is_plain_data(name: str, data: st.DataObject) -> None:
    question = data.draw(questions(name))
    assert json.dumps(kind(name).page_data(question, ("en", "zh")))


@EVERY
def test_the_example_is_a_sound_question(name: str) -> None:
    source = parse_yaml(kind(name).example.encode(), "example.yaml")
    question = kind(name).question.model_validate(source.data)
    assert question.kind == name
    assert not list(kind(name).declares(question))
    assert kind(name).says.endswith(".")


@EVERY
def test_better_items_get_better_answers(name: str) -> None:
    """A robot without noise or bias ranks a good item above a bad one, where the kind has a rank."""
    of, entries = kind(name), [Entry("one"), Entry("two")]
    declared: dict[str, Any] = {"number": {"at_least": 0, "at_most": 9, "better": "low"}}
    source = parse_yaml(of.example.encode(), "example.yaml").data
    question = of.question.model_validate(source | declared.get(name, {}))
    if "fraction" not in of.measures(question):
        return
    good, bad = (of.robot(question, Robot(Random(1), 1, 0, truth), entries) for truth in (1, 0))
    assert of.fraction(question, good) == 1
    assert of.fraction(question, bad) == 0
