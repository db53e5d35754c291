"""Making a study like a bundled one: over its demo items, or over somebody's own files."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from importlib.resources import as_file, files
from pathlib import Path
from shutil import copyfile, copytree, rmtree

from rubrica.errors import Problem, Problems, Where
from rubrica.exchange.files import CANNOT_WRITE
from rubrica.exchange.starting.contract import Given, Kind, Started, Told, given
from rubrica.exchange.starting.frame import bundled_copy, frame, known
from rubrica.exchange.starting.incar import InCar
from rubrica.exchange.starting.m3bench import M3Bench
from rubrica.exchange.starting.rules import NOTHING_LIKE_IT
from rubrica.exchange.starting.vtt import Vtt
from rubrica.study.load import FILE
from rubrica.study.schema import schema_text

SCHEMA = "study.schema.json"
"""What the first line of the study file names, for editors."""


def kind_called(name: str) -> Kind:
    kinds: dict[str, type[Kind]] = {"m3bench": M3Bench, "vtt": Vtt, "incar": InCar}
    return kinds[known(name)]()


def small(folder: Path) -> list[str]:
    """A small complete study, with a comment on everything in it; the names of its files."""
    title = folder.resolve().name.replace("\\", "\\\\").replace('"', '\\"')
    with _whole(folder) as into:
        with as_file(files(__package__) / "template") as template:
            copytree(template, into, dirs_exist_ok=True)
        text = (into / FILE).read_text(encoding="utf-8")
        (into / FILE).write_text(text.replace("title: NAME", f'title: "{title}"', 1), encoding="utf-8")
        (into / SCHEMA).write_text(schema_text(), encoding="utf-8")
        return sorted(path.name for path in into.iterdir())


def start(
    like: str,
    folder: Path,
    data: Sequence[Path] | Given = (),
    *,
    skip_bad: bool = False,
    told: Told = lambda _: None,
) -> Started:
    """A new study in a folder that is empty or not there; whole, or nothing of it."""
    with _whole(folder) as into:
        made = Started(folder, into, known(like))
        if data:
            found = data if isinstance(data, Given) else given(data, skip_bad=skip_bad, told=told)
            text = _over(made, found, frame(like, into))
            (into / FILE).write_text(text, encoding="utf-8")
        else:
            bundled_copy(like, into)
            made.files = ["its demo items"]
        text = (into / FILE).read_text(encoding="utf-8")
        (into / FILE).write_text(text.replace(HINT, f"$schema={SCHEMA}", 1), encoding="utf-8")
        (into / SCHEMA).write_text(schema_text(), encoding="utf-8")
    return made


HINT = "$schema=../../study/study.schema.json"
"""How a bundled study names the schema its editor completes from."""


def again(like: str, folder: Path, files: Given) -> Started:
    """Other items for a study that is there; its files as they were stay beside them."""
    made = Started(folder, folder, known(like))
    text = (folder / FILE).read_text(encoding="utf-8")
    try:
        for path in (folder / FILE, *folder.glob("*.jsonl")):
            copyfile(path, path.with_name(f"{path.name}.before"))
        (folder / FILE).write_text(_over(made, files, text), encoding="utf-8")
    except OSError as error:
        details = {"reason": error.strerror or str(error)}
        raise Problem(CANNOT_WRITE, Where(str(folder)), got=str(folder), details=details) from None
    return made


def _over(made: Started, files: Given, text: str) -> str:
    kind = kind_called(made.like)
    text = kind.bring(files, text, made)
    if files.problems and not files.skip_bad:
        raise Problems(files.problems)
    made.bad = len(files.problems)
    if not made.items:
        looked_at = [found.path for found in files.files] or [made.folder]
        where = Where(str(looked_at[0] if len(looked_at) == 1 else looked_at[0].parent))
        details = {"count": len(files.files)}
        raise Problem(NOTHING_LIKE_IT, where, kind.expected, details=details)
    return text


@contextmanager
def _whole(folder: Path) -> Iterator[Path]:
    """A folder to write into, which takes its name only when everything is there."""
    whole = folder.absolute()
    partial = whole.with_name(f".{whole.name}.partial")
    try:
        rmtree(partial, ignore_errors=True)  # of a run that was cut off
        partial.mkdir(parents=True)
        yield partial
        if whole.is_dir():  # an empty one, perhaps where somebody stands
            for part in partial.iterdir():
                part.rename(whole / part.name)
        else:
            partial.rename(whole)
    except OSError as error:
        details = {"reason": error.strerror or str(error)}
        raise Problem(CANNOT_WRITE, Where(str(folder)), got=str(folder), details=details) from None
    finally:
        rmtree(partial, ignore_errors=True)
