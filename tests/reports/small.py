"""Small studies, rated as the tidy table says, and what `rubrica report` makes of them."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from jsonschema import Draft202012Validator

from rubrica.cli import run
from rubrica.reports import schema
from rubrica.study.load import load_study

LEVELS = "{1: Bad, 2: Poor, 3: Fair, 4: Good, 5: Great}"
SCALE = f"quality: {{kind: scale, ask: How good?, levels: {LEVELS}}}"

Answers = Mapping[str, Any]


@dataclass(frozen=True)
class Report:
    """The files of one report; `json` has been held against the schema."""

    folder: Path
    json: dict[str, Any]

    def text(self, name: str) -> str:
        return (self.folder / name).read_text(encoding="utf-8")

    @property
    def html(self) -> str:
        return self.text("report.html")

    def found(self, name: str, **wanted: Any) -> list[dict[str, Any]]:
        """The records of a list with these values."""
        return [r for r in self.json[name] if all(r[k] == v for k, v in wanted.items())]

    def one(self, name: str, **wanted: Any) -> dict[str, Any]:
        (record,) = self.found(name, **wanted)
        return record


def make(
    folder: Path,
    items: Sequence[Mapping[str, Any]],
    questions: str = SCALE,
    more: str = "",
    of_items: str = "",
) -> Path:
    """A study of items with an `id` and a `text`; `more` and `of_items` are YAML."""
    folder.mkdir(parents=True, exist_ok=True)
    lines = "".join(json.dumps({"text": "An answer.", **one}) + "\n" for one in items)
    (folder / "items.jsonl").write_text(lines, encoding="utf-8")
    asked = "\n".join(f"  {line}" for line in questions.strip().splitlines())
    about = "\n".join(f"  {line}" for line in of_items.strip().splitlines())
    study = f"""rubrica: 1
title: {{en: A small study, zh: 小研究}}
languages: [en, zh]
items:
  from: items.jsonl
  key: id
  show: [{{text: text}}]
{about}
questions:
{asked}
{more or "raters: {per_item: all}"}
"""
    (folder / "study.yaml").write_text(study, encoding="utf-8")
    return folder


def rate(
    study: Path,
    ratings: Sequence[tuple[str, str, Answers | None]],
    revised: bool = False,
    start: int = 0,
) -> None:
    """`(item, rater, answers)`; None skips the item. A value of None is not applicable, a mapping
    holds the cells of an answer with several.

    With `revised`, a rater's later rating of an item revises the one before. `start` is the number of
    the first, where there are ratings already.
    """
    version = load_study(study).version.hash
    rows = [_row(version, number, *one) for number, one in enumerate(ratings, start)]
    before: dict[tuple[str, str], str] = {}
    for row, (item, rater, _) in zip(rows, ratings, strict=True):
        row["supersedes"] = before.get((item, rater)) if revised else None
        before[item, rater] = row["rating"]
    file = study / "ratings.jsonl"
    file.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    assert run(["import", str(study), str(file)]) == 0


def _row(version: str, number: int, item: str, rater: str, answers: Answers | None) -> Any:
    minutes, seconds = divmod(number, 60)
    row: dict[str, Any] = {
        "item": item,
        "copy": 0,
        "rater": int(rater),
        "rater_name": f"person {rater}",
        "rating": f"{number:032x}",
        "version": version,
        "received": f"2026-03-01T{10 + minutes // 60:02}:{minutes % 60:02}:{seconds:02}Z",
        "active_seconds": 20.0 + number % 7,
        "skipped": answers is None,
    }
    for name, value in (answers or {}).items():
        cells = value if isinstance(value, dict) else {"": value}
        state = {None: "not_applicable", "?": "cannot_judge"}.get(cells[""], "answered")
        row[f"{name}.state"] = state
        if state == "answered":
            row |= {f"{name}.{cell}".rstrip("."): of for cell, of in cells.items()}
    return row


def report(study: Path, *options: str, out: Path | None = None) -> Report:
    to = out or study / "report"
    assert run(["report", str(study), "--out", str(to), *options]) == 0
    found = json.loads((to / "report.json").read_text(encoding="utf-8"))
    problems = list(Draft202012Validator(schema.schema()).iter_errors(found))
    assert not problems, problems[0]
    return Report(to, found)


def grid(values: Mapping[str, Sequence[Any]], question: str = "quality") -> list[Any]:
    """Ratings from a line of answers for each item, a column a rater; "" is no rating."""
    return [
        (item, str(place + 1), {question: value})
        for item, line in values.items()
        for place, value in enumerate(line)
        if value != ""
    ]


def numbered(count: int, **of: Any) -> list[dict[str, Any]]:
    return [{"id": f"i{n}", **of} for n in range(count)]
