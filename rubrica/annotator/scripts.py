"""The ES modules of the rater's side, with the page parts of the question kinds in use."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from rubrica.kinds.registry import kinds
from rubrica.web.assets import join_modules

STATIC = Path(__file__).parent / "static"
PARTS = "parts.js"


def sources(used: Sequence[str]) -> dict[str, str]:
    """Every module by its name; `parts.js` names the kinds, whoever brought them."""
    found = {path.name: path.read_text(encoding="utf-8") for path in sorted(STATIC.glob("*.js"))}
    found |= {f"kinds/{name}.js": kinds()[name].module() for name in used}
    imports = [f'import * as kind_{name} from "./kinds/{name}.js";' for name in used]
    listed = ", ".join(f'"{name}": kind_{name}' for name in used)
    found[PARTS] = "\n".join([*imports, f"export const parts = {{ {listed} }};"])
    return found


def joined(entry: str, used: Sequence[str]) -> str:
    return join_modules(entry, sources(used))
