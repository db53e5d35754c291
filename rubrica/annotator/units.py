"""One item as it travels to the browser: its markup, its rules, what the rater said before."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict
from typing import Any

from jinja2 import Environment
from markupsafe import Markup

from rubrica.annotator.site import Served
from rubrica.fieldwork.model import Earlier, Exercise, Feedback, OwnRating, Work
from rubrica.items.model import Shown
from rubrica.study.views import View
from rubrica.web.pages import texts_in
from rubrica.web.texts import spans

SLAB = 8_000


def work_json(made: Environment, served: Served, work: Work) -> dict[str, Any]:
    return {
        "place": work.place,
        "number": work.number,
        "state": work.state,
        "version": work.version,
        "html": unit_html(made, served, work.shown, work.context, number=work.number),
        "rules": work.rules,
        "batch": None if work.batch is None else asdict(work.batch),
        "draft": None if work.draft is None else _draft(work.draft.revision, work.draft.content),
        "own": None if work.own is None else _own(work.own),
    }


def exercise_json(made: Environment, served: Served, exercise: Exercise) -> dict[str, Any]:
    title = None if exercise.title is None else spans(exercise.title)
    html = unit_html(made, served, exercise.shown, exercise.context, exercise.number + 1, title)
    return {
        "place": exercise.number,
        "number": exercise.number + 1,
        "state": "reserved",
        "version": served.desk.version.hash,
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
    number: int,
    title: Markup | None = None,
) -> str:
    """The item's side of the page: the views its study declares, earlier items before them."""
    declared = served.desk.version.study.items.show
    return made.get_template("unit.html").render(
        number=number,
        title=title,
        views=_views(declared, shown),
        context=[{"turn": one.turn, "views": _views(declared, one.shown)} for one in context],
        media=lambda name: f"{served.base}/media/{name}",
        slabs=slabs,
        **texts_in(served.languages),
    )


def _views(declared: Sequence[View], shown: Shown) -> list[tuple[View, Any]]:
    return list(zip(declared, shown.views, strict=False))


def slabs(text: str | None) -> Markup:
    """A long text in pieces the browser may leave undrawn until they are scrolled to."""
    whole = (text or "").encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    if len(whole) <= SLAB:
        return Markup("{}").format(whole)
    return Markup("").join(
        Markup('<span class="slab">{}</span>').format(piece) for piece in _pieces(whole)
    )


def _pieces(text: str) -> list[str]:
    """Cut at the end of a line where one is near."""
    pieces, start = [], 0
    while start < len(text):
        end = min(start + SLAB, len(text))
        line = text.rfind("\n", start + SLAB // 2, end)
        cut = line + 1 if line > 0 and end < len(text) else end
        pieces.append(text[start:cut])
        start = cut
    return pieces
