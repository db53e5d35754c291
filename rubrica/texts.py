"""Texts of a study: one string, or one string per language."""

from __future__ import annotations

from typing import Annotated

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field

LANGUAGES = ("en", "zh")
"""Languages the pages themselves speak; a study's own texts may be in others."""


class Model(BaseModel):
    """Base of everything an author writes: unknown keys are mistakes, values do not change."""

    model_config = ConfigDict(extra="forbid", frozen=True)


LanguageTag = Annotated[str, Field(pattern=r"^[a-z]{2,3}(-[A-Za-z0-9]{2,8})*$")]


def _number_as_text(value: object) -> object:
    """A label such as `1` is meant as text; YAML reads it as a number."""
    return str(value) if isinstance(value, int | float) and not isinstance(value, bool) else value


Text = Annotated[
    Annotated[str, Field(min_length=1)]
    | Annotated[dict[LanguageTag, Annotated[str, Field(min_length=1)]], Field(min_length=1)],
    BeforeValidator(_number_as_text),
]


def in_language(text: Text, language: str) -> str:
    """The text in this language, or in the first one the author gave."""
    if isinstance(text, str):
        return text
    return text.get(language) or next(iter(text.values()))


def per_language(text: Text, languages: tuple[str, ...]) -> dict[str, str]:
    """The text in every language asked for: the page carries all, so that switching works offline."""
    return {language: in_language(text, language) for language in languages}
