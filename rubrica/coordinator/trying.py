"""Trying a study as a rater, without leaving a rating in it.

A trial is a study of its own in the same database, with the first items of the real one and its present
version: whoever tries it meets exactly what raters meet, whichever process answers, and nothing of it
is counted, shown or exported anywhere.
"""

from __future__ import annotations

import secrets
from collections.abc import Iterator
from itertools import islice

from litestar.datastructures import Cookie

from rubrica.accounts.codes import hash_code, new_code
from rubrica.assignment.design import policy_name
from rubrica.coordinator.endpoint import At
from rubrica.coordinator.site import DeskSite, DeskStores
from rubrica.fieldwork.desk import Desk, desk_for
from rubrica.items.model import NewItem, Origin

TRIAL = "~trial"
MOST = 30
READ = 300
"""So many items are looked through for those; context of threads lies among them."""


def trial_name(study: str) -> str:
    return f"{study}{TRIAL}"


def begin(at: At) -> tuple[str, Cookie]:
    """A fresh place in the trial: its study's name, and the cookie that opens it."""
    stores, name = at.site.stores, trial_name(at.name)
    _bring(at)
    who = f"{at.me.who} "
    for rater in stores.accounts.raters(name):
        if rater.name.startswith(who) and rater.state != "withdrawn":
            stores.accounts.change_rater(name, rater.number, state="withdrawn")
    code = hash_code(new_code())
    fresh = stores.accounts.add_rater(name, f"{who}{secrets.token_hex(4)}", code, "en", {})
    assert fresh is not None  # noqa: S101
    if policy_name(at.study.desk.version.study.raters) == "lists":
        keys = [one.key for one in stores.verdicts.all_hidden(name) if one.copy == 0]
        stores.places.set_lists(name, {fresh.name: keys})
    return name, at.site.rater_sessions.open(name, fresh.number)


def _bring(at: At) -> None:
    """The version and the first items, unless they are there."""
    stores, name = at.site.stores, trial_name(at.name)
    version = at.study.desk.version.hash
    if stores.studies.version(name, version) is None:
        kept = stores.studies.version(at.name, version)
        assert kept is not None  # noqa: S101
        stores.studies.add_version(name, kept)
        stores.loader.load(name, first_items(stores, at.name))


def first_items(stores: DeskStores, study: str) -> Iterator[NewItem]:
    """What raters see of the first items; nothing hidden goes along."""
    position = 0
    for one in islice(stores.verdicts.all_hidden(study, context=True), READ):
        if position >= MOST:
            return
        item = stores.items.item(study, one.id)
        yield NewItem(
            key=one.key,
            copy=one.copy,
            position=position if one.rated else -1,
            origin=Origin(one.file, one.line, one.batch),
            shown=item.shown,
            facts=item.facts,
            hidden={},
            source=b"{}",
            digest=item.public,
            thread=one.thread,
            turn=one.turn,
            rated=one.rated,
            media=list(item.media),
        )
        position += one.rated


class Trials:
    """The trials of a site's studies, as the rater's side serves them."""

    def __init__(self, site: DeskSite) -> None:
        self._site = site
        self._desks: dict[str, Desk] = {}

    def __call__(self, name: str) -> tuple[Desk, str] | None:
        """The desk of a trial that was begun, and the study it tries."""
        study = name.removesuffix(TRIAL)
        watched = self._site.studies.get(study)
        if not name.endswith(TRIAL) or watched is None:
            return None
        version = watched.desk.version.hash
        known = self._desks.get(name)
        if known is None or known.version.hash != version:
            stores = self._site.stores
            kept = stores.studies.version(name, version)
            if kept is None:
                return None
            known = self._desks[name] = desk_for(stores, name, kept)
        return known, study
