"""The reference page of all commands, made from the commands themselves.

python -m rubrica.cli.reference > docs/reference/commands.md
"""

from __future__ import annotations

from collections.abc import Iterator
from importlib import import_module
from importlib.util import find_spec
from typing import Any

import typer

from rubrica.cli import COMMANDS


def page() -> str:
    """The page as Markdown."""
    head = [
        "# Commands",
        "",
        "Every command ends with exit code 0 (well), 1 (the input has problems) or 2 (wrong use).",
        "Made by `make docs` from the commands themselves.",
        "",
    ]
    parts = [line for name, says in COMMANDS.items() for line in _command(name, says)]
    return "\n".join([*head, *parts]).rstrip() + "\n"


def _command(name: str, says: str) -> Iterator[str]:
    module = f"rubrica.cli.{name}_" if name == "import" else f"rubrica.cli.{name}"
    if find_spec(module) is None:
        return
    app = typer.Typer(add_completion=False)
    app.command(name)(import_module(module).command)
    command = typer.main.get_command(app)
    arguments = [p for p in command.params if p.param_type_name == "argument"]
    options = [p for p in command.params if p.param_type_name == "option"]
    usage = " ".join(["rubrica", name, *map(_usage, arguments), "[OPTIONS]" if options else ""])
    yield from (f"## {name}", "", f"{says[0].upper()}{says[1:]}.", "", f"    {usage.strip()}", "")
    yield from _table("Argument", [(_usage(p), p) for p in arguments])
    yield from _table("Option", [(_option(p), p) for p in options])


def _table(title: str, rows: list[tuple[str, Any]]) -> Iterator[str]:
    if rows:
        yield from (f"| {title} | Meaning |", "| --- | --- |")
        yield from (f"| `{name}` | {_meaning(param)} |" for name, param in rows)
        yield ""


def _usage(param: Any) -> str:
    name = f"{param.human_readable_name}".upper() + ("..." if param.nargs == -1 else "")
    return name if param.required else f"[{name}]"


def _option(param: Any) -> str:
    names = ", ".join(param.opts)
    return names if param.is_flag else f"{names} {param.make_metavar(None)}"


def _meaning(param: Any) -> str:
    says = (getattr(param, "help", None) or "").replace("|", "\\|")
    plain = param.default if isinstance(param.default, int | float | str) else None
    if plain is None or isinstance(plain, bool) or "[default" in says:
        return says
    return f"{says} Default: {plain}."


if __name__ == "__main__":
    print(page(), end="")  # noqa: T201
