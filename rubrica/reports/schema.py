"""The JSON Schema of report.json, from the records of the analysis, and its reference page."""

from __future__ import annotations

import ast
import inspect
import json
import textwrap
import types
from collections.abc import Iterator, Mapping
from dataclasses import fields
from itertools import pairwise
from pathlib import Path
from typing import Any, Union, get_args, get_origin, get_type_hints

from rubrica.analysis import results
from rubrica.analysis.results import Record, Results

FILE = Path(__file__).with_name("report.schema.json")

LISTS: dict[str, tuple[type[Record], str]] = {
    "left_out": (results.LeftOut, "What takes no part in a statistic, how much of it, and why."),
    "agreement": (results.Agreement, "How well raters agree."),
    "matrix": (results.PairAgreement, "How well each pair of raters agrees."),
    "systems": (results.SystemMean, "Each system's mean and rank; the system `*` means all items."),
    "comparisons": (results.Comparison, "Every pair of systems on the inputs both answered."),
    "judges": (results.JudgeStatistic, "Automatic judges and metrics beside the raters."),
    "mismatches": (results.Mismatch, "Items on which a judge and the raters differ most."),
    "confusion": (results.Confusion, "How often raters gave one level where a judge gave another."),
    "differences": (results.Difference, "Points of the Bland-Altman figures."),
    "raters": (results.RaterStatistic, "Pace, severity and habits; the rater `*` means all raters."),
    "shares": (results.Share, "How often each level was given."),
    "effects": (results.Effect, "What should not move answers and may."),
    "side_by_side": (results.SideBySide, "Results with and without excluded raters."),
    "durations": (results.Duration, "Seconds spent on an item."),
    "progress": (results.Progress, "How ratings came in, in the order of time."),
}

FIELDS = {
    "a": "the first of the two",
    "b": "the second of the two",
    "coefficient": "the coefficient's name",
    "count": "how many",
    "difference": "the mean difference, first minus second",
    "effect": "the difference in standard deviations of the items' differences (d_z)",
    "group": "FIELD=VALUE, or null for the whole",
    "groups": "the item's groups by the declared fields",
    "high": "the interval's upper end",
    "human": "what the raters said",
    "item": "the item's key",
    "items": "how many items went in",
    "judge": "the judge's name",
    "level": "the level",
    "losses": "inputs on which the second is better",
    "low": "the interval's lower end",
    "lower_quarter": "a quarter took less",
    "mean": "the mean",
    "median": "the middle",
    "method": "how p was found",
    "metric": "the metric of the scale, or the weighting",
    "missing": "rated items this judge gave no score",
    "n": "how many items (for raters: answers) went in",
    "note": "what the number does not say, or why there is none",
    "p": "the p-value, uncorrected",
    "p_bh": "p by Benjamini and Hochberg, for exploration",
    "p_holm": "p by Holm, within the declared family",
    "percent": "the share of identical answers",
    "question": "the question's name in `questions`",
    "rank": "its place among the systems, 1 the best",
    "rank_high": "the rank's interval, upper end",
    "rank_low": "the rank's interval, lower end",
    "rater": "the rater's pseudonym",
    "raters": "how many raters; null where they are not named",
    "ratings": "how many ratings",
    "reference": "whether the reference system is one of the two",
    "score": "what the judge said",
    "share": "the share, from 0 to 1",
    "size": "how far apart, as a share of the scale",
    "statistic": "the statistic's name",
    "step": "the step's number",
    "superiority": "the chance that the first is better, ties counting half",
    "system": "the system's name",
    "ties": "inputs on which both are the same",
    "upper_quarter": "a quarter took more",
    "value": "the estimate; null where it does not exist, with the reason in `note`",
    "what": "what it is",
    "why": "why",
    "wins": "inputs on which the first is better",
    "with_excluded": "the value with excluded raters",
    "without_excluded": "the value without excluded raters",
    "excluded_ratings": "how many ratings they gave",
    "ceiling_low": "the ceiling's interval, lower end",
    "ceiling_high": "the ceiling's interval, upper end",
}

HEAD: dict[str, tuple[dict[str, Any], str]] = {
    "name": ({"type": "string"}, "the study's folder"),
    "title": ({"type": "string"}, "its title"),
    "version": ({"type": "string"}, "the version whose questions are reported"),
    "versions": ({"type": "array"}, "every version that has ratings: `version`, `ratings`"),
    "seed": ({"type": "integer"}, "the seed of every interval and test"),
    "choice": ({"enum": ["first", "final"]}, "which choice is analysed"),
    "reference_system": ({"type": ["string", "null"]}, "the system others are compared with"),
    "groups": ({"type": "array", "items": {"type": "string"}}, "fields results are broken down by"),
    "expertise": ({"enum": ["expert", "skilled", "crowd"]}, "who the raters are, as declared"),
    "left_out_by_name": ({"type": "array", "items": {"type": "string"}}, "items left out by name"),
    "level": ({"type": "number"}, "the coverage intervals aim at"),
    "replicates": ({"type": "integer"}, "resamples behind an interval"),
    "named_raters": ({"type": "boolean"}, "whether raters are people, not numbered places"),
    "closed": ({"type": "boolean"}, "whether the study was closed"),
    "looks": (
        {"type": "array", "items": {"type": "integer"}},
        "how many ratings there were at each earlier look at results",
    ),
    "excluded_raters": ({"type": "array"}, "raters whose ratings are left out: `rater`, `why`"),
    "skips": ({"type": "integer"}, "how many of `asked.ratings` are skips: the whole item unjudged"),
    "revisions": ({"type": "integer"}, "how many of `asked.ratings` revise an earlier one"),
    "simulated_raters": ({"type": "integer"}, "raters that are robots"),
    "conflicting_revisions": ({"type": "integer"}, "revisions of what was already revised"),
    "imported_ratings": ({"type": "integer"}, "ratings made elsewhere"),
}
QUESTION: dict[str, tuple[dict[str, Any], str]] = {
    "question": ({"type": "string"}, "its name in every list"),
    "label": ({"type": "string"}, "how reports call it"),
    "metric": ({"enum": ["nominal", "ordinal", "interval", "ratio"]}, "what its values mean"),
    "levels": ({"type": ["array", "null"]}, "the values there can be; null for a free number"),
    "labels": ({"type": ["array", "null"]}, "what the levels are called"),
}
NOTE: dict[str, tuple[dict[str, Any], str]] = {
    "code": ({"type": "string"}, "the rule's code"),
    "level": ({"enum": ["error", "warning", "note"]}, "how serious it is"),
    "text": ({"type": "string"}, "what holds for the whole report"),
}
TEXTS = {
    "type": "array",
    "description": "what raters saw of the item: `label` and `text`, cut where long",
    "items": {
        "type": "object",
        "properties": {"label": {"type": "string"}, "text": {"type": "string"}},
        "required": ["label", "text"],
        "additionalProperties": False,
    },
}


def schema_text() -> str:
    return json.dumps(schema(), ensure_ascii=False, indent=1) + "\n"


def schema() -> dict[str, Any]:
    lists = {name: _list(name, record, says) for name, (record, says) in LISTS.items()}
    properties: dict[str, Any] = {
        "format": {"const": 1, "description": "the version of this layout"},
        "study": _closed(_plain(HEAD), "Which study, in which version, how it was analysed."),
        "questions": _array(_closed(_plain(QUESTION), ""), "What the lists below speak of."),
        "asked": {
            "type": "object",
            "description": "Counts: items, rated_items, systems, raters, ratings, answers used.",
            "additionalProperties": {"type": "integer"},
        },
        **lists,
        "notes": _array(_closed(_plain(NOTE), ""), "What holds for the whole report."),
    }
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "Rubrica report",
        "type": "object",
        "properties": properties,
        "required": list(properties),
        "additionalProperties": False,
    }


def _list(name: str, record: type[Record], says: str) -> dict[str, Any]:
    hints, docs = get_type_hints(record), said(record)
    of = {
        f.name: {**_type(hints[f.name]), "description": docs.get(f.name) or FIELDS[f.name]}
        for f in fields(record)  # type: ignore[arg-type]
    }
    if name == "mismatches":
        of["texts"] = TEXTS
    return _array(_closed(of, ""), says)


def said(record: type[Any]) -> dict[str, str]:
    """What the source says below each field."""
    (body,) = ast.parse(textwrap.dedent(inspect.getsource(record))).body
    lines = body.body if isinstance(body, ast.ClassDef) else []
    return {
        field.target.id: " ".join(str(doc.value.value).split())
        for field, doc in pairwise(lines)
        if isinstance(field, ast.AnnAssign)
        and isinstance(field.target, ast.Name)
        and isinstance(doc, ast.Expr)
        and isinstance(doc.value, ast.Constant)
    }


def _closed(properties: dict[str, Any], says: str) -> dict[str, Any]:
    described = {"description": says} if says else {}
    required = {"required": list(properties), "additionalProperties": False}
    return {"type": "object", **described, "properties": properties, **required}


def _array(items: dict[str, Any], says: str) -> dict[str, Any]:
    return {"type": "array", "description": says, "items": items}


def _plain(columns: Mapping[str, tuple[dict[str, Any], str]]) -> dict[str, Any]:
    return {name: {**of, "description": says} for name, (of, says) in columns.items()}


_JSON = {str: "string", int: "integer", float: "number", bool: "boolean"}


def _type(hint: Any) -> dict[str, Any]:
    """A Problem is written as its message."""
    if get_origin(hint) in (Union, types.UnionType):
        names = [name for arg in get_args(hint) for name in _names(arg)]
        return {"type": list(dict.fromkeys(names))}
    if get_origin(hint) is not None:
        return {"type": "object", "additionalProperties": {"type": "string"}}
    (name,) = _names(hint)
    return {"type": name}


def _names(hint: Any) -> Iterator[str]:
    yield "null" if hint is type(None) else _JSON.get(hint, "string")


# --- the reference page ------------------------------------------------------------------------------


def page() -> str:
    """docs/reference/report-json.md."""
    lines = [
        "<!-- Made by scripts/reference.py from the code; do not edit. -->",
        "",
        "# report.json",
        "",
        "`rubrica report` writes every number of the report to `report.json`, in flat lists of",
        "records. Numbers have up to ten significant digits; what does not exist is null, with the",
        "reason in `note`. Questions that go over an item's own list appear twice: as a whole, and as",
        "`NAME.entries`, where every entry is an item of its own. Scores are called `score.NAME`.",
        "The JSON Schema is `rubrica/reports/report.schema.json`.",
        "",
    ]
    for name, of in schema()["properties"].items():
        lines += [f"## `{name}`", "", of["description"].capitalize().rstrip(".") + ".", ""]
        record = of.get("items", of).get("properties")
        if record:
            lines += ["| field | type | what it is |", "|---|---|---|"]
            lines += [
                f"| `{key}` | {_shown(one)} | {one['description']} |" for key, one in record.items()
            ]
            lines.append("")
    return "\n".join(lines).rstrip() + "\n"


def _shown(of: Mapping[str, Any]) -> str:
    named = of.get("type", of.get("enum"))
    return " or ".join(named) if isinstance(named, list) else str(named)


def lists_of_results() -> set[str]:
    """The lists the analysis gives, for a test that none is missing here."""
    return {f.name for f in fields(Results)} - {"asked", "notes"}
