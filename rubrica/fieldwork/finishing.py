"""The end: what was done, what is open, and the rater's own ratings to take along."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any

from rubrica.fieldwork.desk import Desk
from rubrica.fieldwork.model import Checked, Summary
from rubrica.fieldwork.pace import all_places, progress
from rubrica.fieldwork.ranges import as_ranges
from rubrica.fieldwork.stepping import step
from rubrica.fieldwork.units import number_of
from rubrica.ratings.checklist import checklist
from rubrica.ratings.model import Answer, Rating


def summary(desk: Desk, rater: int) -> Summary:
    """What the last page says. The completion code is for whoever has nothing left to do."""
    places = list(all_places(desk, rater))
    so_far = progress(desk, rater)
    crowd = desk.version.study.crowd
    finished = so_far.done > 0 and step(desk, rater).page == "done"
    drafts = {d.place for d in desk.stores.ratings.drafts(desk.id, rater)}
    return Summary(
        progress=so_far,
        done_numbers=as_ranges(number_of(p) for p in places if p.state == "rated"),
        skipped_numbers=as_ranges(number_of(p) for p in places if p.state == "skipped"),
        drafts=[number_of(p) for p in places if p.id in drafts],
        checklist=checked(desk, rater, {p.id: number_of(p) for p in places}),
        completion_code=crowd.completion_code if crowd and finished else None,
        return_url=crowd.return_url if crowd and finished else None,
    )


def checked(desk: Desk, rater: int, numbers: Mapping[int, int]) -> list[Checked]:
    """The closing checklist over the rater's latest ratings; `numbers` are those of their places."""
    study, stores = desk.version.study, desk.stores
    if not study.checklist:
        return []
    standing = list(stores.ratings.of_rater(desk.id, rater))
    latest = [(stores.items.item(desk.id, r.submission.item), r) for r in standing]
    return [
        Checked(line.says, [numbers[rating.submission.place] for rating in line.broken])
        for line in checklist(study, latest)
    ]


def own_ratings(desk: Desk, rater: int) -> Iterator[dict[str, Any]]:
    """The rater's ratings, revisions too, by their own numbers: no keys, no systems, no files."""
    desk.rater(rater)
    numbers = {p.id: number_of(p) for p in all_places(desk, rater)}
    for rating in desk.stores.ratings.of_rater(desk.id, rater, all_revisions=True):
        yield _own_line(rating, numbers[rating.submission.place], desk.version.study.show_score)


def own_ratings_file(desk: Desk, rater: int) -> Iterator[str]:
    """The same as lines of JSON."""
    for line in own_ratings(desk, rater):
        yield json.dumps(line, allow_nan=False) + "\n"


def close_study(desk: Desk, who: str) -> None:
    """No more ratings from now on; what is repeated is still acknowledged."""
    desk.stores.studies.close(desk.id)
    desk.stores.accounts.log(desk.id, who, "closed the study", {"version": desk.version.hash})


def _own_line(rating: Rating, number: int, with_scores: bool) -> dict[str, Any]:
    sent = rating.submission
    answers = None
    if sent.answers is not None:
        answers = {name: _own_answer(answer) for name, answer in sent.answers.items()}
    line = {
        "number": number,
        "rating": sent.id,
        "replaces": sent.supersedes,
        "answers": answers,
        "skipped_because": sent.skip_reason,
        "language": sent.language,
        "active_seconds": sent.pace.active_seconds,
        "received": rating.received,
    }
    return {**line, "scores": dict(sent.scores)} if with_scores else line


def _own_answer(answer: Answer) -> dict[str, Any]:
    """What the rater knows they said; whether a second look was due is the study's business."""
    kept = ((name, getattr(answer, name)) for name in ("state", "value", "reason", "first"))
    return {name: said for name, said in kept if said is not None}
