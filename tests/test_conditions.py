"""Conditions: facts and what they must be, decided and settled."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import TypeAdapter

from rubrica.conditions import Condition, facts_of, holds, settle

read: TypeAdapter[Any] = TypeAdapter(Condition)


def decided(condition: dict[str, Any], **facts: Any) -> bool:
    known = {name.replace("_", ".", 1): value for name, value in facts.items()}
    return holds(read.validate_python(condition), known.get)


@pytest.mark.parametrize(
    ("condition", "value", "holds_then"),
    [
        ("mislead", "mislead", True),
        ("mislead", "other", False),
        ("mislead", None, False),
        (["a", "b"], "b", True),
        (["a", "b"], "c", False),
        ([], "c", False),
        (1, 1, True),
        (1, "1", True),
        ("1", 1, True),
        (1, 1.0, True),
        (True, True, True),
        (True, 1, False),
        (1, True, False),
        (True, "True", False),
        ({"at_least": 2}, 2, True),
        ({"at_least": 2}, 1.9, False),
        ({"at_most": 2}, 2, True),
        ({"more_than": 2}, 2, False),
        ({"less_than": 2}, 2, False),
        ({"at_least": 1, "at_most": 2}, 3, False),
        ({"at_least": 1}, "5", False),
        ({"at_least": 0}, True, False),
        ({"at_least": 0}, None, False),
        ({"is_not": "a"}, "b", True),
        ({"is_not": ["a", "b"]}, "b", False),
        ({"is_not": "a"}, None, False),
        ({"answered": True}, 0, True),
        ({"answered": True}, None, False),
        ({"answered": False}, None, True),
        ({"answered": False}, "", False),
    ],
)
def test_a_fact_is_tested(condition: Any, value: Any, holds_then: bool) -> None:
    assert decided({"item.x": condition}, item_x=value) is holds_then


def test_several_facts_must_all_hold() -> None:
    assert decided({"item.a": 1, "item.b": 2}, item_a=1, item_b=2)
    assert not decided({"item.a": 1, "item.b": 2}, item_a=1, item_b=3)


def test_all_any_and_not_combine() -> None:
    condition = {"any": [{"item.a": 1}, {"all": [{"item.b": 2}, {"not": {"item.c": 3}}]}]}
    assert decided(condition, item_a=1)
    assert decided(condition, item_b=2, item_c=4)
    assert not decided(condition, item_b=2, item_c=3)


def test_all_facts_are_named() -> None:
    condition = {"any": [{"item.a": 1, "answer.q": 2}, {"not": {"score.s.pass": 0}}]}
    named = list(facts_of(read.validate_python(condition)))
    assert named == ["item.a", "answer.q", "score.s.pass"]


def test_settling_leaves_what_is_not_known_and_nothing_of_what_is() -> None:
    condition = read.validate_python(
        {
            "all": [
                {"item.action": "mislead"},
                {"answer.q": {"at_most": 2}},
                {"not": {"answer.r": "Yes"}},
            ]
        }
    )
    left = settle(condition, {"item.action": "mislead"})
    assert left == {
        "all": [{"all": [{"answer.q": {"at_most": 2}}]}, {"not": {"all": [{"answer.r": "Yes"}]}}]
    }
    assert settle(condition, {"item.action": "other"}) is False


LEAVES = st.sampled_from(["item.a", "item.b", "answer.a", "answer.b"])
TESTS = st.sampled_from([0, 1, "x", [0, 1], {"at_least": 1}, {"is_not": 1}, {"answered": False}])
CONDITIONS = st.recursive(
    st.dictionaries(LEAVES, TESTS, min_size=1, max_size=2),
    lambda inner: (
        st.lists(inner, min_size=1, max_size=3).map(lambda c: {"all": c})
        | st.lists(inner, min_size=1, max_size=3).map(lambda c: {"any": c})
        | inner.map(lambda c: {"not": c})
    ),
    max_leaves=6,
)
VALUES = st.sampled_from([None, 0, 1, 2, "x", True])


@given(CONDITIONS, VALUES, VALUES, VALUES, VALUES)
def test_settling_first_changes_no_decision(written: Any, a: Any, b: Any, c: Any, d: Any) -> None:
    condition = read.validate_python(written)
    facts = {"item.a": a, "item.b": b, "answer.a": c, "answer.b": d}
    left = settle(condition, {"item.a": a, "item.b": b})
    whole = holds(condition, facts.get)
    if isinstance(left, bool):
        assert left is whole
    else:
        rest = read.validate_python(left)
        assert holds(rest, facts.get) is whole
        assert all(name.startswith("answer.") for name in facts_of(rest))
