"""One study's progress: how far, how fast, how well, and what needs a look."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from math import ceil

from rubrica.coordinator.alerts import alerts
from rubrica.coordinator.endpoint import At, Endpoint
from rubrica.coordinator.goal import goal_of, stages_of
from rubrica.coordinator.live import NUMBERS, is_running, known_numbers
from rubrica.coordinator.messages_api import unanswered
from rubrica.coordinator.shapes.progress import BatchLine, DayLine, Progress
from rubrica.coordinator.shapes.studies import StudyOf
from rubrica.review.board import Batch, Level, Tally

PACE_DAYS = 7
PRESENT = 600.0
"""Whoever was there so many seconds ago is at work: sign-ins are noted every five minutes."""


def progress(at: At, asked: StudyOf) -> Progress:
    stores, name, desk = at.site.stores, at.name, at.study.desk
    uncounted = at.refresh()
    by_rater, by_day = stores.board.tallies(name, "rater"), stores.board.tallies(name, "day")
    raters = stores.accounts.raters(name)
    levels = stores.board.levels(name)
    goal = goal_of(desk, stores)
    now = desk.clock()
    per_day = pace(by_day, now)
    numbers = known_numbers(at)
    return Progress(
        items=desk.design.items,
        **stages_of(levels, goal.enough, desk.design.items),
        rated=sum(t.rated for t in by_rater),
        skipped=sum(t.skipped for t in by_rater),
        revised=sum(t.revised for t in by_rater),
        needed=goal.needed,
        given=goal.given,
        active_raters=sum(r.state == "active" for r in raters),
        at_work=stores.board.at_work(name, now.timestamp() - PRESENT),
        active_seconds=sum(t.active_seconds for t in by_rater),
        per_day=per_day,
        finish=finish(now, goal.needed, goal.given, per_day),
        days=[day_line(t) for t in by_day],
        batches=batch_lines(
            stores.board.batches(name), levels, stores.board.tallies(name, "batch"), goal.enough
        ),
        agreement=numbers.agreement(),
        agreement_made=numbers.made,
        alerts=alerts(
            by_rater,
            raters,
            stores.board.marks(name),
            stores.board.skips(name),
            numbers.found(),
            sum(one.kind == "question" for one in unanswered(at)),
        ),
        computing=is_running(at.site, name, NUMBERS),
        uncounted=uncounted,
        revision=stores.studies.revision(name),
    )


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


def finish(now: datetime, needed: int, given: int, per_day: float | None) -> str | None:
    """The day on which the last rating comes, if it goes on like this."""
    if not per_day or given >= needed:
        return None
    days = ceil((needed - given) / per_day)
    return (now + timedelta(days=min(days, 36_500))).date().isoformat()


def day_line(tally: Tally) -> DayLine:
    hours = tally.active_seconds / 3600
    return DayLine(tally.day or "", tally.rated, tally.skipped, round(hours, 3))


def batch_lines(
    batches: Sequence[Batch], levels: Sequence[Level], tallies: Sequence[Tally], enough: int
) -> list[BatchLine]:
    work = {t.batch: t for t in tallies}
    lines = []
    for batch in batches:
        own = [one for one in levels if one.batch == batch.number]
        stages = stages_of(own, enough, batch.items)
        done = work.get(batch.number)
        lines.append(
            BatchLine(
                number=batch.number,
                name=batch.name,
                items=batch.items,
                done=stages["done"],
                going=stages["going"],
                ratings=done.rated if done else 0,
                skipped=done.skipped if done else 0,
            )
        )
    return lines


ENDPOINTS = [
    Endpoint(
        "GET",
        "/studies/{study}/progress",
        "How far a study is, how fast it goes, and what needs a look.",
        progress,
        Progress,
        asks=StudyOf,
    )
]
