"""The version of a study: a hash of what its author wrote, and nothing else.

Comments, the order of keys and defaults that were filled in do not count, so an upgrade of the program
leaves it as it is. Where raters see an order, it counts: that of `questions`, and below each of the
other keys in `ORDERED`. (The levels of a scale always stand by their number.)
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from typing import Any

from rubrica.study.store import StudyVersion

ORDERED = frozenset({"questions", "options", "types", "severities", "marks", "values"})
"""The keys whose mapping raters see in the order it was written."""


def meaning(data: Any, key: str = "") -> Any:
    """Data in the one form all ways of writing it share."""
    if isinstance(data, Mapping):
        pairs = [(str(k), meaning(v, str(k))) for k, v in data.items()]
        return pairs if key in ORDERED else dict(sorted(pairs))
    if isinstance(data, list | tuple):
        return [meaning(v) for v in data]
    return int(data) if isinstance(data, float) and data.is_integer() else data


def hash_of(data: Any, key: str = "") -> str:
    """SHA-256 of data's meaning, as 16 hexadecimal digits."""
    text = json.dumps(meaning(data, key), ensure_ascii=True, separators=(",", ":"))
    return hashlib.sha256(text.encode("ascii")).hexdigest()[:16]


def version_of(declared: dict[str, Any]) -> StudyVersion:
    """`declared` is all a version needs: the study as written, its guidelines, its practice."""
    questions = declared["study"]["questions"]
    return StudyVersion(
        hash=hash_of(declared),
        declared=declared,
        question_hashes={name: hash_of(_asked(question)) for name, question in questions.items()},
    )


def _asked(question: Mapping[str, Any]) -> dict[str, Any]:
    """A question as raters meet it: answers under another label are answers to the same question."""
    return {key: value for key, value in question.items() if key != "label"}
