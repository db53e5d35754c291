"""Figures that are grids: raters against raters, and raters' levels against a judge's."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from rubrica.analysis.results import Confusion, PairAgreement
from rubrica.reports.colours import on_ramp, ramp
from rubrica.reports.figures import SMALL, WIDTH, Drawing, Drawn, label_width
from rubrica.reports.language import Say, interval, number, percent
from rubrica.reports.svg import Canvas

NUMBERS_UP_TO = 12
"""Raters up to which a cell of the matrix has room for its number."""


def matrix(say: Say, name: str, title: str, pairs: Sequence[PairAgreement]) -> Drawing | None:
    """Raters against raters; the darker, the better they agree."""
    known = [p for p in pairs if p.value is not None]
    if len(known) < SMALL:
        return None
    raters = list(dict.fromkeys(r for p in pairs for r in (p.a, p.b)))
    size = min(40.0, (WIDTH - 60) / len(raters))
    canvas = Canvas(60 + size * len(raters), 26 + size * len(raters), title)
    place = {rater: i for i, rater in enumerate(raters)}
    for rater, i in place.items():
        canvas.text(50, 22 + size * i + size / 2 + 4, rater, "small", "end", 48)
        if len(raters) <= NUMBERS_UP_TO:
            canvas.text(56 + size * i + size / 2, 14, rater, "small", "middle", size)
    for pair in pairs:
        tip = f"{pair.a} – {pair.b}: {number(pair.value)} {interval(pair.low, pair.high)}".strip()
        for row, column in ((place[pair.a], place[pair.b]), (place[pair.b], place[pair.a])):
            _cell(canvas, (56 + size * column, 20 + size * row, size), pair.value, tip, len(raters))
    ends = f"{number(min(_values(known)))} – {number(max(_values(known)))}"
    says = say(f"Pairs lie between {ends}.", f"各对在 {ends} 之间。")
    rows = [
        {"row": row, "column": column, "value": p.value, "low": p.low, "high": p.high}
        for p in pairs
        for row, column in ((p.a, p.b), (p.b, p.a))
    ]
    return Drawing(name, canvas, f"{title}. {says}", Drawn("grid", rows, ends=(0.0, 1.0)))


def _values(pairs: Sequence[PairAgreement]) -> list[float]:
    return [p.value for p in pairs if p.value is not None]


def _cell(
    canvas: Canvas, at: tuple[float, float, float], value: float | None, tip: str, raters: int
) -> None:
    x, y, size = at
    shade = 0 if value is None else ramp(round(max(value, 0.0) * 6), 7)
    canvas.rect(x, y, size, size, "none" if value is None else f"ramp{shade} halo", tip)
    if raters <= NUMBERS_UP_TO:
        text = number(value)
        canvas.text(x + size / 2, y + size / 2 + 4, text, f"small {on_ramp(shade)}", "middle")


def confusion(
    say: Say, name: str, title: str, cells: Sequence[Confusion], level: Callable[[str], str]
) -> Drawing | None:
    """Raters' levels down, the judge's across."""
    levels = list(dict.fromkeys(c.human for c in cells))
    if not cells or len(levels) > 9:
        return None
    size = 44.0 if len(levels) <= 5 else 34.0
    labels = [level(x) for x in levels]
    left = label_width(labels, 110) + 16
    canvas = Canvas(max(left + size * len(levels) + 6, 200), 44 + size * len(levels), title)
    canvas.text(left, 12, say("judge →", "评委 →"), "small soft")
    canvas.text(0, 32, say("raters ↓", "评分员 ↓"), "small soft")
    most = max(c.count for c in cells) or 1.0
    for i, label in enumerate(labels):
        canvas.text(left - 6, 40 + size * i + size / 2 + 4, label, "small", "end", left - 8)
        canvas.text(
            left + size * i + size / 2,
            32,
            levels[i] if len(label) > 5 else label,
            "small",
            "middle",
            size,
        )
    for cell in cells:
        x, y = left + size * levels.index(cell.score), 40 + size * levels.index(cell.human)
        shade = round(6 * cell.count / most) if cell.count else 0
        tip = f"{level(cell.human)} / {level(cell.score)}: {cell.count:g} ({percent(cell.share)})"
        canvas.rect(x, y, size, size, f"ramp{shade} halo", tip)
        if cell.human == cell.score:
            canvas.rect(x + 2, y + 2, size - 4, size - 4, "frame")
        text = number(cell.count, 0 if float(cell.count).is_integer() else 1)
        canvas.text(x + size / 2, y + size / 2 + 4, text, f"small {on_ramp(shade)}", "middle")
    same = [c for c in cells if c.human == c.score and c.share > 0]
    said = ", ".join(f"{level(c.human)} {percent(c.share)}" for c in same) or "0 %"
    alt = say(f"Both sides say the same: {said}.", f"两边相同：{said}。")
    rows = [
        {"row": level(c.human), "column": level(c.score), "value": c.count, "share": c.share}
        for c in cells
    ]
    drawn = Drawn("grid", rows, say("judge", "评委"), say("raters", "评分员"))
    return Drawing(name, canvas, f"{title}. {alt}", drawn)
