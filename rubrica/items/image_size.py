"""An image's size in pixels from the first bytes of its file, so that a page can keep its place."""

from __future__ import annotations

from pathlib import Path
from struct import error as StructError  # noqa: N812
from struct import unpack_from
from typing import BinaryIO

Size = tuple[int, int]

_FRAMES = frozenset(range(0xC0, 0xD0)) - {0xC4, 0xC8, 0xCC}
"""JPEG markers that carry the size."""
_BARE = frozenset({0x01, *range(0xD0, 0xD9)})
"""JPEG markers without a length."""
_MOST_MARKERS = 1000


def image_size(path: Path) -> Size | None:
    """Width and height of a PNG, JPEG, GIF or WebP; None where the file does not say."""
    try:
        with path.open("rb") as file:
            size = _size(file)
    except (OSError, StructError):
        return None
    return size if size and all(size) else None


def _size(file: BinaryIO) -> Size | None:
    start = file.read(32)
    if start.startswith(b"\x89PNG\r\n\x1a\n"):
        return _pair(">II", start, 16)
    if start.startswith((b"GIF87a", b"GIF89a")):
        return _pair("<HH", start, 6)
    if start.startswith(b"RIFF") and start[8:12] == b"WEBP":
        return _webp(start)
    return _jpeg(file) if start.startswith(b"\xff\xd8") else None


def _pair(form: str, data: bytes, at: int) -> Size:
    width, height = unpack_from(form, data, at)
    return width, height


def _webp(start: bytes) -> Size | None:
    form = start[12:16]
    if form == b"VP8X":
        return int.from_bytes(start[24:27], "little") + 1, int.from_bytes(start[27:30], "little") + 1
    if form == b"VP8L":
        bits = int.from_bytes(start[21:25], "little")
        return (bits & 0x3FFF) + 1, (bits >> 14 & 0x3FFF) + 1
    if form == b"VP8 ":
        width, height = _pair("<HH", start, 26)
        return width & 0x3FFF, height & 0x3FFF
    return None


def _jpeg(file: BinaryIO) -> Size | None:
    """From marker to marker, until the one that starts the picture."""
    file.seek(2)
    for _ in range(_MOST_MARKERS):
        marker = _marker(file)
        if marker is None or marker == 0xD9:
            return None
        if marker in _BARE:
            continue
        length = int.from_bytes(file.read(2), "big")
        if marker in _FRAMES:
            height, width = _pair(">HH", file.read(5), 1)
            return width, height
        file.seek(max(0, length - 2), 1)
    return None


def _marker(file: BinaryIO) -> int | None:
    if file.read(1) != b"\xff":
        return None
    while (code := file.read(1)) == b"\xff":
        pass
    return code[0] if code else None
