"""Images, sounds and films that items show: their names and their files.

A reference comes from item data, which anybody may have written. So a file is given only if it lies in
the study's media folder once all links are followed, and only if its ending says that it is a medium:
a study file, a database or a data file can never be asked for as an image.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path, PurePosixPath
from typing import Any

from rubrica.items.model import Shown
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

ENDINGS = (".jpg", ".png", *(ending for ending in TYPES if ending not in (".jpg", ".png")))
"""In the order in which a name without one is looked for."""

_FIELDS = {SequenceView: "images", ImagesView: "images", AudioView: "audio", VideoView: "video"}
_DRIVE = re.compile(r"[A-Za-z]:|[A-Za-z][A-Za-z0-9+.-]+://")

Rename = Callable[[str], str]


# --- names --------------------------------------------------------------------------------------


def renamed(views: Sequence[View], shown: Shown, rename: Rename) -> Shown:
    """The same with every media name replaced, as it must be before it leaves the server.

    A view that was taken out (null) stays so.
    """
    pairs = zip(views, shown.views, strict=True)
    return Shown([_renamed(view, data, rename) for view, data in pairs], shown.entries)


def shows_media(view: View) -> bool:
    return type(view) in _FIELDS or (isinstance(view, ChatView) and view.images is not None)


def media_names(views: Sequence[View], shown: Shown) -> list[str]:
    """Every media name an item shows, in order."""
    names: list[str] = []

    def note(name: str) -> str:
        names.append(name)
        return name

    renamed(views, shown, note)
    return names


def _renamed(view: View, data: Any, rename: Rename) -> Any:
    if data is None:
        return None
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
    """The file of this name inside the media folder, or None: missing, outside or no medium.

    A name without one of the endings is that of the first file there is with one of them.
    """
    if leads_out(name):
        return None
    whole = PurePosixPath(name).suffix.lower() in TYPES
    for form in dict.fromkeys((name, *(unicodedata.normalize(f, name) for f in ("NFC", "NFD")))):
        for ending in ("",) if whole else ENDINGS:
            if found := _inside(root, f"{form}{ending}"):
                return found
    return None


def _inside(root: Path, name: str) -> Path | None:
    try:
        path = (root / name).resolve(strict=True)
    except (OSError, ValueError, RuntimeError):
        return None
    return path if path.is_relative_to(root) and path.is_file() else None
