"""Loading a study: its file, its guidelines, its practice; every problem of them in one go."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from rubrica.errors import Problem, Problems, Where
from rubrica.study.checks import run
from rubrica.study.companions import Guideline
from rubrica.study.draft import Draft, draft_of
from rubrica.study.model import PracticeExample, Study
from rubrica.study.shape import read_study
from rubrica.study.source import Source, read_yaml
from rubrica.study.store import StudyVersion
from rubrica.study.version import version_of

FILE = "study.yaml"


@dataclass(frozen=True)
class LoadedStudy:
    """A study without errors, and what belongs to it in its folder."""

    name: str
    study: Study
    folder: Path
    version: StudyVersion
    guidelines: Mapping[str, Guideline]
    practice: tuple[PracticeExample, ...]
    source: Source
    warnings: tuple[Problem, ...] = ()

    def where(self, *steps: str | int) -> Where:
        """The place in the study file of what a way leads to: `where("items", "show", 0)`."""
        return self.source.where(steps)

    @property
    def file(self) -> Path:
        return Path(self.source.file)


@dataclass(frozen=True)
class Examined:
    """What a look at a study gives: the study if it is good enough to run, and every problem."""

    loaded: LoadedStudy | None
    problems: tuple[Problem, ...]


def load_study(path: str | Path) -> LoadedStudy:
    """The study in a folder or file, or `Problems` with everything that is wrong with it."""
    examined = examine(path)
    if examined.loaded is None:
        raise Problems(examined.problems)
    return examined.loaded


def examine(path: str | Path) -> Examined:
    """Everything that can be known of a study without opening its items."""
    try:
        source = _source(Path(path))
    except Problem as problem:
        return Examined(None, (problem,))
    study, problems, gone = read_study(source)
    if study is None:
        return Examined(None, _sorted([*source.problems, *problems]))
    draft = draft_of(study, source, gone)
    found = _sorted([*source.problems, *problems, *draft.problems, *run(draft)])
    faulty = any(p.level == "error" for p in found)
    return Examined(None if faulty else _loaded(draft, found), found)


def _source(path: Path) -> Source:
    file = study_file(path)
    return read_yaml(file, str(file))


def _sorted(problems: Iterable[Problem]) -> tuple[Problem, ...]:
    """In the order of the file; problems of other files after it, each file together."""
    found = list(problems)
    files = list(dict.fromkeys(p.where.file for p in found))
    return tuple(
        sorted(found, key=lambda p: (files.index(p.where.file), p.where.line or 0, p.where.column or 0))
    )


def _loaded(draft: Draft, warnings: tuple[Problem, ...]) -> LoadedStudy:
    declared: dict[str, Any] = {"study": draft.source.data}
    if draft.guidelines:
        declared["guidelines"] = {k: asdict(v) for k, v in draft.guidelines.items()}
    if draft.practice:
        declared["practice"] = [w.source.data[w.steps[0]] for w in draft.practice]
    file = Path(draft.source.file)
    return LoadedStudy(
        name=file.resolve().parent.name if file.name == FILE else file.stem,
        study=draft.study,
        folder=draft.folder,
        version=version_of(declared),
        guidelines=draft.guidelines,
        practice=tuple(w.example for w in draft.practice),
        source=draft.source,
        warnings=warnings,
    )


def study_file(path: Path) -> Path:
    """A folder means its `study.yaml`."""
    return path / FILE if path.is_dir() else path


def study_from(declared: Mapping[str, Any]) -> Study:
    """The study a version declared, as it was when its ratings were made."""
    return Study.model_validate(declared["study"])


def guidelines_from(declared: Mapping[str, Any]) -> dict[str, Guideline]:
    """The guidelines a version declared, by language."""
    texts = declared.get("guidelines", {})
    return {language: Guideline(**kept) for language, kept in texts.items()}


def practice_from(declared: Mapping[str, Any]) -> tuple[PracticeExample, ...]:
    """The worked examples a version declared."""
    return tuple(PracticeExample.model_validate(e) for e in declared.get("practice", []))
