"""All of it over one study's table: what a report prints, in flat records."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from rubrica.analysis import notes
from rubrica.analysis.agreement import (
    agreement_records,
    alpha_value,
    rater_matrix,
    repeated,
    retest,
    too_many_groups,
)
from rubrica.analysis.answered import Answered, changed_answers, select, standing
from rubrica.analysis.arrays import Bools, dense, known, means, present
from rubrica.analysis.bootstrap import Sampler
from rubrica.analysis.compare import comparisons, corrected, system_means, unequal_inputs
from rubrica.analysis.effects import effects, shares
from rubrica.analysis.notes import note
from rubrica.analysis.pace import durations, pace, straight_lines
from rubrica.analysis.raters import rater_statistics
from rubrica.analysis.results import LeftOut, Progress, RaterStatistic, Results, SideBySide
from rubrica.analysis.table import Options, Question, Table
from rubrica.analysis.validate import Validation, validation
from rubrica.errors import Problem

STEPS = 100


def analyse(
    table: Table, questions: Sequence[Question], options: Options, rng: np.random.Generator
) -> Results:
    """Everything that can be said; the same table, options and seed give the same numbers."""
    used, lost = standing(table, options)
    chosen = [select(table, question, options, used) for question in questions]
    answered = [a for a, _ in chosen]
    sampler = Sampler(rng, options.replicates, options.level)
    pairs = [rater_matrix(a, options, sampler) for a in answered]
    judged = _judged(table, answered, options, sampler)
    compared = [c for a in answered for c in comparisons(a, options, sampler)]
    return Results(
        asked=_asked(table, answered, used),
        left_out=(
            *lost,
            *(x for _, left in chosen for x in left),
            *_unscored(table, answered),
            *(x for v in judged for x in v.left_out),
        ),
        agreement=tuple(r for a in answered for r in agreement_records(a, options, sampler)),
        matrix=tuple(r for records, _ in pairs for r in records),
        systems=tuple(r for a in answered for r in system_means(a, options, sampler)),
        comparisons=tuple(corrected(compared, options)),
        judges=tuple(r for v in judged for r in v.statistics),
        mismatches=tuple(r for v in judged for r in v.mismatches),
        confusion=tuple(r for v in judged for r in v.confusion),
        differences=tuple(r for v in judged for r in v.differences),
        raters=tuple(rater_figures(table, answered, used, options, sampler)),
        shares=tuple(s for a in answered for s in shares(a, _few(table, options))),
        effects=tuple(e for a in answered for e in effects(a, table, options.level)),
        side_by_side=tuple(_side_by_side(table, questions, options)),
        durations=tuple(durations(table, used)),
        progress=tuple(_progress(table)),
        notes=tuple(_notes(table, answered, [why for _, why in pairs], options)),
    )


def _asked(table: Table, answered: Sequence[Answered], used: Bools) -> dict[str, int]:
    named = table.rater.codes >= 0
    items, system = table.items, table.items.system
    return {
        "items": len(items.names),
        "rated_items": len(present(table.item[used])),
        "systems": 0 if system is None else len(system.names),
        "raters": len(present(table.rater.codes[named])),
        "unnamed_ratings": int((~named).sum()),
        "ratings": len(table),
        "ratings_used": int(used.sum()),
        "answers_used": sum(len(a) for a in answered),
    }


def _judged(
    table: Table, answered: Sequence[Answered], options: Options, sampler: Sampler
) -> list[Validation]:
    by_name = {a.question.name: a for a in answered}
    return [
        validation(by_name[judge.question], judge, options, sampler)
        for judge in table.items.judges
        if judge.question in by_name
    ]


def _unscored(table: Table, answered: Sequence[Answered]) -> list[LeftOut]:
    """Rated items without a judge's score, per judge, and those that name no system."""
    rated = {a.question.name: present(a.item) for a in answered}
    found = []
    for judge in table.items.judges:
        items = rated.get(judge.question, np.zeros(0, dtype=np.int64))
        items = items if judge.asked is None else items[judge.asked[items]]
        count = int((~np.isfinite(judge.scores[items])).sum())
        if count:
            says = f"no score of judge {judge.name}: missing, not guessed"
            found.append(LeftOut("items", count, says, judge.question))
    system = table.items.system
    for name, items in rated.items() if system is not None else ():
        count = int((system.codes[items] < 0).sum()) if system is not None else 0
        if count:
            found.append(LeftOut("items", count, "no system is named: in no system's mean", name))
    return found


def rater_figures(
    table: Table, answered: Sequence[Answered], used: Bools, options: Options, sampler: Sampler
) -> list[RaterStatistic]:
    """Everything that is said of single raters."""
    levelled = [a.question for a in answered if a.question.levels and a.question.numeric]
    given = [q.fraction(table.answers[q.name].value(options.choice)) for q in levelled]
    found = [*pace(table, used), *straight_lines(table, given, used)]
    again = repeated(table, options)
    for one in answered:
        found += rater_statistics(one, table, options.level)
        found += retest(table, one.question, options, again, sampler)
    return found


def _few(table: Table, options: Options) -> bool:
    return len(table.rater.names) <= options.raters_shown


def _side_by_side(table: Table, questions: Sequence[Question], options: Options) -> list[SideBySide]:
    """Alpha and systems' means with and without excluded raters."""
    excluded = table.flags.get("excluded")
    if excluded is None or not excluded.any():
        return []
    both = []
    for include in (options.include - {"excluded"}, options.include | {"excluded"}):
        each = replace(options, include=frozenset(include))
        used, _ = standing(table, each)
        both.append([_headlines(select(table, q, each, used)[0]) for q in questions])
    count = int(excluded.sum())
    return [
        SideBySide(question.name, what, without.get(what), with_them.get(what), count)
        for question, without, with_them in zip(questions, *both, strict=True)
        for what in with_them
    ]


def _headlines(answered: Answered) -> dict[str, float | None]:
    found = {"alpha": alpha_value(answered)}
    systems = answered.items.system
    if systems is None or not answered.question.numeric or len(answered) == 0:
        return found
    items, item = dense(answered.item)
    mean = means(item, answered.value, len(items))
    code = systems.codes[items]
    for k, name in enumerate(systems.names):
        found[f"mean of {name}"] = known(mean[code == k].mean()) if (code == k).any() else None
    return found


def _progress(table: Table) -> list[Progress]:
    """How ratings and rated items grew, in the order of time."""
    if len(table) == 0:
        return []
    item = table.item[np.argsort(table.times, kind="stable")]
    fresh = np.zeros(len(item), dtype=np.int64)
    fresh[np.unique(item, return_index=True)[1]] = 1
    seen = np.cumsum(fresh)
    ends = np.unique(np.linspace(1, len(item), min(STEPS, len(item))).astype(np.int64))
    return [Progress(k + 1, int(end), int(seen[end - 1])) for k, end in enumerate(ends)]


def _notes(
    table: Table, answered: Sequence[Answered], matrices: Sequence[Problem | None], options: Options
) -> list[Problem]:
    """What holds for the whole report, each once."""
    found = [why for why in matrices if why is not None]
    found += [why for a in answered for why in too_many_groups(a, options)]
    found += [why for a in answered if (why := unequal_inputs(a)) is not None]
    found += _changed(table, answered, options)
    found += [note(notes.ITEMS_RESAMPLED)] if any(len(a) for a in answered) else []
    named = [a.many_raters for a in answered if a.many_raters]
    if named and max(named) < 5:
        found.append(note(notes.THESE_RATERS, raters=max(named)))
    found += [note(notes.JUDGE_SAYS, says=j.says) for j in table.items.judges if j.says]
    once: dict[str, Problem] = {}
    for why in found:
        once.setdefault(why.message, why)
    return list(once.values())


def _changed(table: Table, answered: Sequence[Answered], options: Options) -> list[Problem]:
    details = [(a.question.name, changed_answers(table, a)) for a in answered]
    return [
        note(notes.FIRST_CHOICE, question=name, changed=changed, choice=options.choice)
        for name, changed in details
        if changed
    ]
