"""Drawing: a few marks on a canvas, written as SVG.

Figures are drawn here rather than by a plotting package: they come out the same to the byte
everywhere, need nothing installed, and take their colours from the page they stand in. Alone, a figure
brings its own light colours along.
"""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass, field
from html import escape

from rubrica.reports.colours import figure_style, of_file

MADE = "<!-- made by rubrica report -->"
"""Tells our figures from others in the same folder."""

_ILLEGIBLE = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f\ud800-\udfff\ufffe\uffff]")


def width_of(text: str, size: float = 12) -> float:
    """About how wide a text is."""
    wide = sum(unicodedata.east_asian_width(c) in "WF" for c in text)
    return size * (wide + 0.55 * (len(text) - wide))


def fitted(text: str, width: float, size: float = 12) -> str:
    """The text, or as much of it as fits."""
    if width_of(text, size) <= width:
        return text
    kept = text
    while kept and width_of(kept + "…", size) > width:
        kept = kept[:-1]
    return kept.rstrip() + "…"


def pixel(value: float) -> str:
    return f"{value:.1f}".removesuffix(".0")


@dataclass(slots=True)
class Canvas:
    width: float
    height: float
    title: str
    parts: list[str] = field(default_factory=list)

    def text(
        self, x: float, y: float, text: str, of: str = "", anchor: str = "start", most: float = 1e9
    ) -> None:
        size = 10.5 if "small" in of.split() else 12
        shown = fitted(text, most, size)
        tip = f"<title>{clean(text)}</title>" if shown != text else ""
        at = f' text-anchor="{anchor}"' if anchor != "start" else ""
        self.parts.append(f"<text{_place(x=x, y=y)}{at}{_of(of)}>{clean(shown)}{tip}</text>")

    def rect(self, x: float, y: float, width: float, height: float, of: str, tip: str = "") -> None:
        where = _place(x=x, y=y, width=max(width, 0), height=max(height, 0))
        self.parts.append(_mark("rect", where + _of(of), tip))

    def dot(self, x: float, y: float, radius: float, of: str, tip: str = "") -> None:
        self.parts.append(_mark("circle", _place(cx=x, cy=y, r=radius) + _of(of), tip))

    def line(self, x1: float, y1: float, x2: float, y2: float, of: str = "axis") -> None:
        self.parts.append(f"<line{_place(x1=x1, y1=y1, x2=x2, y2=y2)}{_of(of)}/>")

    def steps(self, points: list[tuple[float, float]], of: str) -> None:
        way = " ".join(f"{'L' if i else 'M'}{pixel(x)} {pixel(y)}" for i, (x, y) in enumerate(points))
        self.parts.append(f'<path d="{way}"{_of(of)}/>')

    def inline(self) -> str:
        """For a page, which brings the colours."""
        return self._svg("")

    def alone(self) -> str:
        """For a file of its own."""
        paper = f'<rect width="100%" height="100%" fill="{of_file("paper")}"/>'
        return self._svg(f"{MADE}<style>{figure_style(of_file)}</style>{paper}")

    def _svg(self, head: str) -> str:
        size = f"{pixel(self.width)} {pixel(self.height)}"
        where = _place(width=self.width, height=self.height)
        body = "\n".join(self.parts)
        return (
            f'<svg xmlns="http://www.w3.org/2000/svg"{where} viewBox="0 0 {size}" role="img" '
            f'aria-label="{clean(self.title)}">{head}\n{body}\n</svg>\n'
        )


def _mark(name: str, where: str, tip: str) -> str:
    return f"<{name}{where}><title>{clean(tip)}</title></{name}>" if tip else f"<{name}{where}/>"


def _place(**values: float) -> str:
    return "".join(f' {name}="{pixel(value)}"' for name, value in values.items())


def _of(names: str) -> str:
    return f' class="{names}"' if names else ""


def legible(text: str) -> str:
    """Without what no XML and no UTF-8 file can hold: control characters, lone surrogates."""
    return _ILLEGIBLE.sub("\N{REPLACEMENT CHARACTER}", text)


def clean(text: str) -> str:
    """A text as it may stand in XML or HTML."""
    return escape(legible(text))


# --- axes -------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Scale:
    """From values to places on the canvas."""

    low: float
    high: float
    start: float
    end: float

    def __call__(self, value: float) -> float:
        span = self.high - self.low or 1.0
        kept = min(max(value, self.low), self.high)
        return self.start + (kept - self.low) / span * (self.end - self.start)

    def ticks(self, about: int = 5) -> list[float]:
        """Round numbers between the ends."""
        step = _round_step((self.high - self.low) / max(about, 1))
        first = -(-self.low // step)
        count = int((self.high - first * step) / step + 1e-9) + 1
        return [round((first + i) * step, 10) for i in range(max(count, 0))]


def _round_step(rough: float) -> float:
    if rough <= 0:
        return 1.0
    size = 10.0 ** len(str(int(rough))) / 10 if rough >= 1 else 1.0
    while size > rough:
        size /= 10
    return next((size * k for k in (1, 2, 2.5, 5, 10) if size * k >= rough), size * 10)


def tick_text(value: float) -> str:
    return f"{value:,.10g}".replace("-", "−")
