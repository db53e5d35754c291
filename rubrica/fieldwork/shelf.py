"""What is read of items again and again, kept at hand while no load has changed it."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import replace

from rubrica.items.model import Item, Shown
from rubrica.items.store import ItemStore

MOST = 20_000


class Shelf:
    """The part of items that answers are checked against: all but their views, which may be long."""

    def __init__(self, items: ItemStore, study: str) -> None:
        self._items, self._study = items, study
        self._edition, self._kept = -1, dict[int, Item]()

    def items(self, numbers: Collection[int]) -> Mapping[int, Item]:
        """Those of these numbers, as the last load left them."""
        kept = self._of(self._items.edition(self._study))
        missing = [number for number in numbers if number not in kept]
        for number, item in self._items.items(self._study, missing).items():
            kept[number] = replace(item, shown=Shown((), item.shown.entries))
        return kept

    def _of(self, edition: int) -> dict[int, Item]:
        """What was read since a load is kept apart from what was read before it."""
        if edition != self._edition or len(self._kept) > MOST:
            self._edition, self._kept = edition, {}
        return self._kept
