"""The reference page of the API, made from its endpoints."""

from __future__ import annotations

from collections.abc import Iterator

from rubrica.coordinator.api import ENDPOINTS, EVENTS
from rubrica.coordinator.endpoint import API, Endpoint, Nothing
from rubrica.coordinator.openapi import REFUSED

_HEAD = """\
<!-- Made by scripts/reference.py from the code; do not edit. -->

# API

Everything the coordinators' desk shows and does is JSON under `/api`. The server describes it itself at
`/api/openapi.json` (OpenAPI 3.1, without signing in), with the shape of every answer.

A program sends a token, made on the desk's account page or by `POST /api/me/tokens`:

```sh no-run
curl -H "authorization: Bearer $TOKEN" http://127.0.0.1:8000/api/studies
```

Bodies are JSON (`content-type: application/json`). A token's scopes say what it may: `read` looks,
`write` changes a study, `manage` changes people and what cannot be taken back. The roles are
*reviewer*, *coordinator* and *owner*; each may do what those before it may. *Person* is whoever is
signed in, *anybody* needs nothing.

An answer that is not the one asked for has one shape (`application/problem+json`):
`{"title", "status", "code", "problems": [{"code", "level", "message", "where", "expected", "got",
"nearest", "mend", "text"}]}`. Codes are [the rules'](rules.md).

| status | |
|---|---|
"""


def page() -> str:
    return _HEAD + "".join(f"| {status} | {says} |\n" for status, says in REFUSED.items()) + _calls()


def _calls() -> str:
    lines = ["\n## Calls\n\n| call | | who | scope |\n|---|---|---|---|\n"]
    return "".join([*lines, *(_line(one) for one in sorted((*ENDPOINTS, EVENTS), key=_order))])


def _order(one: Endpoint) -> tuple[str, str]:
    return one.path, one.method


def _line(one: Endpoint) -> str:
    query = "".join(f"`{name}` " for name in _query(one))
    asks = f" Query: {query.strip()}." if query else ""
    return f"| `{one.method} {API}{one.path}` | {one.does}{asks} | {one.who} | {one.needs} |\n"


def _query(one: Endpoint) -> Iterator[str]:
    """Parameters that are not in the path."""
    if one.asks is not Nothing:
        yield from (name for name in one.asks.__struct_fields__ if name not in one.parameters)
