"""Pictures among the data, found for the names items give them."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path, PurePosixPath
from shutil import copyfile

from rubrica.errors import Problem
from rubrica.exchange.starting.contract import Started
from rubrica.exchange.starting.rules import MEDIA_MISSING

_TRAILING = re.compile(r"(\d+)$")


class ByName:
    """Finds a picture by the name an item gives it: the file whose path ends most like it."""

    def __init__(self, pictures: Sequence[Path]) -> None:
        self._files: dict[str, list[Path]] = {}
        for path in pictures:
            self._files.setdefault(path.name, []).append(path)

    def find(self, name: str) -> Path | None:
        wanted = PurePosixPath(name).parts
        there = self._files.get(wanted[-1], []) if wanted else []
        return max(there, key=lambda path: _alike(path.parts, wanted), default=None)


def _alike(one: Sequence[str], other: Sequence[str]) -> int:
    """How many parts two paths have in common, counted from their ends."""
    pairs = zip(reversed(one), reversed(other), strict=False)
    return next((i for i, (a, b) in enumerate(pairs) if a != b), min(len(one), len(other)))


def numbered(pictures: Sequence[Path], wanted: Mapping[str, int]) -> dict[str, list[Path | None]]:
    """The pictures of sequences: `wanted` says how many each id has; names end in a running number.

    `ID_N_I.jpg`, `ID_I.png`, `ID/I.jpg` and the like are understood, counted from 0 or from 1.
    """
    found: dict[str, dict[int, Path]] = {}
    for path in pictures:
        known, rest = _id_of(path, wanted)
        number = _TRAILING.search(rest)
        if known is None or number is None:
            continue
        counted = re.findall(r"\d+", rest)
        if len(counted) > 1 and int(counted[-2]) not in (wanted[known], wanted[known] - 1):
            continue  # of another length of the same sequence; some count pictures, some changes
        found.setdefault(known, {})[int(number[1])] = path
    first = 0 if any(0 in of for of in found.values()) else 1
    return {known: [of.get(i + first) for i in range(wanted[known])] for known, of in found.items()}


def _id_of(path: Path, wanted: Mapping[str, int]) -> tuple[str | None, str]:
    """The id at the beginning of a picture's name, or its folder's; and what follows it."""
    stem, end = path.stem, len(path.stem)
    while end > 0:
        if stem[:end] in wanted and (end == len(stem) or stem[end] in "_-. "):
            return stem[:end], stem[end:]
        end = max(stem.rfind(mark, 0, end) for mark in "_-. ")
    return (path.parent.name, stem) if path.parent.name in wanted else (None, "")


class Copies:
    """Copies pictures into a study's media folder and counts those that are not there."""

    def __init__(self, media: Path) -> None:
        self._media = media
        self._missing: dict[str, None] = {}
        self._there: set[str] = set()

    def take(self, name: str, path: Path | None) -> None:
        """One picture under the name its item gives it."""
        if name in self._there or name in self._missing:
            return
        if path is None:
            self._missing[name] = None
            return
        to = self._media / name
        to.parent.mkdir(parents=True, exist_ok=True)
        copyfile(path, to)
        self._there.add(name)

    def tell(self, told: Started, folder: Path) -> None:
        told.pictures = len(self._there)
        if self._missing:
            total = len(self._missing) + len(self._there)
            details = {"count": len(self._missing), "total": total, "first": next(iter(self._missing))}
            told.notes.append(Problem(MEDIA_MISSING, details={**details, "folder": folder}))


def unique(name: str, taken: Iterable[str]) -> str:
    """A file's name that none of these has."""
    path, there = PurePosixPath(name), set(taken)
    names = (name, *(f"{path.stem} ({n}){path.suffix}" for n in range(2, len(there) + 3)))
    return next(one for one in names if one not in there)
