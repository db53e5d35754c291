"""Conditions written as data, never as code.

    when: {item.action_type: [mislead, memory_injection]}
    when: {answer.overall: {at_most: 2}}
    when: {any: [{answer.resists: Yes}, {not: {answer.stops.count: {less_than: 3}}}]}

A key names a fact; the facts there are: `item.PATH`, `answer.QUESTION`, `answer.QUESTION.MEASURE`
(a number the question's kind derives from its answer), `thread.position` (0 for the first item of a
thread) and `score.NAME`. Several keys must all hold. A fact that is missing satisfies no test but
`{answered: false}`, so it is never mistaken for a value.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Annotated, Any

from pydantic import ConfigDict, Discriminator, Field, Tag

from rubrica.texts import Model

Scalar = bool | int | float | str
Facts = Callable[[str], Any]

FACT = r"^(item|answer|score|thread)\..+$"
FactName = Annotated[str, Field(pattern=FACT)]


class Test(Model):
    """A comparison with a fact; all that is given must hold."""

    at_least: float | None = None
    """This much or more."""
    at_most: float | None = None
    """This much or less."""
    more_than: float | None = None
    """More than this."""
    less_than: float | None = None
    """Less than this."""
    is_not: Scalar | list[Scalar] | None = None
    """Another value than this, or than any of these."""
    answered: bool | None = None
    """Whether there is a value at all."""

    def holds(self, value: Any) -> bool:
        checks = (
            (self.at_least, lambda limit: _number(value) and value >= limit),
            (self.at_most, lambda limit: _number(value) and value <= limit),
            (self.more_than, lambda limit: _number(value) and value > limit),
            (self.less_than, lambda limit: _number(value) and value < limit),
            (self.is_not, lambda other: value is not None and not _is(value, other)),
            (self.answered, lambda wanted: (value is not None) == wanted),
        )
        return all(check(given) for given, check in checks if given is not None)

    def limits(self) -> bool:
        """Whether it asks for more or less, which only numbers are."""
        given = (self.at_least, self.at_most, self.more_than, self.less_than)
        return any(limit is not None for limit in given)


class All(Model):
    """Every one of these conditions."""

    all: list[Condition] = Field(min_length=1)
    """The conditions."""


class AnyOf(Model):
    """At least one of these conditions."""

    any: list[Condition] = Field(min_length=1)
    """The conditions."""


class Not(Model):
    """Anything but this condition."""

    model_config = ConfigDict(extra="forbid", frozen=True, populate_by_name=True)
    not_: Condition = Field(alias="not")
    """The condition."""


def _test_shape(value: Any) -> str:
    return "test" if isinstance(value, dict | Test) else "list" if isinstance(value, list) else "is"


FactTest = Annotated[
    Annotated[Test, Tag("test")] | Annotated[list[Scalar], Tag("list")] | Annotated[Scalar, Tag("is")],
    Discriminator(_test_shape),
]
FactTests = Annotated[dict[FactName, FactTest], Field(min_length=1)]

_SHAPES: dict[str, type[Model]] = {"all": All, "any": AnyOf, "not": Not}


def _condition_shape(value: Any) -> str:
    if isinstance(value, All | AnyOf | Not):
        return next(name for name, shape in _SHAPES.items() if isinstance(value, shape))
    if isinstance(value, Mapping) and len(value) == 1:
        return next((name for name in _SHAPES if name in value), "facts")
    return "facts"


Condition = Annotated[
    Annotated[All, Tag("all")]
    | Annotated[AnyOf, Tag("any")]
    | Annotated[Not, Tag("not")]
    | Annotated[FactTests, Tag("facts")],
    Discriminator(_condition_shape),
]

for _model in (All, AnyOf, Not):
    _model.model_rebuild()


def _number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _same(value: Any, other: Scalar) -> bool:
    """Equal, with true and 1 kept apart, and a number equal to the same number written as text."""
    if isinstance(value, bool) or isinstance(other, bool):
        return value is other
    return bool(value == other) or (type(value) is not type(other) and str(value) == str(other))


def _is(value: Any, other: Scalar | list[Scalar]) -> bool:
    return any(_same(value, o) for o in (other if isinstance(other, list) else [other]))


def _fact_holds(test: Any, value: Any) -> bool:
    if isinstance(test, Test):
        return test.holds(value)
    return value is not None and _is(value, test)


def holds(condition: Condition, facts: Facts) -> bool:
    """Whether the condition is met by these facts."""
    if isinstance(condition, All):
        return all(holds(c, facts) for c in condition.all)
    if isinstance(condition, AnyOf):
        return any(holds(c, facts) for c in condition.any)
    if isinstance(condition, Not):
        return not holds(condition.not_, facts)
    return all(_fact_holds(test, facts(name)) for name, test in condition.items())


def facts_of(condition: Condition) -> Iterator[str]:
    """The names of all facts a condition looks at."""
    if isinstance(condition, All):
        inner = condition.all
    elif isinstance(condition, AnyOf):
        inner = condition.any
    elif isinstance(condition, Not):
        inner = [condition.not_]
    else:
        yield from condition
        return
    for part in inner:
        yield from facts_of(part)


def settle(condition: Condition, known: Mapping[str, Any]) -> Any:
    """What is left of a condition, as data, once some facts are known: true, false or a condition.

    The page gets this, so that it can mirror conditions on answers without receiving item data.
    """
    if isinstance(condition, Not):
        rest = settle(condition.not_, known)
        return (not rest) if isinstance(rest, bool) else {"not": rest}
    if isinstance(condition, AnyOf):
        rests = [settle(c, known) for c in condition.any]
        left = [r for r in rests if r is not False]
        return True if True in left else {"any": left} if left else False
    if isinstance(condition, All):
        rests = [settle(c, known) for c in condition.all]
    else:
        rests = [_settle_fact(name, test, known) for name, test in condition.items()]
    left = [r for r in rests if r is not True]
    return False if False in left else {"all": left} if left else True


def _settle_fact(name: str, test: Any, known: Mapping[str, Any]) -> Any:
    if name in known:
        return _fact_holds(test, known[name])
    return {name: test.model_dump(exclude_none=True) if isinstance(test, Test) else test}
