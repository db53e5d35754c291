"""The reference page of all commands, made from the signatures of the commands themselves."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from inspect import Parameter, signature
from typing import Any, get_args, get_origin, get_type_hints

from typer.models import ArgumentInfo, OptionInfo

from rubrica.cli import COMMANDS, module_of

MADE = "<!-- Made by `make docs` from the commands themselves; do not edit. -->"


@dataclass(frozen=True, slots=True)
class Part:
    """An argument or option as a person writes it."""

    written: str
    says: str
    argument: bool


def page() -> str:
    """The page as Markdown."""
    head = [
        "# Commands",
        "",
        MADE,
        "",
        "Every command ends with exit code 0 (well), 1 (the input has problems) or 2 (wrong use).",
        "Results go to standard output; progress, warnings and problems to standard error.",
        "",
    ]
    lines = [line for name, says in COMMANDS.items() for line in _command(name, says)]
    return "\n".join([*head, *lines]).rstrip() + "\n"


def _command(name: str, says: str) -> Iterator[str]:
    parts = list(_parts(module_of(name).command))
    arguments = [part for part in parts if part.argument]
    usage = " ".join(["rubrica", name, *(part.written for part in arguments), "[OPTIONS]"])
    yield from (f"## {name}", "", f"{says[0].upper()}{says[1:]}.", "", f"    {usage}", "")
    yield from ("| | |", "|---|---|")
    yield from (f"| `{part.written}` | {part.says} |" for part in parts)
    yield ""


def _parts(command: Any) -> Iterator[Part]:
    hints = get_type_hints(command, include_extras=True)
    for name, parameter in signature(command).parameters.items():
        hint, info = get_args(hints[name])
        says = _says(info, parameter)
        if isinstance(info, ArgumentInfo):
            yield Part(_argument(name, hint, parameter), says, argument=True)
        else:
            yield Part(_option(name, hint, info), says, argument=False)


def _argument(name: str, hint: Any, parameter: Parameter) -> str:
    written = name.upper() + ("..." if get_origin(hint) is list else "")
    return written if parameter.default is Parameter.empty else f"[{written}]"


def _option(name: str, hint: Any, info: OptionInfo) -> str:
    given = [str(d) for d in (info.default, *(info.param_decls or ())) if str(d).startswith("-")]
    names = ", ".join(given) or f"--{name.replace('_', '-')}"
    return names if hint is bool else f"{names} {info.metavar or name.upper()}"


def _says(info: ArgumentInfo | OptionInfo, parameter: Parameter) -> str:
    says, default = (info.help or "").replace("|", "\\|"), parameter.default
    told = "[default" in says or default is Parameter.empty or isinstance(default, bool)
    return says if told or default is None else f"{says} Default: {default}."
