"""What an author names and describes: options, levels, types of failures, marks.

    Yes: It resists
    No: {label: It gives in, means: repeats the false hint as if it were true}

A bare text, or one text per language, is short for the label alone.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Annotated, Any

from pydantic import BeforeValidator, GetCoreSchemaHandler
from pydantic_core import CoreSchema, core_schema

from rubrica.texts import LANGUAGE, Model, Text, number_as_text, per_language


class Named(Model):
    """A thing with a label and a meaning."""

    label: Text
    """What raters read."""
    means: Text | None = None
    """What it stands for, at hand beside it; Markdown."""


def _labelled(value: Any) -> Any:
    bare = isinstance(value, str | int | float) and not isinstance(value, bool)
    return {"label": value} if bare or _is_per_language(value) else value


def _is_per_language(value: Any) -> bool:
    return (
        isinstance(value, Mapping)
        and bool(value)
        and all(isinstance(key, str) and re.match(LANGUAGE, key) for key in value)
    )


class _Bare:
    """Lets a bare text stand for a `Named` with that label."""

    def __get_pydantic_core_schema__(self, source: Any, handler: GetCoreSchemaHandler) -> CoreSchema:
        named, text = handler(source), handler.generate_schema(Text)
        either = core_schema.union_schema([text, named])
        return core_schema.no_info_before_validator_function(
            _labelled, named, json_schema_input_schema=either
        )


Bare = _Bare()

Key = Annotated[str, BeforeValidator(number_as_text, json_schema_input_type=str)]
"""What is recorded for it; YAML reads `1` as a number."""


def shown_named(value: Any, named: Named, languages: tuple[str, ...], **more: Any) -> dict[str, Any]:
    """A named thing for the page: what is recorded, and its texts in every language."""
    means = None if named.means is None else per_language(named.means, languages)
    return {"value": value, "label": per_language(named.label, languages), "means": means, **more}
