"""Paths: simple ones walk plain data, all others are JMESPath, and both agree."""

from __future__ import annotations

from contextlib import suppress
from typing import Any

import jmespath
import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import TypeAdapter, ValidationError

from rubrica.errors import Problem
from rubrica.paths import Path, compile_path, covers

DATA = {"a": {"b": {"c": 1}, "list": [{"x": 1}, {"x": 2}]}, "my field": {"text": "t"}, "n": None}


@pytest.mark.parametrize(
    ("path", "value"),
    [
        ("a.b.c", 1),
        ("a", DATA["a"]),
        ("a.nothing.c", None),
        ("n.x", None),
        ("a.list.x", None),
        ("a.list[1].x", 2),
        ("a.list[*].x", [1, 2]),
        ("keys(a.b)", ["c"]),
        ('"my field".text', "t"),
        ("@", DATA),
    ],
)
def test_a_path_leads_to_its_value(path: str, value: Any) -> None:
    assert compile_path(path)(DATA) == value


@pytest.mark.parametrize("data", [None, 3, "text", [], [{"a": 1}]])
def test_data_of_another_shape_has_nothing_there(data: Any) -> None:
    assert compile_path("a")(data) is None
    assert compile_path("a.b")(data) is None


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=3),
    lambda inner: (
        st.lists(inner, max_size=2) | st.dictionaries(st.sampled_from("abc"), inner, max_size=3)
    ),
    max_leaves=8,
)


@given(JSON, st.lists(st.sampled_from("abc"), min_size=1, max_size=3).map(".".join))
def test_walking_finds_what_jmespath_finds(data: Any, path: str) -> None:
    assert compile_path(path)(data) == jmespath.search(path, data)


@pytest.mark.parametrize(
    "path", ["a[", "a..b", ".a", "a b", "'", "`", "a[?", "nothing(a)", "keys(a, b)", "a |"]
)
def test_what_is_no_path_is_a_problem(path: str) -> None:
    with pytest.raises(Problem) as raised:
        compile_path(path)(DATA)
    assert raised.value.code in ("S030", "I030")
    assert path in raised.value.message


@pytest.mark.filterwarnings("ignore:deprecated string literal:PendingDeprecationWarning")
@given(st.text(max_size=12))
def test_any_text_is_a_path_or_a_problem(text: str) -> None:
    with suppress(Problem):
        compile_path(text)


def test_a_function_that_meets_another_type_is_a_problem_of_the_item() -> None:
    with pytest.raises(Problem) as raised:
        compile_path("keys(n)")(DATA)
    assert raised.value.code == "I030"
    assert "keys(targets || `{}`)" in raised.value.hint


def test_models_take_only_paths_that_can_be_read() -> None:
    adapter = TypeAdapter(Path)
    assert adapter.validate_python("a.b[0]") == "a.b[0]"
    for bad in ("a[", "", 5):
        with pytest.raises(ValidationError):
            adapter.validate_python(bad)


@pytest.mark.parametrize(
    ("path", "other", "does"),
    [
        ("a", "a.b", True),
        ("a", "a", True),
        ("a.b", "a", False),
        ("a", "ab", False),
        ("@", "a.b", True),
        ("a[0]", "a[0].b", False),
    ],
)
def test_one_path_covers_another(path: str, other: str, does: bool) -> None:
    assert covers(path, other) is does
