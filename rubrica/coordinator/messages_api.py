"""What raters ask and report, what they are answered, and notices to everybody."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from rubrica.coordinator.endpoint import At, Endpoint
from rubrica.coordinator.names import name_of, raters
from rubrica.coordinator.rules import BAD_TEXT, NOTHING
from rubrica.coordinator.shapes.items import MessageShown
from rubrica.coordinator.shapes.messages import MessageList, MessagesAsked, NewMessage
from rubrica.coordinator.shapes.studies import StudyOf
from rubrica.errors import Problem
from rubrica.fieldwork.asking import LONGEST_MESSAGE
from rubrica.fieldwork.store import Message

ASKING = ("flag", "question")


def message_list(at: At, asked: MessagesAsked) -> MessageList:
    """The newest first."""
    every = at.site.stores.messages.messages(at.name)
    open_ = [m.number for m in _unanswered(every)]
    older = [m for m in every[::-1] if asked.before is None or m.number < asked.before]
    if asked.open:
        older = [m for m in older if m.number in set(open_)]
    return MessageList(_shown(at, older[: asked.count]), open_, len(older) > asked.count)


def unanswered(at: At) -> Sequence[Message]:
    """What raters asked and reported that nobody has answered."""
    return _unanswered(at.site.stores.messages.messages(at.name))


def _unanswered(every: Sequence[Message]) -> list[Message]:
    answered = {m.answers for m in every}
    return [m for m in every if m.kind in ASKING and m.number not in answered]


def about_item(at: At, item: int) -> list[MessageShown]:
    """What was said about one item, with the answers to it, in order."""
    every = at.site.stores.messages.messages(at.name)
    own = {m.number for m in every if m.item == item}
    return _shown(at, [m for m in every if m.number in own or m.answers in own])


def _shown(at: At, messages: Sequence[Message]) -> list[MessageShown]:
    known = raters(at)
    items = {m.item: at.site.stores.verdicts.hidden(at.name, m.item) for m in messages if m.item}
    return [
        MessageShown(
            number=m.number,
            kind=m.kind,
            text=m.text,
            rater=m.rater,
            name=name_of(at, known.get(m.rater or 0)),
            item=items[m.item].public if m.item else None,
            item_key=items[m.item].key if m.item else None,
            answers=m.answers,
            sent=m.sent,
        )
        for m in messages
    ]


def send(at: At, of: StudyOf, asked: NewMessage) -> MessageShown:
    """An answer goes to whoever asked; a notice to all raters, or to one."""
    text = asked.text.strip()
    if not 1 <= len(text) <= LONGEST_MESSAGE:
        raise Problem(BAD_TEXT, details={"longest": LONGEST_MESSAGE})
    message = Message(at.name, "notice", text, rater=asked.rater)
    if asked.answers is not None:
        about = _asked(at).get(asked.answers)
        if about is None:
            raise Problem(NOTHING)
        message = Message(
            at.name, "answer", text, about.rater, about.item, about.place, answers=about.number
        )
    elif asked.rater is not None and at.site.stores.accounts.rater(at.name, asked.rater) is None:
        raise Problem(NOTHING)
    sent = at.site.stores.messages.add_message(message)
    details = {"message": sent.number, "rater": sent.rater}
    at.site.stores.accounts.log(at.name, at.me.who, "sent a message", details)
    return _shown(at, [sent])[0]


def _asked(at: At) -> Mapping[int, Message]:
    every = at.site.stores.messages.messages(at.name)
    return {m.number: m for m in every if m.kind in ASKING}


ENDPOINTS = [
    Endpoint(
        "GET",
        "/studies/{study}/messages",
        "What raters asked and reported, the answers, and notices.",
        message_list,
        MessageList,
        asks=MessagesAsked,
    ),
    Endpoint(
        "POST",
        "/studies/{study}/messages",
        "Answer a rater, or send a notice to one or to all.",
        send,
        MessageShown,
        asks=StudyOf,
        takes=NewMessage,
        who="coordinator",
        needs="write",
    ),
]
