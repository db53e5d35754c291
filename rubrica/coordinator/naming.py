"""What questions and scores are called where people read of them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from rubrica.coordinator.endpoint import At
from rubrica.ratings.scores import score_names
from rubrica.study.called import question_called, score_called
from rubrica.study.model import Study
from rubrica.texts import LANGUAGES


def asks_of(at: At) -> Mapping[str, Any]:
    """What questions and scores are called where people read of them."""
    study = at.study.desk.version.study
    scores = {f"score.{name}": _score(study, name) for name in score_names(study)}
    return {**{name: _question(study, name) for name in study.questions}, **scores}


def _question(study: Study, name: str) -> Mapping[str, str]:
    return {language: question_called(study, name, language) for language in LANGUAGES}


def _score(study: Study, name: str) -> Mapping[str, str]:
    of, _, passes = name.partition(".")
    ends = {"en": ": pass", "zh": "：通过"} if passes else {}
    return {x: score_called(study, of, x) + ends.get(x, "") for x in LANGUAGES}
