"""Texts in every language at once: the page carries all, and shows the one the reader chose.

A text becomes one element per language; the stylesheet shows those of the chosen language only. So
switching needs no request, works offline, and touches nothing the reader has typed.
"""

from __future__ import annotations

import gettext
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from pathlib import Path
from typing import Any

from markupsafe import Markup, escape

from rubrica.texts import LANGUAGES, Text, per_language

NAMES = {
    "en": "English",
    "zh": "中文",
    "de": "Deutsch",
    "fr": "Français",
    "es": "Español",
    "ja": "日本語",
}

Render = Callable[[str], str]


@dataclass(frozen=True)
class Catalogue:
    """The pages' own texts. The English text is the key; other languages come from catalogues."""

    folder: Path
    domain: str = "rubrica"

    @cached_property
    def translations(self) -> dict[str, gettext.NullTranslations]:
        return {
            language: gettext.translation(
                self.domain, self.folder, [language], fallback=language == "en"
            )
            for language in LANGUAGES
        }

    def texts(self, message: str) -> dict[str, str]:
        """The message in every language the pages speak."""
        return {language: t.gettext(message) for language, t in self.translations.items()}

    def say(self, message: str, **values: Any) -> Markup:
        """The message in all languages, with values put in safely."""
        if all(isinstance(value, str) for value in values.values()):
            return self._known(message, *values.items())
        return self._filled(message, values)

    def _filled(self, message: str, values: Mapping[str, Any]) -> Markup:
        return spans({lang: text.format(**values) for lang, text in self.texts(message).items()})

    @cached_property
    def _known(self) -> Callable[..., Markup]:
        """Most messages have no values, or the same again, and are always the same."""
        return lru_cache(maxsize=2_000)(lambda message, *values: self._filled(message, dict(values)))


def offered(study_languages: Sequence[str]) -> tuple[str, ...]:
    """The languages a reader may choose: the study's, then those the pages speak besides."""
    return tuple(dict.fromkeys((*study_languages, *LANGUAGES)))


def spans(texts: Mapping[str, str], tag: str = "span", render: Render | None = None) -> Markup:
    """One element per different text; each names the languages it serves.

    Texts of equal wording share an element. A language nobody wrote for sees the first text.
    """
    show = render or escape
    served: dict[str, list[str]] = {}
    for language, text in texts.items():
        served.setdefault(text, []).append(language)
    first = next(iter(served))
    if len(served) == 1:
        return Markup(f"<{tag}>{show(first)}</{tag}>") if tag != "span" else Markup(show(first))  # noqa: S704
    return Markup("").join(
        Markup(f'<{tag} lang="{languages[0]}" data-l="{" ".join(languages)}">{show(text)}</{tag}>')  # noqa: S704
        for text, languages in served.items()
    )


def study_text(
    text: Text, languages: Sequence[str], tag: str = "span", render: Render | None = None
) -> Markup:
    """A text of the study in all languages offered."""
    return spans(per_language(text, tuple(languages)), tag, render)


def language_rules(languages: Sequence[str]) -> str:
    """The stylesheet's rules that hide every text of another language than the chosen one."""
    other = 'html[data-lang="{0}"] [data-l]:not([data-l~="{0}"]) {{ display: none !important; }}'
    return "\n".join(other.format(language) for language in languages)
