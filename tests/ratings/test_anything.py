"""Whatever is sent, it is either recorded whole or refused with places; nothing in between."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from jsonschema import Draft202012Validator
from rating_studies import make_item, make_study

from rubrica.errors import Problems
from rubrica.items.model import Item
from rubrica.kinds.contract import Robot
from rubrica.kinds.registry import kind
from rubrica.ratings.accept import Accepted, accept
from rubrica.ratings.facts import entries_of
from rubrica.ratings.schema import reply_schema
from rubrica.study.model import Study

TABLE: dict[str, Any] = json.loads((Path(__file__).parent / "rules_cases.json").read_text("utf-8"))
STUDIES = {name: make_study(s["questions"], s["score"]) for name, s in TABLE["studies"].items()}
ITEMS = {
    name: [
        make_item(c["item"]["facts"], c["item"]["turn"], **c["item"].get("entries", {}))
        for c in TABLE["cases"]
        if c["study"] == name
    ]
    for name in STUDIES
}
JUNK = st.sampled_from(
    [None, 3, "x", [], {}, {"value": float("nan")}, {"value": -1}, {"value": "Yes"}, {"value": [{}]}]
)
MORE = st.fixed_dictionaries(
    {}, optional={"prompted": st.booleans(), "cannot_judge": st.sampled_from([True, "too dark", ""])}
)


def _value(study: Study, item: Item, name: str) -> st.SearchStrategy[Any]:
    question = study.questions[name]
    robots = st.builds(
        Robot,
        rng=st.randoms(use_true_random=False),
        skill=st.just(0.5),
        bias=st.just(0.0),
        truth=st.floats(0, 1),
    )
    entries = entries_of(item, name)
    return robots.map(lambda robot: kind(question.kind).robot(question, robot, entries))


@st.composite
def sent(draw: st.DrawFn, study: Study, item: Item) -> dict[str, Any]:
    names = list(study.questions)
    spoilt = draw(st.just([]) | st.lists(st.sampled_from(names), max_size=2))
    replies = {}
    for name in names:
        value = _value(study, item, name)
        chosen = st.fixed_dictionaries({"value": value}, optional={"first": value})
        replies[name] = draw(JUNK | MORE if name in spoilt else chosen)
    return replies


def _judged(study: Study, item: Item, replies: Any) -> Accepted | Problems:
    try:
        return accept(study, item, replies)
    except Problems as problems:
        return problems


def _fits(study: Study, item: Item, question: str, reply: Any) -> bool:
    """Whether the schema takes it; NaN is no JSON, so a schema says nothing of it."""
    try:
        json.dumps(reply, allow_nan=False)
    except ValueError:
        return False
    return bool(Draft202012Validator(reply_schema(study, item, question)).is_valid(reply))


@pytest.mark.parametrize("name", STUDIES)
@settings(max_examples=40, deadline=None, suppress_health_check=list(HealthCheck))
@given(data=st.data())
def test_recorded_whole_or_refused_with_places(name: str, data: st.DataObject) -> None:
    study, item = STUDIES[name], data.draw(st.sampled_from(ITEMS[name]))
    replies = data.draw(sent(study, item))
    judged = _judged(study, item, replies)
    fits = {question: _fits(study, item, question, replies[question]) for question in study.questions}
    if isinstance(judged, Problems):
        for problem in judged.problems:
            question = problem.where.path.split(".")[1].split("[")[0]
            assert question in study.questions
            assert problem.code == "A100" or not fits[question]
        return
    assert list(judged.answers) == list(study.questions)
    for question, answer in judged.answers.items():
        if answer.state == "answered":
            assert not list(
                kind(study.questions[question].kind).check(
                    study.questions[question], answer.value, entries_of(item, question)
                )
            )
        else:
            assert answer.value is None
    assert json.loads(json.dumps(judged.scores)) == judged.scores


@pytest.mark.parametrize("name", STUDIES)
@settings(max_examples=40, deadline=None, suppress_health_check=list(HealthCheck))
@given(data=st.data())
def test_what_was_recorded_is_accepted_again_unchanged(name: str, data: st.DataObject) -> None:
    study, item = STUDIES[name], data.draw(st.sampled_from(ITEMS[name]))
    judged = _judged(study, item, data.draw(sent(study, item)))
    if isinstance(judged, Problems):
        return
    again = {
        question: {"value": a.value, "first": a.first, "prompted": a.prompted}
        if a.state == "answered"
        else {"cannot_judge": a.reason or True, "first": a.first, "prompted": a.prompted}
        if a.state == "cannot_judge"
        else {"first": a.first, "prompted": a.prompted}
        for question, a in judged.answers.items()
    }
    assert accept(study, item, again).answers == judged.answers


def test_a_reply_nested_beyond_measure_is_refused(quality: Any, plain: Any) -> None:
    deep: Any = []
    for _ in range(100_000):
        deep = [deep]
    judged = _judged(quality, plain, {"overall": {"value": deep}, "correctness": deep})
    assert isinstance(judged, Problems)
    assert str(judged)
