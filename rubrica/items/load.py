"""A study's items, streamed from its files."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from hashlib import blake2b
from typing import Any

import msgspec

from rubrica.errors import Problem, Problems
from rubrica.items.files import data_files
from rubrica.items.joins import Joins
from rubrica.items.keys import Copies
from rubrica.items.lookup import kind_of
from rubrica.items.mapping import TURN, Mapper
from rubrica.items.model import NewItem, Origin, Shown
from rubrica.items.records import Read, read_all, readers
from rubrica.items.rules import NO_ITEMS, NOT_OBJECT, TOO_DEEP
from rubrica.items.threads import InFileOrder, InOrderOf, Spot
from rubrica.study.load import LoadedStudy
from rubrica.study.model import Thread

Progress = Callable[[float], None]
"""Told how much is done, from 0 to 1."""

MOST_PROBLEMS = 1000
"""Problems collected before a load that may not leave anything out gives up."""
_EVERY = 1000


class Mapped(msgspec.Struct, frozen=True):
    """A record with what the study makes of it, before its place in thread and order is known."""

    read: Read
    data: dict[str, Any]
    joined: bytes
    key: str | None
    batch: str | None
    shown: Shown
    facts: dict[str, Any]
    system: str | None
    wave: str | None
    rated: bool
    gold: dict[str, Any] | None
    media: tuple[str, ...]


def items_of(
    loaded: LoadedStudy, skip_bad: bool = False, progress: Progress | None = None
) -> Iterator[NewItem | Problem]:
    """The study's items in the order of its files, in bounded memory.

    With `skip_bad`, a problem stands in the place of each record that is left out, to be counted.
    Without it nothing may be left out: from the first problem on no more items come, and all problems
    found are raised together at the end, so that one transaction keeps everything or nothing.
    """
    items = Pipeline(loaded, progress).items()
    yield from items if skip_bad else _strictly(items)


def _strictly(items: Iterator[NewItem | Problem]) -> Iterator[NewItem]:
    problems: list[Problem] = []
    for item in items:
        if isinstance(item, NewItem):
            if not problems:
                yield item
        elif item.rule is not NO_ITEMS or not problems:
            problems.append(item)
        if len(problems) == MOST_PROBLEMS:
            break
    if problems:
        raise Problems(problems)


class Pipeline:
    """From files to items: read, join, map, number."""

    def __init__(self, loaded: LoadedStudy, progress: Progress | None = None) -> None:
        self.loaded, self.declared = loaded, loaded.study.items
        self.mapper = Mapper(loaded.study)
        self.joins = Joins(loaded.folder, self.declared.join, loaded.where("items", "join"))
        self._progress = progress
        self._passes, self._done = 1, 0

    def items(self) -> Iterator[NewItem | Problem]:
        yield from self.joins.problems
        copies, thread = Copies(), self.declared.thread
        rated = 0
        for mapped, spot in self._ordered(thread) if thread and thread.order else self._plain(thread):
            if isinstance(mapped, Problem):
                yield mapped
                continue
            rated += mapped.rated
            yield _item(mapped, spot, copies)
        if not rated:
            yield Problem(NO_ITEMS, self.loaded.where("items"))

    def mapped(self) -> Iterator[Mapped | Problem]:
        """Every record mapped; a record with problems is given as the first of them."""
        for read in self.reads():
            if isinstance(read, Problem):
                yield read
                continue
            try:
                yield self._map(read)
            except Problem as problem:
                yield problem.at(read.where())
            except RecursionError:
                yield Problem(TOO_DEEP, read.where())

    def reads(self) -> Iterator[Read | Problem]:
        declared, done = self.declared, 0
        total = self._total() if self._progress else 0
        reads = read_all(self.loaded.folder, declared.from_, declared.reader, declared.at)
        for count, read in enumerate(reads):
            if isinstance(read, Problem):
                yield read if read.where.file else read.at(self.loaded.where("items", "from"))
                continue
            done += len(read.source) + 1
            if self._progress and count % _EVERY == 0:
                self._progress(min(1.0, (self._done + done / total) / self._passes))
            yield read
        self._done += 1

    def _total(self) -> int:
        suffixes = (suffix for reader in readers().values() for suffix in reader.suffixes)
        files = data_files(self.loaded.folder, self.declared.from_, suffixes)
        return sum(f.path.stat().st_size for f in files if not isinstance(f, Problem)) or 1

    def _map(self, read: Read) -> Mapped:
        if not isinstance(read.data, dict):
            raise Problem(NOT_OBJECT, got=kind_of(read.data))
        data, joined = self.joins.add(read.data) if self.declared.join else (read.data, b"")
        mapper, shown = self.mapper, self.mapper.shown(data)
        batch = read.file.folder if self.declared.batch == "folder" else mapper.batch(data)
        return Mapped(
            read=read,
            data=data,
            joined=joined,
            key=mapper.key(data),
            batch=batch,
            shown=shown,
            facts=mapper.facts(data),
            system=mapper.system(data),
            wave=mapper.wave(data),
            rated=mapper.rated(data),
            gold=mapper.gold(data),
            media=mapper.media(shown),
        )

    def _plain(self, thread: Thread | None) -> Iterator[tuple[Mapped | Problem, Spot]]:
        spots = InFileOrder(thread)
        for mapped in self.mapped():
            if isinstance(mapped, Problem):
                yield mapped, _NOWHERE
            else:
                yield mapped, spots.spot(mapped.data, mapped.rated)

    def _ordered(self, thread: Thread) -> Iterator[tuple[Mapped | Problem, Spot]]:
        """Two passes: the first keeps only what the order needs, the second has the items."""
        self._passes = 2
        order = InOrderOf(thread, thread.order or "")
        for mapped in self.mapped():
            if not isinstance(mapped, Problem):
                order.see(mapped.data, mapped.rated)
        spots = order.spots()
        for mapped in self.mapped():
            yield mapped, _NOWHERE if isinstance(mapped, Problem) else next(spots)


def _item(mapped: Mapped, spot: Spot, copies: Copies) -> NewItem:
    read, key = mapped.read, mapped.key
    return NewItem(
        key=f"{read.file.name}:{read.place}" if key is None else key,
        copy=0 if key is None else copies.count(key),
        position=spot.position,
        origin=Origin(read.file.name, read.place, mapped.batch),
        shown=mapped.shown,
        facts={**mapped.facts, TURN: spot.turn},
        hidden=mapped.data,
        source=read.source,
        digest=blake2b(read.source + mapped.joined, digest_size=16).hexdigest(),
        thread=spot.thread,
        turn=spot.turn,
        system=mapped.system,
        wave=mapped.wave,
        rated=mapped.rated,
        gold=mapped.gold,
        media=mapped.media,
    )


_NOWHERE = Spot(None, 0, -1)
