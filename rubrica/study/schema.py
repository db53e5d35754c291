"""The JSON Schema of study files, from the models: an editor completes and explains with it."""

from __future__ import annotations

import ast
import inspect
import json
import textwrap
from functools import cache
from itertools import pairwise
from pathlib import Path
from typing import Any

from pydantic import TypeAdapter
from pydantic.json_schema import GenerateJsonSchema

from rubrica.conditions import Condition
from rubrica.kinds.registry import kinds
from rubrica.study.model import Study
from rubrica.texts import Model, Text

FILE = Path(__file__).with_name("study.schema.json")

SHARED: dict[str, tuple[Any, str]] = {
    "Text": (Text, "A text, or one text per language: `{en: Good, zh: 好}`."),
    "Condition": (
        Condition,
        "Facts and what they must be: `{item.task: [count, compare]}`, "
        "`{answer.overall: {at_most: 2}}`; several must all hold. "
        "Facts are `item.PATH`, `answer.QUESTION`, `answer.QUESTION.MEASURE`, `score.NAME` and "
        "`thread.position`. Or `all`, `any` or `not`, alone.",
    ),
}
"""Types that stand in many places: each gets a name of its own, and what it is."""


def schema_text() -> str:
    return json.dumps(schema(), ensure_ascii=False, indent=1) + "\n"


@cache
def field_docs(model: type[Model]) -> dict[str, str]:
    """What a model's source says below each of its fields."""
    found: dict[str, str] = {}
    for base in reversed(model.__mro__):
        if issubclass(base, Model) and base is not Model:
            found |= _docs_in(textwrap.dedent(inspect.getsource(base)))
    return found


def _docs_in(source: str) -> dict[str, str]:
    body = ast.parse(source).body[0]
    lines = body.body if isinstance(body, ast.ClassDef) else []
    return {
        field.target.id: inspect.cleandoc(said.value.value)
        for field, said in pairwise(lines)
        if isinstance(field, ast.AnnAssign)
        and isinstance(field.target, ast.Name)
        and isinstance(said, ast.Expr)
        and isinstance(said.value, ast.Constant)
        and isinstance(said.value.value, str)
    }


class _Generator(GenerateJsonSchema):
    """Adds to each model's fields what its source says of them."""

    def model_schema(self, schema: Any) -> Any:
        made, model = super().model_schema(schema), schema["cls"]
        for name, says in field_docs(model).items():
            key = model.model_fields[name].alias or name if name in model.model_fields else name
            if key in made.get("properties", {}):
                made["properties"][key]["description"] = " ".join(says.split())
        return made


def schema() -> dict[str, Any]:
    """The whole schema; every registered kind is in it."""
    whole = Study.model_json_schema(schema_generator=_Generator)
    shared = {name: _plain(_shared(of)) for name, (of, _) in SHARED.items()}
    body = _plain(whole)
    definitions = body.pop("$defs")
    for kind in kinds().values():
        question = definitions[kind.question.__name__]
        question["properties"]["kind"] = {"const": kind.name, "description": kind.says}
    named = {_key(made): name for name, made in shared.items()}
    definitions = {
        **{name: {"description": SHARED[name][1], **made} for name, made in shared.items()},
        **definitions,
    }
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        **_refer(body, named),
        "$defs": {name: _refer(made, named, name) for name, made in sorted(definitions.items())},
    }


def _shared(of: Any) -> dict[str, Any]:
    made: dict[str, Any] = TypeAdapter(of).json_schema(schema_generator=_Generator)
    made.pop("$defs", None)
    return made


def _plain(made: Any) -> Any:
    """Without what says nothing to an author: made-up titles, null as a value, defaults of null."""
    if isinstance(made, list):
        return [_plain(part) for part in made]
    if not isinstance(made, dict):
        return made
    choices = made.get("anyOf")
    if isinstance(choices, list) and {"type": "null"} in choices:
        rest = [choice for choice in choices if choice != {"type": "null"}]
        made = {k: v for k, v in made.items() if k != "anyOf"}
        made |= rest[0] if len(rest) == 1 else {"anyOf": rest}
    if "patternProperties" in made:
        made = {**made, "additionalProperties": False}
    return {k: _in_properties(k, v) for k, v in made.items() if not _says_nothing(k, v)}


def _says_nothing(key: str, value: Any) -> bool:
    return (key == "title" and isinstance(value, str)) or (key == "default" and value is None)


def _in_properties(key: str, value: Any) -> Any:
    """A property may itself be called `title`; only what stands inside it is looked at."""
    if key in ("properties", "$defs", "patternProperties") and isinstance(value, dict):
        return {name: _plain(part) for name, part in value.items()}
    return _plain(value)


def _key(made: Any) -> str:
    return json.dumps(made, sort_keys=True)


def _refer(made: Any, named: dict[str, str], inside: str = "") -> Any:
    """With a reference wherever a shared type was written out."""
    if isinstance(made, list):
        return [_refer(part, named, inside) for part in made]
    if not isinstance(made, dict):
        return made
    extra = {k: v for k, v in made.items() if k == "description"}
    name = named.get(_key({k: v for k, v in made.items() if k not in extra}))
    if name is not None and name != inside:
        return {"$ref": f"#/$defs/{name}", **extra}
    return {k: _refer(v, named) for k, v in made.items()}
