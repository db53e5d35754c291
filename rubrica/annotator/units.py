"""One item as it travels to the browser: its markup, its rules, what the rater said before."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict
from typing import Any

from jinja2 import Environment

from rubrica.annotator.site import Served
from rubrica.fieldwork.model import Earlier, Exercise, Feedback, OwnRating, Sheet, Work
from rubrica.items.model import Shown
from rubrica.web import units


def work_json(made: Environment, served: Served, work: Work) -> dict[str, Any]:
    sheet = Sheet(work.item, work.shown, work.context, work.rules, work.batch)
    return {
        "place": work.place,
        "number": work.number,
        "state": work.state,
        **sheet_json(made, served, sheet, work.number),
        "draft": None if work.draft is None else _draft(work.draft.revision, work.draft.content),
        "own": None if work.own is None else _own(work.own),
    }


def sheet_json(made: Environment, served: Served, sheet: Sheet, number: int | str) -> dict[str, Any]:
    """What is the same for every rater, but for the item's number."""
    return {
        "version": served.desk.version.hash,
        "html": unit_html(made, served, sheet.shown, sheet.context, number=number),
        "rules": sheet.rules,
        "batch": None if sheet.batch is None else asdict(sheet.batch),
    }


def exercise_json(made: Environment, served: Served, exercise: Exercise) -> dict[str, Any]:
    html = unit_html(made, served, exercise.shown, exercise.context, exercise.number + 1)
    return {
        "place": exercise.number,
        "number": exercise.number + 1,
        "state": "reserved",
        "version": served.desk.version.hash,
        "title": exercise.title,
        "html": html,
        "rules": exercise.rules,
        "feedback": feedback_json(exercise.feedback),
        "own": None,
    }


def feedback_json(feedback: Sequence[Feedback]) -> list[dict[str, Any]]:
    return [asdict(one) for one in feedback]


def _draft(revision: int, content: Mapping[str, Any]) -> dict[str, Any]:
    return {"revision": revision, "content": content}


def _own(own: OwnRating) -> dict[str, Any]:
    kept = ("state", "value", "reason", "first", "implied", "prompted")
    answers: dict[str, Any] | None = None
    if own.answers is not None:
        answers = {q: {member: getattr(a, member) for member in kept} for q, a in own.answers.items()}
    return {"id": own.id, "answers": answers, "skip_reason": own.skip_reason, "scores": own.scores}


def unit_html(
    made: Environment,
    served: Served,
    shown: Shown,
    context: Sequence[Earlier],
    number: int | str,
) -> str:
    declared = served.desk.version.study.items.show
    return units.unit_html(made, served.base, served.languages, declared, shown, context, number)
