"""Writing files whole or not at all, and finding those that are given to be read."""

from __future__ import annotations

import errno
import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import BinaryIO

from rubrica.errors import Problem, Rule, Where
from rubrica.items.files import natural

CANNOT_WRITE = Rule(
    code="X001",
    title="A file can be written where it is asked for",
    says="{got} cannot be written: {reason}",
    why="Half a file could be taken for a whole one, so none is left behind.",
    mend="Choose a folder you may write to, see that the disk has room, and close the file elsewhere.",
)


@contextmanager
def partly(path: Path, *, overwrites: bool = True) -> Iterator[Path]:
    """Where to write a file that takes its own name only when it is complete and safe on the disk."""
    partial = path.with_name(f".{path.name}.partial")
    try:
        yield partial
        with partial.open("rb+") as file:
            os.fsync(file.fileno())
        if overwrites:
            partial.replace(path)
        else:
            _named_newly(partial, path)
    except OSError as error:
        details = {"reason": error.strerror or str(error)}
        where = Where(file=str(path))
        raise Problem(CANNOT_WRITE, where=where, got=str(path), details=details) from None
    finally:
        with suppress(OSError):  # in a folder that cannot be written there is nothing to take away
            partial.unlink(missing_ok=True)


def _named_newly(partial: Path, path: Path) -> None:
    """Give a file its name unless somebody has taken it meanwhile."""
    try:
        os.link(partial, path)
    except FileExistsError:
        raise
    except OSError:  # a file system without links
        if path.exists():
            raise FileExistsError(errno.EEXIST, os.strerror(errno.EEXIST)) from None
        partial.replace(path)


@contextmanager
def whole_file(path: Path) -> Iterator[BinaryIO]:
    """A file of bytes that takes its name only when it is complete."""
    with partly(path) as partial, partial.open("wb") as file:
        yield file
        file.flush()


def folder(path: Path) -> Path:
    """The folder, made if need be."""
    try:
        path.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        details = {"reason": error.strerror or str(error)}
        raise Problem(CANNOT_WRITE, Where(str(path)), got=str(path), details=details) from None
    return path


def files_of(path: Path) -> Sequence[Path]:
    """The file itself, or all files in and below a folder in the order a person would expect."""
    if not path.is_dir():
        return [path]
    plain = (p for p in path.rglob("*") if p.is_file() and not _concealed(p.relative_to(path)))
    return sorted(plain, key=lambda p: [natural(part) for part in p.parts])


def _concealed(path: Path) -> bool:
    return any(part.startswith((".", "~$")) for part in path.parts)


def safe_name(text: str, also: str = "") -> str:
    """A rater's id as part of a file's name, as the in-car tool makes it; `also` is kept too."""
    return "".join(c if c.isalnum() or c in f"_-{also}" else "_" for c in text)
