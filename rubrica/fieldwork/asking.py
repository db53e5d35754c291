"""Questions and flags from raters, answers and notices back."""

from __future__ import annotations

from collections.abc import Sequence

from rubrica.errors import Problem
from rubrica.fieldwork.desk import Desk
from rubrica.fieldwork.rules import BAD_MESSAGE
from rubrica.fieldwork.store import Message

LONGEST_MESSAGE = 4_000


def flag(desk: Desk, rater: int, place: int, text: str) -> Message:
    """Report an item as broken."""
    own = desk.own_place(rater, place)
    return _send(desk, Message(desk.id, "flag", text, rater=rater, item=own.item, place=place))


def ask(desk: Desk, rater: int, text: str, place: int | None = None) -> Message:
    """Ask the people who run the study, about an item or in general."""
    desk.rater(rater)
    item = None if place is None else desk.own_place(rater, place).item
    return _send(desk, Message(desk.id, "question", text, rater=rater, item=item, place=place))


def messages(desk: Desk, rater: int) -> Sequence[Message]:
    """What the rater wrote, the answers to it, and the notices to everybody."""
    desk.rater(rater)
    return desk.stores.messages.messages(desk.id, rater)


def notices(desk: Desk, rater: int) -> Sequence[Message]:
    """The notices to everybody, the newest first."""
    return [m for m in reversed(messages(desk, rater)) if m.kind == "notice"]


def newest(desk: Desk, rater: int) -> int:
    """The number of the newest answer or notice to the rater; 0 while there is none."""
    desk.rater(rater)
    return desk.stores.messages.newest(desk.id, [rater])[rater]


def _send(desk: Desk, message: Message) -> Message:
    if not 1 <= len(message.text.strip()) <= LONGEST_MESSAGE:
        raise Problem(BAD_MESSAGE, details={"longest": LONGEST_MESSAGE})
    return desk.stores.messages.add_message(message)
