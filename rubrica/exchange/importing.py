"""Bringing in ratings made elsewhere: read, match, decide as for a browser's, record all or none."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache
from hashlib import blake2b
from pathlib import Path
from typing import Any

from msgspec.structs import astuple

from rubrica.assignment.design import design_of
from rubrica.errors import Problem, Problems, Where, nearest
from rubrica.exchange.contract import Exact, Filled, Format, Here, formats
from rubrica.exchange.files import files_of
from rubrica.exchange.index import Counted, Index, named
from rubrica.exchange.rules import (
    NO_FILE,
    NOT_RECOGNISED,
    NOT_RECORDED,
    NOTHING_MATCHES,
    OTHER_RATER,
    RATER_TAKEN,
    TWICE,
    WRONG_STUDY,
)
from rubrica.exchange.store import Incoming, TakenIn, Who
from rubrica.exchange.tidy import Versions
from rubrica.fieldwork.joining import annotator_id
from rubrica.items.model import Item
from rubrica.items.records import readers
from rubrica.kinds.registry import kind
from rubrica.ratings.accept import Accepted, accept
from rubrica.ratings.facts import Facts, entries_of
from rubrica.ratings.model import Answer
from rubrica.ratings.scores import scores
from rubrica.study.model import Study

MOST_PROBLEMS = 1000
MOST_ALIKE = 10_000
"""Different answers that are remembered with what was made of them."""
TOLD_EVERY = 500


@dataclass(slots=True)
class Brought:
    """What an import did or, in a dry run, would do: every rating of its files is in one count."""

    files: list[dict[str, Any]] = field(default_factory=list)
    passed_over: list[str] = field(default_factory=list)
    """Files of a folder in which no layout was recognised."""
    read: int = 0
    matched: int = 0
    unmatched: int = 0
    unfilled: int = 0
    duplicates: int = 0
    skips: int = 0
    taken: TakenIn = field(default_factory=TakenIn)
    dry_run: bool = False
    warnings: list[Problem] = field(default_factory=list)
    """The first of them; `more_warnings` counts the others."""
    more_warnings: int = 0
    problems: list[Problem] = field(default_factory=list)
    """What is wrong with ratings that were left out, where the others were kept."""

    def warn(self, problem: Problem) -> None:
        if len(self.warnings) < MOST_PROBLEMS:
            self.warnings.append(problem)
        else:
            self.more_warnings += 1


Look = Callable[[Filled, Item, Mapping[str, Answer]], Iterator[Problem]]


def import_files(
    here: Here,
    paths: Sequence[Path],
    rater: str | None = None,
    *,
    dry_run: bool = False,
    keep_good: bool = False,
    look: Look | None = None,
    told: Callable[[float], None] | None = None,
) -> Brought:
    """Import every rating of these files and folders, in one transaction.

    With `keep_good` problems are kept beside the ratings that have none; without it one problem undoes
    everything. `look` may say more of each rating, `told` hears how far it is.
    """
    counts = Brought(dry_run=dry_run)
    files = [found for path in paths for found in _recognised(path, counts)]
    for path, layout in files:
        _check_fits(here, path, layout)
    who = None if rater is None else annotator_id(rater)
    work = _Import(here, who, counts, keep_good, look, told)
    design = design_of(here.study, here.sources.items.count(here.name))
    work.told.taken = here.sources.imports.import_ratings(
        here.name,
        work.incoming(files),
        capacity=design.capacity,
        details={"files": [path.name for path, _ in files]},
        dry_run=dry_run,
    )
    return work.told


def _recognised(path: Path, told: Brought) -> Iterator[tuple[Path, Format]]:
    """The files with their layouts; in a folder, those that have one. The others are named."""
    whole = path.is_dir()
    found = False
    for file in files_of(path):
        if not file.is_file():
            break
        layout = layout_of(file)
        if layout is not None:
            found = True
            yield file, layout
        elif whole:
            told.passed_over.append(str(file))
        else:
            raise _unreadable(file)
    if not found:
        around = path.parent if path.parent.is_dir() else Path()
        near = None if whole else nearest(path.name, (p.name for p in around.iterdir()))
        raise Problem(NO_FILE, Where(str(path)), got=str(path), nearest=near)


def _unreadable(path: Path) -> Problem:
    """What a reader for files of this ending says, or else that nothing here knows the file."""
    able = (reader for reader in readers().values() if path.suffix.lower() in reader.suffixes)
    for reader in able:
        first = next(iter(reader.read(path, None)), None)
        if isinstance(first, Problem):
            return first.at(replace(first.where, file=str(path)))
    expected = "; ".join(f"{f.files} ({f.name})" for f in formats().values())
    return Problem(NOT_RECOGNISED, Where(str(path)), expected=expected)


def layout_of(path: Path) -> Format | None:
    return next((layout for layout in formats().values() if layout.recognises(path)), None)


def _check_fits(here: Here, path: Path, layout: Format) -> None:
    missing = layout.questions - set(here.study.questions)
    if missing:
        details = {"layout": layout.name, "missing": ", ".join(sorted(missing))}
        raise Problem(WRONG_STUDY, Where(str(path)), details=details)


class _Import:
    def __init__(
        self,
        here: Here,
        rater: str | None,
        told: Brought,
        keep_good: bool,
        look: Look | None,
        progress: Callable[[float], None] | None,
    ) -> None:
        self._here, self._rater, self.told = here, rater, told
        self._keep_good, self._look, self._progress = keep_good, look, progress
        self._index: dict[str, Index] = {}
        self._first: str | None = None
        self._said: dict[tuple[Any, ...], str] = {}
        self._versions = Versions(here)
        self._item = lru_cache(1_000)(self._read_item)
        self._alike: dict[str, Accepted] = {}

    def incoming(self, files: Sequence[tuple[Path, Format]]) -> Iterator[Incoming]:
        """The ratings as the store takes them; at the end, all that is wrong, if anything is."""
        for path, layout in files:
            before = replace(self.told)
            for one in self._file(path, layout):
                if self._keep_good or not self.told.problems:
                    yield one
                if len(self.told.problems) >= MOST_PROBLEMS:
                    break
            self._note_file(path, layout, before)
        if self.told.problems and not self._keep_good:
            raise Problems(self.told.problems)
        if not self.told.matched and self.told.unmatched:
            details = {"count": self.told.unmatched, "first": self._first}
            raise Problem(NOTHING_MATCHES, Where(str(files[0][0])), details=details)

    def _note_file(self, path: Path, layout: Format, before: Brought) -> None:
        names = ("read", "matched", "unmatched", "unfilled", "duplicates", "skips")
        counts = {name: getattr(self.told, name) - getattr(before, name) for name in names}
        self.told.files.append({"file": str(path), "layout": layout.name, **counts})

    def _file(self, path: Path, layout: Format) -> Iterator[Incoming]:
        if layout.name not in self._index:
            self._index[layout.name] = Index(self._here, layout)
        counted = Counted(self._index[layout.name], layout)
        for found in layout.read(self._here, path):
            if isinstance(found, Problem):
                self._note(found)
                continue
            self.told.read += 1
            if self._progress and self.told.read % TOLD_EVERY == 0:
                self._progress(self.told.read)
            if found is None:
                self.told.unfilled += 1
                continue
            try:
                one = self._one(found, layout, counted)
            except Problem as problem:
                self._refuse(problem)
            except Problems as problems:
                self.told.problems += problems.problems
            else:
                yield from one

    def _refuse(self, problem: Problem) -> None:
        self._note(problem)
        if problem.level != "error":
            self.told.unmatched += 1
            self._first = self._first or problem.got

    def _note(self, problem: Problem) -> None:
        if problem.level == "error":
            self.told.problems.append(problem)
        else:
            self.told.warn(problem)

    def _one(self, filled: Filled, layout: Format, counted: Counted) -> Iterator[Incoming]:
        who = self._who(filled)
        item, before = counted.find(filled)
        one = self._incoming(filled, layout, item, who, before)
        if self._is_new(one, filled):
            self.told.matched += 1
            self.told.skips += one.answers is None
            return iter([one])
        self.told.duplicates += 1
        return iter(())

    def _who(self, filled: Filled) -> Who:
        if filled.exact is not None:
            return self._known_number(filled, filled.exact)
        name = filled.rater if filled.rater is None else annotator_id(filled.rater)
        if self._rater is not None and name not in (None, self._rater):
            raise Problem(OTHER_RATER, filled.where, expected=self._rater, got=name)
        return Who(name or self._rater)

    def _known_number(self, filled: Filled, exact: Exact) -> Who:
        """The rater of a tidy row. A bare number is somebody here only if the rating is here too."""
        who, here = exact.who, self._here
        if self._rater not in (None, who.name):
            raise Problem(OTHER_RATER, filled.where, expected=self._rater, got=who.name)
        if who.name is None or who.number is None or filled.rater is not None:
            return who
        known = here.sources.accounts.rater(here.name, who.number)
        if known is None or known.name == who.name:
            return who
        if here.sources.ratings.rating(here.name, exact.id) is None:
            raise Problem(RATER_TAKEN, filled.where, got=str(who.number))
        return replace(who, name=known.name)

    def _is_new(self, one: Incoming, filled: Filled) -> bool:
        """Whether its file, or one before, has not said it yet."""
        key: tuple[Any, ...] = (one.id,)
        if one.who.name is not None and filled.exact is None:
            key = (one.who.name, one.item)
        said = self._said.setdefault(key, "")
        if said not in ("", one.id):
            details = {"rater": one.who.name}
            raise Problem(TWICE, filled.where, got=_named(filled), details=details)
        self._said[key] = one.id
        return not said

    def _incoming(self, filled: Filled, layout: Format, item: int, who: Who, before: int) -> Incoming:
        if filled.exact is not None:
            return self._exactly(filled, filled.exact, item, who)
        accepted = self._accepted(filled, layout, item)
        answers = None if accepted is None else accepted.answers
        return Incoming(
            id=_fingerprint(filled, item, who, answers, before),
            item=item,
            who=who,
            version=self._here.version,
            answers=answers,
            skip_reason=filled.skip_reason if answers is None else None,
            received=filled.received,
            language=self._here.study.languages[0],
            pace=filled.pace,
            scores={} if accepted is None else accepted.scores,
            speaks_of=layout.questions,
        )

    def _exactly(self, filled: Filled, exact: Exact, item: int, who: Who) -> Incoming:
        """A rating as it was recorded, once its values are found to be ones its study takes."""
        study, asked = self._versions.study(exact.version), self._item(item)
        answers = exact.answers
        assert study is not None  # noqa: S101
        problems = list(_bad_values(study, asked, answers or {}))
        if problems:
            raise Problems(_placed(problem, filled) for problem in problems)
        facts = Facts(study, asked, (answers or {}).get)
        return Incoming(
            id=exact.id,
            item=item,
            who=who,
            version=exact.version,
            answers=answers,
            skip_reason=filled.skip_reason,
            received=filled.received,
            language=exact.language,
            pace=filled.pace,
            scores={} if answers is None else scores(study, facts),
            seat=exact.seat,
            supersedes=exact.supersedes,
            surplus=exact.surplus,
            conflict=exact.conflict,
            imported=exact.imported,
        )

    def _accepted(self, filled: Filled, layout: Format, item: int) -> Accepted | None:
        if filled.replies is None:
            return None
        try:
            asked = self._item(item)
            replies = filled.replies(asked) if callable(filled.replies) else filled.replies
            found = self._accept(asked, replies, layout)
        except Problems as problems:
            raise Problems(_placed(p, filled) for p in problems.problems) from None
        for problem in _unrecorded(filled, replies, found):
            self.told.warn(problem)
        for problem in self._look(filled, asked, found.answers) if self._look else ():
            self.told.warn(problem)
        return found

    def _accept(self, item: Item, replies: Mapping[str, Any], layout: Format) -> Accepted:
        """Without deciding again what was decided for the same answers to an item of the same facts."""
        said = repr((layout.name, replies, item.facts, item.turn, item.shown.entries))
        if said not in self._alike:
            if len(self._alike) >= MOST_ALIKE:
                self._alike.clear()
            self._alike[said] = accept(self._here.study, item, replies, layout.questions)
        return self._alike[said]

    def _read_item(self, item: int) -> Item:
        return self._here.sources.items.item(self._here.name, item)


def _bad_values(study: Study, item: Item, answers: Mapping[str, Answer]) -> Iterator[Problem]:
    for name, answer in answers.items():
        if answer.state == "answered":
            question = study.questions[name]
            found = kind(question.kind).check(question, answer.value, entries_of(item, name))
            yield from (p.at(Where(path=f"{name}{p.where.path}")) for p in found)


def _unrecorded(filled: Filled, replies: Mapping[str, Any], accepted: Accepted) -> Iterator[Problem]:
    for name, reply in replies.items():
        if reply.get("value") is not None and accepted.answers[name].state == "not_applicable":
            got, details = repr(reply["value"]), {"question": name}
            yield Problem(NOT_RECORDED, filled.where, got=got, details=details)


def _placed(problem: Problem, filled: Filled) -> Problem:
    path = problem.where.path.removeprefix("answers.")
    return problem.at(replace(filled.where, path=path))


def _named(filled: Filled) -> str:
    return named(filled.references[-1]) if filled.references else ""


def _fingerprint(
    filled: Filled, item: int, who: Who, answers: Mapping[str, Answer] | None, before: int
) -> str:
    """The id of a rating that came without one: the same for the same rating, in whatever file.

    Nobody knows who fills an unnamed place, so its time tells it apart; without one, its line does.
    """
    timed = filled.received or filled.pace.started or filled.pace.ended
    parts = (
        item,
        who.name,
        None if timed or who.name is not None else before,
        None if answers is None else {name: astuple(answer) for name, answer in answers.items()},
        filled.skip_reason,
        filled.received,
        astuple(filled.pace),
    )
    text = json.dumps(parts, sort_keys=True, default=dict)
    return blake2b(text.encode(), digest_size=16).hexdigest()
