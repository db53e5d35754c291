"""What the workbench asks of the server: JSON in, JSON out; every decision is fieldwork's."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Sequence
from concurrent.futures import Future
from dataclasses import asdict
from typing import Any, TypeVar

import msgspec
from litestar import Response, get, post
from litestar.datastructures import Cookie
from litestar.params import FromPath, FromQuery

from rubrica.annotator.pages import site_of
from rubrica.annotator.site import AnyRequest, Named, Signed
from rubrica.annotator.units import feedback_json, work_json
from rubrica.errors import Problem, Rule
from rubrica.fieldwork import asking, finishing, joining, pace, practice, stepping, working
from rubrica.fieldwork.model import Sent, Work
from rubrica.ratings.model import Pace, Receipt
from rubrica.web.bodies import whole
from rubrica.web.rates import limit

ATTEMPTS = 200
"""So often a minute one address may try to join: a class behind one router joins within a minute."""
ATTEMPTS_AT_ONE = 10
"""So often it may try one annotator id."""
LISTED = 500

UNREADABLE = Rule(
    code="W020",
    title="A request has the members its address expects",
    says="this request cannot be read: {reason}",
    why="What cannot be read cannot be saved.",
    mend="Load the page again.",
)


class Join(msgspec.Struct, forbid_unknown_fields=True):
    name: str
    code: str | None = None
    language: str = "en"
    consent: str | None = None
    crowd: dict[str, str] = {}


class Confirm(msgspec.Struct, forbid_unknown_fields=True):
    hash: str


class Next(msgspec.Struct, forbid_unknown_fields=True):
    count: int = 1
    held: list[int] = []


class Goto(msgspec.Struct, forbid_unknown_fields=True):
    number: int


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


class NewMessage(msgspec.Struct, forbid_unknown_fields=True):
    kind: str
    text: str
    place: int | None = None


class Language(msgspec.Struct, forbid_unknown_fields=True):
    language: str


class Answers(msgspec.Struct, forbid_unknown_fields=True):
    number: int
    answers: dict[str, Any]


T = TypeVar("T")


async def read(request: AnyRequest, shape: type[T]) -> T:
    """The body as that shape. The standard reader takes lone surrogates, which people do type."""
    try:
        return msgspec.convert(json.loads(await whole(request)), shape)
    except (ValueError, msgspec.MsgspecError, RecursionError) as error:
        raise Problem(UNREADABLE, details={"reason": str(error)[:200]}) from None


def answer(content: Any, cookies: Sequence[Cookie] = ()) -> Response[bytes]:
    body = json.dumps(content, ensure_ascii=True, separators=(",", ":")).encode()
    return Response(body, media_type="application/json", cookies=list(cookies))


async def who(request: AnyRequest, study: str) -> Signed:
    return await asyncio.to_thread(site_of(request).signed, request, study)


# --- coming in ---


@post("/s/{study:str}/api/join", status_code=200)
async def join(request: AnyRequest, study: Named) -> Response[bytes]:
    asked = await read(request, Join)
    return await asyncio.to_thread(_join, request, study, asked)


def _join(request: AnyRequest, study: str, asked: Join) -> Response[bytes]:
    site = site_of(request)
    served = site.study(study)
    address = request.client.host if request.client else ""
    limit(site.store, "join", address, ATTEMPTS)
    limit(site.store, f"join {study}", f"{address} {asked.name}", ATTEMPTS_AT_ONE)
    joined = joining.join(
        served.desk, asked.name, language=asked.language, crowd=asked.crowd, code=asked.code or None
    )
    if asked.consent:
        stepping.agree(served.desk, joined.rater.number, asked.consent)
    cookie = site.sessions.open(study, joined.rater.number, replaces=site.token(request))
    return answer({"code": joined.resume_code}, [cookie])


@post("/s/{study:str}/api/leave-browser", status_code=200, sync_to_thread=True)
def sign_out(request: AnyRequest, study: Named) -> Response[bytes]:
    site = site_of(request)
    site.study(study)
    return answer({}, [site.sessions.end(site.token(request), study)])


@post("/s/{study:str}/api/consent", status_code=200)
async def consent(request: AnyRequest, study: Named) -> Response[bytes]:
    signed, asked = await who(request, study), await read(request, Confirm)
    await asyncio.to_thread(stepping.agree, signed.desk, signed.rater, asked.hash)
    return answer({})


@post("/s/{study:str}/api/guidelines", status_code=200)
async def confirm(request: AnyRequest, study: Named) -> Response[bytes]:
    signed, asked = await who(request, study), await read(request, Confirm)
    await asyncio.to_thread(stepping.confirm_guidelines, signed.desk, signed.rater, asked.hash)
    return answer({})


@post("/s/{study:str}/api/language", status_code=200)
async def language(request: AnyRequest, study: Named) -> Response[bytes]:
    signed, asked = await who(request, study), await read(request, Language)
    await asyncio.to_thread(joining.set_language, signed.desk, signed.rater, asked.language)
    return answer({})


# --- working ---


@post("/s/{study:str}/api/next", status_code=200)
async def next_items(request: AnyRequest, study: Named) -> Response[bytes]:
    """The open reservations; only those the browser does not hold travel again."""
    asked = await read(request, Next)
    return await asyncio.to_thread(_next, request, study, asked)


def _next(request: AnyRequest, study: str, asked: Next) -> Response[bytes]:
    signed = site_of(request).signed(request, study)
    works = working.next_work(signed.desk, signed.rater, asked.count)
    held = set(asked.held)
    return answer(
        {
            "open": [one.place for one in works],
            "works": [_work(request, signed, one) for one in works if one.place not in held],
            "progress": asdict(pace.progress(signed.desk, signed.rater)),
            "now": signed.desk.clock().timestamp(),
            **_pulse(signed),
        }
    )


def _pulse(signed: Signed) -> dict[str, Any]:
    """What a page that stays open for hours has to learn of."""
    return {
        "version": signed.desk.version.hash,
        "news": asking.newest(signed.desk, signed.rater),
    }


@get("/s/{study:str}/api/pulse", sync_to_thread=True)
def pulse(request: AnyRequest, study: Named) -> Response[bytes]:
    """Whether the server is there again, for a page with nothing to send."""
    return answer(_pulse(site_of(request).signed(request, study)))


def _work(request: AnyRequest, signed: Signed, work: Work) -> dict[str, Any]:
    return work_json(site_of(request).templates, signed.served, work)


@get("/s/{study:str}/api/place/{place:int}", sync_to_thread=True)
def open_place(request: AnyRequest, study: Named, place: FromPath[int]) -> Response[bytes]:
    signed = site_of(request).signed(request, study)
    return answer(_work(request, signed, working.open_work(signed.desk, signed.rater, place)))


@post("/s/{study:str}/api/goto", status_code=200)
async def go_to(request: AnyRequest, study: Named) -> Response[bytes]:
    signed, asked = await who(request, study), await read(request, Goto)
    found = await asyncio.to_thread(working.go_to, signed.desk, signed.rater, asked.number)
    return answer(await asyncio.to_thread(_work, request, signed, found))


@post("/s/{study:str}/api/draft", status_code=200)
async def draft(request: AnyRequest, study: Named) -> Response[bytes]:
    asked = await read(request, NewDraft)
    kept = await asyncio.to_thread(_draft, request, study, asked)
    if isinstance(kept, int):
        return answer({"revision": kept, "newer": True})
    revision = await asyncio.wrap_future(kept)
    return answer({"revision": revision, "newer": revision != asked.revision})


def _draft(request: AnyRequest, study: str, asked: NewDraft) -> int | Future[int]:
    signed = site_of(request).signed(request, study)
    newer = _newer_draft(signed, asked)
    if newer is not None:
        return newer
    return working.save_draft(signed.desk, signed.rater, asked.place, asked.revision, asked.content)


def _newer_draft(signed: Signed, asked: NewDraft) -> int | None:
    """The revision another page of the rater has saved since this one looked, if any."""
    kept = signed.desk.stores.ratings.draft(signed.desk.id, signed.rater, asked.place)
    return kept.revision if kept is not None and kept.revision > asked.base else None


@post("/s/{study:str}/api/submit", status_code=200)
async def submit(request: AnyRequest, study: Named) -> Response[bytes]:
    """Answered only once the rating is safe: the browser says "saved" on this word."""
    asked = await read(request, Submit)
    sent = Sent(**{**msgspec.structs.asdict(asked), "pace": Pace(**msgspec.structs.asdict(asked.pace))})
    signed, kept = await asyncio.to_thread(_submit, request, study, sent)
    receipt = await asyncio.wrap_future(kept)
    shown = signed.desk.version.study.show_score
    scores = await asyncio.to_thread(_scores, signed, sent) if shown else None
    return answer({"id": receipt.id, "replay": receipt.replay, "scores": scores})


def _submit(request: AnyRequest, study: str, sent: Sent) -> tuple[Signed, Future[Receipt]]:
    signed = site_of(request).signed(request, study)
    return signed, working.submit(signed.desk, signed.rater, sent)


def _scores(signed: Signed, sent: Sent) -> Any:
    own = working.open_work(signed.desk, signed.rater, sent.place).own
    return None if own is None else own.scores


@get("/s/{study:str}/api/items", sync_to_thread=True)
def items(request: AnyRequest, study: Named, after: FromQuery[int] = 0) -> Response[bytes]:
    signed = site_of(request).signed(request, study)
    return answer([asdict(one) for one in pace.my_items(signed.desk, signed.rater, after, LISTED)])


@post("/s/{study:str}/api/leave", status_code=200, sync_to_thread=True)
def leave(request: AnyRequest, study: Named) -> Response[bytes]:
    signed = site_of(request).signed(request, study)
    return answer({"released": working.leave(signed.desk, signed.rater)})


# --- practice, messages, files ---


@post("/s/{study:str}/api/practice", status_code=200)
async def practise(request: AnyRequest, study: Named) -> Response[bytes]:
    signed, asked = await who(request, study), await read(request, Answers)
    feedback, stands = await asyncio.to_thread(
        practice.answer_example, signed.desk, signed.rater, asked.number, asked.answers
    )
    return answer({"feedback": feedback_json(feedback), "standing": asdict(stands)})


@get("/s/{study:str}/api/messages", sync_to_thread=True)
def messages(request: AnyRequest, study: Named) -> Response[bytes]:
    signed = site_of(request).signed(request, study)
    says = {"flag": "You reported", "question": "You asked", "answer": "Answer", "notice": "Notice"}
    listed = asking.messages(signed.desk, signed.rater)
    return answer(
        [{"number": m.number, "kind": m.kind, "says": says[m.kind], "text": m.text} for m in listed]
    )


@post("/s/{study:str}/api/message", status_code=200)
async def message(request: AnyRequest, study: Named) -> Response[bytes]:
    signed, asked = await who(request, study), await read(request, NewMessage)
    if asked.kind == "flag" and asked.place is not None:
        await asyncio.to_thread(asking.flag, signed.desk, signed.rater, asked.place, asked.text)
    else:
        await asyncio.to_thread(asking.ask, signed.desk, signed.rater, asked.text, asked.place)
    return answer({})


@get("/s/{study:str}/ratings.jsonl", sync_to_thread=True)
def own_ratings(request: AnyRequest, study: Named) -> Response[bytes]:
    signed = site_of(request).signed(request, study)
    body = "".join(finishing.own_ratings_file(signed.desk, signed.rater)).encode()
    headers = {"content-disposition": 'attachment; filename="my-ratings.jsonl"'}
    return Response(body, media_type="application/jsonl", headers=headers)


API = [
    *(join, sign_out, consent, confirm, language),
    *(next_items, pulse, open_place, go_to, draft, submit, items, leave),
    *(practise, messages, message, own_ratings),
]
