"""What the page of one item, and that of messages, are made of besides the endpoints' answers."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from markupsafe import Markup

from rubrica.coordinator.endpoint import API, At
from rubrica.coordinator.shapes.items import ItemShown, MessageShown, RatingShown
from rubrica.fieldwork.model import Earlier
from rubrica.items.model import Shown
from rubrica.kinds.registry import kind
from rubrica.texts import LANGUAGES
from rubrica.web.texts import offered
from rubrica.web.units import unit_html

Texts = Mapping[str, str]


@dataclass
class Thread:
    """A question or report with its answers, or a notice."""

    first: MessageShown
    replies: list[MessageShown] = field(default_factory=list)


def threads(messages: Sequence[MessageShown]) -> list[Thread]:
    """In the order of what began them; an answer whose question is on another page stands alone."""
    found = {m.number: Thread(m) for m in messages if m.answers is None}
    for message in sorted(messages, key=lambda m: m.number):
        if message.answers is None:
            continue
        if message.answers in found:
            found[message.answers].replies.append(message)
        else:
            found[message.number] = Thread(message)
    return list(found.values())


@dataclass(frozen=True)
class Choice:
    """An answer somebody can settle on; `given_by` are the raters who gave it."""

    value: str
    says: Texts
    given_by: Sequence[str]


def choices(at: At, shown: ItemShown) -> Mapping[str, Sequence[Choice]]:
    """The levels or options of each question; where there are none, the raters' own answers."""
    questions = at.study.desk.version.study.questions
    return {name: _choices(name, question, shown) for name, question in questions.items()}


def _choices(name: str, question: Any, shown: ItemShown) -> list[Choice]:
    given: dict[str, list[str]] = {}
    says: dict[str, Texts] = {}
    for rating in standing(shown):
        answer = (rating.answers or {}).get(name)
        if answer is not None and answer.state == "answered":
            value = json.dumps(answer.value, sort_keys=True)
            given.setdefault(value, []).append(rating.name or f"R{rating.rater}")
            says[value] = answer.says
    options = kind(question.kind).page_data(question, LANGUAGES).get("options", ())
    if kind(question.kind).levels(question) and options:
        says = {json.dumps(o["value"], sort_keys=True): _option(o) for o in options}
    return [Choice(value, texts, given.get(value, ())) for value, texts in says.items()]


def _option(option: Mapping[str, Any]) -> Texts:
    value, label = option["value"], option["label"]
    texts = {"en": label, "zh": label} if isinstance(label, str) else label
    return {
        language: text if isinstance(value, str) or text == str(value) else f"{value} · {text}"
        for language, text in texts.items()
    }


def standing(shown: ItemShown) -> list[RatingShown]:
    return [one for one in shown.ratings if not one.superseded]


def item_page(at: At, values: Mapping[str, Any]) -> Mapping[str, Any]:
    shown: ItemShown = values["shown"]
    current = standing(shown)
    return {
        "unit": unit(at, shown),
        "current": current,
        "older": [one for one in shown.ratings if one.superseded],
        "stands": {one.question: one for one in shown.settled if one.stands},
        "scored": list(dict.fromkeys(name for one in current for name in one.scores)),
        "choices": choices(at, shown),
        "flags": threads(shown.flags),
    }


def unit(at: At, shown: ItemShown) -> Markup:
    """The item as raters see it, from the very views the endpoint gives."""
    study = at.study.desk.version
    html = unit_html(
        at.site.templates,
        f"{API}/studies/{at.study.quoted}",
        offered(study.languages),
        study.study.items.show,
        Shown(shown.views),
        [Earlier(one.item, one.turn, Shown(one.views)) for one in shown.context],
        shown.row.number,
    )
    return Markup(html)  # noqa: S704 -- rendered with autoescape
