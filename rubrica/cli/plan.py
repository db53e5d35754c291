"""How many items and raters a study needs."""

from __future__ import annotations

from dataclasses import replace
from typing import Annotated, Any

import typer

from rubrica.analysis.plan import Spread
from rubrica.cli.opening import Database, SkipBad, opened
from rubrica.cli.simulate import BAD_NUMBER
from rubrica.cli.talk import AsJson, StudyPath, give, problems_as_json, progress
from rubrica.errors import Problem, Rule, nearest
from rubrica.review.coding import Coded
from rubrica.review.gather import Gathered, gather
from rubrica.review.planning import (
    Tried,
    Wanted,
    assumed_spread,
    piloted_spread,
    plannable,
    planned,
    scale,
)

NO_QUESTION = Rule(
    code="C070",
    title="A plan is for a question with levels",
    says="the study has no question {got!r} with levels that have a mean",
    why="Items and raters are planned for the mean of a question's answers.",
    mend="Name one of: {known}.",
)
BAD_RATERS = Rule(
    code="C071",
    title="Numbers of raters are whole numbers with commas between them",
    says="{got!r} is no list of numbers of raters",
    why="Nothing was planned.",
    mend="Give them as in `--raters 1,3,5,10`.",
)
SOURCES = {
    "pilot": "as in the ratings there are",
    "assumed": "assumed, for want of a pilot; give your own with --item-sd, --noise-sd, --rater-sd",
    "given": "as given",
}


def command(
    study: StudyPath,
    question: Annotated[
        str | None, typer.Option("--question", help="The question. [default: the first with levels]")
    ] = None,
    difference: Annotated[
        float | None,
        typer.Option(
            "--difference",
            help="The difference to find, in points. [default: a twentieth of the scale]",
        ),
    ] = None,
    width: Annotated[
        float | None,
        typer.Option("--width", help="Instead: how far the difference's interval may reach to a side."),
    ] = None,
    raters: Annotated[
        str, typer.Option("--raters", help="Raters per item, each rating both systems.")
    ] = "1,3,5,10",
    power: Annotated[float, typer.Option("--power", help="The chance to find the difference.")] = 0.8,
    item_sd: Annotated[
        float | None,
        typer.Option("--item-sd", help="How differently items favour systems (standard deviation)."),
    ] = None,
    noise_sd: Annotated[
        float | None, typer.Option("--noise-sd", help="The noise of one rating (standard deviation).")
    ] = None,
    rater_sd: Annotated[
        float | None,
        typer.Option("--rater-sd", help="How differently raters treat systems (standard deviation)."),
    ] = None,
    times: Annotated[
        int, typer.Option("--times", help="Robot studies to try each plan with; 0 for none.")
    ] = 200,
    seed: Annotated[int | None, typer.Option("--seed", min=0, help="The robots' seed.")] = None,
    db: Database = None,
    skip_bad: SkipBad = False,
    as_json: AsJson = False,
) -> None:
    """Items needed for a difference or an interval, and whether robots find it with so many."""
    with problems_as_json(as_json):
        many = _raters(raters)
        for option, value in (("--difference", difference), ("--width", width)):
            _positive(option, value)
        for option, value in (
            ("--item-sd", item_sd),
            ("--noise-sd", noise_sd),
            ("--rater-sd", rater_sd),
        ):
            _not_negative(option, value)
        _within("--power", power, 0.05, 0.999, "a chance from 0.05 to 0.999")
        _within("--times", times, 0, 100_000, "a number from 0 to 100,000")
        with opened(study, db, skip_bad=skip_bad) as found:
            gathered = gather(found.store, found.name, found.loaded.version, seed)
        coded = _question(gathered, question)
        spread, source = _spread(gathered, coded, item_sd, noise_sd, rater_sd)
        wanted = Wanted(difference or scale(coded) / 20, width, power)
        with progress("Robots try it", 1.0) as told:
            tried = planned(gathered, coded, spread, wanted, many, times, told)
        result = _result(coded, spread, source, wanted, tried)
        head = _head(coded, spread, source, wanted)
        text = "\n".join([*head, "", *_table(wanted, tried), "", *_below(tried, times)])
        give(result, text, as_json)


def _raters(text: str) -> list[int]:
    parts = [part.strip() for part in text.split(",")]
    if not all(part.isdecimal() and 1 <= int(part) <= 1_000 for part in parts):
        raise Problem(BAD_RATERS, got=text, expected="numbers from 1 to 1,000")
    return list(dict.fromkeys(int(part) for part in parts))


def _positive(option: str, value: float | None) -> None:
    if value is not None and not 0 < value < 1e6:
        raise _bad(option, value, "a number above 0")


def _not_negative(option: str, value: float | None) -> None:
    if value is not None and not 0 <= value < 1e6:
        raise _bad(option, value, "0 or a number above")


def _within(option: str, value: float, low: float, high: float, expected: str) -> None:
    if not low <= value <= high:
        raise _bad(option, value, expected)


def _bad(option: str, got: float, expected: str) -> Problem:
    return Problem(BAD_NUMBER, expected=expected, got=str(got), details={"option": option})


def _question(gathered: Gathered, name: str | None) -> Coded:
    there = {coded.name: coded for coded in plannable(gathered)}
    if name is None and there:
        return next(iter(there.values()))
    if name not in there:
        known = ", ".join(there) or "(the study has none)"
        got = name or ""
        raise Problem(NO_QUESTION, got=got, nearest=nearest(got, there), details={"known": known})
    return there[name]


def _spread(
    gathered: Gathered, coded: Coded, item: float | None, noise: float | None, rater: float | None
) -> tuple[Spread, str]:
    """The pilot's spreads or assumed ones; what was given takes their place."""
    seen = piloted_spread(gathered, coded)
    spread, source = (assumed_spread(coded), "assumed") if seen is None else (seen, "pilot")
    named = {"item_system": item, "noise": noise, "rater_system": rater}
    given = {name: value for name, value in named.items() if value is not None}
    if item is not None and noise is not None:
        source = "given"
    return replace(spread, **given), source  # type: ignore[arg-type]


def _result(
    coded: Coded, spread: Spread, source: str, wanted: Wanted, tried: list[Tried]
) -> dict[str, Any]:
    return {
        "question": coded.name,
        "difference": None if wanted.width else wanted.difference,
        "width": wanted.width,
        "power": wanted.power,
        "spread": {
            "item_system": spread.item_system,
            "noise": spread.noise,
            "rater_system": spread.rater_system,
            "source": source,
            "note": spread.note.message if spread.note else None,
        },
        "plans": [
            {
                "raters": one.plan.raters,
                "items": one.plan.items,
                "reached": one.plan.reached,
                "robots_found": one.found,
                "note": one.plan.note.message if one.plan.note else None,
            }
            for one in tried
        ],
    }


def _head(coded: Coded, spread: Spread, source: str, wanted: Wanted) -> list[str]:
    aim = (
        f"an interval that reaches {wanted.width:g} points to each side"
        if wanted.width
        else f"a difference of {wanted.difference:g} points, found with a chance of {wanted.power:.0%}"
    )
    lines = [
        f"{coded.name}: {aim}",
        f"  spreads {SOURCES[source]}:",
        f"  items favour systems by {spread.item_system:.2f}, one rating is off by {spread.noise:.2f}, "
        f"raters favour systems by {spread.rater_system:.2f} (standard deviations)",
    ]
    return [*lines, f"  {spread.note.message}"] if spread.note else lines


def _table(wanted: Wanted, tried: list[Tried]) -> list[str]:
    reached = "reaches" if wanted.width else "chance"
    lines = [f"  {'raters':>6}  {'items':>12}  {'ratings':>10}  {reached:>7}  {'robots':>6}"]
    for one in tried:
        plan = one.plan
        items = "never enough" if plan.items is None else f"{plan.items:,}"
        ratings = "" if plan.items is None else f"{2 * plan.items * plan.raters:,}"
        shown = f"{plan.reached:.2f}" if wanted.width else f"{plan.reached:.0%}"
        robots = "" if one.found is None else f"{one.found:.0%}"
        lines.append(f"  {plan.raters:>6}  {items:>12}  {ratings:>10}  {shown:>7}  {robots:>6}")
    return lines


def _below(tried: list[Tried], times: int) -> list[str]:
    """What the columns mean, and why no number is enough where none is."""
    lines = ["Every rater rates both systems on every item; `ratings` are those of both together."]
    if any(one.found is not None for one in tried):
        lines.append(
            f"`robots` is the share of {times:,} studies in which the report's test finds it; "
            "it is less where the question's levels are coarse or raters are few."
        )
    never = [one.plan.note.message for one in tried if one.plan.note is not None]
    return [*lines, *(f"{says[:1].upper()}{says[1:]}." for says in never[-1:])]
