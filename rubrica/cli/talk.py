"""How commands talk: results on standard output, everything else beside them on standard error.

Rich is loaded when it is needed: a server that nobody watches lives without it, and is smaller.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from rubrica.errors import Problem, Problems

if TYPE_CHECKING:
    from rich.console import Console

StudyPath = Annotated[Path, typer.Argument(help="The study's folder, or its study.yaml.")]
AsJson = Annotated[bool, typer.Option("--json", help="Print the result as JSON.")]


def out() -> Console:
    """For results; made anew, so that it writes to what is standard output at the time."""
    from rich.console import Console

    return Console(soft_wrap=True, highlight=False)


def beside() -> Console:
    """For progress, warnings and whatever else is not the result."""
    from rich.console import Console

    return Console(stderr=True, soft_wrap=True, highlight=False)


def give(result: Any, text: str, as_json: bool) -> None:
    """The result, for a program or for a person."""
    if as_json:
        print(json.dumps(result, ensure_ascii=False, indent=2, default=str))  # noqa: T201
    else:
        out().print(text, markup=False)


MOST_SAID = 20
"""Warnings of one command that are told; the rest are counted."""


def warn(problems: Sequence[Problem], more: int = 0) -> None:
    """What should be known beside the result; `more` are those nobody kept."""
    for problem in problems[:MOST_SAID]:
        beside().print(str(problem), markup=False)
    rest = len(problems) + more - MOST_SAID
    if rest > 0:
        beside().print(f"and {rest:,} more like these (--json has {len(problems):,})")


@contextmanager
def problems_as_json(as_json: bool) -> Iterator[None]:
    """Where a program reads the result, problems come in the same form: `{"problems": [...]}`."""
    try:
        yield
    except (Problem, Problems) as raised:
        if not as_json:
            raise
        found = raised.problems if isinstance(raised, Problems) else [raised]
        give({"problems": [problem.as_json() for problem in found]}, "", as_json=True)
        raise typer.Exit(1) from None


@contextmanager
def progress(title: str, total: float | None) -> Iterator[Callable[[float], None]]:
    """A bar on standard error while a long job runs; call what it gives with what is done so far.

    Where nobody knows how much there is to do, it only shows that something is going on.
    """
    if not sys.stderr.isatty():
        yield lambda _count: None
        return
    from rich.progress import BarColumn, Progress, TaskProgressColumn, TextColumn, TimeElapsedColumn

    columns = (TextColumn("{task.description}"), BarColumn(), TaskProgressColumn(), TimeElapsedColumn())
    with Progress(*columns, console=beside(), transient=True) as bar:
        task = bar.add_task(title, total=total)
        yield lambda count: bar.update(task, completed=count)


def counted(number: int, one: str, many: str | None = None) -> str:
    """`1 item`, `1,204 items`."""
    return f"{number:,} {one if number == 1 else many or one + 's'}"


def tally(ratings: int, skips: int, revisions: int) -> str:
    """What raters did, in the words of the desk and of the report."""
    counts = (counted(ratings, "rating"), counted(skips, "skip"), counted(revisions, "revision"))
    return f"{counts[0]}, {counts[1]} and {counts[2]}"


def size(bytes_: int) -> str:
    """`312 kB`, `1.6 GB`."""
    amount, unit = float(bytes_), "B"
    for unit in ("B", "kB", "MB", "GB", "TB"):
        if amount < 1000 or unit == "TB":
            break
        amount /= 1000
    return f"{amount:.0f} {unit}" if amount >= 10 or unit == "B" else f"{amount:.1f} {unit}"
