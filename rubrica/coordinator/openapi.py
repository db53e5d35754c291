"""The API's document, made from the endpoints themselves, so that it cannot drift from them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import msgspec

from rubrica import __version__
from rubrica.coordinator.endpoint import API, Endpoint, Nothing

REFS = "#/components/schemas/{name}"
PROBLEM = "application/problem+json"


class ProblemLine(msgspec.Struct):
    """One breach of a rule: what was found, where, and how to mend it."""

    code: str
    level: str
    message: str
    where: dict[str, Any]
    expected: str | None
    got: str | None
    nearest: str | None
    mend: str
    text: dict[str, str]
    """What is wrong and how to mend it, by language."""


class ProblemShown(msgspec.Struct):
    """Every answer that is not the one asked for has this shape."""

    title: str
    status: int
    code: str
    problems: list[dict[str, Any]]
    """`ProblemLine` each; a request that is refused at the door has its code only."""


REFUSED: Mapping[int, str] = {
    401: "Nobody is signed in, or what was given opens nothing.",
    403: "The role or the token's scope does not allow it, or the request comes from another site.",
    404: "There is nothing of that name, or none that is yours to see.",
    405: "The address does not take this method.",
    409: "It clashes with what is there.",
    413: "The body is too large.",
    415: "The body is not JSON.",
    421: "The server is not called by that name.",
    422: "The request cannot be read, or what it asks for cannot be.",
    429: "It was tried too often.",
}


def document(endpoints: Sequence[Endpoint]) -> dict[str, Any]:
    types = [t for one in endpoints for t in (one.gives, one.takes, one.asks) if _has_schema(t)]
    _, schemas = msgspec.json.schema_components([*types, ProblemShown, ProblemLine], ref_template=REFS)
    paths: dict[str, dict[str, Any]] = {}
    for one in endpoints:
        paths.setdefault(API + one.path, {})[one.method.lower()] = _operation(one, schemas)
    return {
        "openapi": "3.1.0",
        "info": {"title": "Rubrica", "version": __version__, "description": ABOUT},
        "paths": paths,
        "components": {
            "schemas": schemas,
            "securitySchemes": {
                "token": {"type": "http", "scheme": "bearer"},
            },
        },
    }


ABOUT = (
    "Everything the coordinators' desk shows and does. Programs send a token "
    "(`authorization: Bearer ...`), browsers a session cookie. Bodies are JSON."
)


def _has_schema(shape: Any) -> bool:
    return shape is not None and not isinstance(shape, str | tuple)


def _operation(one: Endpoint, schemas: Mapping[str, Any]) -> dict[str, Any]:
    made: dict[str, Any] = {
        "operationId": one.name,
        "summary": one.does,
        "parameters": _parameters(one, schemas),
        "responses": {"200": _answer(one), **_refusals()},
        "security": [] if one.who == "anybody" else [{"token": []}],
        "x-role": one.who,
        "x-scope": one.needs,
    }
    if one.takes is not None:
        content = {"application/json": {"schema": _schema(one.takes)}}
        made["requestBody"] = {"required": True, "content": content}
    return made


def _parameters(one: Endpoint, schemas: Mapping[str, Any]) -> list[dict[str, Any]]:
    if one.asks is Nothing:
        return []
    shape = schemas[one.asks.__name__]
    return [
        {
            "name": name,
            "in": "path" if name in one.parameters else "query",
            "required": name in one.parameters or name in shape.get("required", ()),
            "schema": {"minLength": 1, **schema} if name in one.parameters else schema,
        }
        for name, schema in shape["properties"].items()
    ]


def _answer(one: Endpoint) -> dict[str, Any]:
    if _has_schema(one.gives):
        content = {"application/json": {"schema": _schema(one.gives)}}
        return {"description": one.does, "content": content}
    kinds = one.gives if isinstance(one.gives, tuple) else (one.gives,)
    return {"description": one.does, "content": {kind: {} for kind in kinds}}


def _refusals() -> dict[str, Any]:
    content = {PROBLEM: {"schema": _schema(ProblemShown)}}
    return {str(code): {"description": says, "content": content} for code, says in REFUSED.items()}


def _schema(shape: Any) -> Any:
    made, _ = msgspec.json.schema_components([shape], ref_template=REFS)
    return made[0]
