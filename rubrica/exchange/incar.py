"""A workbook of one rater's conversations of one folder: `human_ratings_<id>.xlsx`."""

from __future__ import annotations

import json
import re
import zipfile
from collections.abc import Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, ClassVar

from python_calamine import CalamineError, CalamineWorkbook

from rubrica.accounts.model import Rater
from rubrica.errors import Problem, Problems, Where, nearest, shown
from rubrica.exchange.contract import Asked, Filled, Format, Here, Wrote
from rubrica.exchange.files import folder, safe_name
from rubrica.exchange.kept import Kept, one_rater
from rubrica.exchange.rules import (
    ASK_FOLDER,
    BAD_SHAPE,
    BAD_TIME,
    HALF_FILLED,
    MERGED,
    NAMES_IN_FILE,
    NO_COLUMN,
    NOT_AN_ID,
    SKIPS_LEFT_OUT,
    TWO_RATERS,
    UNKNOWN_FIELD,
)
from rubrica.exchange.times import by_the_clock, in_utc
from rubrica.exchange.workbook import Sheet, write_workbook
from rubrica.items.lookup import name_of
from rubrica.items.model import Item
from rubrica.items.readers.workbooks import READER
from rubrica.ratings.facts import entries_of
from rubrica.ratings.model import Rating
from rubrica.verdicts.model import HiddenItem

DIMENSIONS = (
    "instruction_constraint_adherence",
    "context_ambiguity_handling",
    "plan_coherence",
    "safety_compliance",
)
GOALS, NOTES = "goals", "notes"
RATINGS, METADATA = "Human_Ratings", "Metadata"
IDS = ("conversation_id", "annotator_id", "timestamp")
STATUSES = "target_statuses_json"
COLUMNS = (
    *IDS,
    "seed_phrase",
    *(f"dim_{name}" for name in DIMENSIONS),
    "targets_completed",
    "targets_introduced",
    STATUSES,
    "overall_score",
    "pass_fail",
    NOTES,
)
NEEDED = (*IDS, *(f"dim_{name}" for name in DIMENSIONS), STATUSES)
ABOUT = (
    *("export_timestamp", "total_conversations", "total_rated", "annotator_id"),
    *("source_folder", "pass_threshold", "target_weight", "dimension_weights"),
)
PASS_AT, WEIGHT = 0.75, 1.0
FILE = "human_ratings_{rater}.xlsx"

_DATE = re.compile(r"\d{4}-\d{2}-\d{2}(T00:00:00)?|\d(\.\d+)?[eE]\+\d+")
_LARGEST = 2**20


class InCar(Format):
    name: ClassVar[str] = "incar"
    files: ClassVar[str] = "`human_ratings_ID.xlsx`"
    says: ClassVar[str] = (
        "A workbook for each rater and batch. The sheet `Human_Ratings` has a row for each "
        "conversation: the four levels (`dim_...`), the goals, the score and whether it passes, and "
        "last the notes; the sheet `Metadata` says whose it is and of which folder. Levels come in "
        "without their evidence. Another rater's file is refused with `--rater`. Times are those of "
        "the last rating, so the same ratings give the same bytes. Skips are left out and counted."
    )
    questions = frozenset((*DIMENSIONS, GOALS, NOTES))

    def recognises(self, path: Path) -> bool:
        return path.suffix.lower() == ".xlsx" and f'"{RATINGS}"' in _sheets(path)

    def references(self, item: HiddenItem) -> Sequence[Hashable]:
        known = name_of(item.hidden.get("conversation_id"))
        return () if known is None else (known,)

    def read(self, here: Here, path: Path) -> Iterator[Filled | Problem | None]:
        about = next(_rows(path, METADATA), {})
        if isinstance(about, Problem):
            yield about
            return
        yield from _merged(path)
        whose = _Whose(_text(about.get("annotator_id")))
        for row in _rows(path, RATINGS):
            if isinstance(row, Problem):
                yield row
                continue
            missing = list(_missing(row, path))
            yield from missing
            if missing:
                return
            yield _row(row, whose, _text(about.get("source_folder")))

    def write(self, here: Here, asked: Asked) -> Wrote:
        told, raters = Wrote(self.name), one_rater(here, asked)
        files = [one for rater in raters for one in _files(here, rater, told)]
        single = asked.to.suffix.lower() == ".xlsx"
        if single and len(files) != 1:
            details = {"count": len(files), "to": asked.to.with_suffix("")}
            raise Problem(ASK_FOLDER, Where(str(asked.to)), details=details)
        for one in files:
            name = FILE.format(rater=safe_name(one.rater.name))
            to = asked.to if single else folder(asked.to / one.folder) / name
            write_workbook(to, one.sheets(), one.last, told)
            told.files.append(str(to))
        if told.skips:
            told.notes.append(Problem(SKIPS_LEFT_OUT, details={"count": told.skips}))
        told.notes.append(Problem(NAMES_IN_FILE))
        return told


# --- in -------------------------------------------------------------------------------------------


@dataclass(slots=True)
class _Whose:
    """The rater a workbook is of, as its rows say one after the other."""

    name: str | None

    def check(self, name: str | None, where: Where) -> str | None:
        if name is not None and self.name is not None and name != self.name:
            at = replace(where, path="annotator_id")
            raise Problem(TWO_RATERS, at, expected=self.name, got=name)
        self.name = self.name or name
        return self.name


def _sheets(path: Path) -> str:
    """The part of a workbook that names its sheets, with nothing else unpacked."""
    try:
        with zipfile.ZipFile(path) as archive, archive.open("xl/workbook.xml") as part:
            return part.read(_LARGEST).decode("utf-8", "replace")
    except (zipfile.BadZipFile, KeyError, OSError):
        return ""


def _rows(path: Path, sheet: str) -> Iterator[dict[str, Any] | Problem]:
    for record in READER.read(path, sheet):
        if isinstance(record, Problem):
            yield record.at(replace(record.where, file=str(path)))
        else:
            yield {**record.data, "": Where(str(path), record.place)}


def _merged(path: Path) -> Iterator[Problem]:
    try:
        with CalamineWorkbook.from_path(path) as book:
            found = book.get_sheet_by_name(RATINGS).merged_cell_ranges or []
    except (CalamineError, ValueError):
        return
    for (top, left), (bottom, right) in found[:1]:
        got = f"row {top + 1} to {bottom + 1}, column {left + 1} to {right + 1}"
        yield Problem(MERGED, Where(str(path), top + 1), got=got)


def _missing(row: Mapping[str, Any], path: Path) -> Iterator[Problem]:
    for name in NEEDED:
        if name not in row:
            yield Problem(NO_COLUMN, Where(str(path), 1), name, nearest=nearest(name, row))


def _row(row: Mapping[str, Any], whose: _Whose, source: str | None) -> Filled | Problem:
    where: Where = row[""]
    try:
        known = _id(row["conversation_id"], where)
        rater = whose.check(_text(row["annotator_id"]), where)
        statuses, received = _statuses(row[STATUSES], where), _time(row["timestamp"], where)
    except Problem as problem:
        return problem
    missing = [f"dim_{name}" for name in DIMENSIONS if row[f"dim_{name}"] is None]
    if missing:
        verb = "is" if len(missing) == 1 else "are"
        details = {"missing": f"{', '.join(missing)} {verb}"}
        return Problem(HALF_FILLED, where, details=details)
    replies = {name: {"value": row[f"dim_{name}"]} for name in DIMENSIONS}
    notes = _text(row.get(NOTES))
    replies |= {NOTES: {"value": notes}} if notes and notes.strip() else {}
    return Filled(
        where=where,
        references=(known,),
        replies=lambda item: replies | _goals(item, statuses, where),
        rater=rater,
        received=received,
        batch=source,
    )


def _text(value: Any) -> str | None:
    """Spreadsheets make numbers of texts that look like one."""
    return None if value is None else str(value)


def _id(value: Any, where: Where) -> str:
    text = _text(value)
    if text is None or isinstance(value, float) or _DATE.fullmatch(text):
        at = replace(where, path="conversation_id")
        raise Problem(NOT_AN_ID, at, got=shown(value))
    return text


def _time(value: Any, where: Where) -> str | None:
    if value is None:
        return None
    try:
        return in_utc(str(value))
    except ValueError:
        at = replace(where, path="timestamp")
        raise Problem(BAD_TIME, at, "2026-01-31T09:15:00", shown(value)) from None


def _statuses(value: Any, where: Where) -> dict[str, Any]:
    try:
        found = json.loads(value or "{}")
    except (TypeError, ValueError):
        found = None
    if not isinstance(found, dict):
        at, details = replace(where, path=STATUSES), {"what": STATUSES}
        raise Problem(BAD_SHAPE, at, "a JSON object", shown(value), details=details)
    return found


def _goals(item: Item, statuses: Mapping[str, Any], where: Where) -> dict[str, Any]:
    """The statuses in the order of the item's own list."""
    labels = [entry.label for entry in entries_of(item, GOALS)]
    at = replace(where, path=STATUSES)
    strange = [name for name in statuses if name not in labels]
    if strange:
        near = nearest(strange[0], labels)
        raise Problems([Problem(UNKNOWN_FIELD, at, got=shown(strange[0]), nearest=near)])
    missing = [label for label in labels if label not in statuses]
    if missing:
        raise Problems([Problem(HALF_FILLED, at, details={"missing": f"{shown(missing[0])} is"})])
    return {GOALS: {"value": [{"value": statuses[label]} for label in labels]}} if labels else {}


# --- out ------------------------------------------------------------------------------------------


@dataclass(slots=True)
class _File:
    """One rater's workbook of one batch, made as it is written."""

    here: Here
    rater: Rater
    batch: str | None
    folder: str
    items: Sequence[int]
    kept: Kept
    times: list[str] = field(default_factory=list)
    rated: int = 0

    def sheets(self) -> Iterator[Sheet]:
        yield Sheet(RATINGS, COLUMNS, self._ratings())
        yield Sheet(METADATA, ABOUT, self._metadata())

    def last(self) -> str:
        return max(self.times, default="")

    def _ratings(self) -> Iterator[Sequence[Any]]:
        for item in self.items:
            rating = self.kept.rating(item)
            if rating is None or rating.submission.answers is None:
                continue
            self.rated += 1
            self.kept.told.rows += 1
            self.times.append(rating.received)
            yield self._row(item, rating)

    def _row(self, item: int, rating: Rating) -> Sequence[Any]:
        hidden = self.here.sources.verdicts.hidden(self.here.name, item).hidden
        answers = rating.submission.answers or {}
        levels = [answers[name].value if name in answers else None for name in DIMENSIONS]
        labels = entries_of(self.here.sources.items.item(self.here.name, item), GOALS)
        goals, notes = answers.get(GOALS), answers.get(NOTES)
        said = (goals.value or []) if goals else []
        statuses = {label.label: one["value"] for label, one in zip(labels, said, strict=False)}
        completed = sum(status == 1 for status in statuses.values())
        score = overall(levels, completed, len(statuses))
        return (
            hidden.get("conversation_id", ""),
            self.rater.name,
            by_the_clock(rating.received),
            hidden.get("seed_phrase", ""),
            *levels,
            completed,
            len(statuses),
            json.dumps(statuses),
            score,
            "PASS" if score >= PASS_AT else "FAIL",
            notes.value if notes else None,
        )

    def _metadata(self) -> Iterator[Sequence[Any]]:
        weights = json.dumps(dict.fromkeys(DIMENSIONS, WEIGHT))
        yield (
            by_the_clock(self.last()) if self.times else "",
            len(self.items),
            self.rated,
            self.rater.name,
            self.batch or "",
            PASS_AT,
            WEIGHT,
            weights,
        )


def overall(levels: Sequence[int | None], completed: int, introduced: int) -> float:
    """The score as the tool computes it: no goals count as a share of 0."""
    given = [level for level in levels if level is not None]
    total = 0.0
    for level in given:
        total += WEIGHT * (level / 2.0)
    share = completed / introduced if introduced else 0.0
    return (total + WEIGHT * share) / (WEIGHT * len(given) + WEIGHT)


def _files(here: Here, rater: Rater, told: Wrote) -> list[_File]:
    """A workbook for each batch in which the rater has ratings."""
    kept = Kept(here, told.layout, rater, told)
    batches: dict[str | None, list[int]] = {}
    for item in here.sources.verdicts.all_hidden(here.name):
        batches.setdefault(item.batch, []).append(item.id)
    names = {batch: (batch or "").rpartition("/")[2] for batch in batches}
    once = len(set(names.values())) == len(names)
    return [
        _File(here, rater, batch, names[batch] if once else batch or "", items, kept)
        for batch, items in batches.items()
        if any(item in kept for item in items)
    ]


FORMAT = InCar()
