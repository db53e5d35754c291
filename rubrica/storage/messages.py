"""Messages between raters and coordinators."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from sqlalchemy import bindparam, func, select, text

from rubrica.fieldwork.store import Message
from rubrica.storage.codec import text_in, text_out
from rubrica.storage.core import Core
from rubrica.storage.sql import Row, Tx, insert_into, one_of
from rubrica.storage.tables import messages

COLUMNS = ("kind", "text", "rater", "item", "place", "answers", "number", "sent")
ADD = insert_into(messages)
ALL = (
    select(*(messages.c[name] for name in COLUMNS))
    .where(messages.c.study == bindparam("study"))
    .order_by(messages.c.number)
)
NEWEST = (
    select(messages.c.rater, func.max(messages.c.number))
    .where(messages.c.study == bindparam("study"), text("messages.kind IN ('answer', 'notice')"))
    .where(messages.c.rater.is_(None) | one_of(messages.c.rater, "raters"))
    .group_by(messages.c.rater)
)
OWN = ALL.where(messages.c.rater.is_(None) | (messages.c.rater == bindparam("rater")))


class Messages:
    """Fulfils `MessageStore`."""

    def __init__(self, core: Core) -> None:
        self._core = core

    def add_message(self, message: Message) -> Message:
        study, sent = self._core.id(message.study), self._core.now()

        def add(tx: Tx) -> Message:
            (number,) = tx.fresh("messages", "number", 1)
            kept = replace(message, number=number, sent=sent)
            values = {name: getattr(kept, name) for name in COLUMNS}
            tx.run(ADD, **{**values, "study": study, "text": text_in(message.text)})
            return kept

        return self._core.writer.call(add)

    def messages(self, study: str, rater: int | None = None) -> Sequence[Message]:
        known = self._core.id(study)
        with self._core.database.read() as tx:
            if rater is None:
                return [_message(study, row) for row in tx.all(ALL, study=known)]
            return [_message(study, row) for row in tx.all(OWN, study=known, rater=rater)]

    def newest(self, study: str, raters: Sequence[int]) -> Mapping[int, int]:
        with self._core.database.read() as tx:
            rows = tx.gathered(NEWEST, study=self._core.id(study), raters=list(raters))
        found: dict[int | None, int] = dict(rows)
        to_all = found.get(None, 0)
        return {rater: max(to_all, found.get(rater, 0)) for rater in raters}


def _message(study: str, row: Row) -> Message:
    values = dict(zip(COLUMNS, row, strict=True))
    return Message(study=study, **{**values, "text": text_out(values["text"])})
