"""How items are kept. Rater-facing rooms use `ItemStore` only."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Protocol

from rubrica.items.model import Item, Loaded, NewItem


class ItemStore(Protocol):
    """The shown side of a study's items."""

    def item(self, study: str, item: int) -> Item: ...

    def items(self, study: str, items: Sequence[int]) -> Mapping[int, Item]:
        """Several at once, by their numbers; those that are not there are left out."""
        ...

    def edition(self, study: str) -> int:
        """Grows with every load: what was read of an item before holds as long as it stays."""
        ...

    def by_public(self, study: str, public: str) -> Item | None: ...

    def earlier(self, study: str, item: int) -> Sequence[Item]:
        """The items before this one in its thread, first to last; context items included."""
        ...

    def count(self, study: str) -> int:
        """How many items raters can be given."""
        ...

    def batches(self, study: str) -> Sequence[int]:
        """How many items raters can be given are in each batch, in order; empty without batches."""
        ...

    def media_ids(self, study: str, names: Sequence[str]) -> Mapping[str, str]:
        """Opaque ids for these media names, kept so that `media` knows them: practice shows them."""
        ...

    def media(self, study: str, public: str) -> str | None:
        """The file name behind an opaque media id, if any item or practice of this study shows it."""
        ...


class ItemLoader(Protocol):
    """Where loaded items go, in bounded chunks."""

    def load(
        self,
        study: str,
        items: Iterable[NewItem],
        progress: Callable[[int], None] | None = None,
    ) -> Loaded:
        """Add new items, version changed ones, count the rest; one transaction, restartable."""
        ...
