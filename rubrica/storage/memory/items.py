"""Items in memory: loading, the shown side, the hidden side."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace

from rubrica.assignment.contract import Span, Spot
from rubrica.errors import Problem
from rubrica.items.model import Item, Loaded, NewItem
from rubrica.storage.codec import fingerprint, opaque, shown_in, text_in, thread_number
from rubrica.storage.memory.world import Kept, StudyState, World
from rubrica.storage.rules import SAME_ITEM_TWICE, UNKNOWN_ITEM
from rubrica.verdicts.model import HiddenItem


class MemoryLoader:
    """Fulfils `ItemLoader`."""

    def __init__(self, world: World) -> None:
        self._world = world

    def load(
        self,
        study: str,
        items: Iterable[NewItem],
        progress: Callable[[int], None] | None = None,
    ) -> Loaded:
        whole = list(items)
        for key, count in Counter((i.key, i.copy) for i in whole).items():
            if count > 1:
                raise Problem(SAME_ITEM_TWICE, got=key[0])
        with self._world.lock:
            state = self._world.add_study(study)
            state.loads += 1
            before, loaded = len(state.by_key), Loaded()
            for item in whole:
                self._put(study, state, item, loaded)
                if progress:
                    progress(1)
            loaded.gone = before - loaded.same - loaded.changed
            self._arrange(study, state)
        return loaded

    def _put(self, study: str, state: StudyState, new: NewItem, loaded: Loaded) -> None:
        loaded.context += not new.rated
        loaded.duplicates += new.copy > 0
        for name in new.media:
            state.media[opaque(state.secret, "media", text_in(name))] = name
        known = state.by_key.get((new.key, new.copy))
        if known is None:
            loaded.new += 1
            number = len(self._world.items) + 1
            self._world.items[number] = Kept(new, self._item(number, state, new), state.loads)
            self._world.item_study[number] = study
            state.by_key[new.key, new.copy] = number
            return
        kept = self._world.items[known]
        if _print(kept.new) == _print(new):
            loaded.same += 1
            return
        loaded.changed += 1
        before = kept.item
        item = replace(self._item(known, state, new), batch=before.batch, turn=before.turn)
        kept.item = replace(item, position=before.position)
        kept.new, kept.version = new, kept.version + 1
        if kept.spot:
            kept.spot = replace(kept.spot, gold=new.gold is not None)

    def _item(self, number: int, state: StudyState, new: NewItem) -> Item:
        batch = None
        if new.origin.batch is not None:
            if new.origin.batch not in state.batches:
                state.batches.append(new.origin.batch)
            batch = state.batches.index(new.origin.batch)
        return Item(
            id=number,
            public=opaque(state.secret, "item", text_in(new.key), new.copy),
            position=new.position,
            shown=new.shown,
            facts=new.facts,
            batch=batch,
            turn=new.turn,
            gold=new.gold is not None,
            media={name: opaque(state.secret, "media", text_in(name)) for name in new.media},
        )

    def _arrange(self, study: str, state: StudyState) -> None:
        """Positions, threads by falling size, and spans; as `storage.arrange` does it."""
        new = [k for i, k in self._world.items.items() if self._world.item_study[i] == study]
        new = [k for k in new if k.spot is None and k.new.rated]
        threads: dict[tuple[int, str | int], list[Kept]] = {}
        for kept in new:
            batch = -1 if kept.item.batch is None else kept.item.batch
            thread: str | int = -kept.item.id if kept.new.thread is None else kept.new.thread
            threads.setdefault((batch, thread), []).append(kept)
        for members in threads.values():
            members.sort(key=lambda k: (k.item.turn, k.item.position, k.item.id))
        first = {key: min(k.item.position for k in members) for key, members in threads.items()}
        spots = self._world.spots(study)
        start = position = spots[-1].position + 1 if spots else 0
        unit_start = max((s.unit for s in spots if s.unit is not None), default=-1) + 1
        sized = sorted(threads, key=lambda key: (key[0], -len(threads[key]), first[key]))
        units = {key: unit_start + n for n, key in enumerate(sized)}
        whole = all(kept.new.thread is None for kept in new)
        for key in sorted(threads, key=lambda key: (key[0], first[key])):
            for member, kept in enumerate(threads[key]):
                name = kept.new.thread
                kept.spot = Spot(
                    item=kept.item.id,
                    position=position,
                    batch=kept.item.batch,
                    thread=None if name is None else thread_number(name),
                    unit=None if whole else units[key],
                    member=None if whole else member,
                    gold=kept.new.gold is not None,
                )
                position += 1
        self._spans(state, [k.spot for k in new if k.spot], start)

    def _spans(self, state: StudyState, spots: Sequence[Spot], start: int) -> None:
        for batch in dict.fromkeys(s.batch for s in sorted(spots, key=lambda s: s.position)):
            inside = [s for s in spots if s.batch == batch]
            members = Counter(s.member for s in inside if s.member is not None)
            units = [s.unit for s in inside if s.unit is not None]
            first = min(s.position for s in inside)
            rounds = tuple(members[n] for n in sorted(members))
            unit_start = min(units, default=0)
            state.spans.append(Span(first, len(inside), batch, state.loads, unit_start, rounds))


def _print(item: NewItem) -> str:
    return fingerprint(item, shown_in(item))


class MemoryItems:
    """Fulfils `ItemStore`."""

    def __init__(self, world: World) -> None:
        self._world = world

    def _kept(self, study: str, item: int) -> Kept:
        self._world.study(study)
        if self._world.item_study.get(item) != study:
            raise Problem(UNKNOWN_ITEM, got=str(item))
        return self._world.items[item]

    def _all(self, study: str) -> list[Kept]:
        self._world.study(study)
        return [k for i, k in self._world.items.items() if self._world.item_study[i] == study]

    def item(self, study: str, item: int) -> Item:
        return self._kept(study, item).item

    def items(self, study: str, items: Sequence[int]) -> Mapping[int, Item]:
        found = self._world.item_study
        return {number: self.item(study, number) for number in items if found.get(number) == study}

    def edition(self, study: str) -> int:
        return self._world.study(study).loads

    def by_public(self, study: str, public: str) -> Item | None:
        return next((k.item for k in self._all(study) if k.item.public == public), None)

    def earlier(self, study: str, item: int) -> Sequence[Item]:
        kept = self._kept(study, item)
        if kept.new.thread is None:
            return []
        at = (kept.item.turn, kept.item.position)
        found = [k.item for k in self._all(study) if k.new.thread == kept.new.thread]
        return sorted(
            (i for i in found if (i.turn, i.position) < at), key=lambda i: (i.turn, i.position)
        )

    def count(self, study: str) -> int:
        return len(self._world.spots(study))

    def batches(self, study: str) -> Sequence[int]:
        counted = Counter(s.batch for s in self._world.spots(study) if s.batch is not None)
        return [counted[batch] for batch in sorted(counted)]

    def media_ids(self, study: str, names: Sequence[str]) -> Mapping[str, str]:
        state = self._world.study(study)
        ids = {name: opaque(state.secret, "media", text_in(name)) for name in names}
        state.media.update({public: name for name, public in ids.items()})
        return ids

    def media(self, study: str, public: str) -> str | None:
        return self._world.study(study).media.get(public)


class MemoryVerdicts:
    """Fulfils `VerdictStore`."""

    def __init__(self, world: World) -> None:
        self._world = world

    def hidden(self, study: str, item: int) -> HiddenItem:
        self._world.study(study)
        if self._world.item_study.get(item) != study:
            raise Problem(UNKNOWN_ITEM, got=str(item))
        return _hidden(self._world.items[item])

    def all_hidden(self, study: str, *, context: bool = False) -> Iterator[HiddenItem]:
        self._world.study(study)
        for number, kept in list(self._world.items.items()):
            if self._world.item_study[number] == study and (context or kept.new.rated):
                yield _hidden(kept)

    def by_key(self, study: str, key: str, copy: int = 0) -> HiddenItem | None:
        number = self._world.study(study).by_key.get((key, copy))
        return None if number is None else _hidden(self._world.items[number])


def _hidden(kept: Kept) -> HiddenItem:
    new, item = kept.new, kept.item
    return HiddenItem(
        id=item.id,
        public=item.public,
        key=new.key,
        copy=new.copy,
        file=new.origin.file,
        line=new.origin.place,
        batch=new.origin.batch,
        thread=new.thread,
        turn=item.turn,
        system=new.system,
        wave=new.wave,
        rated=new.rated,
        position=item.position,
        hidden=new.hidden,
        source=new.source,
        gold=new.gold,
    )
