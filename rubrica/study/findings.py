"""What the models find wrong, brought back to places in the author's data.

A location the models give mixes keys with labels of the shapes they tried: `show.0.text.label` is the
`label` of a text view. And where a value may have several shapes, they report what each of them
misses. Here each finding gets its true way, and of several shapes the one the author meant.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from pydantic import ValidationError

from rubrica.study.source import Steps

_KEY = "[key]"


@dataclass(frozen=True, slots=True)
class Finding:
    """One finding: its kind, the way to the value, and the shape that was tried there."""

    kind: str
    steps: Steps
    on_key: bool
    value: Any
    context: Mapping[str, Any]
    message: str
    location: tuple[Any, ...]
    kept: frozenset[int]
    """Which parts of the location are steps; the others are labels."""
    root: Any
    """The type the whole data was read as."""
    others: tuple[Finding, ...] = ()
    """What other shapes of the same value would have needed."""

    @property
    def labels(self) -> tuple[str, ...]:
        return tuple(str(p) for i, p in enumerate(self.location) if i not in self.kept)

    @property
    def shape(self) -> tuple[str, ...]:
        """The labels that come after the last step: the shape of the value itself."""
        end = max(self.kept, default=-1)
        return tuple(str(p) for p in self.location[end + 1 :] if p != _KEY)


def findings_of(error: ValidationError, data: Any, root: Any) -> list[Finding]:
    return list(_settle([_finding(e, data, root) for e in error.errors(include_url=False)], 0))


def _finding(error: Any, data: Any, root: Any) -> Finding:
    location = tuple(error["loc"])
    steps, kept = _way(location, data, error["type"] == "missing")
    return Finding(
        kind=error["type"],
        steps=steps,
        on_key=_KEY in location,
        value=error["input"],
        context=error.get("ctx", {}),
        message=error["msg"],
        location=location,
        kept=frozenset(kept),
        root=root,
    )


def _way(
    location: tuple[Any, ...], data: Any, missing: bool, at: int = 0
) -> tuple[Steps, tuple[int, ...]]:
    """The longest way through the data this location can mean; of two, the one with labels first.

    Only the data can tell a key from a label: in `show.0.text.label` the `text` is a label, because
    the `label` stands beside it and not inside.
    """
    if at == len(location):
        return (), ()
    step = location[at]
    there = _has(data, step)
    skipped = _way(location, data, missing, at + 1)
    if not there and not (missing and at == len(location) - 1):
        return skipped
    rest, kept = _way(location, data[step] if there else None, missing, at + 1)
    return ((step, *rest), (at, *kept)) if len(rest) >= len(skipped[0]) else skipped


def _has(data: Any, step: Any) -> bool:
    if isinstance(data, dict):
        return step in data
    return isinstance(data, list) and isinstance(step, int) and step < len(data)


def _settle(found: Sequence[Finding], at: int) -> Iterator[Finding]:
    """Follows the locations together; where they part by label, one shape is chosen."""
    steps: dict[Any, list[Finding]] = {}
    labels: dict[Any, list[Finding]] = {}
    for finding in found:
        if len(finding.location) == at:
            yield finding
            continue
        part = finding.location[at]
        is_step = at in finding.kept or part == _KEY
        (steps if is_step else labels).setdefault(part, []).append(finding)
    for group in steps.values():
        yield from _settle(group, at + 1)
    yield from _meant([list(_settle(group, at + 1)) for group in labels.values()], at)


def _meant(shapes: list[list[Finding]], at: int) -> list[Finding]:
    """Of the shapes a value may have, the one it comes closest to; else all of them in one."""
    if len(shapes) < 2:
        return [f for shape in shapes for f in shape]
    close = [shape for shape in shapes if not all(_is_another_type(f, at) for f in shape)]
    if close:
        return min(close, key=_distance)
    first, *others = (f for shape in shapes for f in shape)
    return [replace(first, others=(*first.others, *others))]


def _is_another_type(finding: Finding, at: int) -> bool:
    """Whether the value as a whole is of another type; a fault inside it shows the shape was meant."""
    whole = max(finding.kept, default=-1) < at
    return whole and finding.kind.endswith(("_type", "_parsing", "_from_float", "literal_error"))


def _distance(shape: list[Finding]) -> int:
    """Names that do not fit weigh more than values: a mapping's keys show what was meant."""
    return sum(4 if f.on_key else 1 for f in shape)
