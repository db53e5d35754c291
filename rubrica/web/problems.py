"""The one shape of every error that leaves the server, as JSON or as a plain, kind page.

What a rater sees of a problem is its code and a text chosen for it: values seen (`got`, `where`) may
name files or systems, so they stay on the server unless the side that shows them says otherwise.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import Any

from rubrica.errors import Problem, Rule

STATUS: dict[str, int] = {
    "W001": 421,
    "W002": 403,
    "W003": 415,
    "W004": 404,
    "W005": 401,
    "W006": 403,
    "W007": 500,
    "W010": 429,
    "W021": 400,
    "W101": 401,
    "W102": 401,
    "W103": 409,
    "W104": 404,
    "W105": 409,
    "W110": 401,
    "W111": 403,
    "W113": 404,
    "W114": 405,
    "W122": 409,
    "F040": 404,
    "F041": 409,
    **dict.fromkeys(("D003", "D004", "D005", "D006", "D007", "D009", "D019"), 503),
    "D008": 507,
}
"""The HTTP status of a problem, by code; every other one is what was sent: 422.

A fault of the database is the server's, so that a browser keeps what it sent and tries again."""

NOT_FOUND = Rule(
    code="W004",
    title="An address leads somewhere",
    says="there is nothing here",
    why="The address is misspelt, or what it led to is no longer there.",
    mend="Go back to the first page.",
)
SIGNED_OUT = Rule(
    code="W005",
    title="A rater's page is asked for by a signed-in rater",
    says="you are not signed in",
    why="Without knowing who is rating, nothing can be saved in your name.",
    mend="Sign in again; what you typed is kept in this browser.",
)
NOT_YOURS = Rule(
    code="W006",
    title="People reach only what is theirs",
    says="this belongs to somebody else",
    why="Ratings count only if each is one person's own.",
    mend="Go back to your own page.",
)
OUR_FAULT = Rule(
    code="W007",
    title="The server answers",
    says="something went wrong on the server",
    why="It was logged; nothing you saved is lost.",
    mend="Try again in a moment.",
)


def status_of(problem: Problem) -> int:
    return STATUS.get(problem.code, 422)


def problem_json(problems: Iterable[Problem], full: bool = False) -> dict[str, Any]:
    """The error shape; `full` adds what was seen and where, for people who may know."""
    listed = list(problems)
    first = listed[0]
    shown = [p.as_json() for p in listed] if full else [{"code": p.code} for p in listed]
    return {
        "title": first.rule.title,
        "status": status_of(first),
        "code": first.code,
        "problems": shown,
    }


def problem_bytes(problem: Problem) -> tuple[int, bytes]:
    return status_of(problem), json.dumps(problem_json([problem])).encode()
