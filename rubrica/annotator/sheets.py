"""What an item's page shows to every rater alike, rendered once and kept as it travels."""

from __future__ import annotations

import json
import secrets
from collections import OrderedDict
from collections.abc import Callable, Iterable, Mapping
from threading import Lock
from typing import Any

from rubrica.fieldwork.desk import Desk
from rubrica.fieldwork.model import Opened, Sheet
from rubrica.fieldwork.units import sheet_of
from rubrica.items.model import Item

MOST_BYTES = 32_000_000

Render = Callable[[Sheet, str], Mapping[str, Any]]
"""A sheet's members of the page's JSON, given what stands for the item's number."""


class Sheets:
    """The sheets of one study, the last used ones, as pieces of JSON between which the number comes."""

    def __init__(self, desk: Desk, render: Render, most: int = MOST_BYTES) -> None:
        self._desk, self._render, self._most = desk, render, most
        # Nothing that an item shows can hold it.
        self._mark = f"n{secrets.token_hex(12)}"
        self._kept: OrderedDict[int, list[bytes]] = OrderedDict()
        self._size, self._edition = 0, -1
        self._lock = Lock()

    def prepare(self, items: Iterable[int]) -> None:
        """See that the sheets of these items are at hand, as the last load left them."""
        edition = self._desk.stores.items.edition(self._desk.id)
        with self._lock:
            if edition != self._edition:
                self._kept.clear()
                self._size, self._edition = 0, edition
            missing = {item for item in items if item not in self._kept}
        for number, item in self._desk.stores.items.items(self._desk.id, list(missing)).items():
            self._keep(edition, number, self._made(item))

    def opened(self, opened: Opened) -> bytes:
        """All that travels of a place that is to be rated."""
        place, draft = opened.place, opened.draft
        state = place.state.encode()
        head = b'{"place":%d,"number":%d,"state":"%s",' % (place.id, opened.number, state)
        kept = None if draft is None else {"revision": draft.revision, "content": draft.content}
        sheet = (b"%d" % opened.number).join(self._sheet(place.item))
        return b'%s%s,"draft":%s,"own":null}' % (head, sheet, as_json(kept))

    def _sheet(self, number: int) -> list[bytes]:
        with self._lock:
            kept = self._kept.get(number)
            if kept is not None:
                self._kept.move_to_end(number)
                return kept
        return self._made(self._desk.stores.items.item(self._desk.id, number))

    def _made(self, item: Item) -> list[bytes]:
        made = as_json(self._render(sheet_of(self._desk, item), self._mark))
        return made[1:-1].split(self._mark.encode())

    def _keep(self, edition: int, number: int, pieces: list[bytes]) -> None:
        with self._lock:
            if edition != self._edition or number in self._kept:
                return
            self._kept[number] = pieces
            self._size += sum(map(len, pieces))
            while self._size > self._most:
                _, old = self._kept.popitem(last=False)
                self._size -= sum(map(len, old))


def as_json(content: Any) -> bytes:
    """ASCII alone, so that lone surrogates travel too."""
    return json.dumps(content, ensure_ascii=True, separators=(",", ":")).encode()
