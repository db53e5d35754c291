"""Coming in: a new annotator id, or one's own again with its resume code."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping

from rubrica.accounts.codes import NOBODY, code_for, hash_code, matches, new_code
from rubrica.accounts.model import Joined, Rater
from rubrica.errors import Problem, shown
from rubrica.fieldwork.desk import Desk
from rubrica.fieldwork.rules import BAD_ATTEMPT, BAD_NAME, ID_IN_USE, NOT_ADMITTED, WRONG_CODE
from rubrica.texts import LANGUAGES

LONGEST_NAME = 100
LONGEST_PARAMETER = 200
ATTEMPT = re.compile(r"^[A-Za-z0-9_-]{20,64}$")


def join(
    desk: Desk,
    name: str,
    *,
    language: str = "en",
    crowd: Mapping[str, str] | None = None,
    code: str | None = None,
    attempt: str | None = None,
) -> Joined:
    """Take a free id, which gives a resume code, or come back to one's own with that code.

    A browser that does not hear whether it took the id sends the same again: `attempt`, which it made
    up, says so, and gives the same answer. Known and unknown ids take the same steps, so that neither
    words nor time tell them apart where the study expects certain raters.
    """
    name = annotator_id(name)
    language = _language(desk, language)
    fresh = new_code(desk.randomness) if attempt is None else code_for(name, _secret(attempt))
    known = desk.stores.accounts.rater_named(desk.id, name)
    opens = matches(code, known[1] if known else NOBODY)
    again = matches(fresh, known[1] if known else NOBODY)
    if known and again and not code:
        return Joined(known[0], fresh)
    if known and opens:
        return Joined(_return(desk, known[0], language), None)
    if known or code or not _may_take(desk, name):
        raise _refusal(desk, code)
    return _take(desk, name, fresh, language, crowd_values(desk, crowd or {}))


def _refusal(desk: Desk, code: str | None) -> Problem:
    """Whoever gave a code hears the same of every id it does not open, in use or not."""
    if not _open(desk):
        return Problem(NOT_ADMITTED)
    return Problem(WRONG_CODE if code else ID_IN_USE)


def _secret(attempt: str) -> str:
    """It stands for the code, so it must be as hard to guess."""
    if not ATTEMPT.match(attempt):
        raise Problem(BAD_ATTEMPT, got=shown(attempt))
    return attempt


def set_language(desk: Desk, rater: int, language: str) -> Rater:
    desk.rater(rater)
    return desk.stores.accounts.change_rater(desk.id, rater, language=_language(desk, language))


def annotator_id(name: str) -> str:
    """The id in the one form it is kept in."""
    kept = " ".join(unicodedata.normalize("NFC", name).split())
    if not 1 <= len(kept) <= LONGEST_NAME or not kept.isprintable():
        raise Problem(BAD_NAME, got=shown(name), details={"longest": LONGEST_NAME})
    return kept


def crowd_values(desk: Desk, parameters: Mapping[str, str]) -> dict[str, str]:
    """What a crowd platform sent, by our names; everything else in the address is dropped."""
    crowd = desk.version.study.crowd
    if crowd is None:
        return {}
    names = {"participant": crowd.participant, "study": crowd.study, "session": crowd.session}
    sent = {ours: parameters.get(theirs, "") for ours, theirs in names.items()}
    return {ours: value[:LONGEST_PARAMETER] for ours, value in sent.items() if value}


def _language(desk: Desk, wanted: str) -> str:
    spoken = {*LANGUAGES, *desk.version.study.languages}
    return wanted if wanted in spoken else desk.version.study.languages[0]


def _open(desk: Desk) -> bool:
    return desk.version.study.raters.join == "open"


def _may_take(desk: Desk, name: str) -> bool:
    """An invited rater has an account already, so by invitation nobody takes a new one."""
    return _open(desk) or name in desk.version.expected


def _take(desk: Desk, name: str, code: str, language: str, crowd: Mapping[str, str]) -> Joined:
    desk.is_open()
    rater = desk.stores.accounts.add_rater(desk.id, name, hash_code(code), language, crowd)
    if rater is None:
        raise Problem(WRONG_CODE if _open(desk) else NOT_ADMITTED)
    desk.stores.accounts.log(desk.id, f"rater {rater.number}", "joined", {"language": language})
    return Joined(rater, code)


def _return(desk: Desk, rater: Rater, language: str) -> Rater:
    if rater.state == "invited":
        desk.stores.accounts.log(desk.id, f"rater {rater.number}", "joined", {"language": language})
        return desk.stores.accounts.change_rater(
            desk.id, rater.number, state="active", language=language
        )
    if rater.language == language:
        return rater
    return desk.stores.accounts.change_rater(desk.id, rater.number, language=language)
