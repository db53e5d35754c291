"""Finding registered things by name: kinds here, readers and policies through the same door."""

from __future__ import annotations

from functools import cache
from importlib.metadata import EntryPoint, entry_points
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


BROKEN = Rule(
    code="S021",
    title="A named part can be loaded",
    says="the {what} {name!r} is installed but cannot be loaded: {reason}",
    why="A study that uses it cannot run; others are not touched.",
    mend="Install the package that brings it anew, or ask its author.",
)


@cache
def registered(group: str) -> dict[str, Any]:
    """Everything in an entry-point group that can be loaded, bundled or a stranger's, by name."""
    return {name: part for name, part in _loaded(group).items() if not isinstance(part, _Broken)}


def find(group: str, what: str, name: str) -> Any:
    """The registered thing of this name, or a problem that says which there are."""
    part, there = _loaded(group).get(name), registered(group)
    if isinstance(part, _Broken):
        details = {"what": what, "name": name, "reason": part.reason}
        raise Problem(BROKEN, got=name, details=details)
    if part is None:
        details = {"what": what, "name": name, "known": ", ".join(there) or "none"}
        raise Problem(UNKNOWN, got=name, nearest=nearest(name, there), details=details)
    return part


class _Broken:
    """Stands for a part whose code fails, so that it harms only the studies that name it."""

    def __init__(self, error: Exception) -> None:
        self.reason = f"{type(error).__name__}: {error}"[:300]


@cache
def _loaded(group: str) -> dict[str, Any]:
    return {e.name: _load(e) for e in sorted(entry_points(group=group), key=lambda e: e.name)}


def _load(entry: EntryPoint) -> Any:
    try:
        return entry.load()
    except Exception as error:
        return _Broken(error)


def kinds() -> dict[str, Kind[Any]]:
    return registered("rubrica.kinds")


def kind(name: str) -> Kind[Any]:
    found: Kind[Any] = find("rubrica.kinds", "question kind", name)
    return found
