"""What the models find is said in the author's words, at the author's lines."""

from __future__ import annotations

import pytest
from pydantic import BaseModel, TypeAdapter, ValidationError, field_validator
from study_texts import problems

from rubrica.study.findings import findings_of
from rubrica.study.source import parse_yaml
from rubrica.study.words import in_words

JARGON = (
    "pydantic", "Input should", "str_type", "validator", "function-before", "constrained", "dict[",
    "list[", "union", "NoneType", "<class",
)  # fmt: skip


@pytest.mark.parametrize(
    ("part", "code", "expected"),
    [
        ("title: true", "S012", "a text, or one text per language"),
        ("title: {en: [x]}", "S012", "a text"),
        ("title: {}", "S014", "at least 1"),
        ("title: ''", "S014", "not empty"),
        ("title:", "S012", "a text"),
        ("seed: 1.5", "S012", "a whole number"),
        ("show_score: maybe", "S012", "true or false"),
        ("raters: 5", "S012", "a mapping with the keys policy"),
        ("raters: {per_item: some}", "S013", "all, or a whole number"),
        ("breaks: {every_minutes: 0}", "S014", "more than 0"),
        ("items: {from: a, show: {text: a}}", "S012", "a list"),
        ("items: {from: a, show: []}", "S014", "at least 1"),
        ("items: {from: a, show: [a]}", "S016", "one of the keys chat"),
        ("items: {from: a, show: [{text: a}], key: 5}", "S012", "a text, or a list"),
        ("items: {from: a, show: [{text: a}], verdict: {j: 5}}", "S012", "a mapping with the keys"),
        ("items: {from: a, show: [{values: {x: {path: a}}}]}", "S011", "`label:`"),
        ("score: {s: {mean: {good: much}}}", "S012", "a number"),
        ("score: {s: {mean: {good: 1}, onto: [1]}}", "S014", "a list of 2"),
        ("score: {s: {gap: [a, b, c]}}", "S014", "at most 2"),
        ("questions: []", "S012", "a mapping"),
        ("questions: {}", "S014", "at least 1"),
        ("questions: {q: how}", "S012", "a mapping with `kind:`"),
        ("questions: {q: {ask: How?}}", "S016", "`kind:` with one of"),
        ("questions: {show: {ask: How?}}", "S016", "`kind:` with one of"),
        ("questions: {q: {kind: each, ask: E, over: a, answer: {ask: A}}}", "S016", "`kind:` with"),
        ("questions: {q: {kind: [scale], ask: How?}}", "S016", "`kind:` with one of"),
        ("questions: {Q: {kind: text, ask: How?}}", "S015", "small letters"),
        ("questions: {q: {kind: scale, ask: How?, levels: {a: A, 1: B}}}", "S012", "a whole number"),
        ("questions: {q: {kind: text, ask: Q, when: {good: 1}}}", "S015", "a fact"),
        ("questions: {q: {kind: text, ask: Q, when: {item.a: {least: 1}}}}", "S010", "at_least"),
        ("questions: {q: {kind: text, ask: Q, when: {any: [{not: 3}]}}}", "S012", "a mapping"),
        ("questions: {q: {kind: text, ask: Q, when: {any: []}}}", "S014", "at least 1"),
    ],
)
def test_a_finding_says_what_was_expected(part: str, code: str, expected: str) -> None:
    found = [p for p in problems(part) if p.code == code]
    assert found, problems(part)
    assert expected in (found[0].expected or "")


def test_of_several_shapes_the_one_that_was_meant_is_spoken_of() -> None:
    part = """\
questions:
  q:
    kind: choice
    ask: Which?
    options: {a: {label: A, meens: B}, b: {meens: C}, c: 5, d: [x]}
"""
    told = [(p.code, p.where.path, p.nearest) for p in problems(part)]
    options = "questions.q.options"
    assert ("S010", f"{options}.a.meens", "means") in told
    assert ("S011", f"{options}.b.label", None) in told
    assert not [p for p in told if p[1].startswith(f"{options}.c")]
    assert ("S012", f"{options}.d", None) in told
    assert not [p for p in told if p[0] == "S015"]


def test_only_the_keys_of_the_part_at_hand_are_offered() -> None:
    (found,) = problems("items: {from: a, show: [{chat: turns, usr: u}]}")
    assert (
        found.expected == "one of label, note, folded, context, chat, user, assistant, labels, images"
    )
    assert found.nearest == "user"


def test_a_question_inside_another_is_told_as_well() -> None:
    part = "questions: {q: {kind: each, ask: E, over: a, answer: {kind: scale, levls: {0: A, 1: B}}}}"
    told = {p.code: p for p in problems(part)}
    assert told["S010"].nearest == "levels"
    assert str(told["S010"].where).endswith("study.yaml:1:68 questions.q.answer.levls")
    assert told["S011"].nearest == "levls"


def test_a_misspelled_required_key_names_the_one_that_stands_there() -> None:
    found = {p.code: p for p in problems("items: {form: a, show: [{text: a}]}")}
    assert found["S011"].nearest == "form"
    assert found["S010"].nearest == "from"


def test_no_words_of_the_machinery() -> None:
    parts = [
        "title: [1]",
        "raters: {per_item: [x]}",
        "languages: {a: 1}",
        "consent: 3",
        "practice: [1]",
    ]
    for part in parts:
        for problem in problems(part):
            assert not [word for word in JARGON if word in str(problem)], str(problem)


def test_a_value_a_part_refuses_in_its_own_words_is_told_in_them() -> None:
    class Even(BaseModel):
        number: int

        @field_validator("number")
        @classmethod
        def even(cls, number: int) -> int:
            if number % 2:
                raise ValueError(f"{number} is odd")
            return number

    source = parse_yaml(b"number: 3\n", "f")
    with pytest.raises(ValidationError) as raised:
        TypeAdapter(Even).validate_python(source.data)
    (finding,) = findings_of(raised.value, source.data, Even)
    problem = in_words(finding, source)
    assert (problem.code, problem.message) == ("S017", "this value is refused: 3 is odd")
    assert str(problem.where) == "f:1:9 number"


def test_all_problems_are_told_in_one_run_in_the_order_of_the_file() -> None:
    part = """\
titel: x
minutes: soon
items: {from: a, show: [{text: a, labl: x}, {txt: b}]}
questions:
  one: {kind: scale, ask: One?, levels: {1: A, 2: B}, when: {answer.three: 1}}
  two: {kind: scael, ask: Two?}
  three: {kind: text}
score: {s: {mean: {one: 0}}, t: {mean: {two: 1}}}
raters: {join: ids}
"""
    told = [(p.code, p.where.line) for p in problems(part)]
    assert told == [
        ("S010", 1), ("S012", 2), ("S010", 3), ("S016", 3), ("S058", 5), ("S020", 6), ("S011", 7),
        ("S072", 8), ("S103", 9),
    ]  # fmt: skip
