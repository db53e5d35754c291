"""Images, sounds and films that items show: their names, their files, and what is missing.

A reference comes from item data, which anybody may have written. So a file is given only if it lies in
the study's media folder once all links are followed, and only if its ending says that it is a medium:
a study file, a database or a data file can never be asked for as an image.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path, PurePosixPath
from typing import Any

from rubrica.errors import Problem, Where
from rubrica.items.load import Pipeline
from rubrica.items.model import Shown
from rubrica.items.rules import MEDIA_OUTSIDE, NO_MEDIA
from rubrica.study.load import LoadedStudy
from rubrica.study.views import AudioView, ChatView, ImagesView, SequenceView, VideoView, View

TYPES = {
    ".apng": "image/apng",
    ".avif": "image/avif",
    ".bmp": "image/bmp",
    ".gif": "image/gif",
    ".jpeg": "image/jpeg",
    ".jpg": "image/jpeg",
    ".png": "image/png",
    ".svg": "image/svg+xml",
    ".webp": "image/webp",
    ".aac": "audio/aac",
    ".flac": "audio/flac",
    ".m4a": "audio/mp4",
    ".mp3": "audio/mpeg",
    ".oga": "audio/ogg",
    ".ogg": "audio/ogg",
    ".opus": "audio/ogg",
    ".wav": "audio/wav",
    ".m4v": "video/mp4",
    ".mov": "video/quicktime",
    ".mp4": "video/mp4",
    ".ogv": "video/ogg",
    ".webm": "video/webm",
}
"""The content type of each ending; nothing else is a medium."""

_FIELDS = {SequenceView: "images", ImagesView: "images", AudioView: "audio", VideoView: "video"}
_DRIVE = re.compile(r"[A-Za-z]:|[A-Za-z][A-Za-z0-9+.-]+://")
_LOOKED_AT = 100_000
"""Files among which one of the same name is looked for, to say where a missing one may be."""

Rename = Callable[[str], str]


# --- names --------------------------------------------------------------------------------------


def renamed(views: Sequence[View], shown: Shown, rename: Rename) -> Shown:
    """The same with every media name replaced, as it must be before it leaves the server."""
    pairs = zip(views, shown.views, strict=True)
    return replace(shown, views=[_renamed(view, data, rename) for view, data in pairs])


def media_names(views: Sequence[View], shown: Shown) -> list[str]:
    """Every media name an item shows, in order."""
    names: list[str] = []

    def note(name: str) -> str:
        names.append(name)
        return name

    renamed(views, shown, note)
    return names


def _renamed(view: View, data: Any, rename: Rename) -> Any:
    if isinstance(view, ChatView):
        return {**data, "turns": [_with(turn, "images", rename) for turn in data["turns"]]}
    field = _FIELDS.get(type(view))
    return _with(data, field, rename) if field else data


def _with(data: Mapping[str, Any], field: str, rename: Rename) -> dict[str, Any]:
    return {**data, field: [rename(name) for name in data[field]]}


# --- files --------------------------------------------------------------------------------------


def media_root(loaded: LoadedStudy) -> Path:
    """The study's media folder, all links followed."""
    return (loaded.folder / loaded.study.items.media).resolve()


def leads_out(name: str) -> bool:
    """Whether a reference names a place outside any folder it could count from."""
    path = PurePosixPath(name)
    return path.is_absolute() or ".." in path.parts or bool(_DRIVE.match(name))


def media_file(root: Path, name: str) -> Path | None:
    """The file of this name inside the media folder, or None: missing, outside or no medium."""
    if leads_out(name) or PurePosixPath(name).suffix.lower() not in TYPES:
        return None
    for form in dict.fromkeys((name, *(unicodedata.normalize(f, name) for f in ("NFC", "NFD")))):
        if found := _inside(root, form):
            return found
    return None


def _inside(root: Path, name: str) -> Path | None:
    try:
        path = (root / name).resolve(strict=True)
    except (OSError, ValueError, RuntimeError):
        return None
    return path if path.is_relative_to(root) and path.is_file() else None


# --- what is missing ----------------------------------------------------------------------------


@dataclass(slots=True)
class Hole:
    """A medium that is not there, how many items show it, and where the first of them stands."""

    name: str
    where: Where
    items: int
    outside: bool
    nearest: str | None
    """A file of the same name elsewhere in the media folder."""

    def problem(self) -> Problem:
        rule = MEDIA_OUTSIDE if self.outside else NO_MEDIA
        return Problem(rule, self.where, nearest=self.nearest, details={"name": self.name})


@dataclass(frozen=True, slots=True)
class MediaReport:
    there: int
    holes: tuple[Hole, ...]


class MediaCheck:
    """Looks for each medium once."""

    def __init__(self, loaded: LoadedStudy) -> None:
        self._views = loaded.study.items.show
        self._root = media_root(loaded)
        self._seen: dict[str, Hole | None] = {}
        self._elsewhere: dict[str, str] | None = None

    def look(self, shown: Shown, where: Where) -> Iterator[Hole]:
        """The holes of an item that no earlier one had."""
        for name in dict.fromkeys(media_names(self._views, shown)):
            if name not in self._seen:
                self._seen[name] = hole = self._hole(name, where)
                yield from [hole] if hole else []
            elif hole := self._seen[name]:
                hole.items += 1

    def report(self) -> MediaReport:
        holes = tuple(hole for hole in self._seen.values() if hole)
        return MediaReport(len(self._seen) - len(holes), holes)

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
    for mapped in Pipeline(loaded).mapped():
        if not isinstance(mapped, Problem):
            for _ in check.look(mapped.shown, mapped.read.where()):
                pass
    return check.report()
