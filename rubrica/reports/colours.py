"""The colours of pages and figures, once: by name, in light and in dark.

A figure in a page takes its colours from the page; a figure in a file of its own has them written in.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

LIGHT = {
    "ink": "#1f2933",
    "soft": "#556170",
    "line": "#d3d9e0",
    "paper": "#ffffff",
    "panel": "#f4f6f8",
    "mark": "#0072b2",
    "other": "#b84a00",
    "caution": "#fdf4e3",
}
DARK = {
    "ink": "#e6eaee",
    "soft": "#a3aeba",
    "line": "#3a444f",
    "paper": "#14191e",
    "panel": "#1c2329",
    "mark": "#56b4e9",
    "other": "#ff9d5c",
    "caution": "#2c2519",
}
"""Colours by what they are for; blue and orange are told apart by every kind of sight."""

RAMP = ("#deebf7", "#b5d0e8", "#84b2d9", "#2f77ad", "#1f6397", "#0f4579", "#08274a")
RAMP_DARK = ("#1d2a36", "#24435e", "#2c5d86", "#6aaee0", "#8fc5ea", "#b9dcf3", "#e3f1fb")
"""From few to many; far apart in lightness, so that a printout in grey keeps the order. The first
three carry text in ink, the others in the paper's colour."""

DARK_FROM = 3
"""The shade from which text on it takes the paper's colour."""

FONT = "'Helvetica Neue', Arial, 'Noto Sans', 'Noto Sans CJK SC', 'WenQuanYi Micro Hei', sans-serif"
"""For a figure in a file of its own; in a page it takes the page's."""

Colour = Callable[[str], str]


def named(colours: Mapping[str, str], ramp: tuple[str, ...]) -> dict[str, str]:
    return {**colours, **{f"ramp{i}": colour for i, colour in enumerate(ramp)}}


def properties() -> str:
    """Custom properties of a page: light, dark where the reader has it so, light again on paper."""
    light, dark = (_listed(named(*of)) for of in ((LIGHT, RAMP), (DARK, RAMP_DARK)))
    return f":root{{{light}}}\n@media screen and (prefers-color-scheme: dark){{:root{{{dark}}}}}\n"


def own_properties(colours: Mapping[str, str], ramp: tuple[str, ...]) -> str:
    """Those a page that shows a report as a part of itself does not have already."""
    shared = ("ink", "soft", "line", "paper")
    own = {name: colour for name, colour in named(colours, ramp).items() if name not in shared}
    return f"--paper:var(--surface);{_listed(own)}"


def _listed(colours: Mapping[str, str]) -> str:
    return "".join(f"--{name}:{colour};" for name, colour in colours.items())


def of_page(name: str) -> str:
    return f"var(--{name})"


def of_file(name: str) -> str:
    return named(LIGHT, RAMP)[name]


def figure_style(colour: Colour, within: str = "") -> str:
    """How the marks of a figure look; `within` narrows the rules to the figures of a page."""
    rules = {
        "text": f"{'' if within else f'font-family:{FONT};'}font-size:12px;fill:{colour('ink')}",
        ".small": "font-size:10.5px",
        ".soft": f"fill:{colour('soft')}",
        ".strong": "font-weight:600",
        ".axis": f"stroke:{colour('line')};stroke-width:1;fill:none",
        ".mark": f"fill:{colour('mark')}",
        ".reach": f"stroke:{colour('mark')};stroke-width:2;fill:none",
        ".middle": f"stroke:{colour('paper')};stroke-width:2",
        ".hollow": f"fill:{colour('paper')};stroke:{colour('other')};stroke-width:2",
        ".point": f"fill:{colour('mark')};fill-opacity:.55;stroke:{colour('mark')};stroke-width:.5",
        ".otherline": f"stroke:{colour('other')};stroke-width:1.5;fill:none",
        ".dash": "stroke-dasharray:4 3",
        ".halo": f"stroke:{colour('paper')};stroke-width:1",
        ".edge": f"stroke:{colour('line')};stroke-width:1",
        ".frame": f"fill:none;stroke:{colour('other')};stroke-width:2",
        ".none": f"fill:{colour('panel')};stroke:{colour('line')};stroke-width:1",
        ".onlight": f"fill:{colour('ink')}",
        ".ondark": f"fill:{colour('paper')}",
        **{f".ramp{i}": f"fill:{colour(f'ramp{i}')}" for i in range(len(RAMP))},
    }
    return "".join(f"{within}{selector}{{{rule}}}" for selector, rule in rules.items())


def on_ramp(shade: int) -> str:
    """The class of a text that stands on this shade."""
    return "ondark" if shade >= DARK_FROM else "onlight"


def ramp(place: int, size: int) -> int:
    """The shade of one of `size` ordered levels."""
    return 0 if size < 2 else round(place * (len(RAMP) - 1) / (size - 1))
