"""Looking into item data: what is missing, what is null, what a page can carry."""

from __future__ import annotations

import json
import re
from typing import Any

from rubrica.errors import Problem, nearest
from rubrica.items.rules import MISSING
from rubrica.paths import Getter, compile_path

_DOTTED = re.compile(r"[A-Za-z_]\w*(\.[A-Za-z_]\w*)*", re.ASCII)
_HEAD = re.compile(r"([A-Za-z_]\w*)(?![\w(])(?!.*\|\|)", re.ASCII)


def required(path: str) -> Getter:
    """A function to the value at `path`; a missing field is a problem, a null one is not."""
    if not _DOTTED.fullmatch(path):
        return _required_search(path)
    names = path.split(".")
    return _required_name(path) if len(names) == 1 else _required_names(path, names)


def _required_name(name: str) -> Getter:
    def get(data: Any) -> Any:
        try:
            return data[name]
        except (KeyError, TypeError):
            raise _missing(name, name, data) from None

    return get


def _required_names(path: str, names: list[str]) -> Getter:
    def get(data: Any) -> Any:
        for name in names:
            if data is None:
                return None
            if not isinstance(data, dict) or name not in data:
                raise _missing(path, name, data)
            data = data[name]
        return data

    return get


def _required_search(path: str) -> Getter:
    search = compile_path(path)
    head = _HEAD.match(path)

    def get(data: Any) -> Any:
        value = search(data)
        if value is None and head and not (isinstance(data, dict) and head[1] in data):
            raise _missing(path, head[1], data)
        return value

    return get


def _missing(path: str, name: str, data: Any) -> Problem:
    known = list(data) if isinstance(data, dict) else []
    return Problem(MISSING, nearest=nearest(name, known), details={"path": path})


def meant(path: str, data: Any) -> str | None:
    """The name in this item that is nearest to one which the path does not find there."""
    try:
        required(path)(data)
    except Problem as problem:
        return problem.nearest
    return None


def page_text(value: Any) -> str | None:
    """A value as text that a page can carry; null stays null.

    NUL becomes its picture and a lone surrogate the replacement mark, because no page can hold them;
    the source keeps them as they are.
    """
    if value is None:
        return None
    text = value if isinstance(value, str) else as_text(value)
    if text.isascii():
        return text if "\0" not in text else text.replace("\0", "␀")
    return _carried(text.replace("\0", "␀"))


def _carried(text: str) -> str:
    try:
        text.encode()
    except UnicodeEncodeError:
        return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")
    return text


def as_text(value: Any) -> str:
    """Data as JSON text, for reading: lists and objects over several lines."""
    deep = isinstance(value, dict | list)
    return json.dumps(value, ensure_ascii=False, indent=2 if deep else None, default=str)


def name_of(value: Any) -> str | None:
    """What a value is called when it names something: a text, or a number as text."""
    if isinstance(value, str):
        return page_text(value) or None
    return None if value is None or isinstance(value, dict | list) else as_text(value)


def kind_of(value: Any) -> str:
    """What sort of JSON value this is, in words."""
    if value is None:
        return "null"
    names = ((bool, "true or false"), (int | float, "a number"), (str, "a text"), (list, "a list"))
    return next((name for shape, name in names if isinstance(value, shape)), "an object")
