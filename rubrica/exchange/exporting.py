"""Writing a study's ratings in a layout: which one, whose, where."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from rubrica.accounts.model import Rater
from rubrica.errors import Problem, Where, nearest
from rubrica.exchange.contract import Asked, Format, Here, Wrote, format_named, native_formats
from rubrica.exchange.rules import NO_LAYOUT, NO_RATER

NATIVE = "native"


def export_ratings(
    here: Here,
    to: Path,
    layout: str = "tidy",
    rater: str | None = None,
    *,
    all_revisions: bool = False,
    with_names: bool = False,
) -> Wrote:
    """Write ratings to a file, or to a folder where the layout takes several files."""
    asked = Asked(to, all_revisions=all_revisions, with_names=with_names)
    if rater is not None:
        asked = replace(asked, rater=rater_called(here, rater))
    return layout_called(here, layout).write(here, asked)


def layout_called(here: Here, name: str) -> Format:
    """The layout of this name; `native` is the one the study's questions come from."""
    if name != NATIVE:
        found = format_named(name)
        if found.native and not found.fits(here.study):
            raise Problem(NO_LAYOUT, got=name)
        return found
    there = native_formats(here.study)
    if not there:
        raise Problem(NO_LAYOUT, Where(path="questions"), got=name)
    return there[0]


def rater_called(here: Here, called: str) -> Rater:
    """The rater of this id or number."""
    accounts = here.sources.accounts
    known = accounts.rater_named(here.name, called)
    found = known[0] if known else None
    if found is None and called.isdecimal():
        found = accounts.rater(here.name, int(called))
    if found is None or found.state == "withdrawn":
        names = [r.name for r in accounts.raters(here.name) if r.state != "withdrawn"]
        raise Problem(NO_RATER, got=called, nearest=nearest(called, names))
    return found
