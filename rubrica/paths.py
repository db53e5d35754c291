"""Paths into item data: JMESPath, with the simple ones compiled to plain look-ups.

A million items pass through here at load. Almost every path is a name or a dotted name, for which
walking the dictionaries is ten times as fast as the interpreter of the full language.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import lru_cache
from typing import Annotated, Any

import jmespath
from jmespath.exceptions import JMESPathError
from pydantic import AfterValidator, Field
from pydantic_core import PydanticCustomError

from rubrica.errors import Problem, Rule

Getter = Callable[[Any], Any]

_DOTTED = re.compile(r"^[A-Za-z_][A-Za-z0-9_]*(\.[A-Za-z_][A-Za-z0-9_]*)*$")

BAD_PATH = Rule(
    code="S030",
    title="A path into item data is well-formed JMESPath",
    says="the path {path!r} cannot be read: {reason}",
    why="Without a readable path nothing of the item can be found.",
    mend="Write a name (`answer`), a dotted name (`metadata.model`) or any JMESPath; "
    'put names with blanks or dashes in double quotes, as in `"my field".text`.',
)

PATH_FAILS = Rule(
    code="I030",
    title="A path works on every item",
    says="the path {path!r} cannot be followed in this item: {reason}",
    why="A function in the path met a value of another type, so what it should show is unknown.",
    mend="Guard the path against such items, as in `keys(targets || `{{}}`)`, or mend the item.",
)


def _first_line(error: Exception) -> str:
    return str(error).strip().splitlines()[0] if str(error).strip() else type(error).__name__


@lru_cache(maxsize=1024)
def compile_path(path: str) -> Getter:
    """A function from item data to the value at `path` (None where there is none)."""
    if _DOTTED.match(path):
        return _dotted(tuple(path.split(".")))
    try:
        parsed = jmespath.compile(path)
    except (JMESPathError, ValueError, LookupError, TypeError, AttributeError, RecursionError) as error:
        details = {"path": path[:200], "reason": _first_line(error)}
        raise Problem(BAD_PATH, got=path[:200], details=details) from None

    def search(data: Any) -> Any:
        try:
            return parsed.search(data)
        except JMESPathError as error:
            details = {"path": path, "reason": _first_line(error)}
            raise Problem(PATH_FAILS, got=path, details=details) from None

    return search


def _dotted(names: tuple[str, ...]) -> Getter:
    if len(names) == 1:
        name = names[0]
        return lambda data: data.get(name) if isinstance(data, dict) else None

    def walk(data: Any) -> Any:
        for name in names:
            if not isinstance(data, dict):
                return None
            data = data.get(name)
        return data

    return walk


def _well_formed(path: str) -> str:
    try:
        compile_path(path)
    except Problem as problem:
        raise PydanticCustomError("path", "{reason}", dict(problem.details)) from None
    return path


Path = Annotated[str, Field(min_length=1), AfterValidator(_well_formed)]
"""A path into item data, wherever a study or a kind declares one."""


def covers(path: str, other: str) -> bool:
    """Whether what is found at `path` surely holds what is found at `other`; only for plain paths."""
    if path == "@":
        return True
    plain = _DOTTED.match(path) and _DOTTED.match(other)
    return bool(plain) and f"{other}.".startswith(f"{path}.")
