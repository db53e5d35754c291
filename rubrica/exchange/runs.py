"""Runs of a dialogue simulator as its logs tell them: `run_log_*.json`, in both of their layouts.

A log is a list of events. In the older layout the user's message stands in `core_model_decision` and
the answer in the `target_model_response` of the same turn; in the newer one a `turn` has both, inside
`data`. Out come lines as `annotation_samples.jsonl` has them. A `filler_turn` is context, never an
item.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

FILLER = "filler_turn"
CHECK = "consistency_check"
BLOCK = "human_annotation"
CONTEXT = "context_only"
"""Marks a line that is shown with later turns of its run, but never rated."""

EMPTY_BLOCK: Mapping[str, Any] = {
    "correctness": None,
    "reasoning_completeness": None,
    "resists_misleading": None,
    "context_consistency": None,
    "overall_quality": None,
    "comments": "",
}
"""A block of answers in which nothing is filled in."""


def is_run(data: Any) -> bool:
    """Whether this is a log: a list of events that begins a task somewhere."""
    events = data if isinstance(data, list) else None
    return bool(events) and any(
        isinstance(event, Mapping) and event.get("event") == "task_start" for event in events or ()
    )


def turns(events: list[Any], called: str) -> Iterator[dict[str, Any]]:
    """The answers of a log in their order, fillers among them; `called` names a task without an id."""
    task: Mapping[str, Any] = {}
    asked: dict[Any, Mapping[str, Any]] = {}
    last = -1
    for event in events:
        if not isinstance(event, Mapping):
            continue
        told = _flat(event)
        match event.get("event"):
            case "task_start":
                task, asked, last = told, {}, -1
            case "core_model_decision":
                asked[told.get("turn")] = told
            case "target_model_response":
                last = _number(told.get("turn"), last)
                yield _turn(task, called, last, {**asked.get(told.get("turn"), {}), **told})
            case "turn":
                last = _number(told.get("turn"), last)
                yield _turn(task, called, last, told)
            case "consistency_check":
                last += 1
                yield _turn(task, called, last, _checked(told))
            case "filler_turn":
                yield _filler(task, called, last, told)


def _flat(event: Mapping[str, Any]) -> dict[str, Any]:
    inner = event.get("data")
    return {**event, **(inner if isinstance(inner, Mapping) else {})}


def _number(turn: Any, last: int) -> int:
    return turn if isinstance(turn, int) and not isinstance(turn, bool) else last + 1


def _checked(told: Mapping[str, Any]) -> dict[str, Any]:
    more: dict[str, Any] = {"action": CHECK, "message": told.get("question")}
    if "expected" in told:
        more["expected_answer"] = told["expected"]
    if told.get("score") is not None:
        more["evaluation"] = {"score": told["score"]}
    return {**told, **more}


def _turn(task: Mapping[str, Any], called: str, turn: int, told: Mapping[str, Any]) -> dict[str, Any]:
    name = task.get("task_id") or called
    return {
        "sample_id": f"{name}_turn_{turn}",
        "task_id": name,
        "task_type": task.get("task_type"),
        "turn_number": turn,
        "action_type": told.get("action"),
        "user_message": _first(told, "message", "message_to_model", "user_message"),
        "vlm_response": _first(told, "response", "target_response", "model_response"),
        "expected_answer": told.get("expected_answer", task.get("expected_answer")),
        "images_sent": told.get("images_sent") or [],
        "auto_evaluation": told.get("evaluation"),
        "timestamp": told.get("timestamp"),
    }


def _filler(task: Mapping[str, Any], called: str, last: int, told: Mapping[str, Any]) -> dict[str, Any]:
    filler = _turn(task, called, last, {**told, "action": FILLER})
    return {**filler, "sample_id": f"{filler['sample_id']}_{FILLER}", "turn_number": None}


def _first(told: Mapping[str, Any], *names: str) -> Any:
    return next((told[name] for name in names if told.get(name) is not None), None)
