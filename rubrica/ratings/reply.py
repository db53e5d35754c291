"""What a browser sends for one question, before anything of it is believed.

    {"value": 4}                                     the rater's choice
    {"value": 4, "first": 2, "prompted": true}       changed after a second look
    {"cannot_judge": true}                           or a reason instead of true
    {}                                               nothing chosen: left out, or the implied level
    {"first": 2}                                     chose 2, then went with the implied level

A level that follows from evidence is sent only where the rater chose it by hand; otherwise the server
works it out again, so that page and server can never disagree in silence.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from rubrica.errors import Problem, Rule, nearest, shown

REPLY_SHAPE = Rule(
    code="A102",
    title="A reply to a question is an object with known members",
    says="this reply cannot be read",
    why="A member nobody reads would be lost although it was acknowledged.",
    mend="Send an object with `value` or `cannot_judge`, and `first` and `prompted` where they apply.",
)
EITHER = Rule(
    code="A103",
    title="A reply is a value or cannot judge, not both",
    says="this reply gives a value and says that it cannot be judged",
    why="Only one of the two can be recorded.",
    mend="Send `value` or `cannot_judge`.",
)

MEMBERS = ("value", "cannot_judge", "first", "prompted")


@dataclass(frozen=True, slots=True)
class Reply:
    """None stands for what was not sent: no kind records a null."""

    value: Any = None
    cannot_judge: bool | str | None = None
    first: Any = None
    prompted: bool = False


def read_reply(raw: Any) -> Reply:
    """The reply as it was sent; raises a Problem for a shape that cannot be one."""
    if raw is None:
        return Reply()
    if not isinstance(raw, Mapping):
        raise Problem(REPLY_SHAPE, expected="an object", got=shown(raw))
    for name in raw:
        if name not in MEMBERS:
            near = nearest(name, MEMBERS)
            raise Problem(REPLY_SHAPE, expected=", ".join(MEMBERS), got=shown(name), nearest=near)
    reply = Reply(**raw)
    if not isinstance(reply.prompted, bool):
        raise Problem(REPLY_SHAPE, expected="prompted: true or false", got=shown(reply.prompted))
    if not isinstance(reply.cannot_judge, bool | str | None):
        raise Problem(REPLY_SHAPE, expected="cannot_judge: true or a reason", got=shown(raw))
    if reply.value is not None and reply.cannot_judge:
        raise Problem(EITHER)
    return reply
