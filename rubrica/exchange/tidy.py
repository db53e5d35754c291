"""The tidy table: one row for each rating, whatever the study's own layout is.

What a rating is in columns is said in `rubrica.ratings.tidy`; here stands beside it which item, rater
and place it belongs to. A rater is a number. An id inside this database is no part of a row, so that
the table of a copy is the same.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import lru_cache
from typing import Any

from rubrica.accounts.model import Rater
from rubrica.exchange.contract import Asked, Here, Wrote
from rubrica.exchange.kept import count, tell_raters
from rubrica.exchange.store import UNNAMED
from rubrica.items.model import Item
from rubrica.kinds.contract import Column
from rubrica.ratings import tidy
from rubrica.ratings.model import Rating
from rubrica.study.load import study_from
from rubrica.study.model import Study

Row = dict[str, Any]

ITEM = (
    Column("item", "text", "the item's key"),
    Column("copy", "integer", "tells items of the same key apart, 0 for the first"),
    Column("thread", "text", "the run or set it belongs to"),
    Column("turn", "integer", "its place in a run, from 0"),
    Column("system", "text", "what produced the output"),
    Column("wave", "text", "the delivery it came with"),
    Column("batch", "text", "the part of the study it belongs to"),
    Column("position", "integer", "its place in the study's order, from 0"),
)
RATER = (
    Column("rater", "integer", "the rater's number; who that is stands in accounts only"),
    Column("rater_state", "text", "active, paused or excluded"),
    Column("unnamed_place", "integer", "where nobody knows who rated: which of the item's places"),
)
NAME = Column("rater_name", "text", "the rater's id, only where it was asked for")
PLACE = (
    Column("place", "integer", "which of the rater's items it was, by the rater's own count from 1"),
    Column("shared_number", "integer", "the item's number in the order all raters share, from 0"),
    Column("round", "text", "main or calibration"),
    Column("repeat", "boolean", "whether the rater had rated the item before, as planned"),
    Column("gold", "boolean", "whether it was slipped in because its answer is known"),
)
REPLACED = ("rater", "place")
"""Columns of a rating that mean an id inside this database."""


def columns_of(study: Study, with_names: bool = False) -> list[Column]:
    """The columns of one version of a study, in the order of a row."""
    rest = [column for column in tidy.columns(study) if column.name not in REPLACED]
    return [*ITEM, *RATER[:1], *([NAME] if with_names else []), *RATER[1:], *PLACE, *rest]


class Versions:
    """Every version a rating can name, read once."""

    def __init__(self, here: Here) -> None:
        self._here = here
        self.study = lru_cache(100)(self._study)

    def _study(self, version: str) -> Study | None:
        kept = self._here.sources.studies.version(self._here.name, version)
        return None if kept is None else study_from(kept.declared)


class Table:
    """The rows of one export. `told` is complete when all rows were read."""

    def __init__(self, here: Here, asked: Asked, told: Wrote) -> None:
        self.here, self.asked, self.told = here, asked, told
        self._versions = Versions(here)
        self._rows = lru_cache(100)(self._rows_of)
        self._item = lru_cache(10_000)(self._read_item)
        self._shown = lru_cache(1_000)(self._read_shown)
        self._raters = {r.number: r for r in here.sources.accounts.raters(here.name)}

    def columns(self) -> list[Column]:
        """The columns of every version that was rated under, the newest first."""
        found: dict[str, Column] = {}
        for version in self._rated_under():
            study = self._versions.study(version)
            for column in columns_of(study, self.asked.with_names) if study else ():
                known = found.setdefault(column.name, column)
                if known.type != column.type:
                    found[column.name] = replace(known, type="text")
        return list(found.values())

    def _rated_under(self) -> Sequence[str]:
        kept = [version.hash for version in self.here.sources.studies.versions(self.here.name)]
        if len(kept) == 1:
            return kept
        used = {rating.submission.version for rating in self._ratings()}
        return [version for version in reversed(kept) if version in used] or kept[-1:]

    def rows(self) -> Iterator[Row]:
        for number, rating in enumerate(self._ratings(), 1):
            count(self.told, rating)
            self.told.rows += 1
            yield self._row(number, rating)
        tell_raters(self.here, self.told)
        if not self.asked.all_revisions:
            every = sum(1 for _ in self._ratings(all_revisions=True))
            self.told.superseded_left_out = every - self.told.ratings

    def _ratings(self, all_revisions: bool = False) -> Iterator[Rating]:
        ratings, every = self.here.sources.ratings, all_revisions or self.asked.all_revisions
        if self.asked.rater is not None:
            return ratings.of_rater(self.here.name, self.asked.rater.number, all_revisions=every)
        return ratings.ratings(self.here.name, all_revisions=every)

    def _row(self, number: int, rating: Rating) -> Row:
        sent = rating.submission
        told = self._rows(sent.version).row(rating, lambda: self._shown(sent.item))
        told["number"] = number
        for name in REPLACED:
            del told[name]
        return {
            **self._item(sent.item),
            **self._rater(self._raters[sent.rater]),
            **self._place(sent.place),
            **told,
        }

    def _rows_of(self, version: str) -> tidy.Rows:
        study = self._versions.study(version)
        if study is None:
            raise LookupError(f"a rating names the version {version}, which is not kept")
        return tidy.Rows(study)

    def _rater(self, rater: Rater) -> Row:
        name = {NAME.name: rater.name} if self.asked.with_names else {}
        place = None if rater.named else int(rater.name.removeprefix(UNNAMED.format(number="")))
        return {"rater": rater.number, **name, "rater_state": rater.state, "unnamed_place": place}

    def _place(self, place: int) -> Row:
        found = self.here.sources.places.place(self.here.name, place)
        assert found is not None  # noqa: S101
        return {
            "place": found.number,
            "shared_number": found.at,
            "round": found.round,
            "repeat": found.repeat_of is not None,
            "gold": found.gold,
        }

    def _read_item(self, item: int) -> Mapping[str, Any]:
        hidden = self.here.sources.verdicts.hidden(self.here.name, item)
        names = (column.name for column in ITEM)
        return {n: hidden.key if n == "item" else getattr(hidden, n) for n in names}

    def _read_shown(self, item: int) -> Item:
        return self.here.sources.items.item(self.here.name, item)
