"""Changing parts of a study file as text, so that its comments and its order stay."""

from __future__ import annotations

import re
from collections.abc import Sequence

Way = Sequence[str]
"""The keys that lead to a block: `("items", "verdict", "goals")`."""


def replaced(text: str, way: Way, block: str) -> str:
    """The text with another block there; at the end of the parent where there was none."""
    lines = text.splitlines(keepends=True)
    span = _span(lines, way)
    if span is None:
        parent = _span(lines, way[:-1])
        if parent is None:
            raise LookupError(f"the study file has no {'.'.join(way[:-1])}")
        span = (parent[1], parent[1])
    new = [f"{line}\n" for line in block.rstrip("\n").split("\n")]
    return "".join([*lines[: span[0]], *new, *lines[span[1] :]])


def removed(text: str, way: Way) -> str:
    lines = text.splitlines(keepends=True)
    span = _span(lines, way)
    return text if span is None else "".join([*lines[: span[0]], *lines[span[1] :]])


def block(text: str, way: Way) -> str:
    """The lines of a block, its key among them; empty where there is none."""
    lines = text.splitlines(keepends=True)
    span = _span(lines, way)
    return "" if span is None else "".join(lines[slice(*span)])


def _span(lines: Sequence[str], way: Way) -> tuple[int, int] | None:
    start, end = 0, len(lines)
    for depth, key in enumerate(way):
        indent = "  " * depth
        head = re.compile(rf"{indent}{re.escape(key)}:")
        first = next((i for i in range(start, end) if head.match(lines[i])), None)
        if first is None:
            return None
        start, end = first, _end(lines, first, end, len(indent))
        if depth + 1 < len(way):
            start += 1
    return start, end


def _end(lines: Sequence[str], first: int, limit: int, indent: int) -> int:
    """Behind the last line that stands further in; blank lines belong to what comes next."""
    last = first
    for i in range(first + 1, limit):
        line = lines[i]
        if line.strip() and len(line) - len(line.lstrip()) <= indent:
            break
        last = i if line.strip() else last
    return last + 1
