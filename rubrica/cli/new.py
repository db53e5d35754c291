"""A study folder to edit."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

from rubrica.cli.talk import AsJson, counted, give, problems_as_json, progress, warn
from rubrica.errors import Problem, Rule, Where
from rubrica.exchange.starting.contract import Started
from rubrica.exchange.starting.making import small, start
from rubrica.exchange.starting.rules import MEDIA_MISSING

IN_THE_WAY = Rule(
    code="C010",
    title="A new study gets a folder of its own",
    says="{got} exists and is not an empty folder",
    why="Nothing that is there may be overwritten.",
    mend="Give another name, or empty the folder first.",
)
DATA_WITHOUT_KIND = Rule(
    code="C014",
    title="A study over data is made like a bundled one",
    says="--data needs to know what kind of study it is",
    why="The kind says which of the files are items, and what is asked about them.",
    mend="Add --like m3bench, --like vtt or --like incar; for other data edit items.jsonl and "
    "study.yaml of a new study.",
)


def command(
    name: Annotated[Path, typer.Argument(help="The folder to make; its name becomes the title.")],
    more: Annotated[
        list[Path] | None, typer.Argument(help="More data, as in `--data results/*.jsonl`.")
    ] = None,
    like: Annotated[
        str | None,
        typer.Option("--like", metavar="STUDY", help="A bundled study: m3bench, vtt or incar."),
    ] = None,
    data: Annotated[
        list[Path] | None,
        typer.Option(
            "--data",
            metavar="FILE|DIR...",
            help="Files and folders of your own, of the kind --like says; without it the study comes "
            "with its demo items.",
        ),
    ] = None,
    skip_bad: Annotated[
        bool, typer.Option("--skip-bad", help="Leave out records that cannot be read, and count them.")
    ] = False,
    as_json: AsJson = False,
) -> None:
    """A study folder to edit: small and new, or like a bundled one over files of your own."""
    given = [*(data or ()), *(more or ())]
    with problems_as_json(as_json):
        refuse_in_the_way(name)
        if like is None:
            if given:
                raise Problem(DATA_WITHOUT_KIND, Where(str(given[0])))
            made = small(name)
            result = {"folder": str(name), "files": made}
            give(result, f"Made {name}: {', '.join(made)}.\nNext: rubrica check {name}", as_json)
            return
        with progress("Reading data", 1.0) as told:
            started = start(like, name, given, skip_bad=skip_bad, told=told)
        if not as_json:
            warn(started.notes)
        give(_result(started), _text(started), as_json)


def _result(started: Started) -> dict[str, Any]:
    return {
        "folder": str(started.folder),
        "like": started.like,
        "items": started.items,
        "pictures": started.pictures,
        "bad": started.bad,
        "files": started.files,
        "notes": [problem.as_json() for problem in started.notes],
        "next": _next(started),
    }


def _text(started: Started) -> str:
    made = counted(started.items, "item") if started.items else started.files[0]
    pictures = f" with {counted(started.pictures, 'picture')}" if started.pictures else ""
    bad = f"; {counted(started.bad, 'bad record')} left out" if started.bad else ""
    steps = "\n".join(f"  {step}" for step in _next(started))
    return f"Made {started.folder} over {made}{pictures}{bad}. Next:\n{steps}"


def _next(started: Started) -> list[str]:
    """Commands that work as they stand; one whose pictures are missing is only opened with holes."""
    missing = any(note.rule is MEDIA_MISSING for note in started.notes)
    holes = " --with-holes" if missing else ""
    return [f"rubrica check {started.folder}", f"rubrica serve {started.folder}{holes}"]


def refuse_in_the_way(folder: Path) -> None:
    """Raise where a new study's folder is not there for it alone."""
    if folder.exists() and not (folder.is_dir() and not any(folder.iterdir())):
        raise Problem(IN_THE_WAY, where=Where(file=str(folder)), got=str(folder))
