"""One shape for everything that can be wrong.

A `Rule` says once what must hold, why, and how to mend a breach; a `Problem` is one breach of it,
with the place and the values seen. Text is made only when somebody reads it, so a problem can be
shown in any language, counted, or sent as JSON.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from difflib import get_close_matches
from typing import Any, Literal

Level = Literal["error", "warning", "note"]

RULES: dict[str, Rule] = {}
"""Every rule of the program by code; the reference page is generated from this."""


@dataclass(frozen=True, slots=True)
class Rule:
    """What must hold. `says` is a format string over the problem's details."""

    code: str
    title: str
    says: str
    why: str
    mend: str
    level: Level = "error"

    def __post_init__(self) -> None:
        if self.code in RULES:
            raise ValueError(f"two rules with the code {self.code}")
        RULES[self.code] = self


@dataclass(frozen=True, slots=True)
class Where:
    """A place a person can go to: a file with line and column, or a path inside the study."""

    file: str | None = None
    line: int | None = None
    column: int | None = None
    path: str = ""

    def __str__(self) -> str:
        spot = ":".join(str(p) for p in (self.file, self.line, self.column) if p is not None)
        return " ".join(p for p in (spot, self.path) if p)


@dataclass(eq=True)
class Problem(Exception):
    """One breach of a rule. Raised where work must stop, collected where more can be found."""

    rule: Rule
    where: Where = field(default_factory=Where)
    expected: str | None = None
    got: str | None = None
    nearest: str | None = None
    details: Mapping[str, Any] = field(default_factory=dict)

    def __post_init__(self) -> None:
        super().__init__(self.rule.code)

    @property
    def code(self) -> str:
        return self.rule.code

    @property
    def level(self) -> Level:
        return self.rule.level

    @property
    def message(self) -> str:
        return self.filled(self.rule.says)

    @property
    def hint(self) -> str:
        return self.filled(self.rule.mend)

    def filled(self, text: str) -> str:
        """A text about this problem, in whatever language, with what was seen put in."""
        return text.format_map(self._values())

    def at(self, where: Where) -> Problem:
        """The same problem, placed."""
        return replace(self, where=where)

    def __str__(self) -> str:
        head = " ".join(p for p in (self.code, str(self.where)) if p)
        lines = [f"{head}: {self.message}"]
        if self.expected is not None:
            lines.append(f"  expected: {self.expected}")
        if self.got is not None:
            lines.append(f"  got: {self.got}")
        if self.nearest is not None:
            lines.append(f"  did you mean: {self.nearest}")
        lines.append(f"  mend: {self.hint}")
        return "\n".join(lines)

    def __reduce__(self) -> tuple[Any, ...]:
        """Lets a problem travel between processes, which exceptions do by their message alone."""
        told = (self.expected, self.got, self.nearest, dict(self.details))
        return type(self), (self.rule, self.where, *told)

    def as_json(self) -> dict[str, Any]:
        where = self.where
        return {
            "code": self.code,
            "level": self.level,
            "message": self.message,
            "where": {
                "file": where.file,
                "line": where.line,
                "column": where.column,
                "path": where.path,
            },
            "expected": self.expected,
            "got": self.got,
            "nearest": self.nearest,
            "mend": self.hint,
        }

    def _values(self) -> dict[str, Any]:
        shown = {"expected": self.expected, "got": self.got, "nearest": self.nearest}
        return {**shown, **self.details}


class Problems(Exception):
    """Several problems found in one go; no problem hides behind the first."""

    def __init__(self, problems: Iterable[Problem]) -> None:
        self.problems = list(problems)
        super().__init__(f"{len(self.problems)} problems")

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (self.problems,)

    def __str__(self) -> str:
        return "\n".join(str(p) for p in self.problems)


def nearest(name: object, known: Iterable[object]) -> str | None:
    """The known name a reader probably meant, if one is close."""
    by_text = {str(k): str(k) for k in known}
    found = get_close_matches(str(name), by_text, n=1, cutoff=0.6)
    return found[0] if found else None


def shown(value: object, limit: int = 80) -> str:
    """A value as a person would write it, short enough for one line."""
    try:
        text = repr(value)
    except RecursionError:
        text = f"a {type(value).__name__} nested too deep to show"
    return text if len(text) <= limit else text[: limit - 1] + "…"
