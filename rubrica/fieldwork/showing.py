"""What of an item goes to a browser: its views under opaque names, and the rules its page mirrors."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from rubrica.errors import Problem
from rubrica.fieldwork.model import Earlier
from rubrica.fieldwork.rules import OTHER_SHOW
from rubrica.fieldwork.versions import Version
from rubrica.items.media import renamed
from rubrica.items.model import Item, Shown
from rubrica.ratings.page import page_rules


def shown_of(version: Version, item: Item) -> Shown:
    """What is shown of an item, media under their opaque ids."""
    declared = version.study.items.show
    if len(declared) != len(item.shown.views):
        raise Problem(OTHER_SHOW)
    return renamed(declared, item.shown, lambda name: item.media[name])


def rules_of(version: Version, item: Item) -> Mapping[str, Any]:
    """What the page mirrors for this item: conditions, implied levels, second looks."""
    return page_rules(version.study, item)


def as_context(version: Version, items: Sequence[Item]) -> Sequence[Earlier]:
    """Earlier items of a run; views that are declared not to be context are left empty."""
    declared = version.study.items.show
    return [
        Earlier(item.public, item.turn, _without(declared, shown_of(version, item))) for item in items
    ]


def _without(declared: Sequence[Any], shown: Shown) -> Shown:
    pairs = zip(declared, shown.views, strict=True)
    return Shown([data if view.context else None for view, data in pairs])
