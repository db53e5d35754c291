"""What the workbench asks of the server: JSON in, JSON out; every decision is fieldwork's."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import asdict
from typing import Any, TypeVar

import msgspec
from litestar import Response, get, post
from litestar.datastructures import Cookie
from litestar.params import FromPath, FromQuery

from rubrica.annotator.pages import site_of
from rubrica.annotator.reading import read_as
from rubrica.annotator.sheets import as_json
from rubrica.annotator.site import AnyRequest, Named, Signed
from rubrica.annotator.units import feedback_json, work_json
from rubrica.fieldwork import asking, finishing, joining, pace, practice, stepping, working
from rubrica.fieldwork.model import Work
from rubrica.web.bodies import whole
from rubrica.web.rates import limit

ATTEMPTS = 200
"""So often a minute one address may try to join: a class behind one router joins within a minute."""
ATTEMPTS_AT_ONE = 10
"""So often it may try one annotator id."""
LISTED = 500


class Join(msgspec.Struct, forbid_unknown_fields=True):
    name: str
    code: str | None = None
    language: str = "en"
    consent: str | None = None
    crowd: dict[str, str] = {}
    attempt: str | None = None
    """Made up by the page, so that the same may be sent again."""


class Confirm(msgspec.Struct, forbid_unknown_fields=True):
    hash: str


class Goto(msgspec.Struct, forbid_unknown_fields=True):
    number: int


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
    return read_as(await whole(request.receive), shape)


def answer(content: Any, cookies: Sequence[Cookie] = ()) -> Response[bytes]:
    return Response(as_json(content), media_type="application/json", cookies=list(cookies))


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
    here = ("join", address, ATTEMPTS)
    limit(site.store, here, (f"join {study}", f"{address} {asked.name}", ATTEMPTS_AT_ONE))
    joined = joining.join(
        served.desk,
        asked.name,
        language=asked.language,
        crowd=asked.crowd,
        code=asked.code or None,
        attempt=asked.attempt,
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
    *(pulse, open_place, go_to, items, leave),
    *(practise, messages, message, own_ratings),
]
