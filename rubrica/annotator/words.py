"""The pages' own texts, and those of them that the ES modules need."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from pathlib import Path

from rubrica.texts import LANGUAGES
from rubrica.web.texts import Catalogue

HERE = Path(__file__).parent
CATALOGUE = Catalogue(HERE / "locale")

_LITERAL = re.compile(r'"((?:[^"\\\n]|\\.)+)"')


def known_messages() -> frozenset[str]:
    """Every message that has a translation."""
    found: set[str] = set()
    for language in LANGUAGES:
        catalogue = getattr(CATALOGUE.translations[language], "_catalog", {})
        found |= {message for message in catalogue if isinstance(message, str) and message}
    return frozenset(found)


def script_strings(source: str, languages: Sequence[str]) -> dict[str, dict[str, str]]:
    """The messages a script names, in all languages offered."""
    known = known_messages()
    named = {literal for literal in _LITERAL.findall(source) if literal in known}
    return {message: _in_all(message, languages) for message in sorted(named)}


def _in_all(message: str, languages: Iterable[str]) -> dict[str, str]:
    """The English wording is the key itself and need not travel twice."""
    texts = CATALOGUE.texts(message)
    return {language: texts.get(language, message) for language in languages if language != "en"}
