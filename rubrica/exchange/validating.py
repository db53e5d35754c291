"""A file of ratings filled by hand: what is wrong with each line, then what it says of the judges.

The good lines are brought into a store of their own, so that the figures are those of a report.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from rubrica.analysis.results import JudgeStatistic, Mismatch
from rubrica.conditions import holds
from rubrica.errors import Problem, Rule
from rubrica.exchange.contract import Filled, Here
from rubrica.exchange.importing import Brought, Look, import_files
from rubrica.items.model import Item
from rubrica.ratings.facts import Facts
from rubrica.ratings.model import Answer
from rubrica.review.gather import gather
from rubrica.review.results import Reviewed, reviewed
from rubrica.study.store import StudyVersion
from rubrica.texts import in_language

BREAKS_CHECK = Rule(
    code="X090",
    title="A rating passes the study's checklist",
    says="this line of the checklist is not met: {line}",
    why="Ratings that break it are often slips.",
    mend="Look at the line again; leave it where it is meant so.",
    level="warning",
)
NOT_JUDGED = Rule(
    code="X091",
    title="Null in a question that applies means cannot judge",
    says="{question} applies here and is null: read as cannot judge",
    why="It counts as missing, not as an answer.",
    mend="Nothing to mend if that is meant; otherwise fill it in.",
    level="note",
)


@dataclass(frozen=True, slots=True)
class Validated:
    """What a file holds. `problems` are errors, warnings and notes, in the order of its lines."""

    brought: Brought
    problems: Sequence[Problem]
    reviewed: Reviewed

    @property
    def judges(self) -> Sequence[JudgeStatistic]:
        return self.reviewed.results.judges

    @property
    def mismatches(self) -> Sequence[Mismatch]:
        return self.reviewed.results.mismatches

    def by_group(self, judge: str, question: str, group: str) -> dict[str, int]:
        """How many mismatches each value of a group has, the most first."""
        found: dict[str, int] = {}
        for one in self.mismatches:
            if (one.judge, one.question) == (judge, question):
                name = one.groups.get(group, "")
                found[name] = found.get(name, 0) + 1
        return dict(sorted(found.items(), key=lambda pair: (-pair[1], pair[0])))


def validate(
    here: Here,
    version: StudyVersion,
    paths: Sequence[Path],
    told: Callable[[float], None] | None = None,
) -> Validated:
    """Look at every line; `here` is a copy of the study that nobody has rated yet."""
    brought = import_files(here, paths, keep_good=True, look=looker(here), told=told)
    gathered = gather(here.sources, here.name, version)
    problems = sorted([*brought.problems, *brought.warnings], key=_place)
    return Validated(brought, problems, reviewed(here.sources, gathered))


def _place(problem: Problem) -> tuple[str, int]:
    return problem.where.file or "", problem.where.line or 0


def looker(here: Here) -> Look:
    study = here.study

    def look(filled: Filled, item: Item, answers: Mapping[str, Answer]) -> Iterator[Problem]:
        for name, answer in answers.items():
            if answer.state == "cannot_judge":
                yield Problem(NOT_JUDGED, filled.where, details={"question": name})
        facts = Facts(study, item, answers.get)
        for line in study.checklist:
            if holds(line.breaks, facts):
                said = in_language(line.says, "en")
                yield Problem(BREAKS_CHECK, filled.where, details={"line": said})

    return look
