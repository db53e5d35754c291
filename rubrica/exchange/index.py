"""Which item of the study a rating belongs to."""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable

from rubrica.errors import Problem, nearest
from rubrica.exchange.contract import Filled, Format, Here
from rubrica.exchange.rules import NO_FURTHER_ITEM, NO_ITEM
from rubrica.items.files import natural

Spot = tuple[int, str | None]
"""An item and the batch it is in."""


class Index:
    """A study's items by what a layout knows them by, in the study's order."""

    def __init__(self, here: Here, layout: Format) -> None:
        self._layout = layout
        self._items: dict[Hashable, list[Spot]] = {}
        for item in here.sources.verdicts.all_hidden(here.name):
            reference = layout.references(item)
            if reference is not None:
                self._items.setdefault(reference, []).append((item.id, item.batch))

    def items(self, filled: Filled) -> list[int]:
        """The items a rating may belong to; those of its own batch where some are."""
        found = self._items.get(filled.reference, [])
        own = [item for item, batch in found if _same_folder(batch, filled.batch)]
        return own or [item for item, _ in found]

    def unknown(self, filled: Filled) -> Problem:
        known = {_text(reference): None for reference in self._items}
        got = _text(filled.reference)
        return Problem(NO_ITEM, filled.where, got=got, nearest=nearest(got, known))


class Counted:
    """Tells lines with the same reference in one file apart by their order."""

    def __init__(self, index: Index, layout: Format) -> None:
        self._index, self._layout = index, layout
        self._met: Counter[Hashable] = Counter()

    def find(self, filled: Filled) -> tuple[int, int]:
        """The item, and how many lines of the file spoke of this reference before; or a problem."""
        items = self._index.items(filled)
        if not items:
            raise self._index.unknown(filled)
        before = self._met[filled.reference]
        self._met[filled.reference] += 1
        if filled.exact is not None or self._layout.repeats == "places":
            return items[before % len(items)], before
        if before >= len(items):
            details = {"there": len(items)}
            raise Problem(NO_FURTHER_ITEM, filled.where, got=_text(filled.reference), details=details)
        return items[before], before


def _text(reference: Hashable) -> str:
    parts = reference if isinstance(reference, tuple) else (reference,)
    return " | ".join(str(part) for part in parts if part is not None)


def _same_folder(batch: str | None, named: str | None) -> bool:
    """Whether a layout's word for a folder, often a whole path, ends in the batch's name."""
    if not batch or not named:
        return False
    parts = [part for part in named.replace("\\", "/").split("/") if part not in ("", "conversations")]
    own = batch.split("/")
    return bool(parts) and [natural(p) for p in parts[-1:]] == [natural(p) for p in own[-1:]]
