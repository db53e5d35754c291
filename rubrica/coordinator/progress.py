"""One study's progress: how far, how fast, how well, and what needs a look."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from math import ceil
from statistics import median

from rubrica.accounts.model import Rater
from rubrica.assignment.design import policy_name
from rubrica.coordinator import shapes
from rubrica.coordinator.endpoint import At, Endpoint
from rubrica.coordinator.live import known_numbers
from rubrica.fieldwork.desk import Desk
from rubrica.review.board import Batch, Level, Tally

PACE_DAYS = 7
MANY_SKIPS, SKIPS_FROM = 0.2, 5
HURRIED, HURRIED_FROM = 1 / 3, 10


def progress(at: At, asked: shapes.StudyOf) -> shapes.Progress:
    stores, name, desk = at.site.stores, at.name, at.study.desk
    uncounted = at.site.counters.refresh(name)
    by_rater, by_day = stores.board.tallies(name, "rater"), stores.board.tallies(name, "day")
    raters = stores.accounts.raters(name)
    levels = stores.board.levels(name)
    done = sum(t.rated + t.skipped for t in by_rater)
    needed = places_needed(desk, raters)
    enough = enough_of(desk, raters)
    per_day = pace(by_day, desk.clock())
    numbers = known_numbers(at)
    return shapes.Progress(
        items=desk.design.items,
        done=sum(one.items for one in levels if one.done >= enough),
        going=sum(one.items for one in levels if 0 < one.done < enough),
        waiting=desk.design.items - sum(one.items for one in levels if one.done),
        rated=sum(t.rated for t in by_rater),
        skipped=sum(t.skipped for t in by_rater),
        revised=sum(t.revised for t in by_rater),
        needed=needed,
        active_raters=sum(r.state == "active" for r in raters),
        open_places=sum(h.places for h in stores.board.held(name)),
        active_seconds=sum(t.active_seconds for t in by_rater),
        per_day=per_day,
        finish=finish(desk.clock(), needed, done, per_day),
        days=[day_line(t) for t in by_day],
        batches=batch_lines(
            stores.board.batches(name), levels, stores.board.tallies(name, "batch"), enough
        ),
        agreement=numbers.agreement(),
        agreement_made=numbers.made,
        alerts=[*alerts(by_rater, raters, stores.board.marks(name)), *numbers.alerts()],
        uncounted=uncounted,
        revision=stores.studies.revision(name),
    )


def enough_of(desk: Desk, raters: Sequence[Rater]) -> int:
    """How many raters an item needs."""
    if desk.design.capacity is not None:
        return desk.design.capacity
    return max(1, sum(r.state == "active" and r.named for r in raters))


def places_needed(desk: Desk, raters: Sequence[Rater]) -> int | None:
    """How many ratings the design asks for; fixed lists say so only one by one."""
    if policy_name(desk.version.study.raters) == "lists":
        return None
    return desk.design.items * enough_of(desk, raters)


def pace(days: Sequence[Tally], now: datetime) -> float | None:
    """Ratings a day over the last week, or since the first one if that is shorter."""
    if not days or not days[0].day:
        return None
    today = now.astimezone(UTC).date()
    since = today - timedelta(days=PACE_DAYS - 1)
    recent = [t for t in days if t.day and datetime.fromisoformat(t.day).date() >= since]
    first = max(since, datetime.fromisoformat(days[0].day).date())
    whole = sum(t.rated + t.skipped for t in recent)
    return whole / ((today - first).days + 1) if whole else None


def finish(now: datetime, needed: int | None, done: int, per_day: float | None) -> str | None:
    """The day on which the last rating comes, if it goes on like this."""
    if needed is None or not per_day or done >= needed:
        return None
    days = ceil((needed - done) / per_day)
    return (now + timedelta(days=min(days, 36_500))).date().isoformat()


def day_line(tally: Tally) -> shapes.DayLine:
    hours = tally.active_seconds / 3600
    return shapes.DayLine(tally.day or "", tally.rated, tally.skipped, round(hours, 3))


def batch_lines(
    batches: Sequence[Batch], levels: Sequence[Level], tallies: Sequence[Tally], enough: int
) -> list[shapes.BatchLine]:
    work = {t.batch: t for t in tallies}
    lines = []
    for batch in batches:
        own = [one for one in levels if one.batch == batch.number]
        done = work.get(batch.number)
        lines.append(
            shapes.BatchLine(
                number=batch.number,
                name=batch.name,
                items=batch.items,
                done=sum(one.items for one in own if one.done >= enough),
                going=sum(one.items for one in own if 0 < one.done < enough),
                ratings=done.rated if done else 0,
                skipped=done.skipped if done else 0,
            )
        )
    return lines


def alerts(tallies: Sequence[Tally], raters: Sequence[Rater], marks: object) -> list[shapes.Alert]:
    """What the counts alone say; the rest needs the statistics."""
    active = {r.number for r in raters if r.state == "active" and r.named}
    found = [a for t in tallies if t.rater in active for a in (_skips(t), _hurry(t, tallies)) if a]
    counted = dict(marks) if isinstance(marks, dict) else {}
    if counted.get("flags"):
        found.append(
            shapes.Alert(
                "flags",
                "warning",
                "Items reported by raters: {n}",
                "Look at them; take a broken item out, or answer the rater.",
                {"n": counted["flags"]},
                link="items?mark=flags",
            )
        )
    if counted.get("skipped"):
        found.append(
            shapes.Alert(
                "skipped",
                "note",
                "Items skipped by somebody: {n}",
                "If several raters skip the same item, it is broken or the question does not fit it.",
                {"n": counted["skipped"]},
                link="items?mark=skipped",
            )
        )
    return found


def _skips(tally: Tally) -> shapes.Alert | None:
    done = tally.rated + tally.skipped
    if tally.skipped < SKIPS_FROM or tally.skipped < MANY_SKIPS * done:
        return None
    return shapes.Alert(
        "many_skips",
        "warning",
        "Rater {rater} skipped {n} of {done} items",
        "Read the reasons; ask whether something is unclear.",
        {"rater": tally.rater, "n": tally.skipped, "done": done},
        rater=tally.rater,
    )


def _hurry(tally: Tally, others: Sequence[Tally]) -> shapes.Alert | None:
    own = _seconds(tally)
    usual = [s for t in others if t.rater != tally.rater and (s := _seconds(t)) is not None]
    if own is None or len(usual) < 2 or tally.rated < HURRIED_FROM or own >= HURRIED * median(usual):
        return None
    return shapes.Alert(
        "hurried",
        "warning",
        "Rater {rater} takes {own} s for an item, the others {usual} s",
        "Look at their ratings and agreement; pause them and ask, before you exclude anybody.",
        {"rater": tally.rater, "own": round(own), "usual": round(median(usual))},
        rater=tally.rater,
    )


def _seconds(tally: Tally) -> float | None:
    return tally.active_seconds / tally.rated if tally.rated and tally.active_seconds else None


ENDPOINTS = [
    Endpoint(
        "GET",
        "/studies/{study}/progress",
        "How far a study is, how fast it goes, and what needs a look.",
        progress,
        shapes.Progress,
        asks=shapes.StudyOf,
    )
]
