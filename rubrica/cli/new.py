"""A study folder to edit."""

from __future__ import annotations

from contextlib import suppress
from importlib.resources import files
from importlib.resources.abc import Traversable
from pathlib import Path
from typing import Annotated

import typer

from rubrica.cli.talk import AsJson, give, problems_as_json
from rubrica.errors import Problem, Rule, Where
from rubrica.study.schema import schema_text

IN_THE_WAY = Rule(
    code="C010",
    title="A new study gets a folder of its own",
    says="{got} exists and is not an empty folder",
    why="Nothing that is there may be overwritten.",
    mend="Give another name, or empty the folder first.",
)
CANNOT_WRITE = Rule(
    code="C011",
    title="Files can be written where they are asked for",
    says="{got} cannot be written: {reason}",
    why="Without it there is nothing to go on with.",
    mend="Choose a folder you may write to, and see that the disk is not full.",
)

SCHEMA = "study.schema.json"
"""What the first line of the study file names, for editors."""


def command(
    name: Annotated[Path, typer.Argument(help="The folder to make; its name becomes the title.")],
    as_json: AsJson = False,
) -> None:
    """A study folder to edit."""
    with problems_as_json(as_json):
        made = make(name)
    result = {"folder": str(name), "files": made}
    give(result, f"Made {name}: {', '.join(made)}.\nNext: rubrica check {name}", as_json)


def make(folder: Path) -> list[str]:
    """Write a small complete study, with a comment on everything in it; the names of its files."""
    if folder.exists() and not (folder.is_dir() and not any(folder.iterdir())):
        raise Problem(IN_THE_WAY, where=Where(file=str(folder)), got=str(folder))
    template = files("rubrica.cli").joinpath("template")
    there = folder.exists()
    try:
        folder.mkdir(parents=True, exist_ok=True)
        made = [_copy(part, folder) for part in template.iterdir()]
        (folder / SCHEMA).write_text(schema_text(), encoding="utf-8")
        return sorted([*made, SCHEMA])
    except OSError as error:
        _take_back(folder, keep=there)
        details = {"reason": error.strerror or str(error)}
        raise Problem(CANNOT_WRITE, got=str(error.filename or folder), details=details) from None


def _take_back(folder: Path, keep: bool) -> None:
    """Half a study would only be in the way; the folder had nothing, so all in it is ours."""
    with suppress(OSError):
        for file in folder.iterdir():
            file.unlink()
        if not keep:
            folder.rmdir()


def _copy(part: Traversable, folder: Path) -> str:
    text = part.read_text(encoding="utf-8")
    if part.name == "study.yaml":
        title = folder.resolve().name.replace("\\", "\\\\").replace('"', '\\"')
        text = text.replace("title: NAME", f'title: "{title}"', 1)
    (folder / part.name).write_text(text, encoding="utf-8")
    return part.name
