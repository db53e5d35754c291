"""What questions and scores are called where people read of them: one short name, in reports and on
the desk alike. Raters read what is asked instead."""

from __future__ import annotations

from rubrica.study.model import Study
from rubrica.texts import Text, in_language

SHORT = 24
"""Letters of a question that may stand for its name where the study gives none in a language."""


def question_called(study: Study, name: str, language: str) -> str:
    """Its label; without one its key in plain letters, which is English, or else what is asked."""
    declared = study.questions.get(name)
    if declared is None:
        return plain(name)
    if declared.label is not None:
        return in_language(declared.label, language)
    asked = _spoken(declared.ask, study, language)
    return asked if language != "en" and asked and len(asked) <= SHORT else plain(name)


def score_called(study: Study, name: str, language: str) -> str:
    declared = study.score.get(name)
    label = None if declared is None else declared.label
    return plain(name) if label is None else in_language(label, language)


def plain(name: str) -> str:
    """`logical_soundness` as `Logical soundness`."""
    words = name.replace("_", " ").strip()
    return words[:1].upper() + words[1:]


def _spoken(text: Text, study: Study, language: str) -> str | None:
    """The text, if it is in this language; one that stands alone is in the study's first."""
    if isinstance(text, str):
        return text if study.languages[0] == language else None
    return text.get(language)
