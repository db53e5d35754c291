"""Problems: one shape, told to people and to programs."""

from __future__ import annotations

import json
import pickle
from collections.abc import Iterator

import pytest

from rubrica.errors import RULES, Problem, Problems, Rule, Where, nearest, shown


@pytest.fixture
def rule() -> Iterator[Rule]:
    yield Rule("Z999", "A title", "{what} is wrong: {got}", "It matters.", "Write {expected} {{here}}.")
    del RULES["Z999"]


def test_a_code_belongs_to_one_rule(rule: Rule) -> None:
    assert RULES["Z999"] is rule
    with pytest.raises(ValueError, match="two rules"):
        Rule("Z999", "Another", "", "", "")


def test_a_problem_tells_all_it_knows(rule: Rule) -> None:
    problem = Problem(rule, Where("f.yaml", 3, 7, "a.b"), "one", "two", "three", {"what": "This"})
    assert str(problem) == (
        "Z999 f.yaml:3:7 a.b: This is wrong: two\n"
        "  expected: one\n  got: two\n  did you mean: three\n  mend: Write one {here}."
    )
    told = json.loads(json.dumps(problem.as_json()))
    assert told["where"] == {"file": "f.yaml", "line": 3, "column": 7, "path": "a.b"}
    assert (told["code"], told["level"], told["mend"]) == ("Z999", "error", "Write one {here}.")


def test_a_problem_says_nothing_of_what_it_does_not_know(rule: Rule) -> None:
    problem = Problem(rule, expected="one", details={"what": "This"})
    assert str(problem) == "Z999: This is wrong: None\n  expected: one\n  mend: Write one {here}."


def test_a_problem_is_placed_later(rule: Rule) -> None:
    problem = Problem(rule, details={"what": "x"})
    placed = problem.at(Where("f"))
    assert (str(placed.where), str(problem.where)) == ("f", "")


def test_texts_with_braces_are_left_as_they_are(rule: Rule) -> None:
    assert Problem(rule, got="{x}", details={"what": "{y}"}).message == "{y} is wrong: {x}"


@pytest.mark.parametrize(
    ("where", "text"),
    [(Where(), ""), (Where(path="a"), "a"), (Where("f"), "f"), (Where("f", 1), "f:1")],
)
def test_a_place_says_what_it_has(where: Where, text: str) -> None:
    assert str(where) == text


def test_several_problems_are_one_exception(rule: Rule) -> None:
    both = Problems(Problem(rule, got=got, details={"what": "x"}) for got in ("1", "2"))
    assert len(both.problems) == 2
    assert str(both).count("Z999") == 2


@pytest.mark.parametrize(
    ("name", "known", "near"),
    [
        ("scael", ["scale", "text"], "scale"),
        ("zzz", ["scale", "text"], None),
        (11, [1, 2], "1"),
        ("x", [], None),
    ],
)
def test_the_nearest_name(name: object, known: list[object], near: str | None) -> None:
    assert nearest(name, known) == near


def test_a_value_is_shown_on_one_short_line() -> None:
    assert shown("a\nb") == "'a\\nb'"
    assert len(shown("x" * 500)) == 80
    assert "\ud800" not in shown("\ud800")


def test_no_problem_is_lost_between_processes(rule: Rule) -> None:
    problem = Problem(rule, Where("f", 1), "a", "b", None, {"what": "x"})
    again = pickle.loads(pickle.dumps(Problems([problem])))
    assert [p.as_json() for p in again.problems] == [problem.as_json()]
