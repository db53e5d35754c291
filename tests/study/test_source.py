"""YAML means what it says, and every place in it is known."""

from __future__ import annotations

from typing import Any

import pytest

from rubrica.errors import Problem
from rubrica.study.source import DEEPEST, as_path, parse_yaml


def data(text: str) -> Any:
    return parse_yaml(text.encode(), "f").data


@pytest.mark.parametrize(
    ("written", "meant"),
    [
        ("Yes", "Yes"),
        ("no", "no"),
        ("on", "on"),
        ("off", "off"),
        ("y", "y"),
        ("true", True),
        ("False", False),
        ("'true'", "true"),
        ("12", 12),
        ("-3", -3),
        ("+3", 3),
        ("0.75", 0.75),
        (".5", 0.5),
        ("007", "007"),
        ("0x1F", "0x1F"),
        ("1_000", "1_000"),
        ("12:30", "12:30"),
        ("1e5", "1e5"),
        (".nan", ".nan"),
        (".inf", ".inf"),
        ("2026-02-03", "2026-02-03"),
        ("null", None),
        ("~", None),
        ("", None),
        ("'12'", "12"),
        ("9" * 5000, "9" * 5000),
    ],
)
def test_a_bare_value_means_what_it_says(written: str, meant: Any) -> None:
    value = data(f"key: {written}")["key"]
    assert value == meant
    assert type(value) is type(meant)


@pytest.mark.parametrize("key", ["Yes", "on", "007", "1", "true", "null", "1.50", "2026-02-03"])
def test_a_key_is_text_as_it_is_written(key: str) -> None:
    assert data(f"{key}: x") == {key: "x"}


def test_one_number_in_two_spellings_is_one_key() -> None:
    found = parse_yaml(b"1: one\n+1: two\n'1': three\n", "f")
    assert [p.code for p in found.problems] == ["S006", "S006"]
    assert found.data == {"1": "one"}


def test_everything_has_its_line_and_column() -> None:
    found = parse_yaml(b"a:\n  - {b: 1,\n     c: [x, y]}\n", "f")
    assert str(found.where(("a", 0, "b"))) == "f:2:9 a[0].b"
    assert str(found.where(("a", 0, "c"), key=True)) == "f:3:6 a[0].c"
    assert str(found.where(("a", 0, "c", 1))) == "f:3:13 a[0].c[1]"
    assert str(found.where(("a", 0, "missing"))) == "f:2:5 a[0].missing"
    assert str(found.where(("nothing",))) == "f:1:1 nothing"


def test_a_way_reads_as_people_write_it() -> None:
    assert as_path(("items", "show", 0, "label")) == "items.show[0].label"
    assert as_path(()) == ""


def test_an_alias_is_the_same_again_and_independent() -> None:
    found = data("a: &x {k: [1]}\nb: *x\n")
    assert found == {"a": {"k": [1]}, "b": {"k": [1]}}
    assert found["a"] is not found["b"]


@pytest.mark.parametrize("text", ["a: &x [*x]", "a: &x {b: *x}", "[" * 20_000, "a: " + "{b: " * 500])
def test_nothing_nests_without_end(text: str) -> None:
    with pytest.raises(Problem) as raised:
        data(text)
    assert raised.value.code == "S007"


def test_a_chain_of_aliases_may_not_nest_without_end() -> None:
    chain = "".join(f"k{i}: &k{i} [*k{i - 1}]\n" for i in range(1, DEEPEST + 2))
    with pytest.raises(Problem) as raised:
        data(f"k0: &k0 x\n{chain}")
    assert raised.value.code == "S007"


def test_marks_of_byte_order_and_line_ends_do_not_matter() -> None:
    assert parse_yaml(b"\xef\xbb\xbfa: |\r\n  one\r\n  two\r\n", "f").data == {"a": "one\ntwo\n"}


@pytest.mark.parametrize(
    ("text", "code", "place"),
    [
        ("a: 1\nb: [2\nc: 3", "S004", "f:3"),
        ("a: 'x", "S004", "f:1"),
        ("a: b: c", "S004", "f:1:5"),
        ("a: *nowhere", "S004", "f:1:4"),
        ("a: \x01", "S004", "f:1:4"),
        ("%YAML 9.9\n---\na: 1", "S004", "f:1"),
        ("", "S008", "f:1:1"),
        ("# nothing\n", "S008", "f:1:1"),
    ],
)
def test_what_is_not_yaml_is_one_problem_at_its_place(text: str, code: str, place: str) -> None:
    with pytest.raises(Problem) as raised:
        data(text)
    assert raised.value.code == code
    assert str(raised.value.where).startswith(place)


@pytest.mark.parametrize(
    "text", ["? [a]\n: 1", "<<: {a: 1}", "a: !!set {x}", "? {a: 1}\n: 2", "k: &k x\n*k : 1"]
)
def test_what_is_no_plain_data_is_told_and_the_rest_is_read(text: str) -> None:
    found = parse_yaml(f"{text}\nb: 2\n".encode(), "f")
    assert [p.code for p in found.problems] == ["S009"]
    assert found.data["b"] == 2


def test_a_second_document_is_told() -> None:
    found = parse_yaml(b"a: 1\n---\nb: 2\n", "f")
    assert [(p.code, p.where.line) for p in found.problems] == [("S008", 3)]
    assert found.data == {"a": 1}


def test_tabs_are_counted() -> None:
    with pytest.raises(Problem) as raised:
        data("a:\n\tb: 1\n\tc: 2\n")
    assert raised.value.code == "S005"
    assert raised.value.message.endswith("a tab: 2)")


def test_a_tab_inside_a_text_is_welcome() -> None:
    assert data("a: |\n  one\ttwo\n") == {"a": "one\ttwo\n"}
