"""Judges' scores of one item, for those who may see them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from rubrica.paths import compile_path
from rubrica.study.model import Study
from rubrica.verdicts.model import HiddenItem


@dataclass(frozen=True, slots=True)
class Score:
    """What a judge said. `speaks_of` the item before, where the data has it so."""

    verdict: str
    question: str | None
    judge: str | None
    value: Any
    speaks_of: str


def scores_of(study: Study, hidden: HiddenItem) -> Iterator[Score]:
    """Every declared verdict, values that mean no score as None."""
    for name, declared in study.items.verdict.items():
        value = compile_path(declared.path)(hidden.hidden)
        judge = compile_path(declared.judge)(hidden.hidden) if declared.judge else None
        question = declared.question or (name if name in study.questions else None)
        said = None if value in declared.missing else value
        yield Score(name, question, None if judge is None else str(judge), said, declared.speaks_of)
