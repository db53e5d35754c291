"""What the page of one item, and that of messages, are made of besides the endpoints' answers."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any

from markupsafe import Markup

from rubrica.coordinator.endpoint import API, At
from rubrica.coordinator.items_api import known_item
from rubrica.coordinator.naming import asks_of
from rubrica.coordinator.shapes.items import ItemShown, MessageShown, RatingShown
from rubrica.fieldwork.model import Earlier
from rubrica.items.model import Item, Shown
from rubrica.kinds.contract import Question
from rubrica.kinds.registry import kind
from rubrica.ratings.facts import entries_of
from rubrica.texts import LANGUAGES
from rubrica.web.parts import part_of
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
class Settling:
    """How one question is settled: the raters' answers, which can be taken over, and the part raters
    answer with, for any other."""

    question: str
    given: Sequence[tuple[str, Texts, Sequence[str]]]
    """Each answer as JSON and in words, and who gave it."""
    part: Markup
    context: str
    """What the part is mounted with, as JSON."""


def settlings(at: At, shown: ItemShown) -> Mapping[str, Settling]:
    questions = at.study.desk.version.study.questions
    item = at.site.stores.items.item(at.name, known_item(at, shown.row.id).item)
    return {name: _settling(at, item, name, one, shown) for name, one in questions.items()}


def _settling(at: At, item: Item, name: str, question: Question, shown: ItemShown) -> Settling:
    of, id_ = kind(question.kind), f"settle-{name}"
    data = of.page_data(question, LANGUAGES)
    entries = [asdict(entry) for entry in entries_of(item, name)]
    context = {"kind": question.kind, "id": id_, "data": data, "entries": entries}
    part = part_of(at.site.templates, question.kind, id_, data, LANGUAGES)
    return Settling(name, _given(name, shown), part, json.dumps(context))


def _given(name: str, shown: ItemShown) -> list[tuple[str, Texts, Sequence[str]]]:
    who: dict[str, list[str]] = {}
    says: dict[str, Texts] = {}
    for rating in standing(shown):
        answer = (rating.answers or {}).get(name)
        if answer is not None and answer.state == "answered":
            value = json.dumps(answer.value, sort_keys=True)
            who.setdefault(value, []).append(rating.name or f"R{rating.rater}")
            says[value] = answer.says
    return [(value, says[value], names) for value, names in who.items()]


def standing(shown: ItemShown) -> list[RatingShown]:
    return [one for one in shown.ratings if not one.superseded]


def item_page(at: At, values: Mapping[str, Any]) -> Mapping[str, Any]:
    shown: ItemShown = values["shown"]
    current = standing(shown)
    return {
        "names": {one.rater: one.name for one in current},
        "unit": unit(at, shown),
        "current": current,
        "older": [one for one in shown.ratings if one.superseded],
        "stands": {one.question: one for one in shown.settled if one.stands},
        "scored": list(dict.fromkeys(name for one in current for name in one.scores)),
        "settlings": settlings(at, shown),
        "asks": asks_of(at),
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
