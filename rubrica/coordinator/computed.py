"""What the desk's process of its own computes: run as `python -m rubrica.coordinator.computed`.

It is told on standard input which database, study and version, and what is wanted; the answer goes to
standard output, as JSON. The address of a database may hold a password, so it is no argument.
"""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Callable, Mapping
from dataclasses import asdict
from itertools import chain
from pathlib import Path
from typing import Any

from rubrica.errors import Problem, Problems
from rubrica.exchange.contract import Here, Wrote
from rubrica.exchange.exporting import export_ratings
from rubrica.fieldwork.units import number_of
from rubrica.reports import chinese
from rubrica.reports.charts import can_draw, charts
from rubrica.reports.charts import script as vega
from rubrica.reports.files import Made
from rubrica.reports.html import part
from rubrica.reports.records import report
from rubrica.review.gather import Gathered, gather
from rubrica.review.results import reviewed
from rubrica.review.watching import watch
from rubrica.storage.open import Store, open_store
from rubrica.study.load import study_from
from rubrica.study.store import StudyVersion

Asked = Mapping[str, Any]


def watched(store: Store, asked: Asked) -> Mapping[str, Any]:
    """Agreement so far, raters' figures, what needs a look; notes in every language."""
    found = watch(_gathered(store, asked))
    for line in chain(found.agreement, *found.raters.values()):
        line["why"] = None if line["why"] is None else _in_words(line["why"])
    return {"agreement": found.agreement, "raters": found.raters, "alerts": found.alerts}


def _in_words(note: Problem) -> Mapping[str, str]:
    return {"en": note.message, "zh": chinese.note(note)}


def results(store: Store, asked: Asked) -> Mapping[str, Any]:
    """The numbers of `rubrica report`, and its pages in both languages."""
    found = reviewed(store, _gathered(store, asked))
    return {
        "report": report(found),
        "ratings": len(found.gathered.whole.table),
        "pages": {"en": _pages(Made(found, "en")), "zh": _pages(Made(found, "zh"))},
    }


def _pages(made: Made) -> Mapping[str, str]:
    """The report's own files, and what the desk's page is made of."""
    texts = made.texts()
    drawn = charts(made.document.drawings) if can_draw() else {}
    return {
        **{name: texts[name] for name in ("report.html", "report.md", "tables.tex")},
        "part.html": part(made.document, made.book.say),
        "charts.json": json.dumps(drawn, separators=(",", ":")),
    }


def script(store: Store, asked: Asked) -> Mapping[str, Any]:
    """What draws the charts; the same for every study."""
    return {"text": vega()}


def export(store: Store, asked: Asked) -> Mapping[str, Any]:
    """Ratings as files in a folder that is there."""
    version = _version(store, asked)
    here = Here(asked["study"], study_from(version.declared), version.hash, store)
    wrote = export_ratings(
        here,
        Path(asked["to"]),
        asked["layout"],
        asked.get("rater"),
        all_revisions=asked["all_revisions"],
        with_names=asked["names"],
    )
    return _told(wrote)


def again(store: Store, asked: Asked) -> Mapping[str, Any]:
    """By rater, what stands of theirs that was made under a version before this one."""
    name, order = asked["study"], [one.hash for one in store.studies.versions(asked["study"])]
    older = frozenset(order[: order.index(asked["version"])])
    keys = {one.id: one.key for one in store.verdicts.all_hidden(name)}
    found: dict[str, list[dict[str, Any]]] = {}
    for rating in store.ratings.ratings(name):
        sent = rating.submission
        place = store.places.place(name, sent.place) if sent.version in older else None
        if place is not None:
            line = {"number": number_of(place), "item": keys.get(sent.item, "")}
            found.setdefault(str(sent.rater), []).append(line)
    return {"raters": dict(sorted(found.items(), key=lambda one: int(one[0])))}


COMPUTES: Mapping[str, Callable[[Store, Asked], Mapping[str, Any]]] = {
    "watched": watched,
    "results": results,
    "export": export,
    "again": again,
    "script": script,
}


def _gathered(store: Store, asked: Asked) -> Gathered:
    return gather(store, asked["study"], _version(store, asked))


def _version(store: Store, asked: Asked) -> StudyVersion:
    found = store.studies.version(asked["study"], asked["version"])
    if found is None:
        raise LookupError(f"the database has no version {asked['version']}")
    return found


def _told(wrote: Wrote) -> Mapping[str, Any]:
    return {**asdict(wrote), "notes": [problem.as_json() for problem in wrote.notes]}


def main() -> None:
    os.nice(10)  # pages of raters come first
    asked = json.load(sys.stdin)
    try:
        with open_store(asked["database"]) as store:
            told: Any = {"found": COMPUTES[asked["what"]](store, asked["asked"])}
    except (Problem, Problems) as raised:
        listed = raised.problems if isinstance(raised, Problems) else [raised]
        told = {"problems": [problem.as_json() for problem in listed]}
    json.dump(told, sys.stdout)


if __name__ == "__main__":
    main()
