"""Draws the pictures and writes the demo files: `python -m rubrica.studies.vtt.make.build`.

Running it again gives the same bytes.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable
from hashlib import sha256
from pathlib import Path
from typing import Any

from rubrica.studies.vtt.make import house, kitchen, metrics, outdoors
from rubrica.studies.vtt.make.paint import Canvas
from rubrica.studies.vtt.make.texts import SEQUENCES, SYSTEMS, Sequence

STUDY = Path(__file__).parents[1]
SCENES: dict[str, Callable[[int], Canvas]] = {
    name: getattr(room, name)
    for room in (kitchen, house, outdoors)
    for name in (sequence.scene for sequence in SEQUENCES)
    if hasattr(room, name)
}


def identity(sequence: Sequence) -> str:
    return sha256(sequence.scene.encode()).hexdigest()[:16]


def sample(sequence: Sequence) -> dict[str, Any]:
    """One line as in the dataset's test split; the clips are invented, the pictures drawn."""
    name, many = identity(sequence), len(sequence.labels)
    clips = [f"{name}_{many}_{place}" for place in range(many)]
    return {
        "id": name,
        "youtube_id": "",
        "ori": "drawn",
        "split": "demo",
        "duration": float(many * 10),
        "topic": sequence.topic,
        "category": sequence.category,
        "annotation": [
            {"clip_id": clip, "segment": [place * 10.0, place * 10.0 + 8.0], "label": label}
            for place, (clip, label) in enumerate(zip(clips, sequence.labels, strict=True))
        ],
        "frames": {clip: {"frames": 200, "imgs": 200} for clip in clips},
    }


def result(system: str, index: int, sequence: Sequence, corpus: list[str]) -> dict[str, Any]:
    """One line as the real result files have it before anybody rated it."""
    preds = getattr(sequence, system)
    line: dict[str, Any] = {"index": index, "preds": list(preds), "label": list(sequence.labels)}
    if system in ("atlas", "brook"):
        line |= {"category_pred": sequence.category, "category_target": sequence.category}
        line |= {"topic_pred": sequence.topic, "topic_target": sequence.topic}
    line |= metrics.of_texts(preds, sequence.labels, corpus)
    return line | {"exp": system, "sample_idx": index, "perfect": preds == sequence.labels}


def write(file: Path, lines: Iterable[dict[str, Any]]) -> None:
    file.parent.mkdir(parents=True, exist_ok=True)
    text = "".join(json.dumps(line) + "\n" for line in lines)
    file.write_bytes(text.encode())


def build() -> None:
    for sequence in SEQUENCES:
        name, many = identity(sequence), len(sequence.labels)
        for step in range(many + 1):
            SCENES[sequence.scene](step).save(STUDY / "images" / f"{name}_{many + 1}_{step}.png")
    write(STUDY / "vtt_demo.jsonl", (sample(sequence) for sequence in SEQUENCES))
    corpus = [label for sequence in SEQUENCES for label in sequence.labels]
    for system in SYSTEMS:
        lines = (result(system, index, s, corpus) for index, s in enumerate(SEQUENCES))
        write(STUDY / "results" / f"{system}.jsonl", lines)


if __name__ == "__main__":
    build()
