"""The desk's pages: which there are, and what each is filled by."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

from litestar import Response, get
from markupsafe import Markup

from rubrica.coordinator import telling
from rubrica.coordinator.api import ENDPOINTS
from rubrica.coordinator.charts import script, script_address
from rubrica.coordinator.drawing import agreement_figure, days_figure
from rubrica.coordinator.endpoint import At, Endpoint, called, site_of
from rubrica.coordinator.item_page import item_page, threads
from rubrica.coordinator.naming import asks_of
from rubrica.coordinator.page import Page, for_ever, html, route
from rubrica.coordinator.results_api import visible
from rubrica.coordinator.shapes.progress import Alert
from rubrica.coordinator.shapes.raters import ChecklistLine
from rubrica.coordinator.site import BASE, AnyRequest
from rubrica.errors import Problem
from rubrica.texts import LANGUAGES, per_language
from rubrica.web.markdown import markdown
from rubrica.web.problems import NOT_FOUND
from rubrica.web.texts import spans

_LOOKS = {endpoint.path: endpoint for endpoint in ENDPOINTS if endpoint.method == "GET"}
STUDY = "/studies/{study}"
NAMED = 20


def _filled(**paths: str) -> Mapping[str, Endpoint]:
    return {name: _LOOKS[path] for name, path in paths.items()}


# --- what pages need besides ------------------------------------------------------------------------


def _people(at: At, shown: Mapping[str, Any]) -> Mapping[str, Any]:
    names = {person.number: person.name for person in shown["people"]}
    return {"names": names, "studies": list(at.site.studies)}


def _rater(at: At, shown: Mapping[str, Any]) -> Mapping[str, Any]:
    numbers = shown["shown"].numbers
    columns, by_question = telling.by_question(numbers)
    return {
        "days": days_figure(shown["shown"].days),
        "item_numbers": _item_numbers(at, shown["shown"].checklist),
        "asks": asks_of(at),
        "overall": telling.overall(numbers),
        "columns": columns,
        "by_question": by_question,
        "called": telling.CALLED,
        "value_of": telling.value_of,
        "interval_of": telling.interval_of,
    }


def _item_numbers(at: At, lines: Sequence[ChecklistLine]) -> Mapping[str, int]:
    """Of the items that are named; a long line ends in dots."""
    named = {public for line in lines for public in line.broken[:NAMED]}
    found = (at.site.stores.board.line(at.name, public) for public in named)
    return {line.public: line.position + 1 for line in found if line}


def _told(
    alert: Alert, asks: Mapping[str, Any], names: Mapping[int, str | None]
) -> tuple[Alert, Mapping[str, Any]]:
    """An alert with what it is about, in the words of a page."""
    question = alert.values.get("question")
    named = {"question": asks.get(question, question)} if question is not None else {}
    name = None if alert.rater is None else names.get(alert.rater)
    return alert, {**alert.values, **named, **({"rater": name} if name else {})}


def _raters(at: At, shown: Mapping[str, Any]) -> Mapping[str, Any]:
    return {"join_at": f"{at.origin}{at.study.raters_base}"}


def _progress(at: At, shown: Mapping[str, Any]) -> Mapping[str, Any]:
    found, asks = shown["progress"], asks_of(at)
    names = {one.number: one.name for one in shown["raters"].raters}
    return {
        "days": days_figure(found.days),
        "agreeing": [(line, agreement_figure(line)) for line in found.agreement],
        "alerts": [_told(alert, asks, names) for alert in found.alerts],
        "asks": asks,
    }


def _study(at: At, shown: Mapping[str, Any]) -> Mapping[str, Any]:
    texts = per_language(shown["shown"].guidelines, LANGUAGES) if shown["shown"].guidelines else {}
    return {
        "guidelines": spans(texts, "div", lambda text: markdown(text, 3)) if texts else "",
    }


def _items(at: At, shown: Mapping[str, Any]) -> Mapping[str, Any]:
    lines = shown["items"].items
    return {
        "batches": at.site.stores.board.batches(at.name),
        "has_systems": any(line.system for line in lines),
        "has_waves": any(line.wave for line in lines),
    }


def _messages(at: At, shown: Mapping[str, Any]) -> Mapping[str, Any]:
    return {"threads": threads(shown["messages"].messages)}


def _log(at: At, shown: Mapping[str, Any]) -> Mapping[str, Any]:
    """The items its lines are about, by their opaque ids."""
    named = {str(line.details["item"]) for line in shown["log"] if "item" in line.details}
    found = (at.site.stores.board.line(at.name, public) for public in named)
    items = {line.public: (line.position + 1, line.key) for line in found if line}
    return {"items_named": items, "asks": asks_of(at)}


def _results(at: At, shown: Mapping[str, Any]) -> Mapping[str, Any]:
    """The report in the reader's language, as it was computed."""
    kept = visible(at)
    body = "" if kept is None else json.loads(kept.body)["pages"][shown["language"]]["part.html"]
    return {"body": Markup(body), "charts": script_address(at.site)}  # noqa: S704 -- our own report


def _exports(at: At, shown: Mapping[str, Any]) -> Mapping[str, Any]:
    """Which ratings are older than a version, where one is asked for: it takes a computation."""
    version = shown["given"].get("version")
    again = called(_LOOKS[f"{STUDY}/again"], at, shown["given"]) if version else None
    return {"versions": at.site.stores.studies.versions(at.name), "again": again}


PAGES = [
    Page("", "studies.html", "Studies", _filled(studies="/studies"), who="person"),
    Page(
        "/account",
        "account.html",
        "Your account",
        _filled(me="/me", sessions="/me/sessions", tokens="/me/tokens"),
        who="person",
    ),
    Page(
        "/people",
        "people.html",
        "People",
        _filled(people="/people", deeds="/deeds"),
        who="owner",
        more=_people,
    ),
    Page(
        "/s/{study}",
        "progress.html",
        "Progress",
        _filled(progress=f"{STUDY}/progress", raters=f"{STUDY}/raters"),
        more=_progress,
    ),
    Page("/s/{study}/items", "items.html", "Items", _filled(items=f"{STUDY}/items"), more=_items),
    Page(
        "/s/{study}/items/{item}",
        "item.html",
        "Item",
        _filled(shown=f"{STUDY}/items/{{item}}"),
        more=item_page,
    ),
    Page(
        "/s/{study}/messages",
        "messages.html",
        "Messages",
        _filled(messages=f"{STUDY}/messages"),
        more=_messages,
    ),
    Page("/s/{study}/raters", "raters.html", "Raters", _filled(raters=f"{STUDY}/raters"), more=_raters),
    Page(
        "/s/{study}/raters/{number}",
        "rater.html",
        "Rater",
        _filled(shown=f"{STUDY}/raters/{{number}}"),
        more=_rater,
    ),
    Page(
        "/s/{study}/timesheet",
        "timesheet.html",
        "Timesheet",
        _filled(sheet=f"{STUDY}/timesheet"),
        who="coordinator",
        tab="raters",
    ),
    Page(
        "/s/{study}/study",
        "study.html",
        "Study",
        _filled(shown=STUDY, members=f"{STUDY}/members"),
        more=_study,
    ),
    Page(
        "/s/{study}/results",
        "results.html",
        "Results",
        _filled(results=f"{STUDY}/results"),
        who="coordinator",
        more=_results,
    ),
    Page(
        "/s/{study}/exports",
        "exports.html",
        "Exports",
        _filled(choices=f"{STUDY}/export/choices"),
        who="coordinator",
        more=_exports,
    ),
    Page(
        "/s/{study}/log", "log.html", "Log", _filled(log=f"{STUDY}/log"), who="coordinator", more=_log
    ),
]


# --- what is there for everybody --------------------------------------------------------------------


@get(f"{BASE}/enter", sync_to_thread=True)
def entrance(request: AnyRequest) -> Response[bytes]:
    """Where people sign in, and where a link that works once leads (its secret stays in the browser
    until it is used: what stands behind the # is in no log)."""
    to = request.query_params.get("to", "")
    site = site_of(request)
    return html(site.page(request, "enter.html", "Sign in", to=to if _is_ours(to) else BASE))


def _is_ours(path: str) -> bool:
    """Only a page of the desk is gone on to."""
    return path == BASE or (path.startswith((f"{BASE}/", f"{BASE}?")) and "\\" not in path)


@get(f"{BASE}/static/{{etag:str}}/{{name:str}}", sync_to_thread=False)
def static(request: AnyRequest) -> Response[bytes]:
    name, etag = request.path_params["name"], request.path_params["etag"]
    found = site_of(request).assets.find(etag, name)
    if found is None:
        raise Problem(NOT_FOUND)
    return for_ever(request, found)


ROUTES = [entrance, static, script, *(route(page) for page in PAGES)]
