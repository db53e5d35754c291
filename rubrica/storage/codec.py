"""How values stand in the database: ASCII only, so that no character is ever refused or altered.

PostgreSQL refuses NUL, drivers refuse lone surrogates, jsonb refuses both and NaN. Escaped as in JSON
everything passes, and comes back exactly as it was.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from datetime import UTC, datetime
from functools import lru_cache
from hashlib import blake2b
from typing import Any

import msgspec
from msgspec.structs import fields

from rubrica.items.model import NewItem
from rubrica.ratings.model import Answer, Pace, Submission

_escape = json.encoder.encode_basestring_ascii
_encode = json.JSONEncoder(separators=(",", ":"), default=dict).encode
_quickly = msgspec.json.Encoder(enc_hook=dict).encode
_quickly_sorted = msgspec.json.Encoder(order="sorted", enc_hook=dict).encode
_any_out = msgspec.json.Decoder().decode
_answers_out = msgspec.json.Decoder(dict[str, Answer]).decode
_canonical = json.JSONEncoder(separators=(",", ":"), sort_keys=True, default=dict).encode


def text_in(value: str) -> str:
    return _escape(value)[1:-1]


def text_out(value: str) -> str:
    plain: str = json.loads(f'"{value}"') if "\\" in value else value
    return plain


def maybe_in(value: str | None) -> str | None:
    return None if value is None else text_in(value)


def maybe_out(value: str | None) -> str | None:
    return None if value is None else text_out(value)


json_in = _encode


def json_out(text: str | bytes) -> Any:
    """As the standard library reads it, three times as fast where that is the same.

    What is quick here refuses what it reads otherwise, such as NaN and lone surrogates.
    """
    try:
        return _any_out(text)
    except (msgspec.DecodeError, UnicodeError):
        return json.loads(text)


def quick_in(value: Any, *, texts_only: bool = False) -> str:
    """The same as `json_in`, ten times as fast where it can be: where all is ASCII and no NaN.

    What is quick here writes null for NaN; where there are but texts, a null is a null.
    """
    try:
        quick = _quickly(value)
    except (UnicodeEncodeError, OverflowError, TypeError, ValueError):
        return _encode(value)
    if quick.isascii() and (texts_only or b"null" not in quick):
        return quick.decode()
    return _encode(value)


def time_in(moment: datetime) -> str:
    """UTC with fixed width, so that texts order as times do."""
    return moment.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%S.%fZ")


def thread_number(name: str) -> int:
    """A thread as a number that says nothing; two of a million names meet once in 10^7 studies."""
    return int.from_bytes(blake2b(text_in(name).encode(), digest_size=8).digest(), signed=True)


def opaque(secret: bytes, what: str, name: str, copy: int = 0) -> str:
    """An id that browsers may see: always the same for the same thing, and nothing is read from it.

    `name` is already ASCII.
    """
    hashed = _keyed(secret).copy()
    hashed.update(f"{what} {copy} {name}".encode())
    return hashed.hexdigest()


@lru_cache(maxsize=64)
def _keyed(secret: bytes) -> blake2b:
    return blake2b(key=secret, digest_size=12)


_ANSWER = [(f.name, f.default) for f in fields(Answer)]


def _answer_in(answer: Answer) -> dict[str, Any]:
    """Without the fields that stand at their default."""
    values = ((name, getattr(answer, name), default) for name, default in _ANSWER)
    return {name: value for name, value, default in values if value is not default}


def answers_in(answers: Mapping[str, Answer] | None) -> str | None:
    if answers is None:
        return None
    return quick_in({name: _answer_in(answer) for name, answer in answers.items()})


def answers_out(text: str | None) -> dict[str, Answer] | None:
    if text is None:
        return None
    try:
        return _answers_out(text)
    except msgspec.DecodeError:
        return {name: Answer(**answer) for name, answer in json.loads(text).items()}


def pace_in(pace: Pace) -> str:
    values = (pace.started, pace.ended, pace.wall_seconds, pace.active_seconds)
    return json_in(values)


def pace_out(text: str) -> Pace:
    return Pace(*json_out(text))


def content_digest(submission: Submission, answers: str | None) -> str:
    """What makes two submissions the same: all that the rater said, not how long it took to send."""
    parts = (
        submission.place,
        submission.rater,
        submission.item,
        submission.version,
        json_out(answers) if answers else None,
        submission.skip_reason,
        submission.supersedes,
    )
    try:
        text = _quickly_sorted(parts)
    except (UnicodeEncodeError, OverflowError, TypeError, ValueError):
        text = _canonical(parts).encode()
    return blake2b(text, digest_size=16).hexdigest()


def shown_in(item: NewItem) -> tuple[str, str, str]:
    """What is shown of an item and what conditions ask of it, as it is kept."""
    views = quick_in(list(item.shown.views), texts_only=True)
    entries = item.shown.entries
    return views, quick_in(entries) if entries else "{}", quick_in(item.facts)


def fingerprint(item: NewItem, kept: tuple[str, str, str]) -> str:
    """Changes with the item's source, and with what a new version of the study makes of it."""
    said = _said(item.turn, item.rated, item.thread or "", item.system or "", item.wave or "")
    gold = json_in(item.gold) if item.gold else ""
    text = "\n".join((item.digest, said, gold, *kept))
    return blake2b(text.encode(), digest_size=16).hexdigest()


@lru_cache(maxsize=4096)
def _said(*what: Any) -> str:
    return quick_in(what, texts_only=True)
