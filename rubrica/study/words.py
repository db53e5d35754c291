"""A finding of the models in the words of whoever wrote the file: a numbered problem at its line."""

from __future__ import annotations

import re
import types
from collections.abc import Iterator, Mapping
from typing import Annotated, Any, Union, get_args, get_origin

from pydantic import BaseModel, Tag

from rubrica.conditions import FACT
from rubrica.errors import Problem, Rule, Where, nearest, shown
from rubrica.kinds.contract import Question
from rubrica.kinds.registry import find, kinds
from rubrica.paths import BAD_PATH
from rubrica.study.findings import Finding
from rubrica.study.model import NAME
from rubrica.study.source import Source, Steps
from rubrica.study.views import VIEWS
from rubrica.texts import LANGUAGE

UNKNOWN_KEY = Rule(
    code="S010",
    title="Every key has a meaning",
    says="the key {key} means nothing here",
    why="A key that is misspelled or misplaced would be ignored: the study would not do what it says.",
    mend="Correct its spelling, move it to where it belongs, or remove it.",
)
MISSING = Rule(
    code="S011",
    title="What a part needs is there",
    says="{key} is missing here",
    why="Without it this part of the study cannot work.",
    mend="Add `{key}:` to this part.",
)
WRONG_TYPE = Rule(
    code="S012",
    title="A value has the type its key needs",
    says="this value has the wrong type",
    why="Read as something else, it would mean something nobody wrote.",
    mend="Write {expected}.",
)
NOT_OFFERED = Rule(
    code="S013",
    title="A value is one of those its key allows",
    says="{got} is not a value this key allows",
    why="The program knows only the values that are listed.",
    mend="Write {expected}.",
)
OUT_OF_BOUNDS = Rule(
    code="S014",
    title="A value keeps within its bounds",
    says="this value is out of bounds",
    why="Outside its bounds the value makes no sense here.",
    mend="Write {expected}.",
)
MALFORMED = Rule(
    code="S015",
    title="A name has the form names of its sort have",
    says="{got} cannot be such a name",
    why="Names appear in files, columns, conditions and addresses, where other signs would break.",
    mend="Write {expected}.",
)
NOT_NAMED = Rule(
    code="S016",
    title="A part says what it is",
    says="it is not said what this is",
    why="Each question names its kind, and each thing shown its view; all else depends on it.",
    mend="Give it one of the keys or kinds that are expected.",
)
REFUSED = Rule(
    code="S017",
    title="A value is one its part accepts",
    says="this value is refused: {reason}",
    why="The part that uses this value said it cannot work with it.",
    mend="Change the value as the message says; the reference page of this part shows examples.",
)

_TYPES = {
    "string": "a text",
    "int": "a whole number",
    "float": "a number",
    "finite": "a number",
    "bool": "true or false",
    "list": "a list",
    "tuple": "a list",
    "dict": "a mapping of names to values",
    "model": "a mapping",
}
_FORMS = {
    NAME: "a short name of small letters, digits and `_` that begins with a letter",
    LANGUAGE: "a language code such as `en`, `zh` or `pt-BR`",
    FACT: "a fact: `item.PATH`, `answer.QUESTION`, `answer.QUESTION.MEASURE`, `score.NAME` or "
    "`thread.position`; or `all`, `any` or `not`, alone in their mapping",
}
_BOUNDS = {
    "greater_than": ("more than {}", "gt"),
    "greater_than_equal": ("{} or more", "ge"),
    "less_than": ("less than {}", "lt"),
    "less_than_equal": ("{} or less", "le"),
    "too_short": ("a list or mapping with at least {} in it", "min_length"),
    "too_long": ("a list or mapping with at most {} in it", "max_length"),
    "string_too_short": ("a text that is not empty", "min_length"),
    "string_too_long": ("a text of at most {} characters", "max_length"),
}


def in_words(finding: Finding, source: Source) -> Problem:
    """The problem a finding is, placed where its author can mend it."""
    problem = _MAKERS.get(finding.kind, _of_another_sort)(finding)
    on_key = finding.on_key or finding.kind == "extra_forbidden"
    return problem.at(source.where(finding.steps, on_key))


def _found(
    rule: Rule,
    expected: str | None,
    got: str,
    nearest: str | None = None,
    details: Mapping[str, Any] | None = None,
) -> Problem:
    return Problem(rule, Where(), expected, got, nearest, details or {})


def _unknown_key(finding: Finding) -> Problem:
    key, known = str(finding.steps[-1]), _keys_beside(finding)
    details = {"key": shown(key)}
    return _found(UNKNOWN_KEY, _one_of(known), key[:80], nearest(key, known), details)


def _missing(finding: Finding) -> Problem:
    key = finding.steps[-1]
    if isinstance(key, int):
        return Problem(OUT_OF_BOUNDS, expected=f"a list of {key + 1}", got=f"{key} in the list")
    there = list(finding.value) if isinstance(finding.value, dict) else []
    strange = [k for k in there if k not in _keys_beside(finding)]
    got = ", ".join(map(str, there))[:120] or "nothing"
    return _found(MISSING, f"`{key}:`", got, nearest(key, strange), {"key": key})


def _not_tagged(finding: Finding) -> Problem:
    """A question without a kind, a view without its name, or a kind that is not registered."""
    if finding.steps[:2] == ("items", "show"):
        keys = list(finding.value) if isinstance(finding.value, dict) else [shown(finding.value)]
        near = next((n for k in keys if (n := nearest(k, VIEWS))), None)
        got = ", ".join(map(str, keys))[:120]
        return _found(NOT_NAMED, "one of the keys " + ", ".join(VIEWS), got, near)
    known = list(kinds())
    if not isinstance(finding.value, dict):
        return _found(WRONG_TYPE, "a mapping with `kind:` and `ask:`", shown(finding.value))
    named = finding.value.get("kind")
    if not isinstance(named, str):
        got = ", ".join(map(str, finding.value))[:120] or "nothing"
        return _found(NOT_NAMED, "`kind:` with one of " + ", ".join(known), got)
    try:
        find("rubrica.kinds", "question kind", named)
    except Problem as problem:
        return problem
    return _found(NOT_NAMED, ", ".join(known), named[:80])


def _not_offered(finding: Finding) -> Problem:
    offered = re.findall(r"'([^']*)'", finding.context.get("expected", ""))
    near = nearest(finding.value, offered)
    return _found(NOT_OFFERED, _expected(finding), shown(finding.value), near)


def _malformed(finding: Finding) -> Problem:
    return _found(MALFORMED, _expected(finding), shown(finding.value))


def _out_of_bounds(finding: Finding) -> Problem:
    value = finding.value
    got = f"{len(value)} in it" if isinstance(value, list | dict) else shown(value)
    return _found(OUT_OF_BOUNDS, _expected(finding), got)


def _bad_path(finding: Finding) -> Problem:
    return _found(BAD_PATH, None, shown(finding.value), details=finding.context)


def _wrong_type(finding: Finding) -> Problem:
    return _found(WRONG_TYPE, _expected(finding), shown(finding.value))


def _of_another_sort(finding: Finding) -> Problem:
    if finding.kind.endswith(("_type", "_parsing", "_from_float", "_number")):
        return _wrong_type(finding)
    reason = finding.message.removeprefix("Value error, ")
    return _found(REFUSED, None, shown(finding.value), details={"reason": reason})


_MAKERS = {
    "extra_forbidden": _unknown_key,
    "missing": _missing,
    "union_tag_not_found": _not_tagged,
    "union_tag_invalid": _not_tagged,
    "literal_error": _not_offered,
    "string_pattern_mismatch": _malformed,
    "path": _bad_path,
    **dict.fromkeys(_BOUNDS, _out_of_bounds),
}


def _expected(finding: Finding) -> str:
    """What this value should have been, in every shape it may have."""
    words = [_expected_in(f) for f in (finding, *finding.others)]
    return ", or ".join(dict.fromkeys(words))


def _expected_in(finding: Finding) -> str:
    kind, context = finding.kind, finding.context
    if kind == "literal_error":
        return _one_of(re.findall(r"'([^']*)'", context["expected"]) or [context["expected"]])
    if kind == "string_pattern_mismatch":
        return _FORMS.get(context["pattern"], f"a text of the form {context['pattern']}")
    if kind in _BOUNDS:
        words, bound = _BOUNDS[kind]
        return words.format(context.get(bound))
    if kind == "string_type" and "text" in finding.shape:
        return "a text, or one text per language (`{en: ..., zh: ...}`)"
    if kind == "model_type":
        return "a mapping with the keys " + ", ".join(_keys_of(finding))
    return _TYPES.get(kind.partition("_")[0], "a value of another type")


def _one_of(names: list[str]) -> str:
    return names[0] if len(names) == 1 else "one of " + ", ".join(names)


# --- which keys a part knows ----------------------------------------------------------------------


def _keys_beside(finding: Finding) -> list[str]:
    """The keys that are known where the finding's own key stands."""
    return _known_keys(finding, finding.steps[:-1])


def _keys_of(finding: Finding) -> list[str]:
    return _known_keys(finding, finding.steps)


def _known_keys(finding: Finding, steps: Steps) -> list[str]:
    shapes, labels = [finding.root], finding.labels
    for step in steps:
        shapes = [inner for shape in shapes for inner in _inside(shape, step, labels)]
    models = [shape for shape in shapes if _is_model(shape)]
    chosen = [m for m in models if m.__name__ in labels] or models
    return list(dict.fromkeys(k for m in chosen for k in _names(m)))


def _names(model: type[BaseModel]) -> Iterator[str]:
    yield from (field.alias or name for name, field in model.model_fields.items())


def _is_model(shape: Any) -> bool:
    return isinstance(shape, type) and issubclass(shape, BaseModel)


def _inside(shape: Any, step: str | int, labels: tuple[str, ...]) -> Iterator[Any]:
    """The shapes a value may have behind one step."""
    if _is_model(shape):
        fields = shape.model_fields.items()
        inner = [f.annotation for name, f in fields if step in (f.alias, name)]
    else:
        inner = [a for a in get_args(shape)[-1:] if get_origin(shape) in (dict, list)]
    for annotation in inner:
        yield from _members(annotation, labels)


def _members(annotation: Any, labels: tuple[str, ...]) -> Iterator[Any]:
    """The members of a union; of one whose members carry tags, those that were tried."""
    if get_origin(annotation) is Annotated:
        yield from _members(get_args(annotation)[0], labels)
    elif get_origin(annotation) in (Union, types.UnionType):
        members = get_args(annotation)
        tagged = [m for m in members if _tag(m) in labels]
        for member in tagged or members:
            yield from _members(member, labels)
    elif annotation is Question:
        yield from (kind.question for kind in kinds().values())
    else:
        yield annotation


def _tag(annotation: Any) -> str | None:
    parts = get_args(annotation) if get_origin(annotation) is Annotated else ()
    return next((str(p.tag) for p in parts if isinstance(p, Tag)), None)
