"""A small rasteriser: filled shapes with smooth edges, written as PNG, standard library alone.

Everything is drawn three times as large on three byte planes and averaged down. A translucent fill
maps each byte through a table of 256, so shadows and glass cost no more than solid colour.
"""

from __future__ import annotations

import struct
import zlib
from collections.abc import Iterable, Sequence
from itertools import pairwise
from math import ceil, cos, pi, sin
from pathlib import Path

Point = tuple[float, float]
Colour = str
FINER = 3


def rgb(colour: Colour) -> tuple[int, int, int]:
    """`#rrggbb` as three numbers."""
    return int(colour[1:3], 16), int(colour[3:5], 16), int(colour[5:7], 16)


def mixed(one: Colour, other: Colour, share: float) -> Colour:
    """A colour between two, `share` of the way to the other."""
    parts = (round(a + (b - a) * share) for a, b in zip(rgb(one), rgb(other), strict=True))
    return "#" + "".join(f"{part:02x}" for part in parts)


class Canvas:
    """A picture in progress; every method paints and gives the canvas back."""

    def __init__(self, width: int, height: int, colour: Colour = "#ffffff") -> None:
        self.width, self.height = width, height
        self._wide, self._high = width * FINER, height * FINER
        self._planes = [bytearray([part]) * (self._wide * self._high) for part in rgb(colour)]

    def polygon(self, points: Sequence[Point], colour: Colour, alpha: float = 1) -> Canvas:
        corners = [(x * FINER, y * FINER) for x, y in points]
        top = max(0, int(min(y for _, y in corners)))
        bottom = min(self._high, ceil(max(y for _, y in corners)))
        edges = list(zip(corners, [*corners[1:], corners[0]], strict=True))
        for row in range(top, bottom):
            crossings = sorted(_crossings(edges, row + 0.5))
            for left, right in zip(crossings[::2], crossings[1::2], strict=False):
                self._span(row, round(left), round(right), colour, alpha)
        return self

    def _span(self, row: int, left: int, right: int, colour: Colour, alpha: float) -> None:
        left, right = max(0, left), min(self._wide, right)
        if left >= right:
            return
        start, end = row * self._wide + left, row * self._wide + right
        for plane, part in zip(self._planes, rgb(colour), strict=True):
            if alpha >= 1:
                plane[start:end] = bytes([part]) * (end - start)
            else:
                plane[start:end] = plane[start:end].translate(_table(part, alpha))

    def rect(self, x: float, y: float, w: float, h: float, colour: Colour, alpha: float = 1) -> Canvas:
        return self.polygon([(x, y), (x + w, y), (x + w, y + h), (x, y + h)], colour, alpha)

    def round_rect(
        self, x: float, y: float, w: float, h: float, radius: float, colour: Colour, alpha: float = 1
    ) -> Canvas:
        centres = [(x + w - radius, y + h - radius), (x + radius, y + h - radius)]
        centres += [(x + radius, y + radius), (x + w - radius, y + radius)]
        points: list[Point] = []
        for quarter, centre in enumerate(centres):
            points += arc(centre, radius, radius, 90 * quarter, 90 * quarter + 90, 10)
        return self.polygon(points, colour, alpha)

    def ellipse(
        self, x: float, y: float, rx: float, ry: float, colour: Colour, alpha: float = 1
    ) -> Canvas:
        return self.polygon(arc((x, y), rx, ry, 0, 360, 72), colour, alpha)

    def circle(self, x: float, y: float, radius: float, colour: Colour, alpha: float = 1) -> Canvas:
        return self.ellipse(x, y, radius, radius, colour, alpha)

    def ring(self, x: float, y: float, radius: float, thick: float, colour: Colour) -> Canvas:
        outer, inner = (
            arc((x, y), radius, radius, 0, 360, 72),
            arc((x, y), radius - thick, radius - thick, 360, 0, 72),
        )
        return self.polygon([*outer, *inner], colour)

    def line(self, points: Sequence[Point], thick: float, colour: Colour, alpha: float = 1) -> Canvas:
        """A stroke with round ends and joints."""
        for (x0, y0), (x1, y1) in pairwise(points):
            length = ((x1 - x0) ** 2 + (y1 - y0) ** 2) ** 0.5 or 1
            dx, dy = (y1 - y0) / length * thick / 2, (x0 - x1) / length * thick / 2
            sides = [(x0 + dx, y0 + dy), (x1 + dx, y1 + dy), (x1 - dx, y1 - dy), (x0 - dx, y0 - dy)]
            self.polygon(sides, colour, alpha)
        for x, y in points if alpha >= 1 else ():
            self.circle(x, y, thick / 2, colour)
        return self

    def fade(self, x: float, y: float, w: float, h: float, above: Colour, below: Colour) -> Canvas:
        """A rectangle whose colour changes from top to bottom in quiet steps."""
        steps = 24
        for step in range(steps):
            part = h / steps
            self.rect(x, y + step * part, w, part + 0.4, mixed(above, below, step / (steps - 1)))
        return self

    def png(self) -> bytes:
        rows = (b"\x00" + self._row(y) for y in range(self.height))
        head = struct.pack(">IIBBBBB", self.width, self.height, 8, 2, 0, 0, 0)
        body = zlib.compress(b"".join(rows), 9)
        return (
            b"\x89PNG\r\n\x1a\n" + _chunk(b"IHDR", head) + _chunk(b"IDAT", body) + _chunk(b"IEND", b"")
        )

    def save(self, file: Path) -> None:
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(self.png())

    def _row(self, y: int) -> bytes:
        row = bytearray(self.width * 3)
        for channel, plane in enumerate(self._planes):
            starts = (self._wide * (y * FINER + fine) for fine in range(FINER))
            lines = [plane[start : start + self._wide] for start in starts]
            sums = [sum(column) for column in zip(*lines, strict=True)]
            thirds = zip(*(sums[offset::FINER] for offset in range(FINER)), strict=True)
            row[channel::3] = bytes((sum(third) + 4) // (FINER * FINER) for third in thirds)
        return bytes(row)


def arc(centre: Point, rx: float, ry: float, start: float, end: float, steps: int = 24) -> list[Point]:
    """Points along part of an ellipse, in degrees, clockwise on the page."""
    angles = (start + (end - start) * step / steps for step in range(steps + 1))
    return [(centre[0] + rx * cos(a * pi / 180), centre[1] + ry * sin(a * pi / 180)) for a in angles]


def turned(points: Iterable[Point], centre: Point, degrees: float) -> list[Point]:
    """The points turned clockwise about a centre."""
    c, s = cos(degrees * pi / 180), sin(degrees * pi / 180)
    shifted = ((x - centre[0], y - centre[1]) for x, y in points)
    return [(centre[0] + x * c - y * s, centre[1] + x * s + y * c) for x, y in shifted]


def box(x: float, y: float, w: float, h: float) -> list[Point]:
    return [(x, y), (x + w, y), (x + w, y + h), (x, y + h)]


def _crossings(edges: Iterable[tuple[Point, Point]], y: float) -> Iterable[float]:
    for (x0, y0), (x1, y1) in edges:
        if (y0 <= y) != (y1 <= y):
            yield x0 + (y - y0) * (x1 - x0) / (y1 - y0)


def _table(part: int, alpha: float) -> bytes:
    return bytes(round(below * (1 - alpha) + part * alpha) for below in range(256))


def _chunk(name: bytes, data: bytes) -> bytes:
    return struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data))
