"""The three addresses that pages ask more often than all others together: next, draft and submit.

They are answered without the framework: to find a route, make a request of it and a response of the
answer costs more than all that is done for one of many that come together.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any

import msgspec

from rubrica.annotator.crowd import Crowd, Wanted
from rubrica.annotator.errors import as_json_problem
from rubrica.annotator.reading import read_as
from rubrica.annotator.sheets import as_json
from rubrica.annotator.site import Asking, Signed
from rubrica.fieldwork import working
from rubrica.fieldwork.model import Newer, Sent, Typed
from rubrica.ratings.model import Pace
from rubrica.web.bodies import whole
from rubrica.web.door import App, Receive, Scope, Send

Handle = Callable[[Asking, bytes], Awaitable[bytes]]


class Next(msgspec.Struct, forbid_unknown_fields=True):
    count: int = 1
    held: list[int] = []


class NewDraft(msgspec.Struct, forbid_unknown_fields=True):
    place: int
    revision: int
    content: dict[str, Any]
    base: int = 0
    """The newest draft of the server the page knew: a newer one is merged there, not overwritten."""


class SentPace(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    started: str | None = None
    ended: str | None = None
    wall_seconds: float | None = None
    active_seconds: float | None = None


class Submit(msgspec.Struct, forbid_unknown_fields=True):
    id: str
    place: int
    version: str
    answers: dict[str, Any] | None = None
    skip_reason: str | None = None
    supersedes: str | None = None
    language: str = "en"
    pace: SentPace = SentPace()


class Quick:
    """Answers what it can; `of` says whether it does."""

    def __init__(self, crowd: Crowd) -> None:
        self._crowd = crowd
        self.handlers: dict[str, Handle] = {
            "next": self._next,
            "draft": self._draft,
            "submit": self._submit,
        }
        """By the last part of the address: `/s/STUDY/api/...`."""

    def of(self, scope: Scope) -> App | None:
        parts = scope["path"].split("/")
        if scope["method"] != "POST" or len(parts) != 5 or (parts[1], parts[3]) != ("s", "api"):
            return None
        handle = self.handlers.get(parts[4])
        if handle is None:
            return None

        async def answers(scope: Scope, receive: Receive, send: Send) -> None:
            status, media = 200, b"application/json"
            try:
                content = await whole(receive)
                body = await handle(self._crowd.site.asking(scope, parts[2]), content)
            except Exception as error:
                (status, body), media = as_json_problem(error), b"application/problem+json"
            headers = [(b"content-type", media), (b"content-length", b"%d" % len(body))]
            await send({"type": "http.response.start", "status": status, "headers": headers})
            await send({"type": "http.response.body", "body": body})

        return answers

    async def _next(self, asking: Asking, body: bytes) -> bytes:
        """The open reservations; only those the browser does not hold travel again."""
        asked = read_as(body, Next)
        answer: bytes = await self._crowd.nexts((asking, Wanted(asked.count, frozenset(asked.held))))
        return answer

    async def _draft(self, asking: Asking, body: bytes) -> bytes:
        asked = read_as(body, NewDraft)
        typed = Typed(asked.place, asked.revision, asked.content, asked.base)
        _, kept = await self._crowd.drafts((asking, typed))
        if isinstance(kept, Newer):
            return as_json({"revision": kept.revision, "newer": True})
        return as_json({"revision": kept, "newer": kept != asked.revision})

    async def _submit(self, asking: Asking, body: bytes) -> bytes:
        """Answered only once the rating is safe: the browser says "saved" on this word."""
        sent = _sent(read_as(body, Submit))
        signed, receipt = await self._crowd.submits((asking, sent))
        shown = signed.desk.version.study.show_score
        scores = await asyncio.to_thread(_scores, signed, sent) if shown else None
        return as_json({"id": receipt.id, "replay": receipt.replay, "scores": scores})


def _sent(asked: Submit) -> Sent:
    pace = asked.pace
    return Sent(
        id=asked.id,
        place=asked.place,
        version=asked.version,
        answers=asked.answers,
        skip_reason=asked.skip_reason,
        supersedes=asked.supersedes,
        language=asked.language,
        pace=Pace(pace.started, pace.ended, pace.wall_seconds, pace.active_seconds),
    )


def _scores(signed: Signed, sent: Sent) -> Any:
    own = working.open_work(signed.desk, signed.rater, sent.place).own
    return None if own is None else own.scores
