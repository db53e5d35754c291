"""The figures: each from records of the analysis, with a name, an alternative text and a caption."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal, TypeVar

from rubrica.analysis.results import (
    Agreement,
    Difference,
    Duration,
    JudgeStatistic,
    Progress,
    Share,
    SystemMean,
)
from rubrica.reports.colours import on_ramp, ramp
from rubrica.reports.language import Say, interval, number, percent
from rubrica.reports.svg import Canvas, Scale, tick_text, width_of

WIDTH = 460.0
ROW = 26.0
LABEL = 150.0
SMALL = 3.0

T = TypeVar("T")
K = TypeVar("K")


@dataclass(frozen=True, slots=True)
class Drawn:
    """The numbers a figure draws, for a page that draws it anew and answers to the pointer."""

    kind: Literal["bars", "dots", "grid", "points", "boxes", "steps"]
    rows: Sequence[Mapping[str, Any]]
    x: str = ""
    y: str = ""
    """What the axes are called."""
    ends: tuple[float, float] | None = None
    marks: Sequence[tuple[float, str]] = ()
    """Values to read it by, each with its name."""


@dataclass(frozen=True, slots=True)
class Drawing:
    """A figure with what a reader who does not see it needs to know."""

    name: str
    canvas: Canvas
    alt: str
    drawn: Drawn

    def inline(self) -> str:
        return self.canvas.inline()


def grouped(records: Sequence[T], key: Callable[[T], K]) -> dict[K, list[T]]:
    """Records by a key, in the order in which they come."""
    found: dict[K, list[T]] = {}
    for record in records:
        found.setdefault(key(record), []).append(record)
    return found


def label_width(labels: Sequence[str], most: float = LABEL) -> float:
    return min(most, max((width_of(label) for label in labels), default=0) + 12)


def _axis(canvas: Canvas, scale: Scale, top: float, bottom: float, about: int = 5) -> None:
    for tick in scale.ticks(about):
        canvas.line(scale(tick), top, scale(tick), bottom)
        canvas.text(scale(tick), bottom + 14, tick_text(tick), "small soft", "middle")


# --- how answers are distributed --------------------------------------------------------------------


def distribution(
    name: str, title: str, shares: Sequence[Share], level: Callable[[str], str], of: Callable[..., str]
) -> Drawing | None:
    """One bar per system, cut into the levels from the lowest to the highest."""
    by_system = list(grouped(shares, lambda r: r.system).items())
    bars = [(s, r) for s, r in by_system if s is not None] or by_system
    if not bars:
        return None
    levels = [share.level for share in bars[0][1]]
    labels = [of(system) for system, _ in bars]
    left, legend = label_width(labels), _legend_rows([level(x) for x in levels])
    top = 8 + 20.0 * len(legend)
    canvas = Canvas(WIDTH, top + ROW * len(bars) + 4, title)
    _legend(canvas, legend, len(levels))
    scale = Scale(0, 1, left, WIDTH - 48)
    for row, (label, (_, parts)) in enumerate(zip(labels, bars, strict=True)):
        y = top + ROW * row
        canvas.text(left - 8, y + 16, label, "", "end", left - 8)
        at, total = 0.0, sum(part.count for part in parts)
        for place, part in enumerate(parts):
            shade = ramp(place, len(parts))
            x, width = scale(at), scale(at + part.share) - scale(at)
            tip = f"{label}, {level(part.level)}: {part.count} ({percent(part.share)})"
            canvas.rect(x, y + 3, width, ROW - 6, f"ramp{shade} halo", tip)
            if width > 30:
                text = percent(part.share)
                canvas.text(x + width / 2, y + 16.5, text, f"small {on_ramp(shade)}", "middle")
            at += part.share
        canvas.text(WIDTH - 44, y + 16, f"n {total}", "small soft")
    alt = "; ".join(
        f"{label}: " + ", ".join(f"{level(p.level)} {percent(p.share)}" for p in parts)
        for label, (_, parts) in zip(labels, bars, strict=True)
    )
    rows = [
        {"of": label, "level": level(p.level), "place": n, "count": p.count, "share": p.share}
        for label, (_, parts) in zip(labels, bars, strict=True)
        for n, p in enumerate(parts)
    ]
    return Drawing(name, canvas, f"{title}. {alt}.", Drawn("bars", rows))


def _legend_rows(labels: Sequence[str]) -> list[list[tuple[int, str, float]]]:
    """Levels in lines that fit the width: place, label, x."""
    rows: list[list[tuple[int, str, float]]] = [[]]
    x = 0.0
    for place, label in enumerate(labels):
        wide = min(width_of(label, 10.5), WIDTH - 30) + 30
        if x and x + wide > WIDTH:
            rows.append([])
            x = 0.0
        rows[-1].append((place, label, x))
        x += wide
    return rows


def _legend(canvas: Canvas, rows: list[list[tuple[int, str, float]]], size: int) -> None:
    for line, row in enumerate(rows):
        for place, label, x in row:
            canvas.rect(x, 4 + 20 * line, 11, 11, f"ramp{ramp(place, size)} edge")
            canvas.text(x + 16, 13.5 + 20 * line, label, "small", most=WIDTH - 30)


# --- estimates with intervals -----------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Point:
    """A row of a dot plot; `other` is a second estimate to compare with."""

    label: str
    value: float
    low: float | None
    high: float | None
    other: float | None = None


def dots(
    name: str,
    title: str,
    points: Sequence[Point],
    ends: tuple[float, float],
    lines: Sequence[tuple[float, str]] = (),
    digits: int = 2,
) -> Drawing | None:
    """Dots with intervals; `lines` are values to read them by."""
    if not points:
        return None
    left = label_width([p.label for p in points], 190)
    top = 22.0 if lines else 6.0
    bottom = top + ROW * len(points)
    canvas = Canvas(WIDTH, bottom + 20, title)
    scale = Scale(*ends, left + 4, WIDTH - 44)
    _axis(canvas, scale, top, bottom)
    for place, (value, says) in enumerate(lines):
        canvas.line(scale(value), top - 14, scale(value), bottom, "otherline dash")
        # The first stands before its line, the others behind theirs, so that none meet.
        side, anchor = (-4, "end") if place == 0 else (4, "start")
        canvas.text(scale(value) + side, top - 6, says, "small soft", anchor)
    for row, point in enumerate(points):
        y = top + ROW * row + ROW / 2
        canvas.text(left - 6, y + 4, point.label, "", "end", left - 8)
        reach = interval(point.low, point.high, digits)
        if point.low is not None and point.high is not None:
            canvas.line(scale(point.low), y, scale(point.high), y, "reach")
        if point.other is not None:
            canvas.dot(scale(point.other), y, 4, "hollow", number(point.other, digits))
        shown = number(point.value, digits or (0 if point.value.is_integer() else 1))
        canvas.dot(scale(point.value), y, 4.5, "mark halo", f"{point.label}: {shown} {reach}")
        canvas.text(WIDTH - 36, y + 4, shown, "small")
    said = (f"{p.label} {number(p.value, digits)} {interval(p.low, p.high, digits)}" for p in points)
    rows = [{"of": p.label, "value": p.value, "low": p.low, "high": p.high} for p in points]
    drawn = Drawn("dots", rows, ends=ends, marks=lines)
    return Drawing(name, canvas, f"{title}. " + "; ".join(s.strip() for s in said) + ".", drawn)


def agreement(say: Say, records: Sequence[Agreement], of: Callable[[str], str]) -> Drawing | None:
    whole = [r for r in records if r.group is None and r.coefficient == "alpha"]
    points = [Point(of(r.question), r.value, r.low, r.high) for r in whole if r.value is not None]
    lowest = min((p.low if p.low is not None else p.value for p in points), default=0.0)
    title = say("Agreement of the raters (alpha)", "评分员的一致性（alpha）")
    lines = [(0.667, say("tentative", "尚可")), (0.8, say("good", "良好"))]
    return dots("agreement", title, points, (min(0.0, max(-1.0, lowest)), 1.0), lines)


def means(name: str, title: str, records: Sequence[SystemMean]) -> Drawing | None:
    points = [Point(r.system, r.mean, r.low, r.high) for r in records if r.mean is not None]
    if len(points) < 2:
        return None
    edges = [e for p in points for e in (p.value, p.low, p.high) if e is not None]
    low, high = min(edges), max(edges)
    room = (high - low) * 0.05 or 0.5
    return dots(name, title, points, (low - room, high + room))


def ranks(name: str, title: str, records: Sequence[SystemMean]) -> Drawing | None:
    points = [Point(r.system, r.rank, r.rank_low, r.rank_high) for r in records if r.rank is not None]
    if len(points) < 3:
        return None
    return dots(name, title, points, (0.5, len(points) + 0.5), digits=0)


# --- differences ------------------------------------------------------------------------------------


def bland_altman(
    say: Say,
    name: str,
    title: str,
    points: Sequence[Difference],
    limits: JudgeStatistic | None,
) -> Drawing | None:
    """Difference of judge and raters over their mean; the larger a dot, the more items."""
    if len(points) < SMALL:
        return None
    canvas = Canvas(330, 210, title)
    lows = [p.difference for p in points] + [v for v in _limits(limits) if v is not None]
    reach = max(abs(v) for v in lows) * 1.1 or 1.0
    xs = [p.mean for p in points]
    room = (max(xs) - min(xs)) * 0.06 or 0.5
    across = Scale(min(xs) - room, max(xs) + room, 44, 322)
    down = Scale(-reach, reach, 178, 10)
    for tick in down.ticks(4):
        canvas.line(44, down(tick), 322, down(tick))
        canvas.text(38, down(tick) + 4, tick_text(tick), "small soft", "end")
    for tick in across.ticks(5):
        canvas.text(across(tick), 193, tick_text(tick), "small soft", "middle")
    most = max(p.count for p in points)
    for point in points:
        radius = 2 + 5 * (point.count / most) ** 0.5
        tip = f"{number(point.mean)}, {number(point.difference)}: n {point.count}"
        canvas.dot(across(point.mean), down(point.difference), radius, "point", tip)
    for value, of in zip(
        _limits(limits), ("otherline", "otherline dash", "otherline dash"), strict=True
    ):
        if value is not None:
            canvas.line(44, down(value), 322, down(value), of)
    canvas.text(183, 208, say("mean of judge and raters", "评委与评分员的均值"), "small soft", "middle")
    bias, low, high = _limits(limits)
    alt = say(
        f"On average {number(bias)}; 95 % of the differences between {number(low)} and {number(high)}.",
        f"平均差 {number(bias)}；95% 的差值在 {number(low)} 与 {number(high)} 之间。",
    )
    rows = [{"x": p.mean, "y": p.difference, "count": p.count} for p in points]
    marks = [(value, number(value)) for value in (bias, low, high) if value is not None]
    x = say("mean of judge and raters", "评委与评分员的均值")
    y = say("judge minus raters", "评委减评分员")
    return Drawing(name, canvas, f"{title}. {alt}", Drawn("points", rows, x, y, marks=marks))


def _limits(record: JudgeStatistic | None) -> tuple[float | None, float | None, float | None]:
    return (None, None, None) if record is None else (record.value, record.low, record.high)


# --- time and progress ------------------------------------------------------------------------------


def times(say: Say, records: Sequence[Duration], of: Callable[[str | None], str]) -> Drawing | None:
    """A bar from the 25th to the 75th percentile, whiskers from the 5th to the 95th."""
    if not records:
        return None
    title = say("Seconds spent on an item", "每个条目所用的秒数")
    shown = records[:31]
    labels = [of(r.rater) for r in shown]
    left = label_width(labels)
    bottom = 6 + ROW * len(shown)
    canvas = Canvas(WIDTH, bottom + 20, title)
    scale = Scale(0, max(r.high for r in shown) or 1.0, left + 4, WIDTH - 10)
    _axis(canvas, scale, 6, bottom)
    for row, (label, r) in enumerate(zip(labels, shown, strict=True)):
        y = 6 + ROW * row + ROW / 2
        canvas.text(left - 6, y + 4, label, "strong" if r.rater is None else "", "end", left - 8)
        canvas.line(scale(r.low), y, scale(r.high), y, "reach")
        middle = f"{number(r.lower_quarter, 0)} – {number(r.upper_quarter, 0)}"
        tip = f"{label}: {number(r.median, 0)} s ({middle})"
        width = scale(r.upper_quarter) - scale(r.lower_quarter)
        canvas.rect(scale(r.lower_quarter), y - 7, max(width, 1), 14, "mark", tip)
        canvas.line(scale(r.median), y - 7, scale(r.median), y + 7, "middle")
    alt = "; ".join(f"{label} {number(r.median, 0)}" for label, r in zip(labels, shown, strict=True))
    rows = [
        {
            "of": label,
            "low": r.low,
            "lower": r.lower_quarter,
            "value": r.median,
            "upper": r.upper_quarter,
            "high": r.high,
        }
        for label, r in zip(labels, shown, strict=True)
    ]
    said = say(f"{title}, the middle value: {alt}.", f"{title}，中位数：{alt}。")
    return Drawing("time", canvas, said, Drawn("boxes", rows, say("seconds", "秒")))


def progress(say: Say, records: Sequence[Progress]) -> Drawing | None:
    """Items that have a rating against all ratings, as they came in."""
    if len(records) < SMALL:
        return None
    title = say("Items rated as ratings came in", "随评分增加的已评条目数")
    last = records[-1]
    canvas = Canvas(WIDTH, 190, title)
    across, down = Scale(0, last.ratings, 48, WIDTH - 12), Scale(0, last.items, 154, 10)
    for tick in down.ticks(4):
        canvas.line(48, down(tick), WIDTH - 12, down(tick))
        canvas.text(42, down(tick) + 4, tick_text(tick), "small soft", "end")
    for tick in across.ticks(5):
        canvas.text(across(tick), 169, tick_text(tick), "small soft", "middle")
    way = [(across(0), down(0)), *((across(r.ratings), down(r.items)) for r in records)]
    canvas.steps(way, "reach")
    canvas.text((48 + WIDTH) / 2, 186, say("ratings", "评分数"), "small soft", "middle")
    says = say(
        f"{last.items} items after {last.ratings} ratings.",
        f"{last.ratings} 份评分，覆盖 {last.items} 个条目。",
    )
    rows = [{"x": 0, "y": 0}, *({"x": r.ratings, "y": r.items} for r in records)]
    drawn = Drawn("steps", rows, say("ratings", "评分数"), say("items", "条目数"))
    return Drawing("progress", canvas, f"{title}. {says}", drawn)
