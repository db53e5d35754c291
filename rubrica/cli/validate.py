"""A file of ratings filled by hand: every line's problems, then the judge validation."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict, replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Annotated, Any

import typer

from rubrica.analysis.results import JudgeStatistic
from rubrica.cli.opening import SkipBad, here, opened
from rubrica.cli.talk import AsJson, StudyPath, counted, give, out, problems_as_json, progress
from rubrica.exchange.validating import Validated, validate

MOST_SHOWN = 100
LISTED = 10
FIGURES = ("pearson", "spearman", "mae", "mismatch_share")
"""Shown to a person; `--json` has every statistic."""


def command(
    study: StudyPath,
    file: Annotated[
        list[Path], typer.Argument(help="The file filled by hand, or several; of any known layout.")
    ],
    skip_bad: SkipBad = False,
    as_json: AsJson = False,
) -> None:
    """Every problem of a results file filled by hand, line by line, then the judge validation.

    Nothing is imported: the study's own database is not touched.
    """
    with problems_as_json(as_json), TemporaryDirectory() as folder:
        copy = str(Path(folder) / "copy.db")
        with opened(study, copy, skip_bad=skip_bad) as found, progress("Validating", None) as told:
            got = validate(here(found), found.loaded.version, file, told)
        if as_json:
            give(_result(got), "", as_json)
        else:
            _print(got)
    if got.brought.problems:
        raise typer.Exit(1)


def _result(got: Validated) -> dict[str, Any]:
    brought = got.brought
    counts = ("read", "matched", "unmatched", "unfilled", "skips", "duplicates")
    return {
        "files": brought.files,
        **{name: getattr(brought, name) for name in counts},
        **{f"{level}s": _count(got, level) for level in ("error", "warning", "note")},
        "problems": [problem.as_json() for problem in got.problems],
        "judges": [_plain(one) for one in got.judges],
        "mismatches": [asdict(one) for one in got.mismatches],
        "mismatches_by_group": list(_groups(got)),
    }


def _count(got: Validated, level: str) -> int:
    return sum(problem.level == level for problem in got.problems)


def _plain(one: JudgeStatistic) -> dict[str, Any]:
    note = one.note.message if one.note else None
    return {**asdict(replace(one, note=None)), "note": note}


def _groups(got: Validated) -> Iterator[dict[str, Any]]:
    for judge, question in _pairs(got):
        for group in got.reviewed.gathered.options.groups:
            for value, count in got.by_group(judge, question, group).items():
                told = {"judge": judge, "question": question, "group": group, "value": value}
                yield {**told, "mismatches": count}


def _pairs(got: Validated) -> list[tuple[str, str]]:
    return list(dict.fromkeys((one.judge, one.question) for one in got.judges))


# --- for a person -----------------------------------------------------------------------------------


def _print(got: Validated) -> None:
    for problem in got.problems[:MOST_SHOWN]:
        _say(f"{problem.level:<8}{problem}")
    if len(got.problems) > MOST_SHOWN:
        _say(f"and {len(got.problems) - MOST_SHOWN:,} more (--json has all)")
    brought = got.brought
    _say(
        f"{counted(brought.matched, 'rating')} of {counted(brought.read, 'line')}; "
        f"{brought.unfilled:,} not filled in, {brought.unmatched:,} of no item of the study, "
        f"{brought.skips:,} skips. {counted(_count(got, 'error'), 'error')}, "
        f"{counted(_count(got, 'warning'), 'warning')}, {counted(_count(got, 'note'), 'note')}."
    )
    for judge, question in _pairs(got):
        _judge(got, judge, question)


def _judge(got: Validated, judge: str, question: str) -> None:
    whole = {
        one.statistic: one
        for one in got.judges
        if (one.judge, one.question, one.group) == (judge, question, None)
    }
    if not whole:
        return
    some = next(iter(whole.values()))
    _say(f"\n{judge} against {question}: {some.n:,} compared, {some.missing:,} without a score")
    for name in FIGURES:
        if name in whole:
            _say(f"  {_figure(whole[name])}")
    for line in dict.fromkeys(one.note.message for one in whole.values() if one.note):
        _say(f"  note: {line}")
    far = [one for one in got.mismatches if (one.judge, one.question) == (judge, question)]
    for one in far[:LISTED]:
        sides = f"human {one.human:.2f}, judge {one.score:.2f}"
        _say(f"  differs by {one.size:.2f}: {one.item} ({sides}) {', '.join(one.groups.values())}")
    for group in got.reviewed.gathered.options.groups:
        counts = got.by_group(judge, question, group)
        if counts:
            told = ", ".join(f"{value or '(none)'} {count}" for value, count in counts.items())
            _say(f"  mismatches by {group}: {told}")


def _figure(one: JudgeStatistic) -> str:
    if one.value is None:
        return f"{one.statistic}: not defined"
    interval = "" if one.low is None or one.high is None else f" [{one.low:.3f}, {one.high:.3f}]"
    p = "" if one.p is None else f", p = {one.p:.3f}"
    return f"{one.statistic} = {one.value:.3f}{interval}{p}"


def _say(text: str) -> None:
    out().print(text, markup=False)
