"""Which item of the study a rating belongs to."""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable
from typing import NamedTuple

from rubrica.errors import Problem, nearest
from rubrica.exchange.contract import Filled, Format, Here
from rubrica.exchange.rules import NO_FURTHER_ITEM, NO_ITEM, SEVERAL_SYSTEMS
from rubrica.items.files import natural


class Spot(NamedTuple):
    """An item, and what tells it from others of the same reference."""

    item: int
    batch: str | None
    system: str | None


class Index:
    """A study's items by what a layout knows them by, in the study's order."""

    def __init__(self, here: Here, layout: Format) -> None:
        self._layout = layout
        self._spots: dict[Hashable, list[Spot]] = {}
        self._names: dict[str, None] = {}
        for item in here.sources.verdicts.all_hidden(here.name):
            spot = Spot(item.id, item.batch, item.system)
            references = layout.references(item)
            for reference in references:
                self._spots.setdefault(reference, []).append(spot)
            if references:
                self._names[named(references[-1])] = None

    def items(self, filled: Filled) -> list[int]:
        """The items a rating may belong to; those of its own batch where some are."""
        spots = next((self._spots[r] for r in filled.references if r in self._spots), [])
        own = [spot for spot in spots if _same_folder(spot.batch, filled.batch)] or spots
        if self._layout.repeats == "places" and len({spot.system for spot in own}) > 1:
            systems = ", ".join(sorted(str(spot.system) for spot in own))
            got = named(filled.references[-1])
            raise Problem(SEVERAL_SYSTEMS, filled.where, got=got, details={"systems": systems})
        return [spot.item for spot in own]

    def unknown(self, filled: Filled) -> Problem:
        got = named(filled.references[-1]) if filled.references else "without an id"
        return Problem(NO_ITEM, filled.where, got=got, nearest=nearest(got, self._names))


class Counted:
    """Tells lines with the same reference in one file apart by their order."""

    def __init__(self, index: Index, layout: Format) -> None:
        self._index, self._layout = index, layout
        self._met: Counter[int] = Counter()

    def find(self, filled: Filled) -> tuple[int, int]:
        """The item, and how many lines of the file spoke of it before; or a problem."""
        items = self._index.items(filled)
        if not items:
            raise self._index.unknown(filled)
        item = min(items, key=self._met.__getitem__)
        before = self._met[item]
        self._met[item] += 1
        if before and self._layout.repeats == "items" and filled.exact is None:
            details = {"there": len(items)}
            got = named(filled.references[-1])
            raise Problem(NO_FURTHER_ITEM, filled.where, got=got, details=details)
        return item, before


def named(reference: Hashable) -> str:
    """A reference as a person would write it."""
    parts = reference if isinstance(reference, tuple) else (reference,)
    return " | ".join(str(part) for part in parts if part is not None and not isinstance(part, bytes))


def _same_folder(batch: str | None, said: str | None) -> bool:
    """Whether a layout's word for a folder, often a whole path, ends in the batch's name."""
    if not batch or not said:
        return False
    parts = [part for part in said.replace("\\", "/").split("/") if part not in ("", "conversations")]
    own = batch.split("/")
    return bool(parts) and [natural(p) for p in parts[-1:]] == [natural(p) for p in own[-1:]]
