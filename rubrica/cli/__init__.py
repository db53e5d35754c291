"""The command line: one module per command; parse, call, print; no rules.

A command is imported only when it is asked for, so that `rubrica --version` answers at once.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from importlib import import_module
from types import ModuleType
from typing import Any

from rubrica import __version__
from rubrica.errors import Problem, Problems, Rule, nearest

COMMANDS = {
    "demo": "the three bundled studies with simulated ratings, in the browser",
    "check": "every problem in a study's file and its items",
    "schema": "the JSON Schema of study files, for editors",
    "new": "a study folder to edit",
    "sample": "a study's items drawn from a simulator's logs",
    "load": "load a study's items, or see what a change to them would do",
    "serve": "open a study for raters in the browser",
    "account": "who may enter the coordinators' desk, and what they may do there",
    "simulate": "fill a study with robot raters",
    "import": "ratings made elsewhere, from files",
    "validate": "a results file filled by hand: its problems, then the judge validation",
    "export": "ratings as a file, or as the files another tool writes",
    "report": "the report of a study: pages, tables, figures and numbers",
    "backup": "a copy of a database while it is in use",
    "restore": "a backup or a bundle, made usable again",
    "plan": "how many items and raters a study needs",
    "doctor": "what is wrong with this machine or database, and what to do",
}
"""Every command with what it is for; the module of the same name holds it."""

UNKNOWN_COMMAND = Rule(
    code="C001",
    title="A command is one of those there are",
    says="there is no command {got!r}",
    why="Nothing was done.",
    mend="Run `rubrica --help` to see all commands.",
)
WRONG_USE = Rule(
    code="C002",
    title="A command is given what it takes, and nothing else",
    says="{reason}",
    why="Nothing was done.",
    mend="Run `{command} --help` to see what it takes.",
)


def main() -> None:
    """The entry point `rubrica`: exit code 0 well, 1 the input has problems, 2 wrong use."""
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):  # a lone surrogate in a file's text must not end us
            stream.reconfigure(errors="backslashreplace")
    sys.exit(run(sys.argv[1:]))


def run(args: list[str]) -> int:
    if args in (["--version"], ["-V"]):
        return _say(f"rubrica {__version__}")
    if not args or args[0] in ("--help", "-h", "help"):
        return _say(_help())
    if args[0] not in COMMANDS:
        problem = Problem(UNKNOWN_COMMAND, got=args[0], nearest=nearest(args[0], COMMANDS))
        return _fail([problem], 2)
    return _guarded(lambda: _typer(args[0])(args[1:]))


def module_of(name: str) -> ModuleType:
    return import_module(f"rubrica.cli.{name}_" if name == "import" else f"rubrica.cli.{name}")


def _typer(name: str) -> Callable[[list[str]], int]:
    import typer

    app = typer.Typer(add_completion=False, pretty_exceptions_enable=False)
    command = module_of(name)
    app.command(name, help=command.__doc__)(command.command)
    click_command = typer.main.get_command(app)
    # The parser's errors are of its own package or of another, depending on its release.
    wrong_use: type[Exception] = typer.BadParameter.__bases__[0]

    def call(args: list[str]) -> int:
        program = f"rubrica {name}"
        try:
            result: Any = click_command.main(args, prog_name=program, standalone_mode=False)
        except wrong_use as error:
            return _fail([_wrong_use(program, error)], 2)
        except typer.Abort:
            raise KeyboardInterrupt from None
        return int(result or 0)

    return call


def _wrong_use(program: str, error: Any) -> Problem:
    """What the parser says, in the form of every other problem."""
    known = getattr(error, "possibilities", None)
    said = error.format_message().rstrip(".").replace("Value error, ", "")
    near = None
    if known is not None:
        said, near = f"there is no option {error.option_name}", nearest(error.option_name, known)
    usage = error.ctx.get_usage().removeprefix("Usage: ") if error.ctx else None
    details = {"reason": said[:1].lower() + said[1:], "command": program}
    return Problem(WRONG_USE, expected=usage, nearest=near, details=details)


def _guarded(call: Callable[[], int]) -> int:
    try:
        return call()
    except Problems as problems:
        return _fail(problems.problems, 1)
    except Problem as problem:
        return _fail([problem], 1)
    except KeyboardInterrupt:
        return _say("\nstopped; nothing acknowledged is lost", sys.stderr) or 130
    except SystemExit as stop:
        return stop.code if isinstance(stop.code, int) else 1


def _fail(problems: list[Problem], code: int) -> int:
    for problem in problems:
        _say(str(problem), sys.stderr)
    return code


def _say(text: str, stream: Any = None) -> int:
    print(text, file=stream or sys.stdout)
    return 0


def _help() -> str:
    width = max(map(len, COMMANDS))
    lines = [f"  {name:<{width}}  {says}" for name, says in COMMANDS.items()]
    usage = "Usage: rubrica COMMAND [OPTIONS] (rubrica COMMAND --help says more)"
    return "\n".join(["Rubrica: human evaluation studies of AI systems.", "", usage, "", *lines])
