"""Texts and guidelines in every language the study offers."""

from __future__ import annotations

import types
from collections.abc import Iterator
from typing import Annotated, Any, Union, get_args, get_origin

from pydantic import Tag

from rubrica.study.checks.rule import Found, rule
from rubrica.study.draft import Draft
from rubrica.study.source import Steps
from rubrica.texts import Model


@rule(
    "S120",
    title="A text is there in every language of the study",
    says="this text is missing in {languages}",
    why="Raters who chose that language would read this one in another.",
    mend="Add the text in that language, or take the language out of `languages:`.",
    level="warning",
)
def every_language(draft: Draft) -> Iterator[Found]:
    for steps, text in texts_in(draft.study, ()):
        lacking = [language for language in draft.study.languages if language not in text]
        if lacking:
            details = {"languages": ", ".join(lacking)}
            yield Found(steps, ", ".join(text), ", ".join(draft.study.languages), None, details)


@rule(
    "S121",
    title="Every translation can be chosen",
    says="nobody can choose {languages}",
    why="The work of translating is done, but raters are not offered the language.",
    mend="Add the language to `languages:`.",
    level="warning",
)
def every_translation(draft: Draft) -> Iterator[Found]:
    spoken = {language for _, text in texts_in(draft.study, ()) for language in text}
    spoken |= set(draft.guidelines)
    for language in sorted(spoken - set(draft.study.languages)):
        got = ", ".join(draft.study.languages)
        yield Found(("languages",), got, f"{language} among them", None, {"languages": language})


@rule(
    "S122",
    title="Guidelines are there in every language of the study",
    says="there are no guidelines in {languages}",
    why="Raters confirm that they have read them, so they must be able to.",
    mend="Add a file for that language under `guidelines:`.",
    level="warning",
)
def guidelines_in_every_language(draft: Draft) -> Iterator[Found]:
    declared = draft.study.guidelines
    named = set(declared) if isinstance(declared, dict) else set(draft.study.languages[:1])
    lacking = [language for language in draft.study.languages if language not in named]
    if declared and lacking:
        yield Found(("guidelines",), details={"languages": ", ".join(lacking)}, on_key=True)


@rule(
    "S123",
    title="A language is offered once",
    says="{language} stands here twice",
    why="The choice of languages would show it twice.",
    mend="Take one of the two out.",
)
def languages_once(draft: Draft) -> Iterator[Found]:
    languages = draft.study.languages
    for place, language in enumerate(languages):
        if language in languages[:place]:
            yield Found(("languages", place), language, details={"language": language})


def texts_in(value: Any, steps: Steps, declared: Any = None) -> Iterator[tuple[Steps, dict[str, str]]]:
    """Every text inside that its author gave per language, with the way to it."""
    if isinstance(value, Model):
        for name in sorted(value.model_fields_set):
            field, inner = type(value).model_fields[name], getattr(value, name)
            yield from texts_in(inner, (*steps, field.alias or name), field.annotation)
    elif isinstance(value, dict) and _is_text(declared):
        yield steps, value
    elif isinstance(value, dict | list):
        pairs = value.items() if isinstance(value, dict) else enumerate(value)
        for key, inner in pairs:
            step = key if isinstance(value, list) else str(key)
            yield from texts_in(inner, (*steps, step), _held(declared))


def _is_text(declared: Any) -> bool:
    """Whether a declared type is a text, which may be given per language."""
    if get_origin(declared) is Annotated:
        parts = get_args(declared)
        tagged = any(isinstance(p, Tag) and p.tag == "languages" for p in parts[1:])
        return tagged or _is_text(parts[0])
    union = get_origin(declared) in (Union, types.UnionType)
    return union and any(_is_text(member) for member in get_args(declared))


def _held(declared: Any) -> Any:
    """The type of what a declared list or mapping holds."""
    if get_origin(declared) is Annotated:
        return _held(get_args(declared)[0])
    if get_origin(declared) in (Union, types.UnionType):
        return next((h for m in get_args(declared) if (h := _held(m)) is not None), None)
    return get_args(declared)[-1] if get_origin(declared) in (list, dict) else None
