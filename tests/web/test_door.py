"""What every request passes, and what every answer carries."""

from __future__ import annotations

import json
from typing import Any

import httpx
import pytest
from looping import in_a_loop

from rubrica.web.door import Door


async def echo(scope: Any, receive: Any, send: Any) -> None:
    headers = [(b"content-type", b"text/html"), (b"set-cookie", b"a=1"), (b"set-cookie", b"b=2")]
    await send({"type": "http.response.start", "status": 200, "headers": headers})
    await send({"type": "http.response.body", "body": b"hello " * 500})


def ask(method: str = "GET", host: str = "127.0.0.1:8000", **headers: str) -> httpx.Response:
    async def go() -> httpx.Response:
        transport = httpx.ASGITransport(app=Door(echo, ["Rating.Example"]))
        async with httpx.AsyncClient(transport=transport, base_url="http://127.0.0.1") as client:
            given = {key.replace("_", "-"): value for key, value in headers.items()}
            return await client.request(method, "/", headers={"host": host, **given})

    return in_a_loop(go())


@pytest.mark.parametrize("host", ["localhost", "127.0.0.1:9", "[::1]:80", "10.0.0.7", "rating.example"])
def test_own_names_and_numeric_addresses_are_answered(host: str) -> None:
    assert ask(host=host).status_code == 200


@pytest.mark.parametrize("host", ["evil.example", "rating.example.evil", "", "127.0.0.1.evil"])
def test_other_names_are_refused(host: str) -> None:
    answer = ask(host=host)
    assert (answer.status_code, answer.json()["code"]) == (421, "W001")


CHANGES = [
    ({"content_type": "application/json"}, 200),
    ({"content_type": "application/json", "origin": "http://127.0.0.1:8000"}, 200),
    ({"content_type": "application/json", "sec_fetch_site": "same-origin"}, 200),
    ({"content_type": "application/json", "origin": "http://evil.example"}, 403),
    ({"content_type": "application/json", "origin": "null"}, 403),
    ({"content_type": "application/json", "sec_fetch_site": "cross-site"}, 403),
    ({"content_type": "application/json", "sec_fetch_site": "same-site"}, 403),
    ({"content_type": "text/plain"}, 415),
    ({"content_type": "application/x-www-form-urlencoded"}, 415),
    ({}, 415),
]


@pytest.mark.parametrize(("headers", "status"), CHANGES)
def test_changes_come_from_own_pages_as_json(headers: dict[str, str], status: int) -> None:
    assert ask("POST", **headers).status_code == status


def test_every_answer_is_hardened_even_a_refusal() -> None:
    for answer in (ask(), ask(host="evil.example")):
        policy = answer.headers["content-security-policy"]
        assert "default-src 'none'" in policy
        assert "unsafe" not in policy
        assert answer.headers["x-content-type-options"] == "nosniff"
        assert answer.headers["cache-control"] == "no-store"


def test_texts_are_zipped_and_cookies_kept_apart() -> None:
    answer = ask(accept_encoding="gzip")
    assert answer.headers["content-encoding"] == "gzip"
    assert answer.text == "hello " * 500
    assert int(answer.headers["content-length"]) < 200
    assert answer.headers.get_list("set-cookie") == ["a=1", "b=2"]
    assert "content-encoding" not in ask(accept_encoding="identity").headers


def test_the_error_shape_is_pinned() -> None:
    shape = json.loads(ask(host="evil.example").text)
    assert shape == {
        "title": "A request names this server as its host",
        "status": 421,
        "code": "W001",
        "problems": [{"code": "W001"}],
    }
