"""Reading what a request brings."""

from __future__ import annotations

from typing import Any

from litestar import Request
from litestar.exceptions import InternalServerException

from rubrica.errors import Problem, Rule

CUT_OFF = Rule(
    code="W021",
    title="A request arrives whole",
    says="the connection broke off in the middle of a request",
    why="Nothing of it was saved; the browser keeps it and sends it again.",
    mend="Nothing needs to be done.",
)


async def whole(request: Request[Any, Any, Any]) -> bytes:
    """The body, unless the connection broke off."""
    try:
        return await request.body()
    except InternalServerException:
        raise Problem(CUT_OFF) from None
