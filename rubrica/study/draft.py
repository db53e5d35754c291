"""A study under examination: what the checks look at."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from rubrica.errors import Problem, Where
from rubrica.kinds.contract import Question
from rubrica.study.companions import Guideline, Worked, read_guidelines, read_practice
from rubrica.study.model import Study
from rubrica.study.source import Source, Steps


@dataclass(frozen=True)
class Draft:
    """The study as far as it could be read. `gone` are the ways of parts that were not usable."""

    study: Study
    source: Source
    folder: Path
    gone: frozenset[Steps] = frozenset()
    guidelines: dict[str, Guideline] = field(default_factory=dict)
    practice: list[Worked] = field(default_factory=list)
    problems: list[Problem] = field(default_factory=list)
    """What was wrong with the files the study names."""

    @property
    def question_names(self) -> list[str]:
        """All questions the author wrote, those with faults included."""
        return self._names("questions")

    @property
    def score_names(self) -> list[str]:
        return self._names("score")

    def _names(self, key: str) -> list[str]:
        written = self.source.data.get(key)
        return list(written) if isinstance(written, dict) else []

    def usable(self, steps: Steps) -> bool:
        """Whether nothing around this value was taken out, so that a rule may speak of it."""
        return not any(steps[: len(way)] == way for way in self.gone)

    def question(self, name: str) -> Question | None:
        """The question of this name, if it is good enough to look at."""
        return self.study.questions.get(name) if self.usable(("questions", name)) else None

    def written(self, steps: Steps) -> Any:
        """What the author wrote there, None where nothing."""
        data: Any = self.source.data
        for step in steps:
            there = isinstance(data, dict) and step in data
            listed = isinstance(data, list) and isinstance(step, int) and step < len(data)
            data = data[step] if there or listed else None
        return data

    def where(self, steps: Steps, key: bool = False) -> Where:
        return self.source.where(steps, key)


def draft_of(study: Study, source: Source, gone: frozenset[Steps]) -> Draft:
    """The draft with its guidelines and practice read."""
    draft = Draft(study, source, Path(source.file).parent, gone)
    for language, steps, found in read_guidelines(study.guidelines, study.languages, draft.folder):
        if isinstance(found, Problem):
            draft.problems.append(_placed(found, draft, steps))
        else:
            draft.guidelines[language] = found
    for steps, name in _practice_files(draft):
        try:
            worked, problems = read_practice(draft.folder, name)
        except Problem as problem:
            worked, problems = [], [_placed(problem, draft, steps)]
        draft.practice.extend(worked)
        draft.problems.extend(problems)
    return draft


def _placed(problem: Problem, draft: Draft, steps: Steps) -> Problem:
    """A problem that has no line of its own stands where the file is named."""
    return problem if problem.where.line else problem.at(draft.where(steps))


def _practice_files(draft: Draft) -> Iterator[tuple[Steps, str]]:
    practice = draft.study.practice
    for place, name in enumerate(practice.from_ if practice else []):
        listed = isinstance(draft.written(("practice", "from")), list)
        yield ("practice", "from", place) if listed else ("practice", "from"), name
