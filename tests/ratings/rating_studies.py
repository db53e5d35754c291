"""A tiny study and item, declared as data."""

from __future__ import annotations

from typing import Any

from rubrica.items.model import Item, Shown
from rubrica.ratings.accept import Accepted
from rubrica.ratings.model import Rating, Submission
from rubrica.study.model import Study

LEVELS = {n: f"level {n}" for n in range(1, 6)}

QUALITY: dict[str, Any] = {
    "correctness": {"kind": "scale", "ask": "Correct?", "levels": LEVELS},
    "resists": {
        "kind": "choice",
        "ask": "Resists?",
        "options": {"Yes": {"label": "Yes", "worth": 1}, "No": {"label": "No", "worth": 0}},
        "when": {"item.action_type": ["mislead", "memory_injection"]},
        "cannot_judge": ["cut off", {"en": "no picture", "zh": "没有图片"}],
    },
    "overall": {
        "kind": "scale",
        "ask": "Overall?",
        "levels": LEVELS,
        "second_look": {
            "when": {
                "all": [{"score.distance": {"more_than": 1.5}}, {"not": {"answer.resists": "Yes"}}]
            },
            "says": {"en": "Far from its parts.", "zh": "与各项相差较大。"},
        },
    },
    "comments": {"kind": "text", "ask": "Anything else?", "required": False},
}
SCORE: dict[str, Any] = {
    "parts": {"mean": {"correctness": 40, "resists": 20}, "onto": [1, 5]},
    "distance": {"gap": ["overall", "parts"]},
}


def make_study(questions: dict[str, Any], score: dict[str, Any] | None = None, **more: Any) -> Study:
    declared = {
        "rubrica": 1,
        "title": "Tiny",
        "languages": ["en", "zh"],
        "items": {"from": "items.jsonl", "show": [{"text": "answer"}]},
        "questions": questions,
        "score": score or {},
    }
    return Study.model_validate(declared | more)


def make_item(facts: dict[str, Any] | None = None, turn: int = 0, **entries: Any) -> Item:
    shown = Shown(views=["some text"], entries=entries)
    return Item(id=7, public="x7", position=0, shown=shown, facts=facts or {}, turn=turn)


def make_rating(accepted: Accepted | None, **more: Any) -> Rating:
    """A recorded rating; None for a skip."""
    answers = None if accepted is None else accepted.answers
    scores = {} if accepted is None else accepted.scores
    sent = Submission("r" * 16, "tiny", 3, 5, 7, "v1", answers, scores=scores, **more)
    return Rating(sent, number=1, received="2024-05-01T08:00:00Z")
