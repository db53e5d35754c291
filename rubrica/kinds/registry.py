"""Finding registered things by name: kinds here, readers and policies through the same door."""

from __future__ import annotations

from functools import cache
from importlib.metadata import entry_points
from typing import Any

from rubrica.errors import Problem, Rule, nearest
from rubrica.kinds.contract import Kind

UNKNOWN = Rule(
    code="S020",
    title="A named part is registered",
    says="there is no {what} called {name!r}",
    why="Only kinds, readers and policies that are installed can be used.",
    mend="Use one of: {known}; or install the package that brings it.",
)


@cache
def registered(group: str) -> dict[str, Any]:
    """Everything registered in an entry-point group, bundled or a stranger's, by name."""
    return {e.name: e.load() for e in sorted(entry_points(group=group), key=lambda e: e.name)}


def find(group: str, what: str, name: str) -> Any:
    """The registered thing of this name, or a problem that says which there are."""
    there = registered(group)
    if name in there:
        return there[name]
    details = {"what": what, "name": name, "known": ", ".join(there)}
    raise Problem(UNKNOWN, got=name, nearest=nearest(name, there), details=details)


def kinds() -> dict[str, Kind[Any]]:
    return registered("rubrica.kinds")


def kind(name: str) -> Kind[Any]:
    found: Kind[Any] = find("rubrica.kinds", "question kind", name)
    return found
