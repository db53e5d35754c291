"""Fixed lists: who rates what was decided elsewhere."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import yaml

from rubrica.assignment.base import Base
from rubrica.assignment.contract import Candidate, Design, History, Lookup, Proposal
from rubrica.errors import Problem, Rule, Where, shown

CHUNK = 64

UNREADABLE = Rule(
    code="F001",
    title="The file of fixed lists can be read",
    says="the lists cannot be read: {reason}",
    why="Nobody knows then who is to rate what.",
    mend="Write one `rater,item` a line (.csv), or `rater: [items]` (.json, .yaml), in UTF-8.",
)

NO_LIST = Rule(
    code="F002",
    title="Each line of a list names a rater and an item",
    says="here stands no rater with an item",
    why="The item would be rated by nobody, unnoticed.",
    mend="Write the annotator id, a comma and the item's key.",
)

LISTED_TWICE = Rule(
    code="F003",
    title="A list names an item once",
    says="the list of {rater} names the item {got} twice",
    why="No rater is given one item twice unless the study plans repeats.",
    mend="Take out one of the two.",
)


class Lists(Base):
    name = "lists"
    says = "Every rater is given the items of their own list, in its order."

    def main(self, design: Design, history: History, lookup: Lookup) -> Iterator[Proposal]:
        after = history.cursor.get("entry", 0)
        while listed := lookup.listed(after, CHUNK):
            mine = lookup.mine([spot.item for _, spot in listed])
            for entry, spot in listed:
                if spot.item not in mine:
                    why = f"{entry} of the rater's list"
                    yield Candidate(spot.item, why, spot.thread), {"entry": entry}
            after = listed[-1][0]


POLICY = Lists()


def read_lists(path: Path) -> tuple[dict[str, list[str]], list[Problem]]:
    """Item keys by annotator id, and every problem found on the way."""
    try:
        text = path.read_text(encoding="utf-8-sig")
        pairs = _lines(text, path) if path.suffix in (".csv", ".tsv", ".txt") else _mapping(text, path)
    except (OSError, UnicodeDecodeError, yaml.YAMLError, json.JSONDecodeError, csv.Error) as error:
        reason = str(error).splitlines()[0]
        return {}, [Problem(UNREADABLE, Where(path.name), details={"reason": reason})]
    return _collected(pairs, path)


Pair = tuple[int | None, Any, Any]


def _lines(text: str, path: Path) -> list[Pair]:
    delimiter = "\t" if path.suffix == ".tsv" else ","
    rows = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter)
    pairs: list[Pair] = []
    for row in rows:
        cells = [cell.strip() for cell in row]
        if any(cells) and not (rows.line_num == 1 and _is_header(cells)):
            pair = cells if len(cells) == 2 else (None, None)
            pairs.append((rows.line_num, *pair))
    return pairs


def _is_header(cells: Sequence[str]) -> bool:
    return [cell.lower() for cell in cells] in (
        ["rater", "item"],
        ["rater", "key"],
        ["annotator_id", "item"],
    )


def _mapping(text: str, path: Path) -> list[Pair]:
    lists = json.loads(text) if path.suffix == ".json" else yaml.safe_load(text)
    if not isinstance(lists, Mapping):
        return [(1, None, None)]
    pairs: list[Pair] = []
    for rater, keys in lists.items():
        keys = keys if isinstance(keys, list) else [None]
        pairs += [(None, str(rater), key) for key in keys]
    return pairs


def _collected(pairs: Sequence[Pair], path: Path) -> tuple[dict[str, list[str]], list[Problem]]:
    lists: dict[str, list[str]] = {}
    wrong: list[Problem] = []
    for line, rater, key in pairs:
        where = Where(path.name, line)
        if not rater or key is None or isinstance(key, dict | list) or key == "":
            wrong.append(Problem(NO_LIST, where, got=shown(key) if key is not None else None))
        elif str(key) in lists.setdefault(rater, []):
            wrong.append(Problem(LISTED_TWICE, where, got=str(key), details={"rater": rater}))
        else:
            lists[rater].append(str(key))
    return lists, wrong
