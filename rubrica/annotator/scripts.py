"""The scripts and styles of the rater's side, with the page parts of the question kinds in use."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from rubrica.web.assets import join_modules, join_styles
from rubrica.web.parts import part_modules

STATIC = Path(__file__).parent / "static"
STYLES = (
    *("colours", "dark", "elements", "controls", "pages"),
    *("work", "item", "questions", "dialogs", "narrow"),
)
"""In the order in which they are joined: what comes later overrules."""


def sources(used: Sequence[str]) -> dict[str, str]:
    """Every module by its name; `parts.js` names the kinds, whoever brought them."""
    found = {path.name: path.read_text(encoding="utf-8") for path in sorted(STATIC.glob("*.js"))}
    return found | part_modules(used)


def style() -> str:
    """The stylesheet of all rater pages, which the desk's builds upon."""
    found = {name: (STATIC / "style" / f"{name}.css").read_text(encoding="utf-8") for name in STYLES}
    return join_styles(found, STYLES)


def joined(entry: str, used: Sequence[str]) -> str:
    return join_modules(entry, sources(used))
