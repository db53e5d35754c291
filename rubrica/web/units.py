"""The item's side of a page: the views its study declares, earlier items before them."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Any

from jinja2 import Environment
from markupsafe import Markup

from rubrica.fieldwork.model import Earlier
from rubrica.items.model import Shown
from rubrica.study.views import View
from rubrica.web.pages import texts_in

SLAB = 8_000


def unit_html(
    made: Environment,
    base: str,
    languages: Sequence[str],
    declared: Sequence[View],
    shown: Shown,
    context: Sequence[Earlier],
    number: int | str,
) -> str:
    """`base` is the address below which the item's media lie."""
    earlier = [{"turn": one.turn, "views": _views(declared, one.shown)} for one in context]
    unit = _macros(made, base, tuple(languages)).unit
    return str(unit(number, _views(declared, shown), earlier))


@lru_cache(maxsize=64)
def _macros(made: Environment, base: str, languages: tuple[str, ...]) -> Any:
    """To read them all for each item anew would cost more than to show it."""

    def media(name: str) -> str:
        return f"{base}/media/{name}"

    values = {"media": media, "slabs": slabs, **texts_in(languages)}
    return made.get_template("views.html").make_module(values)


def _views(declared: Sequence[View], shown: Shown) -> list[tuple[View, Any]]:
    return list(zip(declared, shown.views, strict=False))


def slabs(text: str | None) -> Markup:
    """A long text in pieces the browser may leave undrawn until they are scrolled to."""
    whole = (text or "").encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    if len(whole) <= SLAB:
        return Markup("{}").format(whole)
    return Markup("").join(
        Markup('<span class="slab">{}</span>').format(piece) for piece in _pieces(whole)
    )


def _pieces(text: str) -> list[str]:
    """Cut at the end of a line where one is near."""
    pieces, start = [], 0
    while start < len(text):
        end = min(start + SLAB, len(text))
        line = text.rfind("\n", start + SLAB // 2, end)
        cut = line + 1 if line > 0 and end < len(text) else end
        pieces.append(text[start:cut])
        start = cut
    return pieces
