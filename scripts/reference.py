"""Writes the reference pages from the code they describe; a test asks whether they are current.

A page is one function that gives its Markdown; add yours to `PAGES`.
"""

from __future__ import annotations

import pkgutil
import re
import sys
from collections.abc import Callable, Iterator
from importlib import import_module
from pathlib import Path
from typing import Any

import rubrica
from rubrica.assignment.reference import page as policies
from rubrica.cli.reference import page as commands
from rubrica.coordinator.reference import page as api
from rubrica.errors import RULES, Rule
from rubrica.exchange.reference import page as formats
from rubrica.items.reference import page as readers
from rubrica.kinds.reference import page as kinds
from rubrica.reports import schema as reports
from rubrica.study import schema, source, version

FOLDER = Path(__file__).parents[1] / "docs" / "reference"
MADE = "<!-- Made by scripts/reference.py from the code; do not edit. -->\n"


# --- rules ----------------------------------------------------------------------------------------

ROOMS = {
    "S": "The study file",
    "I": "Items and their files",
    "A": "Answers",
    "F": "Fieldwork: joining, rating, revising",
    "D": "The database",
    "X": "Files in and out",
    "R": "Analysis and report",
    "W": "The web pages",
    "C": "The command line",
}


def rules() -> str:
    """Every numbered rule of the program."""
    for module in pkgutil.walk_packages(rubrica.__path__, "rubrica."):
        if ".migrations." not in module.name:  # these run only inside a migration
            import_module(module.name)
    lines = [
        MADE,
        "# Rules\n",
        "Whatever can be wrong is a rule with a number. A problem names the rule, the place, what was",
        "expected and found, and how to mend it. Words in braces stand for what a problem is about.",
        "Errors stop the work, warnings and notes do not.\n",
    ]
    for letter, title in ROOMS.items():
        of_room = [rule for code, rule in sorted(RULES.items()) if code[0] == letter]
        if of_room:
            lines += [f"## {letter}: {title}\n", *(line for rule in of_room for line in _rule(rule))]
    return "\n".join(lines)


def _rule(rule: Rule) -> Iterator[str]:
    level = "" if rule.level == "error" else f" ({rule.level})"
    yield f"### {rule.code} {rule.title}{level}\n"
    yield f"> {_braces(rule.says)}\n"
    yield f"{rule.why}\n"
    yield f"*To mend it:* {_braces(rule.mend)}\n"


def _braces(text: str) -> str:
    """A message as it reads, with plain names where a problem's details go."""
    named = re.sub(r"(?<!\{)\{(\w+)[!:][^{}]*\}", r"{\1}", text)
    return named.replace("{{", "{").replace("}}", "}")


# --- the study file -------------------------------------------------------------------------------


def study_file() -> str:
    """Every key of a study file."""
    whole = schema.schema()
    lines = [
        MADE,
        "# The study file\n",
        "A study is a folder with a `study.yaml`. With this first line an editor completes its keys",
        "and explains them (`rubrica schema --out study.schema.json` writes the schema):\n",
        "```yaml\n# yaml-language-server: $schema=study.schema.json\n```\n",
        "## How it is read\n",
        f"{_prose(source)}\n",
        "## Its version\n",
        f"{_prose(version)} They are: {', '.join(f'`{k}`' for k in sorted(version.ORDERED))}.\n",
        "## Its keys\n",
        "Keys without a default must be there where “required” stands, and may be left out elsewhere.",
        "A *path* is [JMESPath](https://jmespath.org) into an item's data.\n",
        *_keys(whole),
    ]
    for name, shape in whole["$defs"].items():
        lines += [f"### {name}\n", f"{_one_line(shape['description'])}\n"]
        lines += _keys(shape) if "properties" in shape else []
    return "\n".join(lines)


def _prose(module: Any) -> str:
    """What a module's docstring says below its first line."""
    return (module.__doc__ or "").partition("\n\n")[2].strip()


def _keys(shape: dict[str, Any]) -> Iterator[str]:
    yield "| key | value | |"
    yield "|---|---|---|"
    for name, key in shape["properties"].items():
        default = f" Default: `{_plain(key['default'])}`." if "default" in key else ""
        required = "; required" if name in shape.get("required", ()) else ""
        says = _one_line(key.get("description", "")).replace("|", "\\|")
        yield f"| `{name}` | {_value(key)}{required} | {says}{default} |"
    yield ""


def _plain(value: Any) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


def _value(shape: dict[str, Any]) -> str:
    """What a value may be, in words."""
    if "$ref" in shape:
        name = shape["$ref"].rpartition("/")[2]
        return f"[{'text' if name == 'Text' else name}](#{name.lower()})"
    if "const" in shape:
        return f"`{shape['const']}`"
    if "enum" in shape:
        return " or ".join(f"`{value}`" for value in shape["enum"])
    for choice in ("anyOf", "oneOf"):
        if choice in shape:
            return ", or ".join(dict.fromkeys(_value(part) for part in shape[choice]))
    return _typed(shape)


def _typed(shape: dict[str, Any]) -> str:
    kind = shape.get("type", "")
    if kind == "array":
        parts = shape.get("items") or shape.get("prefixItems", [{}])[0]
        return f"list of {_value(parts)}" if parts else "list"
    if kind == "object":
        held = [*shape.get("patternProperties", {}).values(), shape.get("additionalProperties")]
        inner = next((h for h in held if isinstance(h, dict)), None)
        return f"names with {_value(inner)}" if inner else "mapping"
    words = {
        "string": "text",
        "integer": "whole number",
        "number": "number",
        "boolean": "true or false",
    }
    return words.get(kind, "anything")


def _one_line(text: str) -> str:
    return " ".join(text.split())


PAGES: dict[str, Callable[[], str]] = {
    "api.md": api,
    "commands.md": commands,
    "formats.md": formats,
    "kinds.md": kinds,
    "policies.md": policies,
    "readers.md": readers,
    "report-json.md": reports.page,
    "rules.md": rules,
    "study-file.md": study_file,
}


if __name__ == "__main__":
    FOLDER.mkdir(parents=True, exist_ok=True)
    for name in sys.argv[1:] or PAGES:
        (FOLDER / name).write_text(PAGES[name](), encoding="utf-8")
    schema.FILE.write_text(schema.schema_text(), encoding="utf-8")
    reports.FILE.write_text(reports.schema_text(), encoding="utf-8")
