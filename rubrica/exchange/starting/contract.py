"""What a kind of study is that can be made over somebody's own files, and what making one says."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, ClassVar

from rubrica.errors import Problem, Where, nearest
from rubrica.exchange.files import files_of
from rubrica.exchange.starting.rules import FILE_LEFT_OUT, NO_DATA
from rubrica.items.media import TYPES
from rubrica.items.readers import json_files, json_lines
from rubrica.items.readers.contract import Record
from rubrica.items.rules import UNREADABLE

LINES, WHOLE = (".jsonl", ".ndjson"), (".json",)
PICTURES = frozenset(ending for ending, what in TYPES.items() if what.startswith("image/"))

Told = Callable[[float], None]


@dataclass(frozen=True, slots=True)
class Found:
    """A file among the data."""

    path: Path


@dataclass(slots=True)
class Started:
    """What was made: counts, and everything that was left out or needs a word."""

    folder: Path
    into: Path
    """Where its files are written until all are; then it becomes the folder."""
    like: str
    items: int = 0
    pictures: int = 0
    files: list[str] = field(default_factory=list)
    notes: list[Problem] = field(default_factory=list)
    bad: int = 0

    def leave_out(self, found: Found, reason: str) -> None:
        self.notes.append(Problem(FILE_LEFT_OUT, Where(str(found.path)), details={"reason": reason}))


@dataclass(slots=True)
class Given:
    """The data files a new study is made over."""

    files: Sequence[Found]
    skip_bad: bool = False
    problems: list[Problem] = field(default_factory=list)
    told: Told = lambda _: None
    _done: int = 0

    def with_endings(self, *endings: str) -> Iterator[Found]:
        for found in self.files:
            if found.path.suffix.lower() in endings:
                yield found
                self._tell(found)

    @property
    def pictures(self) -> Sequence[Path]:
        return [found.path for found in self.files if found.path.suffix.lower() in PICTURES]

    def only(self, path: Path) -> Given:
        """One file of records in place of all, and the pictures."""
        pictures = [found for found in self.files if found.path.suffix.lower() in PICTURES]
        return Given([Found(path), *pictures], self.skip_bad)

    def records(self, found: Found) -> Iterator[Record]:
        """Every record of a file of JSON; what cannot be read is kept as a problem."""
        if _is_blank(found.path):
            return
        reader = json_lines if found.path.suffix.lower() in LINES else json_files
        try:
            for record in reader.read(found.path):
                if isinstance(record, Problem):
                    self.problems.append(record.at(replace(record.where, file=str(found.path))))
                else:
                    yield record
        except OSError as error:
            details = {"reason": error.strerror or str(error)}
            self.problems.append(Problem(UNREADABLE, Where(str(found.path)), details=details))

    def _tell(self, found: Found) -> None:
        self._done += 1
        self.told(self._done / (len(self.files) or 1))


def _is_blank(path: Path) -> bool:
    return path.stat().st_size < SMALL and not path.read_bytes().strip()


SMALL = 1024


class Kind(ABC):
    """One kind of study."""

    name: ClassVar[str]
    expected: ClassVar[str]
    """What its items are, for whoever gave other files."""

    @abstractmethod
    def holds(self, data: Any) -> bool:
        """Whether a record is an item of this kind, or goes into one."""

    @abstractmethod
    def bring(self, given: Given, text: str, told: Started) -> str:
        """Copy the data into the study's folder; the text of the study file made to fit them."""


def given(paths: Sequence[Path], *, skip_bad: bool = False, told: Told = lambda _: None) -> Given:
    """All files that were named, once each, in an order a person would expect."""
    found: dict[Path, Found] = {}
    for path in paths:
        if not path.exists():
            around = path.parent if path.parent.is_dir() else Path()
            near = nearest(path.name, (p.name for p in around.iterdir()))
            raise Problem(NO_DATA, Where(str(path)), got=str(path), nearest=near)
        for file in files_of(path):
            found.setdefault(file.resolve(), Found(file))
    return Given(list(found.values()), skip_bad, told=told)
