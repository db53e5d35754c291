"""The question an `each` asks of every entry: of any registered simple kind.

Which kinds there are is known only when a study is read, so the model is looked up then and not when
this module is loaded.
"""

from __future__ import annotations

from typing import Annotated, Any

from pydantic import PlainValidator, SerializeAsAny, WithJsonSchema
from pydantic_core import PydanticKnownError

from rubrica.kinds.contract import Question
from rubrica.kinds.registry import kinds

SAME = "the question that asks it of each entry"


def _read(value: Any) -> Any:
    if isinstance(value, Question):
        return value
    if not isinstance(value, dict):
        raise PydanticKnownError("model_type", {"class_name": "Question"})
    name = value.get("kind")
    if name is None:
        raise PydanticKnownError("union_tag_not_found", {"discriminator": "kind"})
    if not isinstance(name, str) or name not in kinds():
        known = {"discriminator": "kind", "tag": str(name), "expected_tags": ", ".join(kinds())}
        raise PydanticKnownError("union_tag_invalid", known)
    return kinds()[name].question.model_validate({"ask": SAME} | value)


Inner = Annotated[
    SerializeAsAny[Question],
    PlainValidator(_read),
    WithJsonSchema(
        {"type": "object", "required": ["kind"], "properties": {"kind": {"type": "string"}}}
    ),
]
