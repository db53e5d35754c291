"""A study's items, streamed from its files."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from hashlib import blake2b
from typing import Any

from rubrica.errors import Problem, Problems
from rubrica.items.files import data_files
from rubrica.items.joins import Joins
from rubrica.items.keys import Copies
from rubrica.items.lookup import kind_of
from rubrica.items.mapping import TURN, Mapper
from rubrica.items.model import NewItem, Origin
from rubrica.items.records import Read, read_all, readers
from rubrica.items.rules import NO_ITEMS, NOT_OBJECT, TOO_DEEP
from rubrica.items.threads import InFileOrder, InOrderOf, Spot
from rubrica.study.load import LoadedStudy

Progress = Callable[[float], None]
"""Told how much is done, from 0 to 1."""

MOST_PROBLEMS = 1000
"""Problems collected before a load that may not leave anything out gives up."""
_EVERY = 1000


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
        self.loaded, self._declared = loaded, loaded.study.items
        self.mapper = Mapper(loaded.study)
        self.joins = Joins(loaded.folder, self._declared.join, loaded.where("items", "join"))
        self._progress = progress
        self._passes, self._done, self._rated = 1, 0, 0

    def items(self) -> Iterator[NewItem | Problem]:
        """Every item in its place; a record with problems is given as the first of them."""
        yield from self.joins.problems
        spot, self._rated = self._spots(), 0
        yield from self._mapped(spot)
        if not self._rated:
            yield Problem(NO_ITEMS, self.loaded.where("items"))

    def reads(self) -> Iterator[Read | Problem]:
        """Every record as it stands in the files."""
        declared, done = self._declared, 0
        total = self._total() if self._progress else 1
        reads = read_all(self.loaded.folder, declared.from_, declared.reader, declared.at)
        for count, read in enumerate(reads):
            if isinstance(read, Problem):
                yield read if read.where.file else read.at(self.loaded.where("items", "from"))
                continue
            if self._progress:
                done += len(read.source) + 1
                if count % _EVERY == 0:
                    self._progress(min(1.0, (self._done + done / total) / self._passes))
            yield read
        self._done += 1
        if self._progress:
            self._progress(self._done / self._passes)

    def _total(self) -> int:
        suffixes = (suffix for reader in readers().values() for suffix in reader.suffixes)
        files = data_files(self.loaded.folder, self._declared.from_, suffixes)
        return sum(f.path.stat().st_size for f in files if not isinstance(f, Problem)) or 1

    def _spots(self) -> Callable[[Any, bool], Spot]:
        """Threads with an order take a first pass, which keeps only what the order needs."""
        thread = self._declared.thread
        if thread is None or thread.order is None:
            return InFileOrder(thread).spot
        self._passes = 2
        order = InOrderOf(thread, thread.order)
        for _ in self._mapped(order.see):
            pass
        return order.spot

    def _mapped(self, spot: Callable[[Any, bool], Spot]) -> Iterator[NewItem | Problem]:
        copies = Copies()
        for read in self.reads():
            if isinstance(read, Problem):
                yield read
                continue
            try:
                yield self._item(read, spot, copies)
            except Problem as problem:
                yield problem.at(read.where())
            except RecursionError:
                yield Problem(TOO_DEEP, read.where())

    def _item(self, read: Read, spot: Callable[[Any, bool], Spot], copies: Copies) -> NewItem:
        """One item; what may be wrong with a record comes up before its place is taken."""
        data, joined, mapper = read.data, b"", self.mapper
        if not isinstance(data, dict):
            raise Problem(NOT_OBJECT, got=kind_of(data))
        if self._declared.join:
            data, joined = self.joins.add(data)
        key, shown, facts = mapper.key(data), mapper.shown(data), mapper.facts(data)
        folder = read.file.folder if self._declared.batch == "folder" else None
        origin = Origin(read.file.name, read.place, folder or mapper.batch(data))
        system, wave, gold = mapper.system(data), mapper.wave(data), mapper.gold(data)
        rated = mapper.rated(data)
        thread, turn, position = spot(data, rated)
        facts[TURN] = turn
        self._rated += rated
        return NewItem(
            key=f"{read.file.name}:{read.place}" if key is None else key,
            copy=0 if key is None else copies.count(key),
            position=position,
            origin=origin,
            shown=shown,
            facts=facts,
            hidden=data,
            source=read.source,
            digest=blake2b(read.source + joined, digest_size=16).hexdigest(),
            thread=thread,
            turn=turn,
            system=system,
            wave=wave,
            rated=rated,
            gold=gold,
            media=mapper.media(shown),
            whole=read.reader.json and not self._declared.join,
        )
