"""Questions of every kind, and values that fit them, nearly fit them, or do not."""

from __future__ import annotations

from typing import Any

from hypothesis import strategies as st

from rubrica.kinds.contract import Entry, Robot
from rubrica.kinds.registry import kind

KEYS = st.sampled_from(["yes", "no", "Maybe", "übel", "无", "a b", "1", "0"])
WORDS = st.text(max_size=12)
NUMBERS = st.integers(-3, 12) | st.floats(-2, 9, allow_nan=False) | st.sampled_from([3.0, 0.0, -0.0])
ANYTHING = st.recursive(
    st.none() | st.booleans() | NUMBERS | WORDS | KEYS,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(WORDS | KEYS, inner, max_size=3),
    max_leaves=6,
)
ENTRIES = st.lists(st.builds(Entry, label=WORDS), max_size=4)


def _keyed(values: st.SearchStrategy[Any], least: int) -> st.SearchStrategy[dict[str, Any]]:
    return st.dictionaries(KEYS, values, min_size=least, max_size=5)


SCALE = {"levels": st.dictionaries(st.integers(-2, 7), st.just("a level"), min_size=2, max_size=5)}
CHOICE = {
    "options": _keyed(
        st.fixed_dictionaries({"label": st.just("x")}, optional={"worth": st.floats(0, 1)}), 2
    )
}
TEXT = {"longest": st.integers(1, 10)}
MANY = {
    "options": _keyed(st.just("an option"), 3),
    "at_least": st.integers(1, 2),
    "at_most": st.none() | st.integers(2, 4),
    "none": st.none() | st.just("none of them"),
}
NUMBER = {
    "at_least": st.integers(-3, 2),
    "at_most": st.sampled_from([3, 4.5, 10]),
    "whole": st.booleans(),
    "better": st.sampled_from([None, "high", "low"]),
}
SEVERITIES = st.sampled_from([[], ["critical"], ["critical", "moderate"]])
FAILURES = {
    "types": _keyed(st.fixed_dictionaries({"label": st.just("x"), "severity": SEVERITIES}), 1),
    "severities": st.just({"critical": "Critical", "moderate": "Moderate"}),
    "over": st.just("turns"),
    "whole": st.booleans(),
    "note_required": st.booleans(),
}
PLACES = {
    "marks": _keyed(st.fixed_dictionaries({"label": st.just("x"), "counts": st.booleans()}), 0),
    "at_most": st.integers(1, 4),
}
SIMPLE = {"scale": SCALE, "choice": CHOICE, "text": TEXT, "many": MANY, "number": NUMBER}


def _declared(name: str, members: dict[str, Any]) -> st.SearchStrategy[dict[str, Any]]:
    return st.fixed_dictionaries({"kind": st.just(name), "ask": st.just("?"), **members})


EACH = {
    "over": st.just("targets"),
    "answer": st.one_of([_declared(name, members) for name, members in SIMPLE.items()]),
    "dropped": st.booleans(),
}
KINDS = {**SIMPLE, "failures": FAILURES, "places": PLACES, "each": EACH}


@st.composite
def questions(draw: st.DrawFn, name: str) -> Any:
    return kind(name).question.model_validate(draw(_declared(name, KINDS[name])))


ROBOTS = st.builds(
    Robot,
    rng=st.randoms(use_true_random=False),
    skill=st.floats(0, 1),
    bias=st.floats(-1, 1),
    truth=st.floats(0, 1),
)


def fitting(schema: dict[str, Any]) -> st.SearchStrategy[Any]:
    """Values of a schema, as far as kinds use the language of schemas."""
    if "anyOf" in schema:
        return st.one_of([fitting(one) for one in schema["anyOf"]])
    if "const" in schema:
        return st.just(schema["const"])
    if "enum" in schema:
        return st.sampled_from(schema["enum"] or ["nothing"])
    return _SHAPES[schema["type"]](schema)


def _array(schema: dict[str, Any]) -> st.SearchStrategy[Any]:
    low, high = schema.get("minItems", 0), min(schema.get("maxItems", 4), 4)
    items = fitting(schema["items"]) if "items" in schema else st.nothing()
    unique = repr if schema.get("uniqueItems") else None
    return st.lists(items, min_size=min(low, high), max_size=high, unique_by=unique)


def _object(schema: dict[str, Any]) -> st.SearchStrategy[Any]:
    members = {name: fitting(inner) for name, inner in schema["properties"].items()}
    required = {name: members.pop(name) for name in schema["required"]}
    return st.fixed_dictionaries(required, optional=members)


def _number(schema: dict[str, Any]) -> st.SearchStrategy[Any]:
    low, high = schema["minimum"], schema["maximum"]
    return st.floats(low, high) | _integer(schema)


def _integer(schema: dict[str, Any]) -> st.SearchStrategy[Any]:
    whole = st.integers(int(schema["minimum"]), int(schema.get("maximum", 9)))
    return whole | whole.map(float)


_SHAPES = {
    "array": _array,
    "object": _object,
    "number": _number,
    "integer": _integer,
    "string": lambda schema: st.text(max_size=min(schema["maxLength"], 20)),
}


@st.composite
def nearly(draw: st.DrawFn, values: st.SearchStrategy[Any]) -> Any:
    """A value with one part of it replaced, removed or doubled."""
    return _bent(draw, draw(values))


def _bent(draw: st.DrawFn, value: Any) -> Any:
    if isinstance(value, list) and value and draw(st.booleans()):
        at = draw(st.integers(0, len(value) - 1))
        middle = draw(st.sampled_from([[], [value[at]] * 2, [_bent(draw, value[at])]]))
        return [*value[:at], *middle, *value[at + 1 :]]
    if isinstance(value, dict) and value and draw(st.booleans()):
        name = draw(st.sampled_from(sorted(value)))
        bent = {**value, name: _bent(draw, value[name])}
        return draw(
            st.sampled_from([bent, {n: v for n, v in value.items() if n != name}, value | {"x": 1}])
        )
    return draw(ANYTHING)
