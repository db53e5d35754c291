"""Media preflight: what items show and is not there."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import PurePosixPath

from rubrica.errors import Problem, Where
from rubrica.items.load import Pipeline
from rubrica.items.media import TYPES, leads_out, media_file, media_root
from rubrica.items.model import NewItem
from rubrica.items.rules import MEDIA_OUTSIDE, NO_MEDIA
from rubrica.study.load import LoadedStudy

_NAMED = 3
_LOOKED_AT = 100_000
"""Files among which one of the same name is looked for, to say where a missing one may be."""


@dataclass(slots=True)
class Hole:
    """A medium that is not there, how many items show it, and where the first of them stands."""

    name: str
    where: Where
    items: int
    outside: bool
    nearest: str | None
    """A file of the same name elsewhere in the media folder."""


@dataclass(frozen=True, slots=True)
class MediaReport:
    names: tuple[str, ...]
    """Those that are there."""
    holes: tuple[Hole, ...]

    @property
    def there(self) -> int:
        return len(self.names)

    def problems(self) -> list[Problem]:
        """Those that lead out each by itself; all others are one problem, at the first of them."""
        outside = [hole for hole in self.holes if hole.outside]
        missing = [hole for hole in self.holes if not hole.outside]
        found = [Problem(MEDIA_OUTSIDE, hole.where, details={"name": hole.name}) for hole in outside]
        if missing:
            near = next((hole.nearest for hole in missing if hole.nearest), None)
            details = {"names": _first_of([hole.name for hole in missing])}
            found.insert(0, Problem(NO_MEDIA, missing[0].where, nearest=near, details=details))
        return found


def _first_of(names: Sequence[str]) -> str:
    named = ", ".join(map(repr, names[:_NAMED]))
    return named if len(names) <= _NAMED else f"{named} and {len(names) - _NAMED:,} more"


class MediaCheck:
    """Looks for each medium once."""

    def __init__(self, loaded: LoadedStudy) -> None:
        self._root = media_root(loaded)
        self._seen: dict[str, Hole | None] = {}
        self._elsewhere: dict[str, str] | None = None

    def look(self, names: Iterable[str], where: Where) -> None:
        """See which of an item's media are there."""
        for name in names:
            if name not in self._seen:
                self._seen[name] = self._hole(name, where)
            elif hole := self._seen[name]:
                hole.items += 1

    def report(self) -> MediaReport:
        names = tuple(name for name, hole in self._seen.items() if hole is None)
        return MediaReport(names, tuple(hole for hole in self._seen.values() if hole))

    def _hole(self, name: str, where: Where) -> Hole | None:
        if media_file(self._root, name):
            return None
        return Hole(name, where, 1, leads_out(name), self._same_name(PurePosixPath(name).name))

    def _same_name(self, base: str) -> str | None:
        if self._elsewhere is None:
            files = (p for p in self._root.rglob("*") if p.suffix.lower() in TYPES)
            near = (path for path, _ in zip(files, range(_LOOKED_AT), strict=False))
            self._elsewhere = {p.name: p.relative_to(self._root).as_posix() for p in near}
        return self._elsewhere.get(base)


def media_report(loaded: LoadedStudy) -> MediaReport:
    """Which media the study's items show, and which of them are not there."""
    check = MediaCheck(loaded)
    for item in Pipeline(loaded).items():
        if isinstance(item, NewItem):
            check.look(item.media, Where(item.origin.file, item.origin.place))
    return check.report()
