"""Texts of a study: one string, or one string per language."""

from __future__ import annotations

from typing import Annotated

from pydantic import BaseModel, BeforeValidator, ConfigDict, Discriminator, Field, Tag

LANGUAGES = ("en", "zh")
"""Languages the pages themselves speak; a study's own texts may be in others."""


class Model(BaseModel):
    """Base of everything an author writes: unknown keys are mistakes, values do not change."""

    model_config = ConfigDict(extra="forbid", frozen=True)


LANGUAGE = r"^[a-z]{2,3}(-[A-Za-z0-9]{2,8})*$"
LanguageTag = Annotated[str, Field(pattern=LANGUAGE)]


def number_as_text(value: object) -> object:
    """A label or an id such as `1` is meant as text; YAML reads it as a number."""
    return str(value) if isinstance(value, int | float) and not isinstance(value, bool) else value


def _listed(value: object) -> object:
    return [value] if isinstance(value, str) else value


Listed = BeforeValidator(_listed, json_schema_input_type=str | list[str])
"""One may be written without the list."""


def _text_shape(value: object) -> str:
    return "languages" if isinstance(value, dict) else "text"


OneText = Annotated[str, Field(min_length=1)]
Languages = Annotated[dict[LanguageTag, OneText], Field(min_length=1)]
Text = Annotated[
    Annotated[OneText, Tag("text")] | Annotated[Languages, Tag("languages")],
    Discriminator(_text_shape),
    BeforeValidator(number_as_text, json_schema_input_type=float | OneText | Languages),
]
"""A text, or one per language; a bare number is its digits."""


def in_language(text: Text, language: str) -> str:
    """The text in this language; where it is missing in English, else in the first by name.

    The fallback may not hang on the order of the file, which is no part of a study's meaning.
    """
    if isinstance(text, str):
        return text
    return text.get(language) or text.get("en") or text[min(text)]


def per_language(text: Text, languages: tuple[str, ...]) -> dict[str, str]:
    """The text in every language asked for: the page carries all, so that switching works offline."""
    return {language: in_language(text, language) for language in languages}
