"""Items made into rows, as far as that can be done without looking into the database."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

import msgspec

from rubrica.items.model import NewItem
from rubrica.storage.codec import (
    fingerprint,
    json_in,
    maybe_in,
    opaque,
    shown_in,
    text_in,
    thread_number,
)
from rubrica.storage.core import Known
from rubrica.storage.sql import Row

ITEM = (
    *("id", "load", "batch", "position"),
    *("study", "public", "place", "thread", "turn", "gold", "rated"),
)
SHOWN = ("item", "version", "study", "views", "entries", "facts", "media")
HIDDEN = (
    *("item", "version", "study", "key", "copy", "digest", "file", "line", "thread", "system"),
    *("wave", "gold", "data", "source"),
)

repeated_in = lru_cache(maxsize=4096)(text_in)
"""File, batch, system and wave names come again and again."""


class Ready(msgspec.Struct, gc=False):
    """An item of which the rows lack only the numbers that the database gives.

    Nothing but texts and numbers: thousands of parsed items alive at once would cost more in
    collecting garbage than everything else.
    """

    key: str
    copy: int
    digest: str
    batch: str | None
    rated: bool
    gold: bool
    threaded: bool
    media: Sequence[str]
    size: int
    item: Row
    shown: Row
    hidden: Row


def ready(study: Known, item: NewItem) -> Ready:
    key, kept, gold = text_in(item.key), shown_in(item), item.gold is not None
    digest, batch, thread = fingerprint(item, kept), item.origin.batch, item.thread
    media = json_in(list(item.media)) if item.media else "[]"
    return Ready(
        key,
        item.copy,
        digest,
        None if batch is None else repeated_in(batch),
        item.rated,
        gold,
        thread is not None,
        item.media,
        len(item.source),
        (
            study.id,
            opaque(study.secret, "item", key, item.copy),
            item.position,
            None if thread is None else thread_number(thread),
            item.turn,
            int(gold),
            int(item.rated),
        ),
        (study.id, *kept, media),
        (
            study.id,
            key,
            item.copy,
            digest,
            repeated_in(item.origin.file),
            item.origin.place,
            maybe_in(thread),
            None if item.system is None else repeated_in(item.system),
            None if item.wave is None else repeated_in(item.wave),
            json_in(item.gold) if gold else None,
            None if item.whole else json_in(item.hidden),
            item.source,
        ),
    )
