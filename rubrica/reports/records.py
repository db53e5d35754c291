"""report.json: every number of the report in flat lists, for programs; `schema` says what is where."""

from __future__ import annotations

import json
from typing import Any

from rubrica.reports.language import Say
from rubrica.reports.naming import Names
from rubrica.review.gather import Gathered
from rubrica.review.results import Reviewed
from rubrica.texts import in_language

FORMAT = 1


def report_json(reviewed: Reviewed) -> str:
    return json.dumps(report(reviewed), ensure_ascii=False, indent=1, allow_nan=False) + "\n"


def report(reviewed: Reviewed) -> dict[str, Any]:
    """Texts are English, whatever the language of the other files."""
    results = reviewed.results.as_dict()
    for mismatch in results["mismatches"]:
        texts = reviewed.texts.get(reviewed.item_of(mismatch["item"]), ())
        mismatch["texts"] = [{"label": in_language(label, "en"), "text": text} for label, text in texts]
        mismatch["groups"] = dict(mismatch["groups"])
    return {
        "format": FORMAT,
        "study": _study(reviewed.gathered),
        "questions": _questions(reviewed.gathered),
        **results,
    }


def _study(gathered: Gathered) -> dict[str, Any]:
    options = gathered.options
    return {
        "name": gathered.name,
        "title": Names(gathered, Say("en")).title,
        "version": gathered.version.hash,
        "versions": [{"version": v, "ratings": n} for v, n in gathered.versions.items()],
        "seed": gathered.seed,
        "choice": options.choice,
        "reference_system": options.reference,
        "groups": list(options.groups),
        "expertise": options.expertise,
        "left_out_by_name": sorted(options.leave_out),
        "level": options.level,
        "replicates": options.replicates,
        "named_raters": gathered.named,
        "closed": gathered.closed,
        "looks": list(gathered.looks),
        "excluded_raters": [{"rater": r, "why": why} for r, why in gathered.excluded.items()],
        "skips": gathered.skips,
        "revisions": gathered.revisions,
        "simulated_raters": gathered.robots,
        "conflicting_revisions": gathered.conflicts,
        "imported_ratings": gathered.imported,
    }


def _questions(gathered: Gathered) -> list[dict[str, Any]]:
    names = Names(gathered, Say("en"))
    asked = [question for part in (gathered.whole, *gathered.parts) for question in part.questions]
    return [
        {
            "question": q.name,
            "label": names.question(q.name),
            "metric": q.metric,
            "levels": None if q.levels is None else list(q.levels),
            "labels": None if q.levels is None else [names.level(q.name, q.label(i)) for i in _all(q)],
        }
        for q in asked
    ]


def _all(question: Any) -> range:
    return range(len(question.levels))
