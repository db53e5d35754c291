"""What coordinators do to raters' accounts; every change is in the audit log."""

from __future__ import annotations

import secrets
from typing import Any

from rubrica.accounts.codes import Randomness, hash_code, new_code
from rubrica.accounts.model import AccountStore, Joined, Rater, RaterState
from rubrica.errors import Problem, Rule

NO_RATER = Rule(
    code="F040",
    title="A rater is known to the study",
    says="the study has no rater {got}",
    why="There is nobody to change.",
    mend="Use a rater's number or id as the list of raters shows it.",
)
NAME_TAKEN = Rule(
    code="F041",
    title="An annotator id belongs to one person",
    says="the annotator id {got!r} is in use",
    why="Ratings of two people under one id could never be told apart again.",
    mend="If it is yours, enter its resume code; otherwise choose another id.",
)
REASON_MISSING = Rule(
    code="F042",
    title="An exclusion gives its reason",
    says="no reason is given",
    why="The report states why a rater's answers stay out of the results.",
    mend="Say in a few words what speaks against this rater's answers.",
)

GONE = Rule(
    code="F043",
    title="Who withdrew stays withdrawn",
    says="rater {got} has withdrawn",
    why="Their consent is gone, and so is whatever could tell who they were.",
    mend="If the person wants to take part again, they join anew.",
)


def invite(
    accounts: AccountStore,
    study: str,
    name: str,
    who: str,
    randomness: Randomness = secrets.token_bytes,
) -> Joined:
    """Keep an annotator id for somebody; the code that goes with it makes their invitation."""
    code = new_code(randomness)
    rater = accounts.add_rater(study, name, hash_code(code), "en", {}, state="invited")
    if rater is None:
        raise Problem(NAME_TAKEN, got=name)
    accounts.log(study, who, "invited", {"rater": rater.number})
    return Joined(rater, code)


def reissue_code(
    accounts: AccountStore,
    study: str,
    number: int,
    who: str,
    randomness: Randomness = secrets.token_bytes,
) -> Joined:
    """A new resume code for a rater who lost theirs; the old one stops working."""
    _known(accounts, study, number)
    code = new_code(randomness)
    rater = accounts.change_rater(study, number, code_hash=hash_code(code))
    accounts.log(study, who, "reissued resume code", {"rater": number})
    return Joined(rater, code)


def pause(accounts: AccountStore, study: str, number: int, who: str) -> Rater:
    return _set_state(accounts, study, number, who, "paused")


def readmit(accounts: AccountStore, study: str, number: int, who: str) -> Rater:
    """Let a paused or excluded rater go on."""
    return _set_state(accounts, study, number, who, "active")


def exclude(accounts: AccountStore, study: str, number: int, who: str, reason: str) -> Rater:
    """Keep a rater's answers out of the results, for a reason the report states."""
    if not reason.strip():
        raise Problem(REASON_MISSING)
    return _set_state(accounts, study, number, who, "excluded", reason=reason.strip())


def forget(accounts: AccountStore, study: str, number: int, who: str) -> Rater:
    """Erase who a rater was. Their ratings stay, of a number only; nobody can come back to it."""
    _known(accounts, study, number)
    name = f"forgotten {number}"
    while accounts.rater_named(study, name) is not None:
        name += "*"
    rater = accounts.change_rater(study, number, state="paused", name=name, crowd={}, code_hash="")
    accounts.log(study, who, "forgot the name", {"rater": number})
    return rater


def withdraw(accounts: AccountStore, study: str, number: int, who: str) -> Rater:
    """The rater took their consent back: ratings leave every result and the name is erased.

    What stays is that somebody withdrew. The name becomes one nobody can join with.
    """
    _known(accounts, study, number)
    rater = accounts.change_rater(
        study, number, state="withdrawn", name=f"withdrawn {number}", crowd={}, code_hash=""
    )
    accounts.log(study, who, "withdrawn", {"rater": number})
    return rater


def _set_state(
    accounts: AccountStore, study: str, number: int, who: str, state: RaterState, **details: Any
) -> Rater:
    _known(accounts, study, number)
    rater = accounts.change_rater(study, number, state=state)
    accounts.log(study, who, state, {"rater": number, **details})
    return rater


def _known(accounts: AccountStore, study: str, number: int) -> Rater:
    rater = accounts.rater(study, number)
    if rater is None:
        raise Problem(NO_RATER, got=str(number))
    if rater.state == "withdrawn":
        raise Problem(GONE, got=str(number))
    return rater
