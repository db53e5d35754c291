"""From the stores to the tables of the analysis, and everything that was left out on the way."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from rubrica.accounts.model import LogEntry, Rater, is_robot
from rubrica.analysis.arrays import Bools, Ints
from rubrica.analysis.results import LeftOut
from rubrica.analysis.table import Answers, Factor, Items, Judge, Options, Question, Table
from rubrica.review.answers import (
    Reading,
    Rows,
    Told,
    first_of_place,
    floats,
    ints,
    last_of_place,
    read_rows,
)
from rubrica.review.coding import Coded, Listed, coded, listed, uncoded
from rubrica.review.judging import Judged, judged
from rubrica.review.looks import looks
from rubrica.review.sources import Sources
from rubrica.review.things import Things, factor, read_things
from rubrica.study.load import study_from
from rubrica.study.model import Study
from rubrica.study.store import StudyVersion
from rubrica.study.version import hash_of

PAGE = 10_000


@dataclass(frozen=True, slots=True)
class Part:
    """A table with its questions: all ratings, or one question's answers entry by entry."""

    table: Table
    questions: Sequence[Question]
    of: str | None = None


@dataclass(frozen=True, slots=True)
class Gathered:
    """What a report is made from."""

    name: str
    study: Study
    version: StudyVersion
    versions: Mapping[str, int]
    """Ratings per version."""
    coded: Sequence[Coded]
    whole: Part
    parts: Sequence[Part]
    options: Options
    seed: int
    left_out: Sequence[LeftOut]
    raters: Sequence[Rater]
    named: bool
    """Whether raters are people, not places."""
    things: Things
    uncounted: Sequence[str]
    """Questions without a statistic, such as comments."""
    skips: int
    revisions: int
    robots: int
    """Raters that `rubrica simulate` made."""
    conflicts: int
    imported: int
    closed: bool
    looks: Sequence[int]
    """How many ratings there were each time results were looked at before the last one."""
    excluded: Mapping[str, str]
    """The raters that are excluded, each with the reason somebody gave."""


def gather(
    sources: Sources,
    name: str,
    version: StudyVersion,
    seed: int | None = None,
    told: Told | None = None,
) -> Gathered:
    """Everything the analysis needs of one study, in the words of this version."""
    study = study_from(version.declared)
    columns, lists = coded(study), listed(study)
    context = any(v.speaks_of == "previous" for v in study.items.verdict.values())
    things = read_things(study, sources.verdicts.all_hidden(name, context=context))
    same = _same_words(sources, name, version, columns, lists)
    reading = Reading(study, columns, lists, same, things.index(), things.sizes)
    rows = read_rows(sources.ratings.ratings(name, all_revisions=True), reading, told)
    raters, log = list(sources.accounts.raters(name)), sources.accounts.log_entries(name)
    verdicts = judged(study, columns, lists, things)
    items = _items(study, things, verdicts)
    table = _table(study, rows, items, raters, _rounds(sources, name, study, raters))
    return Gathered(
        name=name,
        study=study,
        version=version,
        versions=rows.versions,
        coded=columns,
        whole=Part(table, [c.question for c in columns]),
        parts=[p for one in lists if (p := _part(one, rows, table, things, verdicts)) is not None],
        options=_options(study, items, things, _included(sources, name, study, rows), raters),
        seed=study.report.seed if seed is None else seed,
        left_out=[*_left_out(sources, name, rows, raters, verdicts), *_unfollowed(things)],
        raters=raters,
        named=bool((table.rater.codes >= 0).any()) or len(table) == 0,
        things=things,
        uncounted=uncoded(study),
        skips=rows.skips,
        revisions=rows.revisions,
        robots=_robots(rows, raters),
        conflicts=rows.conflicts,
        imported=rows.imported,
        closed=sources.studies.is_closed(name),
        looks=looks(log, len(rows)),
        excluded=_excluded(raters, log),
    )


# --- versions ---------------------------------------------------------------------------------------


def _same_words(
    sources: Sources,
    name: str,
    version: StudyVersion,
    columns: Sequence[Coded],
    lists: Sequence[Listed],
) -> dict[str, frozenset[str]]:
    """Per version, the columns it has in common with this one: pooled by what was asked."""
    own = {one.name: _words(version, one.of, one.role == "score") for one in columns}
    own |= {one.question.name: _words(version, one.of, False) for one in lists}
    of = {one.name: (one.of, one.role == "score") for one in columns}
    of |= {one.question.name: (one.of, False) for one in lists}
    kept = [*sources.studies.versions(name), version]
    return {
        v.hash: frozenset(c for c, asked in own.items() if _words(v, *of[c]) == asked) for v in kept
    }


def _words(version: StudyVersion, name: str, score: bool) -> str | None:
    if not score:
        return version.question_hashes.get(name)
    scores = version.declared.get("study", version.declared).get("score", {})
    # A gap names other scores, and a mean the questions: all of them make the number.
    return f"{hash_of(scores)} {sorted(version.question_hashes.items())}"


# --- items ------------------------------------------------------------------------------------------


def _items(study: Study, things: Things, verdicts: Judged) -> Items:
    size = len(things)
    fields = {**things.fields, **verdicts.groups}
    named = {name: factor(values, size) for name, values in fields.items()}
    thread = study.items.thread
    return Items(
        names=tuple(things.names),
        system=factor(things.system, size),
        input=factor(things.input, size) if thread is not None else None,
        thread=factor(things.thread, size) if thread is not None else None,
        wave=factor(things.wave, size),
        fields={name: found for name, found in named.items() if found is not None},
        judges=tuple(verdicts.judges),
    )


def _included(sources: Sources, name: str, study: Study, rows: Rows) -> frozenset[str]:
    """The calibration round counts where every version that was rated under had said so."""
    rated = [v for v in sources.studies.versions(name) if v.hash in rows.versions]
    declared = [study, *(study_from(version.declared) for version in rated)]
    return frozenset({"pilot"} if all(one.report.calibration for one in declared) else ())


def _options(
    study: Study, items: Items, things: Things, included: frozenset[str], raters: Sequence[Rater]
) -> Options:
    declared = study.report
    several = [("system", items.system), ("wave", items.wave), *items.fields.items()]
    groups = [name for name, of in several if of is not None and len(of.names) > 1]
    return Options(
        choice=declared.analyse,
        include=included,
        groups=tuple(groups),
        reference=declared.reference_system,
        leave_out=things.named(declared.leave_out),
        expertise=declared.expertise,
        rater_waves=_waves(study, raters),
    )


def _waves(study: Study, raters: Sequence[Rater]) -> dict[str, str]:
    """The last wave that had begun when a rater joined."""
    begun = sorted((day.isoformat(), wave) for wave, day in study.raters.waves.items())
    came = ((r, [wave for day, wave in begun if r.joined >= day]) for r in raters)
    return {rater_name(r.number): waves[-1] for r, waves in came if waves}


# --- ratings ----------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Rounds:
    """Places that are kept apart by the design."""

    pilot: frozenset[int] = frozenset()
    repeat: frozenset[int] = frozenset()
    gold: frozenset[int] = frozenset()


def _rounds(sources: Sources, name: str, study: Study, raters: Sequence[Rater]) -> _Rounds:
    """Read only where some version's design has such places: a million places take a while."""
    declared = [v.declared.get("study", {}) for v in sources.studies.versions(name)]
    apart = study.raters.calibration or study.raters.repeats or study.items.gold
    if not apart and not any(_plans_more(one) for one in declared):
        return _Rounds()
    found: dict[str, set[int]] = {"pilot": set(), "repeat": set(), "gold": set()}
    for rater in raters:
        after = 0
        while page := sources.places.places(name, rater.number, after, PAGE):
            after = page[-1].number
            found["pilot"].update(p.id for p in page if p.round == "calibration")
            found["repeat"].update(p.id for p in page if p.repeat_of is not None)
            found["gold"].update(p.id for p in page if p.gold)
    return _Rounds(**{kind: frozenset(ids) for kind, ids in found.items()})


def _plans_more(declared: Mapping[str, object]) -> bool:
    raters, items = declared.get("raters"), declared.get("items")
    plans = isinstance(raters, Mapping) and bool(raters.get("calibration") or raters.get("repeats"))
    return plans or (isinstance(items, Mapping) and bool(items.get("gold")))


def _table(study: Study, rows: Rows, items: Items, raters: Sequence[Rater], rounds: _Rounds) -> Table:
    place, order = ints(rows.place), ints(rows.order)
    first = study.show_score and study.report.analyse == "first"
    stands = first_of_place(place, order) if first else last_of_place(place, order)
    excluded = [r.number for r in raters if r.state == "excluded"]
    return Table(
        items=items,
        item=ints(rows.item),
        rater=_rater_factor(study, rows, raters),
        answers={name: column.answers() for name, column in rows.columns.items()},
        order=order,
        seconds=floats(rows.seconds),
        language=_languages(rows.language),
        flags={
            "revised" if first else "superseded": ~stands,
            "surplus": np.frombuffer(rows.surplus, dtype=np.int8) > 0,
            "excluded": np.isin(ints(rows.rater), excluded),
            "pilot": _at(place, rounds.pilot),
            "repeat": _at(place, rounds.repeat),
            "gold": _at(place, rounds.gold),
        },
    )


def _at(place: Ints, ids: frozenset[int]) -> Bools:
    return np.isin(place, np.fromiter(ids, np.int64, count=len(ids)))


def rater_name(number: int) -> str:
    """How a rater is called in results; who that is stands in accounts only."""
    return f"R{number}"


def _rater_factor(study: Study, rows: Rows, raters: Sequence[Rater]) -> Factor:
    """Unnamed places are not raters."""
    number = ints(rows.rater)
    seen = np.unique(number) if study.report.named_raters else np.zeros(0, dtype=np.int64)
    unnamed = [r.number for r in raters if not getattr(r, "named", True)]
    people = seen[~np.isin(seen, unnamed)]
    if len(people) == 0:
        return Factor(np.full(len(number), -1, dtype=np.int64), ())
    place = np.clip(np.searchsorted(people, number), 0, len(people) - 1)
    codes = np.where(people[place] == number, place, -1)
    return Factor(codes.astype(np.int64), tuple(rater_name(int(n)) for n in people))


def _robots(rows: Rows, raters: Sequence[Rater]) -> int:
    rated = {int(number) for number in np.unique(ints(rows.rater))}
    return sum(rater.number in rated and is_robot(rater.name) for rater in raters)


def _languages(values: Sequence[str]) -> Factor | None:
    found = factor(values, len(values))
    return found if found is not None and len(found.names) > 1 else None


# --- entry by entry ---------------------------------------------------------------------------------


def _part(one: Listed, rows: Rows, table: Table, things: Things, verdicts: Judged) -> Part | None:
    """A table whose items are the entries of items; entries of one item are not independent."""
    entries, sizes = rows.entries[one.question.name], np.array(things.sizes.get(one.of, []), np.int64)
    row = ints(entries.row)
    if len(row) == 0:
        return None
    of = np.repeat(np.arange(len(sizes)), sizes)
    start = np.cumsum(sizes) - sizes
    items = _entry_items(table.items, of, start, verdicts.of_entries.get(one.question.name, []))
    part = replace(
        table,
        items=items,
        item=start[table.item[row]] + ints(entries.entry),
        rater=Factor(table.rater.codes[row], table.rater.names),
        answers={one.question.name: Answers(floats(entries.value))},
        order=table.times[row],
        seconds=None,
        language=None,
        flags={name: flag[row] for name, flag in table.flags.items()},
    )
    return Part(part, [one.question], one.of)


def _entry_items(items: Items, of: Ints, start: Ints, judges: list[Judge]) -> Items:
    def spread(factor: Factor | None) -> Factor | None:
        return None if factor is None else Factor(factor.codes[of], factor.names)

    cluster = items.clusters()[of]
    number = np.arange(len(of)) - start[of]
    return Items(
        names=tuple(f"{items.names[i]} / {n + 1}" for i, n in zip(of, number, strict=True)),
        system=spread(items.system),
        thread=Factor(cluster, tuple(str(c) for c in range(int(cluster.max(initial=-1)) + 1))),
        wave=spread(items.wave),
        fields={name: f for name, of_ in items.fields.items() if (f := spread(of_)) is not None},
        judges=tuple(judges),
    )


def _excluded(raters: Sequence[Rater], log: Sequence[LogEntry]) -> dict[str, str]:
    """A rater may have been excluded more than once; the last reason holds."""
    why = {
        e.details.get("rater"): str(e.details.get("reason", "")) for e in log if e.what == "excluded"
    }
    return {rater_name(r.number): why.get(r.number, "") for r in raters if r.state == "excluded"}


# --- what is not in the tables -----------------------------------------------------------------------


def _left_out(
    sources: Sources, name: str, rows: Rows, raters: Sequence[Rater], verdicts: Judged
) -> Iterator[LeftOut]:
    gone = [r for r in raters if r.state == "withdrawn"]
    if gone:
        count = sum(sum(1 for _ in sources.ratings.of_rater(name, r.number)) for r in gone)
        yield LeftOut("raters", len(gone), "withdrew their consent")
        yield LeftOut("ratings", count, "the rater withdrew their consent")
    if rows.elsewhere:
        yield LeftOut("ratings", rows.elsewhere, "the item is no longer part of the study")
    for verdict, count in verdicts.set_aside.items():
        yield LeftOut("scores", count, f"verdict {verdict}: a value that means no score")
    for verdict, count in verdicts.unread.items():
        yield LeftOut("scores", count, f"verdict {verdict}: not a score of its question")


def _unfollowed(things: Things) -> Iterator[LeftOut]:
    for name, count in things.unfollowed.items():
        yield LeftOut("items", count, f"{name}: its path cannot be followed in them")
