"""Files in and out at size: time and the most memory of each command, beside lines of plain JSON.

    python benchmarks/exchange.py [--lines 100000]

A study is made over so many sample lines, loaded, its ratings imported and exported in every layout.
Plain reading and writing of the same lines in the same run says how fast this machine is.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from datetime import datetime, timedelta
from pathlib import Path
from time import perf_counter
from typing import Any

BEGIN = datetime(2026, 1, 1)
ENDINGS = ("jsonl", "csv", "xlsx", "parquet")
BLOCK = {
    "correctness": None,
    "reasoning_completeness": None,
    "resists_misleading": None,
    "context_consistency": None,
    "overall_quality": None,
    "comments": "",
}


def line(number: int, filled: bool) -> dict[str, Any]:
    turn = number % 10
    levels = {"correctness": 4, "reasoning_completeness": 4, "overall_quality": 4}
    consistent = {"context_consistency": "Yes" if turn else None}
    return {
        "sample_id": f"t{number // 10}_turn_{turn}",
        "task_id": f"t{number // 10}",
        "task_type": "comparison",
        "turn_number": turn,
        "action_type": "guidance",
        "user_message": "What is there? " * 5,
        "vlm_response": "There is a kite over the dunes. " * 15,
        "expected_answer": "Image 1",
        "images_sent": [],
        "auto_evaluation": {"score": 0.5},
        "timestamp": (BEGIN + timedelta(seconds=number)).isoformat(),
        "human_annotation": {**BLOCK, **(levels | consistent if filled else {})},
    }


def write(path: Path, lines: Iterator[dict[str, Any]]) -> None:
    with path.open("w", encoding="utf-8") as file:
        file.writelines(json.dumps(one) + "\n" for one in lines)


def plain(path: Path) -> float:
    started = perf_counter()
    with path.open(encoding="utf-8") as file:
        write(path.with_suffix(".again"), (json.loads(one) for one in file))
    return perf_counter() - started


def timed(*words: object) -> tuple[float, float, float]:
    """Seconds by the clock and of the processor, and the most memory in megabytes, of one command."""
    started = perf_counter()
    command = [str(Path(sys.executable).with_name("rubrica")), *map(str, words)]
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    _, status, used = os.wait4(process.pid, 0)
    if status:
        raise SystemExit(f"failed: rubrica {' '.join(map(str, words))}")
    return perf_counter() - started, used.ru_utime + used.ru_stime, used.ru_maxrss / 1024


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--lines", type=int, default=100_000)
    size = parser.parse_args().lines
    with tempfile.TemporaryDirectory() as folder:
        home = Path(folder)
        samples, results, study = home / "samples.jsonl", home / "results.jsonl", home / "study"
        write(samples, (line(number, False) for number in range(size)))
        write(results, (line(number, True) for number in range(size)))
        base = plain(results)
        print(f"{size:,} lines; read and written as plain JSON: {base:.1f} s")
        for words in (
            ("new", study, "--like", "m3bench", "--data", samples),
            ("load", study),
            ("import", study, results, "--rater", "ann"),
            ("export", study, "--layout", "native", "--to", home / "native.jsonl"),
            *(
                ("export", study, "--to", home / f"tidy.{e}")
                for e in ("jsonl", "csv", "xlsx", "parquet")
            ),
        ):
            seconds, worked, megabytes = timed(*words)
            what = f"{words[0]} {Path(words[-1]).name if words[0] == 'export' else ''}"
            told = f"{seconds:7.1f} s  {worked:7.1f} s of processor  {megabytes:6.0f} MB"
            print(f"{what:<22}{told}", flush=True)


if __name__ == "__main__":
    main()
