"""The desk's counts in memory: counted anew each time, which is plain and slow."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from rubrica.ratings.model import Rating
from rubrica.review.board import (
    EVER,
    Batch,
    By,
    Counting,
    Cursor,
    Days,
    Held,
    ItemFilter,
    ItemLine,
    ItemPage,
    Kept,
    Level,
    Mark,
    Settled,
    Standing,
    Tally,
)
from rubrica.review.reading import is_unread
from rubrica.storage.codec import json_in, json_out
from rubrica.storage.memory.world import Kept as KeptItem
from rubrica.storage.memory.world import World

MARKS: tuple[Mark, ...] = ("skipped", "comments", "flags", "split", "settled")


class MemoryBoard:
    """Fulfils `BoardStore`."""

    def __init__(self, world: World) -> None:
        self._world = world

    def count(self, study: str, counting: Counting, most: int = 500) -> int:
        state = self._world.study(study)
        for item in self._rated(study):
            found = [r for r in self._standing(study) if r.submission.item == item.item.id]
            state.standing[item.item.id] = counting(item.item.id, found)
        return 0

    def uncounted(self, study: str) -> int:
        return 0

    def tallies(
        self, study: str, by: By, rater: int | None = None, days: Days = EVER
    ) -> Sequence[Tally]:
        named = by.split(" and ")
        sums: dict[tuple[Any, ...], Tally] = {}
        for rating in self._ratings(study):
            sent = rating.submission
            if rater is not None and sent.rater != rater:
                continue
            if not days[0] <= rating.received[:10] <= days[1]:
                continue
            whole: dict[str, Any] = {
                "rater": sent.rater,
                "batch": self._world.items[sent.item].item.batch,
                "day": rating.received[:10],
                "version": sent.version,
            }
            key = tuple(whole[name] for name in named)
            fresh = Tally(None, None, None, None, 0, 0, 0, 0.0, 0.0, 0, rating.received, "")
            before = sums.get(key, replace(fresh, **dict(zip(named, key, strict=True))))
            sums[key] = _added(before, rating, self._length(sent.item))
        return [sums[key] for key in sorted(sums, key=lambda k: [(p is not None, p) for p in k])]

    def held(self, study: str) -> Sequence[Held]:
        found = (p for i, p in self._world.places.items() if self._world.place_study[i] == study)
        counted = Counter(p.rater for p in found if p.state == "reserved")
        return [Held(rater, places) for rater, places in sorted(counted.items())]

    def at_work(self, study: str, since: float) -> int:
        there = {
            one.who
            for one, _ in self._world.sessions.values()
            if (one.role, one.study) == ("rater", study) and one.touched > since
        }
        return sum(one.rater in there for one in self.held(study))

    def listed(self, study: str) -> int:
        return sum(map(len, self._world.study(study).lists.values()))

    def batches(self, study: str) -> Sequence[Batch]:
        names = self._world.study(study).batches
        sizes = Counter(kept.item.batch for kept in self._rated(study))
        return [
            Batch(number, None if number is None else names[number], sizes[number])
            for number in sorted(sizes, key=lambda n: (n is not None, n or 0))
        ]

    def levels(self, study: str) -> Sequence[Level]:
        found = Counter((line.item, line.done) for line in self._lines(study))
        batch = {k.item.id: k.item.batch for k in self._rated(study)}
        counted = Counter((batch[item], done) for item, done in found)
        ordered = sorted(counted, key=lambda k: (k[0] is not None, k[0] or 0, k[1]))
        return [Level(b, done, counted[b, done]) for b, done in ordered]

    def marks(self, study: str) -> Mapping[Mark, int]:
        lines = self._lines(study)
        counted = {mark: sum(bool(getattr(line, mark)) for line in lines) for mark in MARKS}
        return {mark: n for mark, n in counted.items() if n}

    def skips(self, study: str) -> Mapping[int, int]:
        return Counter(line.skipped for line in self._lines(study) if line.skipped)

    def lines(self, study: str, wanted: ItemFilter, after: Cursor | None, count: int) -> ItemPage:
        found = [line for line in self._lines(study) if self._wanted(study, line, wanted)]
        if wanted.mark == "split" and not wanted.find and wanted.thread is None:
            found.sort(key=lambda line: (line.split, line.position), reverse=True)
            found = [x for x in found if after is None or (x.split, x.position) < after]
        else:
            found = [x for x in found if after is None or x.position > after[1]]
        last = found[count - 1] if len(found) > count else None
        return ItemPage(found[:count], None if last is None else (last.split, last.position))

    def _wanted(self, study: str, line: ItemLine, wanted: ItemFilter) -> bool:
        kept = self._world.items[line.item]
        shown = json_in(list(kept.new.shown.views)).lower()
        find = json_in(wanted.find)[1:-1].lower()
        return (
            (wanted.levels is None or line.done in wanted.levels)
            and (wanted.batch is None or kept.item.batch == wanted.batch)
            and (wanted.mark is None or bool(getattr(line, wanted.mark)))
            and line.skipped >= wanted.skips
            and (wanted.thread is None or line.thread == wanted.thread)
            and (find in shown or find in json_in(line.key).lower())
        )

    def line(self, study: str, public: str) -> ItemLine | None:
        return next((line for line in self._lines(study) if line.public == public), None)

    def of_item(self, study: str, item: int) -> Sequence[Rating]:
        return [r for r in self._ratings(study) if r.submission.item == item]

    def settle(self, study: str, settled: Settled) -> Settled:
        with self._world.lock:
            kept = self._world.study(study).settled
            value = json_out(json_in(settled.value))
            when, number = self._world.now(), len(kept) + 1
            kept.append(replace(settled, value=value, when=when, number=number))
            return kept[-1]

    def settled(self, study: str, item: int | None = None) -> Sequence[Settled]:
        kept = self._world.study(study).settled
        return [s for s in kept if item is None or s.item == item]

    def keep(self, study: str, what: str, kept: Kept) -> None:
        self._world.study(study).kept[what] = kept

    def kept(self, study: str, what: str) -> Kept | None:
        return self._world.study(study).kept.get(what)

    def kept_of(self, study: str, what: str) -> Kept | None:
        found = self.kept(study, what)
        return None if found is None else replace(found, body="")

    def newest(self, study: str) -> int:
        return max((r.number for (of, _), r in self._world.ratings.items() if of == study), default=0)

    # --- looking things up ---

    def _length(self, item: int) -> int:
        return len(json_in(list(self._world.items[item].new.shown.views)))

    def _rated(self, study: str) -> list[KeptItem]:
        found = (k for i, k in self._world.items.items() if self._world.item_study[i] == study)
        placed = [(k.spot.position, k) for k in found if k.spot is not None]
        return [kept for _, kept in sorted(placed, key=lambda one: one[0])]

    def _ratings(self, study: str) -> list[Rating]:
        withdrawn = self._world.study(study).withdrawn
        found = (r for (name, _), r in self._world.ratings.items() if name == study)
        return [r for r in found if r.submission.rater not in withdrawn]

    def _standing(self, study: str) -> Iterable[Rating]:
        standing = self._world.standing
        return (r for r in self._ratings(study) if standing[r.submission.place] == r.submission.id)

    def _lines(self, study: str) -> list[ItemLine]:
        return [self._line(study, kept) for kept in self._rated(study)]

    def _line(self, study: str, kept: KeptItem) -> ItemLine:
        state, new = self._world.study(study), kept.new
        assert kept.spot is not None  # noqa: S101
        standing = state.standing.get(kept.item.id, Standing())
        return ItemLine(
            item=kept.item.id,
            public=kept.item.public,
            position=kept.spot.position,
            key=new.key,
            copy=new.copy,
            batch=new.origin.batch,
            thread=new.thread,
            turn=new.turn,
            system=new.system,
            wave=new.wave,
            done=standing.done,
            skipped=standing.skipped,
            comments=standing.comments,
            flags=sum(m.kind == "flag" and m.item == kept.item.id for m in state.messages),
            split=standing.split,
            settled=any(s.item == kept.item.id for s in state.settled),
        )


def _added(tally: Tally, rating: Rating, length: int) -> Tally:
    sent = rating.submission
    revised = sent.supersedes is not None
    rated = sent.answers is not None and not revised
    return replace(
        tally,
        rated=tally.rated + rated,
        skipped=tally.skipped + (sent.answers is None and not revised),
        revised=tally.revised + revised,
        active_seconds=tally.active_seconds + (sent.pace.active_seconds or 0.0),
        wall_seconds=tally.wall_seconds + (sent.pace.wall_seconds or 0.0),
        unread=tally.unread + (rated and is_unread(length, sent.pace.active_seconds)),
        last=max(tally.last, rating.received),
    )
