"""The desk's small figures; each stands beside the numbers it draws, so screen readers skip it."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date, timedelta

from markupsafe import Markup

from rubrica.coordinator.shapes.progress import AgreementLine, DayLine

DAYS, LEAST = 28, 21
"""So many days up to the last one are drawn, at most and at least."""
HEIGHT = 96
STEP = 22


def _bar(x: float, y: float, width: float, height: float, of: str, tip: str = "") -> Markup:
    title = Markup("<title>{}</title>").format(tip) if tip else ""
    return Markup(
        '<rect class="{of}" x="{x:.1f}" y="{y:.1f}" width="{w:.1f}" height="{h:.1f}" rx="2">{t}</rect>'
    ).format(of=of, x=x, y=y, w=width, h=max(height, 0), t=title)


def days_figure(days: Sequence[DayLine]) -> Markup:
    """Ratings and skips of each day, days without any among them."""
    known = {line.day: line for line in days if line.day}
    if not known:
        return Markup("")
    last = date.fromisoformat(max(known))
    begun = (last - date.fromisoformat(min(known))).days + 1
    first = last - timedelta(days=min(max(begun, LEAST), DAYS) - 1)
    shown = [first + timedelta(days=n) for n in range((last - first).days + 1)]
    most = max((known[d].rated + known[d].skipped for d in known), default=1) or 1
    parts = [_day(place, day.isoformat(), known, most) for place, day in enumerate(shown)]
    width = len(shown) * STEP
    return Markup(
        '<svg class="days" viewBox="0 0 {w} {h}" width="{w}" height="{h}" aria-hidden="true">{parts}'
        '<line class="axis" x1="0" x2="{w}" y1="{y}" y2="{y}"/></svg>'
    ).format(w=width, h=HEIGHT + 18, y=HEIGHT + 0.5, parts=Markup("").join(parts))


def _day(place: int, day: str, known: dict[str, DayLine], most: int) -> Markup:
    x = place * STEP + 3
    mark = Markup('<text x="{:.1f}" y="{}">{}</text>').format(
        x + (STEP - 6) / 2, HEIGHT + 14, day[8:].lstrip("0")
    )
    line = known.get(day)
    if line is None:
        return mark
    rated, skipped = (n / most * (HEIGHT - 6) for n in (line.rated, line.skipped))
    tip = f"{day}: {line.rated + line.skipped}"
    top = _bar(x, HEIGHT - rated - skipped, STEP - 6, skipped, "skipped", tip) if skipped else ""
    return Markup("").join([top, _bar(x, HEIGHT - rated, STEP - 6, rated, "rated", tip), mark])


def agreement_figure(line: AgreementLine) -> Markup:
    """A dot with its interval between 0 and 1; what lies below 0 is drawn at 0."""
    if line.value is None:
        return Markup("")
    reach: Markup | str = ""
    if line.low is not None and line.high is not None:
        reach = Markup('<line class="reach" x1="{:.1f}" x2="{:.1f}" y1="11" y2="11"/>').format(
            _place(line.low), _place(line.high)
        )
    return Markup(
        '<svg class="dots" viewBox="0 0 160 22" width="160" height="22" aria-hidden="true">'
        '<line class="axis" x1="6" x2="154" y1="11" y2="11"/>'
        '<line class="limit" x1="104.7" x2="104.7" y1="3" y2="19"/>'
        '<line class="limit" x1="124.4" x2="124.4" y1="3" y2="19"/>'
        '{reach}<circle class="value" cx="{value:.1f}" cy="11" r="5"/></svg>'
    ).format(reach=reach, value=_place(line.value))


def _place(value: float) -> float:
    return 6 + 148 * min(max(value, 0.0), 1.0)
