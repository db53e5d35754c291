"""Whatever goes wrong becomes a plain, kind page or the one JSON shape; never a traceback."""

from __future__ import annotations

import json
import logging
from typing import Any
from urllib.parse import unquote

from litestar import Response
from litestar.exceptions import HTTPException

from rubrica.annotator.pages import site_of
from rubrica.annotator.problems import message
from rubrica.annotator.site import AnyRequest
from rubrica.annotator.words import CATALOGUE
from rubrica.errors import Problem, Problems
from rubrica.web.problems import NOT_FOUND, OUR_FAULT, SIGNED_OUT, problem_json, status_of

log = logging.getLogger("rubrica")


def as_problems(error: Exception) -> list[Problem]:
    if isinstance(error, Problems):
        return list(error.problems)
    if isinstance(error, Problem):
        return [error]
    if isinstance(error, HTTPException) and error.status_code < 500:
        return [Problem(NOT_FOUND)]
    log.error("a request failed", exc_info=error)
    return [Problem(OUR_FAULT)]


def on_error(request: AnyRequest, error: Exception) -> Response[bytes]:
    if "/api/" in request.url.path or "text/html" not in request.headers.get("accept", ""):
        status, body = as_json_problem(error)
        return Response(body, status_code=status, media_type="application/problem+json")
    problem = as_problems(error)[0]
    return _page(request, problem, status_of(problem))


def as_json_problem(error: Exception) -> tuple[int, bytes]:
    problems = as_problems(error)
    return status_of(problems[0]), json.dumps(_rater_json(problems)).encode()


def _rater_json(problems: list[Problem]) -> dict[str, Any]:
    """Codes, a kind text, and which question is meant; nothing that was seen."""
    listed = problem_json(problems)
    for shown, problem in zip(listed["problems"], problems, strict=True):
        path = problem.where.path
        shown["question"] = path.split(".")[1] if path.startswith("answers.") else None
    return {**listed, "text": CATALOGUE.texts(message(problems[0].code))}


def _page(request: AnyRequest, problem: Problem, status: int) -> Response[bytes]:
    site = site_of(request)
    parts = request.url.path.split("/")
    served = site.studies.get(unquote(parts[2])) if parts[1] == "s" and len(parts) > 2 else None
    heading = "Please sign in" if problem.rule is SIGNED_OUT else "That did not work"
    page = site.page(
        request,
        "problem.html",
        served,
        heading=CATALOGUE.say(heading),
        text=CATALOGUE.say(message(problem.code)),
        code=problem.code,
        back=served.base if served else "/",
    )
    return Response(page.encode(), status_code=status, media_type="text/html")
