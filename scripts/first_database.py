"""Makes `tests/fixtures/first`: a small study with ratings as the first version keeps them.

    python scripts/first_database.py

Later versions must open it, bring it up to date and report the same numbers. Until the first release
it is made anew when the schema changes; after that never again. The database is kept as SQL, so that
people can read it and see differences.
"""

from __future__ import annotations

import json
import shutil
import sqlite3
import tempfile
from contextlib import closing
from pathlib import Path
from typing import Any

from rubrica.accounts.changes import exclude, withdraw
from rubrica.cli import run
from rubrica.cli.opening import Opened, opened
from rubrica.cli.simulate import simulated
from rubrica.fieldwork.robots import Crew
from rubrica.reports.records import report
from rubrica.review.gather import gather
from rubrica.review.results import reviewed

FOLDER = Path(__file__).parents[1] / "tests" / "fixtures" / "first"
SYSTEMS = ("north", "south")


def write_study(folder: Path) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    study = {
        "rubrica": 1,
        "title": {"en": "First", "zh": "第一"},
        "languages": ["en", "zh"],
        "items": {
            "from": "items.jsonl",
            "key": "id",
            "system": "by",
            "show": [{"text": "text"}],
            "verdict": {"quality": "judged"},
        },
        "questions": {
            "quality": {
                "kind": "scale",
                "ask": "How good?",
                "levels": {1: "Bad", 2: "Fair", 3: "Good"},
            },
            "clear": {"kind": "choice", "ask": "Clear?", "options": {"yes": "Yes", "no": "No"}},
            "why": {"kind": "text", "ask": "Why?", "required": False},
        },
        "raters": {"per_item": 3},
    }
    (folder / "study.yaml").write_text(json.dumps(study, indent=1, ensure_ascii=False) + "\n")
    with (folder / "items.jsonl").open("w") as file:
        for number in range(16):
            text = f"Answer {number}: größer \U0001f697"
            item = {
                "id": f"k{number}",
                "by": SYSTEMS[number % 2],
                "text": text,
                "judged": 1 + number % 3,
            }
            file.write(json.dumps(item) + "\n")


def numbers(found: Opened) -> dict[str, Any]:
    """What the report says of a study, as far as it does not depend on what later versions add."""
    said = report(reviewed(found.store, gather(found.store, found.name, found.loaded.version, 1)))
    agreement = {
        f"{one['question']} {one['coefficient']}": one["value"]
        for one in said["agreement"]
        if one["group"] is None
    }
    means = {f"{one['question']} {one['system']}": one["mean"] for one in said["systems"]}
    return {"agreement": agreement, "means": means, "version": found.loaded.version.hash}


def main() -> None:
    shutil.rmtree(FOLDER, ignore_errors=True)
    write_study(FOLDER)
    with tempfile.TemporaryDirectory() as name:
        study, made = Path(name) / "first", FOLDER
        shutil.copytree(made, study)
        with opened(study) as found:
            simulated(found, Crew(raters=5, seed=3, dropouts=0.0, skips=0.1))
            withdraw(found.store.accounts, found.name, 4, "coordinator")
            exclude(found.store.accounts, found.name, 5, "coordinator", "too fast")
            (made / "numbers.json").write_text(json.dumps(numbers(found), indent=1) + "\n")
        tidy = made / "ratings.jsonl"
        assert run(["export", str(study), "--to", str(tidy), "--all-revisions", "--json"]) == 0
        with closing(sqlite3.connect(study / "rubrica.db")) as database:
            dump = "\n".join(database.iterdump())
        (made / "rubrica.sql").write_text(dump + "\n")


if __name__ == "__main__":
    main()
