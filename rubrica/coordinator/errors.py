"""Whatever goes wrong at the desk becomes the one JSON shape, whole: who works here may know."""

from __future__ import annotations

import json
import logging
from typing import Any

from litestar import Response
from litestar.exceptions import HTTPException

from rubrica.coordinator.endpoint import API, At, site_of
from rubrica.coordinator.page import framed, html
from rubrica.coordinator.rules import NOTHING, UNREADABLE, WRONG_METHOD
from rubrica.coordinator.site import BASE, AnyRequest, DeskSite
from rubrica.coordinator.who import visitor
from rubrica.errors import Problem, Problems
from rubrica.web.problems import OUR_FAULT, problem_json, status_of

log = logging.getLogger("rubrica")


def is_desk(path: str) -> bool:
    """Whether an address belongs to the desk, so that its problems are told as the desk's."""
    return any(path == base or path.startswith(f"{base}/") for base in (API, BASE))


def on_desk_error(request: AnyRequest, error: Exception) -> Response[bytes]:
    problems = as_problems(request, error)
    if _is_page(request):
        return problem_page(request, problems[0])
    body = json.dumps(_told(site_of(request), problems)).encode()
    headers = {"allow": allowed(error)} if problems[0].rule is WRONG_METHOD else {}
    return Response(
        body,
        status_code=status_of(problems[0]),
        media_type="application/problem+json",
        headers=headers,
    )


def _is_page(request: AnyRequest) -> bool:
    """Whether a person looks: a browser that goes to an address, a download among them."""
    return request.method == "GET" and "text/html" in request.headers.get("accept", "")


def problem_page(request: AnyRequest, problem: Problem) -> Response[bytes]:
    """A plain, kind page; whoever is signed in keeps the desk around it."""
    site = site_of(request)
    try:
        at = At(site, visitor(site, request))
    except Problem:
        at = At(site)
    page = site.page(
        request,
        "problem.html",
        "That did not work",
        problem=problem,
        back=BASE,
        **framed(at, request, ""),
    )
    return html(page, status_of(problem))


def _told(site: DeskSite, problems: list[Problem]) -> dict[str, Any]:
    """The one shape, each problem with its text in every language."""
    listed = problem_json(problems, full=True)
    for shown, problem in zip(listed["problems"], problems, strict=True):
        shown["text"] = site.words.of_problem(problem)
    return listed


def as_problems(request: AnyRequest, error: Exception) -> list[Problem]:
    if isinstance(error, Problems):
        return list(error.problems)
    if isinstance(error, Problem):
        return [error]
    if isinstance(error, HTTPException) and error.status_code < 500:
        return [_framework(request, error)]
    log.error("a request failed", exc_info=error)
    return [Problem(OUR_FAULT)]


def _framework(request: AnyRequest, error: HTTPException) -> Problem:
    if error.status_code == 405:
        return Problem(WRONG_METHOD, got=request.method)
    if error.status_code == 404:
        return Problem(NOTHING)
    return Problem(UNREADABLE, details={"reason": str(error.detail)[:200]})


def allowed(error: Exception) -> str:
    given = getattr(error, "headers", None) or {}
    return str(next((v for name, v in given.items() if name.lower() == "allow"), "GET"))
