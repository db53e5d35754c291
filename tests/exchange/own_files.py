"""Small files of the three studies' kinds, made here: samples, outputs, logs, workbooks."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Any

from rubrica.exchange.runs import EMPTY_BLOCK

Ran = Callable[..., Any]
"""Runs a command with --json and gives its result."""

LEVELS = ("fluency", "relevance", "logical_soundness")
DIMENSIONS = (
    "instruction_constraint_adherence",
    "context_ambiguity_handling",
    "plan_coherence",
    "safety_compliance",
)


def write_lines(path: Path, lines: Iterable[Mapping[str, Any]]) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    text = "".join(json.dumps(line, ensure_ascii=False) + "\n" for line in lines)
    path.write_bytes(text.encode("utf-8", "surrogatepass"))
    return path


# --- m3bench ----------------------------------------------------------------------------------------


def sample(turn: int = 0, task: str = "kite_1", **more: Any) -> dict[str, Any]:
    """A line of samples: an answer in a dialogue about kites."""
    return {
        "sample_id": f"{task}_turn_{turn}",
        "task_id": task,
        "task_type": "attribute_comparison",
        "turn_number": turn,
        "action_type": "guidance",
        "user_message": f"What about kite {turn}?",
        "vlm_response": "It flies high over the dunes.",
        "expected_answer": "Image 1",
        "images_sent": [],
        "auto_evaluation": {"assessment": "fine", "confidence": 0.9},
        "timestamp": f"2026-03-01T10:{turn:02}:00.000001",
        "priority": 2,
        "human_annotation": dict(EMPTY_BLOCK),
        **more,
    }


def filled_in(line: Mapping[str, Any], **levels: Any) -> dict[str, Any]:
    """The same line with its block filled."""
    block = {
        "correctness": 4,
        "reasoning_completeness": 4,
        "resists_misleading": None,
        "context_consistency": None,
        "overall_quality": 4,
        "comments": "",
    }
    return {**line, "human_annotation": {**block, **levels}}


def old_log(task: str = "kite_1", actions: Iterable[str] = ("guidance", "mislead")) -> list[Any]:
    """A simulator's log, message and answer in events of their own."""
    events: list[Any] = [
        {
            "event": "task_start",
            "task_id": task,
            "task_type": "x",
            "expected_answer": "Image 1",
        }
    ]
    for turn, action in enumerate(actions):
        time = f"2026-03-02T09:{turn:02}:00"
        events += [
            {
                "event": "core_model_decision",
                "turn": turn,
                "action": action,
                "message_to_model": f"Q{turn}",
            },
            {
                "event": "target_model_response",
                "turn": turn,
                "target_response": f"A{turn}",
                "images_sent": [],
                "evaluation": {"assessment": "of the answer before", "confidence": 0.5},
                "timestamp": time,
            },
        ]
    return events


def new_log(task: str = "kite_2", actions: Iterable[str] = ("guidance", "mislead")) -> list[Any]:
    """A simulator's log, message and answer in one event, with a filler and a closing check."""
    data = {"task_id": task, "task_type": "counting", "expected_answer": "Image 0"}
    events: list[Any] = [{"event": "task_start", "timestamp": "2026-03-03T08:00:00", "data": data}]
    for turn, action in enumerate(actions, 1):
        told = {
            "turn": turn,
            "action": action,
            "message": f"Q{turn}",
            "response": f"A{turn}",
            "evaluation": {"score": 0.25 * turn, "reasoning": "so"},
            "images_sent": ["images\\run 1\\a.png"],
        }
        events.append({"event": "turn", "data": told, "timestamp": f"2026-03-03T08:{turn:02}:00"})
        if turn == 1:
            filler = {"filler_index": 1, "user_message": "By the way", "model_response": "Indeed"}
            events.append({"event": "filler_turn", "data": filler, "timestamp": "2026-03-03T08:01:30"})
    check = {"question": "Once more?", "response": "As before", "score": 0.4, "expected": "Image 0"}
    events.append({"event": "consistency_check", "data": check, "timestamp": "2026-03-03T08:59:00"})
    return events


# --- vtt --------------------------------------------------------------------------------------------


def clip(name: str, changes: int = 2) -> dict[str, Any]:
    """A sample: a sequence of pictures with what changes between them."""
    return {
        "id": name,
        "topic": "Fly Kite",
        "category": "Sport",
        "annotation": [{"label": f"step {i}"} for i in range(changes)],
    }


def output(system: str | None, place: int | None = None, name: str | None = None, **more: Any) -> Any:
    """A system's output for one sample, named by its line, its id or both."""
    line: dict[str, Any] = {}
    if name is not None:
        line["id"] = name
    if place is not None:
        line["index"] = place
    line |= {"preds": ["unroll the line", "let it fly"], "label": ["step 0", "step 1"]}
    line |= {"BLEU_4": [0.5, 0.25]} | ({"exp": system} if system else {})
    return {**line, "perfect": False, **more}


def rated(
    line: Mapping[str, Any], *levels: Any, minute: int = 0, normal: bool = True
) -> dict[str, Any]:
    """The same with a rating behind it, as result lines have it."""
    times = {
        "start_time": f"2026-04-01 10:{minute:02}:00",
        "end_time": f"2026-04-01 10:{minute:02}:30",
        "duration": 30,
    }
    return {**line, **dict(zip(LEVELS, levels, strict=True)), **times, "normal": normal}


# --- incar ------------------------------------------------------------------------------------------


def talk(name: str = "c1", goals: Iterable[str] = ("Find a bank",), **more: Any) -> dict[str, Any]:
    """A log of one conversation with its judge's scores."""
    model = {"model_config": "Judge-A"}
    return {
        "conversation_id": name,
        "seed_phrase": "Find a bank on the way home.",
        "turns": [
            {"turn_number": 0, "user": "Find a bank.", "system": "There is one.", "evaluation": {}},
            {"turn_number": 1, "user": "Take me there.", "system": "Here we go.", "evaluation": {}},
        ],
        "targets": {goal: {"status": 1, "introduced_turn": 0} for goal in goals},
        "success_score": 1.0,
        "success_decision": "pass",
        "conversation_evaluation": {"scores": dict.fromkeys(DIMENSIONS, 2)},
        "metadata": {
            "sut_used": "talker",
            "persona_name": "calm",
            "model_configurations": {
                "evaluator": {
                    "turn_evaluation": model,
                    **{f"conversation_evaluation_{name}": model for name in DIMENSIONS},
                }
            },
        },
        **more,
    }


def write_talk(path: Path, *talks: Mapping[str, Any]) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    data = talks[0] if len(talks) == 1 else list(talks)
    path.write_text(json.dumps(data), encoding="utf-8")
    return path
