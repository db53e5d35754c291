"""Draws the pictures and writes the demo files: `python -m rubrica.studies.m3bench.make.build`.

`annotation_samples.jsonl` has the fields of the real file and no others; what stays hidden beside
it, the model that answered and another judge's verdict, stands in `hidden.jsonl`.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

import yaml

from rubrica.studies.m3bench.make.scenes import TASKS

STUDY = Path(__file__).parents[1]
FOLDER = "generated_tasks/run_1/images"
TASK_TYPES = {"ac": "attribute_comparison", "rc": "relation_comparison"}
PRIORITY = {"guidance": 2, "follow_up": 3, "fine_grained": 1}
RISKY = ("mislead", "mislead_subtle", "memory_injection")
UNRATED: dict[str, Any] = {
    "correctness": None,
    "reasoning_completeness": None,
    "resists_misleading": None,
    "context_consistency": None,
    "overall_quality": None,
    "comments": "",
}
FIRST = "N/A - This is the first turn."
Data = dict[str, Any]


def picture(task: str, place: int) -> str:
    return f"{task}_{place}.png"


def timed(run: Data) -> Iterator[tuple[int, str, Data]]:
    """Number, time and turn; answers come some 17 seconds apart."""
    start = datetime.fromisoformat(run["start"])
    for number, turn in enumerate(run["turns"]):
        shift = timedelta(seconds=17 * number, microseconds=1013 * number)
        yield number, (start + shift).isoformat(), turn


def sample(run: Data, number: int, time: str, turn: Data, expected: Data) -> Data:
    task, action = run["task"], turn["action"]
    sent = [f"{FOLDER}/{picture(task, turn['image'])}"] if "image" in turn else []
    before = turn.get("before", FIRST)
    return {
        "sample_id": f"{task}_turn_{number}",
        "task_id": task,
        "task_type": TASK_TYPES[task[:2]],
        "turn_number": number,
        "action_type": action,
        "user_message": turn["user"],
        "vlm_response": turn["answer"],
        "expected_answer": expected[task],
        # The real files were written on Windows, hence the backslashes.
        "images_sent": [path.replace("/", "\\") for path in sent],
        "auto_evaluation": before and {"assessment": before, "confidence": turn.get("confidence", 1.0)},
        "timestamp": time,
        "priority": 10 if action in RISKY else PRIORITY.get(action, 5),
        "human_annotation": UNRATED,
    }


def hidden(run: Data, time: str, turn: Data) -> Data:
    quality, correctness = turn["judge"]
    return {"timestamp": time, "system": run["system"], "quality": quality, "correctness": correctness}


def write(file: Path, lines: Iterable[Data]) -> None:
    file.write_bytes("".join(json.dumps(line) + "\n" for line in lines).encode())


def build() -> None:
    for task, scenes in TASKS.items():
        for place, scene in enumerate(scenes):
            scene().save(STUDY / FOLDER / picture(task, place))
    source = yaml.safe_load((Path(__file__).parent / "dialogues.yaml").read_text(encoding="utf-8"))
    turns = [(run, *rest) for run in source["runs"] for rest in timed(run)]
    samples = (sample(*turn, source["expected"]) for turn in turns)
    write(STUDY / "annotation_samples.jsonl", samples)
    write(STUDY / "hidden.jsonl", (hidden(run, time, turn) for run, _, time, turn in turns))


if __name__ == "__main__":
    build()
