"""What a browser sends for one item, as JSON Schema.

It is as strict as the server about every question that applies. What is sent for a question that does
not apply is never looked at, and which of the others must be answered depends on the answers: both are
for `rubrica.ratings.accept` to decide.
"""

from __future__ import annotations

from typing import Any

from rubrica.items.model import Item
from rubrica.kinds.registry import kind
from rubrica.ratings.accept import LONGEST_REASON, reasons
from rubrica.ratings.facts import entries_of
from rubrica.study.model import Study

DIALECT = "https://json-schema.org/draft/2020-12/schema"
SECONDS = {"type": ["number", "null"], "minimum": 0}
MOMENT = {"type": ["string", "null"], "format": "date-time"}


def submit_schema(study: Study, item: Item) -> dict[str, Any]:
    """The whole body: answers, or the reason why the item is skipped."""
    members = {
        "id": {"type": "string", "pattern": "^[A-Za-z0-9_-]{16,64}$"},
        "place": {"type": "integer"},
        "version": {"type": "string", "minLength": 1},
        "answers": answers_schema(study, item),
        "skip_reason": {"type": "string", "minLength": 1, "maxLength": LONGEST_REASON},
        "supersedes": {"type": ["string", "null"]},
        "language": {"type": "string", "enum": list(study.languages)},
        "pace": _object(
            {
                "started": MOMENT,
                "ended": MOMENT,
                "wall_seconds": SECONDS,
                "active_seconds": SECONDS,
            }
        ),
    }
    either = [{"required": ["answers"]}, {"required": ["skip_reason"]}]
    body = _object(members, required=["id", "place", "version"])
    return {"$schema": DIALECT, **body, "oneOf": either}


def answers_schema(study: Study, item: Item) -> dict[str, Any]:
    """One reply per question, by its name; see `rubrica.ratings.reply` for what a reply means."""
    return _object({name: reply_schema(study, item, name) for name in study.questions})


def reply_schema(study: Study, item: Item, name: str) -> dict[str, Any]:
    question = study.questions[name]
    value = kind(question.kind).schema(question, entries_of(item, name))
    members = {"value": value, "first": value, "prompted": {"type": "boolean"}}
    if question.cannot_judge:
        members["cannot_judge"] = _cannot_judge(question.cannot_judge, study.languages[0])
    return {**_object(members), "not": {"required": ["value", "cannot_judge"]}}


def _cannot_judge(allowed: Any, language: str) -> dict[str, Any]:
    if isinstance(allowed, list):
        return {"enum": reasons(allowed, language)}
    said = {"type": "string", "minLength": 1, "maxLength": LONGEST_REASON}
    return {"anyOf": [{"const": True}, said]}


def _object(members: dict[str, Any], required: list[str] | None = None) -> dict[str, Any]:
    return {
        "type": "object",
        "properties": members,
        "required": required or [],
        "additionalProperties": False,
    }
