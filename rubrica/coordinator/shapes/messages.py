"""Questions, reports and notices, and their answers."""

from __future__ import annotations

from typing import Annotated

from msgspec import Meta, Struct

from rubrica.coordinator.shapes.fields import Number
from rubrica.coordinator.shapes.items import MessageShown


class MessagesAsked(Struct):
    study: str
    open: bool = False
    """Only what nobody has answered."""
    before: Number | None = None
    count: Annotated[int, Meta(ge=1, le=200)] = 50


class MessageList(Struct):
    messages: list[MessageShown]
    open: list[int]
    """The numbers of questions and flags nobody has answered."""
    more: bool


class NewMessage(Struct, forbid_unknown_fields=True):
    """An answer to a message, or without `answers` a notice to one rater or to all."""

    text: Annotated[str, Meta(max_length=4_000)]
    answers: Number | None = None
    rater: Number | None = None
