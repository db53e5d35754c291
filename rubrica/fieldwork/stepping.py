"""Which page is due for a rater: consent, guidelines, practice, workbench, done."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from rubrica.accounts.model import Rater
from rubrica.errors import Problem
from rubrica.fieldwork.desk import Desk
from rubrica.fieldwork.model import Reason, Step
from rubrica.fieldwork.practice import standing
from rubrica.fieldwork.rules import CHANGED_TEXT, CLOSED, NOT_YET, STOPPED


def step(desk: Desk, rater: int) -> Step:
    """The page that is due now."""
    who = desk.stores.accounts.rater(desk.id, rater)
    if who is None or who.state == "withdrawn":
        return Step("stopped", "withdrawn")
    if desk.stores.studies.is_closed(desk.id):
        return Step("done", "closed")
    if who.state in ("paused", "excluded"):
        return Step("stopped", "paused" if who.state == "paused" else "excluded")
    return before_work(desk, who) or _work(desk, rater)


def before_work(desk: Desk, rater: Rater) -> Step | None:
    """What still has to be done before the first item, if anything."""
    version = desk.version
    if version.consent_hash and rater.consent != version.consent_hash:
        return Step("consent", _changed(rater.consent))
    if version.guidelines_hash and rater.guidelines != version.guidelines_hash:
        return Step("guidelines", _changed(rater.guidelines))
    if version.study.practice is None:
        return None
    passed = standing(desk, rater).passed
    if passed:
        return None
    return Step("practice") if passed is None else Step("stopped", "practice")


def ready(desk: Desk, rater: int) -> Rater:
    """The rater, if they may be given items now."""
    who = desk.rater(rater)
    desk.may_work(who)
    _nothing_before(desk, who)
    return who


def ready_all(desk: Desk, raters: Sequence[int]) -> Sequence[Problem | None]:
    """For each of these raters, why they may not be given items now, if so."""
    known = desk.stores.accounts.some_raters(desk.id, raters)
    closed = desk.stores.studies.is_closed(desk.id)
    return [_hindrance(desk, known.get(rater), closed) for rater in raters]


def _hindrance(desk: Desk, rater: Rater | None, closed: bool) -> Problem | None:
    if rater is None or rater.state != "active":
        return Problem(STOPPED)
    if closed:
        return Problem(CLOSED)
    try:
        _nothing_before(desk, rater)
    except Problem as problem:
        return problem
    return None


def _nothing_before(desk: Desk, rater: Rater) -> None:
    due = before_work(desk, rater)
    if due is not None:
        raise Problem(NOT_YET, details={"page": due.page})


def agree(desk: Desk, rater: int, consent_hash: str) -> Rater:
    """Agree to the consent text of this hash."""
    _current(consent_hash, desk.version.consent_hash)
    return _confirm(desk, rater, "agreed to consent", consent=consent_hash)


def confirm_guidelines(desk: Desk, rater: int, guidelines_hash: str) -> Rater:
    """Confirm the guidelines of this hash; when they change, they are asked for again."""
    _current(guidelines_hash, desk.version.guidelines_hash)
    return _confirm(desk, rater, "confirmed guidelines", guidelines=guidelines_hash)


def _changed(before: str | None) -> Reason | None:
    return None if before is None else "changed"


def _current(given: str, valid: str | None) -> None:
    if given != valid:
        raise Problem(CHANGED_TEXT)


def _confirm(desk: Desk, rater: int, what: str, **change: Any) -> Rater:
    who = desk.rater(rater)
    details: Mapping[str, Any] = {"version": desk.version.hash, **change}
    desk.stores.accounts.log(desk.id, f"rater {who.number}", what, details)
    return desk.stores.accounts.change_rater(desk.id, who.number, **change)


def _work(desk: Desk, rater: int) -> Step:
    stores = desk.stores
    if stores.places.tally(desk.id, rater).get("reserved"):
        return Step("workbench")
    found = stores.places.reserve(desk.id, rater, 1, desk.policy, desk.design)
    return Step("workbench" if found else "done")
