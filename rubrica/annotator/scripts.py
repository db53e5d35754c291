"""The ES modules of the rater's side, with the page parts of the question kinds in use."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from rubrica.web.assets import join_modules
from rubrica.web.parts import part_modules

STATIC = Path(__file__).parent / "static"


def sources(used: Sequence[str]) -> dict[str, str]:
    """Every module by its name; `parts.js` names the kinds, whoever brought them."""
    found = {path.name: path.read_text(encoding="utf-8") for path in sorted(STATIC.glob("*.js"))}
    return found | part_modules(used)


def joined(entry: str, used: Sequence[str]) -> str:
    return join_modules(entry, sources(used))
