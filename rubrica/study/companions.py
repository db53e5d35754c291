"""The files a study names beside its own: guidelines and practice."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from rubrica.errors import Problem, Rule, Where, nearest
from rubrica.study.model import FilePerLanguage, PracticeExample
from rubrica.study.shape import read_examples
from rubrica.study.source import Source, Steps, parse_yaml, read_bytes, read_text

NOT_FOUND = Rule(
    code="S040",
    title="A file the study names is there",
    says="{file} is not in the study's folder",
    why="What it should hold, raters would not see.",
    mend="Put the file there, or correct its name; names are relative to the folder of the study file.",
)
OUTSIDE = Rule(
    code="S041",
    title="Everything a study uses lies in its folder",
    says="{file} leads out of the study's folder",
    why="A study must mean the same on any machine, and must not lay other files open.",
    mend="Copy what it needs into the folder, and name it relative to the study file, without `..`.",
)
EMPTY = Rule(
    code="S043",
    title="Guidelines say something",
    says="{file} is empty",
    why="Raters must confirm the guidelines before they begin; there is nothing to confirm.",
    mend="Write the guidelines, or leave `guidelines:` out.",
)


@dataclass(frozen=True, slots=True)
class Guideline:
    """Guidelines in one language, in Markdown."""

    file: str
    text: str
    hash: str


@dataclass(frozen=True, slots=True)
class Worked:
    """One worked example with the place it stands at."""

    example: PracticeExample
    source: Source
    steps: Steps

    def where(self, *inside: str | int) -> Where:
        return self.source.where((*self.steps, *inside))


def read_guidelines(
    declared: FilePerLanguage | None, languages: list[str], folder: Path
) -> Iterator[tuple[str, Steps, Guideline | Problem]]:
    """Each language's guidelines, or what is wrong with them; one file alone serves the first."""
    files = {languages[0]: declared} if isinstance(declared, str) else declared or {}
    for language, name in files.items():
        steps = ("guidelines",) if isinstance(declared, str) else ("guidelines", language)
        try:
            text = read_text(inside(folder, name), str(folder / name))
        except Problem as problem:
            yield language, steps, problem
            continue
        if not text.strip():
            details = {"file": name}
            yield language, steps, Problem(EMPTY, Where(str(folder / name), 1, 1), details=details)
            continue
        digest = hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:16]
        yield language, steps, Guideline(name, text, digest)


def read_practice(folder: Path, name: str) -> tuple[list[Worked], list[Problem]]:
    """The worked examples of one file, and what is wrong with it."""
    source = parse_yaml(read_bytes(inside(folder, name), name), str(folder / name))
    examples, problems = read_examples(source)
    worked = [Worked(e, source, (i,)) for i, e in enumerate(examples)]
    return worked, [*source.problems, *problems]


def inside(folder: Path, name: str) -> Path:
    """The file of this name in the study's folder; a `Problem` if it leads out or is not there."""
    path = folder / name
    if leads_out(folder, name):
        raise Problem(OUTSIDE, got=name[:120], details={"file": name[:120]})
    if not _is_file(path):
        raise Problem(NOT_FOUND, got=name[:120], nearest=_neighbour(path), details={"file": name[:120]})
    return path


def leads_out(folder: Path, name: str) -> bool:
    """Whether a name or pattern is absolute, climbs out, or follows a link out of the folder."""
    parts = Path(name.replace("\\", "/"))
    if parts.is_absolute() or ".." in parts.parts or name[1:2] == ":" or name.startswith("~"):
        return True
    try:
        return not (folder / name).resolve().is_relative_to(folder.resolve())
    except (OSError, ValueError, RuntimeError):
        return True


def _is_file(path: Path) -> bool:
    try:
        return path.is_file()
    except (OSError, ValueError):
        return False


def _neighbour(path: Path) -> str | None:
    """The file beside it that was probably meant."""
    try:
        return nearest(path.name, [p.name for p in path.parent.iterdir()])
    except OSError:
        return None
