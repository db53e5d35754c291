"""Finding a study's data files, in an order a person would expect, and the batch each belongs to."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

from rubrica.errors import Problem, nearest
from rubrica.items.lookup import page_text
from rubrica.items.rules import NO_FILES, OUTSIDE

_DIGITS = re.compile(r"(\d+)")
_WILD = re.compile(r"[*?\[]")


@dataclass(frozen=True, slots=True)
class DataFile:
    """`name` is the path from the study's folder, `folder` what `batch: folder` means for it."""

    path: Path
    name: str
    folder: str


def data_files(
    folder: Path, patterns: Sequence[str], suffixes: Iterable[str]
) -> Iterator[DataFile | Problem]:
    """Each file once: in the order of the patterns, inside one by name, numbers by their value.

    A folder stands for all files in and below it that have one of these suffixes.
    """
    known = tuple(suffixes)
    given: set[Path] = set()
    for pattern in patterns:
        found = _outside(pattern) or list(_found(folder, pattern, known)) or _nothing(folder, pattern)
        if isinstance(found, Problem):
            yield found
            continue
        new = [file for file in found if file.path not in given]
        given.update(file.path for file in new)
        yield from new


def _outside(pattern: str) -> Problem | None:
    parts = PurePosixPath(pattern.replace("\\", "/"))
    leads_out = parts.is_absolute() or ".." in parts.parts or re.match(r"[A-Za-z]:", pattern)
    return Problem(OUTSIDE, got=pattern, details={"pattern": pattern}) if leads_out else None


def _nothing(folder: Path, pattern: str) -> Problem:
    close = nearest(
        pattern, (str(PurePosixPath(p.relative_to(folder))) for p in _nearby(folder, pattern))
    )
    return Problem(NO_FILES, got=pattern, nearest=close, details={"pattern": pattern})


def _nearby(folder: Path, pattern: str) -> Iterator[Path]:
    place = folder / PurePosixPath(pattern).parent
    yield from (place if place.is_dir() else folder).iterdir()


def _found(folder: Path, pattern: str, suffixes: tuple[str, ...]) -> Iterator[DataFile]:
    parts = PurePosixPath(pattern.replace("\\", "/")).parts
    literal = (folder / pattern).exists()
    for path in [folder / pattern] if literal else _glob(folder, "/".join(parts)):
        depth = None if literal else _batch_depth(parts)
        if path.is_dir():
            inside = _sorted(p for p in path.rglob("*") if _readable(p, path, suffixes))
            depth = len(path.relative_to(folder).parts) + (1 if literal else 0)
            yield from (_file(folder, p, depth) for p in inside)
        elif path.is_file():
            yield _file(folder, path, depth)


def _glob(folder: Path, pattern: str) -> list[Path]:
    try:
        return _sorted(p for p in folder.glob(pattern) if not _concealed(p, folder, pattern))
    except ValueError:
        return []


def _sorted(paths: Iterable[Path]) -> list[Path]:
    return sorted(paths, key=lambda path: [natural(part) for part in path.parts])


def natural(text: str) -> tuple[list[tuple[int, str]], str]:
    """A key that sorts `config_2` before `config_10`."""
    parts = _DIGITS.split(text.casefold())
    return [_amount(part) if i % 2 else (0, part) for i, part in enumerate(parts)], text


def _amount(digits: str) -> tuple[int, str]:
    """Orders texts of digits by their value, however long they are."""
    bare = digits.lstrip("0")
    return len(bare), bare


def _concealed(path: Path, folder: Path, pattern: str) -> bool:
    """Files and folders whose name starts with a dot are meant only where the pattern says so."""
    dotted = [part for part in path.relative_to(folder).parts if part.startswith(".")]
    return bool(dotted) and not any(p.startswith(".") for p in pattern.split("/"))


def _readable(path: Path, below: Path, suffixes: tuple[str, ...]) -> bool:
    plain = not any(part.startswith(".") for part in path.relative_to(below).parts)
    return plain and path.suffix.lower() in suffixes and path.is_file()


def _batch_depth(parts: tuple[str, ...]) -> int | None:
    """How many folders name the batch: down to the last one a wildcard found.

    So `logs/config_*/conversations/*.json` has the batches `logs/config_1` and so on: a folder that
    is called the same everywhere tells nothing apart. None means the file's own folder.
    """
    wild = [i for i, part in enumerate(parts[:-1]) if _WILD.search(part) and part != "**"]
    return wild[-1] + 1 if wild and "**" not in parts[: wild[-1]] else None


def _file(folder: Path, path: Path, depth: int | None) -> DataFile:
    parts = path.relative_to(folder).parts
    folders = parts[:-1] if depth is None else parts[: min(depth, len(parts) - 1)]
    return DataFile(path, _named(parts), _named(folders) or ".")


def _named(parts: Sequence[str]) -> str:
    """A name that any text can carry, even where the file system's name is no text."""
    raw = os.fsencode("/".join(parts)).decode("utf-8", "backslashreplace")
    return page_text(raw) or ""
