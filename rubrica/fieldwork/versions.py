"""What is constant for one version of a study, worked out once and kept by the desk."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from rubrica.study.companions import Guideline
from rubrica.study.load import guidelines_from, practice_from, study_from
from rubrica.study.model import PracticeExample, Study
from rubrica.study.store import StudyVersion
from rubrica.study.version import hash_of


@dataclass(frozen=True, slots=True)
class Version:
    """One version. The hashes are None where there is nothing to agree to or to confirm."""

    hash: str
    study: Study
    guidelines: Mapping[str, Guideline]
    consent_hash: str | None
    guidelines_hash: str | None
    practice_hash: str | None
    practice: Sequence[PracticeExample]
    expected: frozenset[str]
    """The annotator ids a study with a list of ids expects."""

    @property
    def languages(self) -> tuple[str, ...]:
        return tuple(self.study.languages)

    @classmethod
    def kept(cls, version: StudyVersion) -> Version:
        """A version as the database keeps it: all that raters ever see of a study is in it."""
        declared = version.declared
        study, guidelines = study_from(declared), guidelines_from(declared)
        return cls(
            hash=version.hash,
            study=study,
            guidelines=guidelines,
            consent_hash=_hash(declared["study"].get("consent")),
            guidelines_hash=_hash({lang: text.hash for lang, text in guidelines.items()}),
            practice_hash=_hash(declared.get("practice")),
            practice=practice_from(declared),
            expected=frozenset(study.raters.ids),
        )


def _hash(part: object) -> str | None:
    return hash_of(part) if part else None
