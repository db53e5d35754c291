"""Fill a study with robot raters."""

from __future__ import annotations

from dataclasses import asdict, replace
from typing import Annotated

import typer

from rubrica.accounts.model import is_robot
from rubrica.cli.opening import Database, Opened, SkipBad, opened
from rubrica.cli.talk import AsJson, StudyPath, counted, give, problems_as_json, progress, tally
from rubrica.errors import Problem, Rule
from rubrica.fieldwork.robots import Crew, Simulated, SystemOf, simulate
from rubrica.items.model import Item

BAD_NUMBER = Rule(
    code="C020",
    title="A number on the command line makes sense",
    says="{option} cannot be {got}",
    why="The simulation would mean nothing.",
    mend="Give {expected}.",
)


AMONG_PEOPLE = Rule(
    code="C021",
    title="Robots do not rate among people",
    says="people or places that have ratings in this study already: {got}",
    why="Made-up ratings among real ones would enter every result, and none can be deleted.",
    mend="Rehearse in a database of its own: `--db rehearsal.db`.",
)


def command(
    study: StudyPath,
    raters: Annotated[int, typer.Option(help="How many robots rate.")] = 5,
    seed: Annotated[int, typer.Option(help="The same seed gives the same robots and answers.")] = 1,
    dropouts: Annotated[float, typer.Option(help="The share of robots that stop on the way.")] = 0,
    skips: Annotated[float, typer.Option(help="How often an item is skipped.")] = 0.02,
    db: Database = None,
    skip_bad: SkipBad = False,
    as_json: AsJson = False,
) -> None:
    """Fill a study with robot raters, through the same use-cases as people's."""
    with problems_as_json(as_json):
        crew = _crew(raters, seed, dropouts, skips)
        with opened(study, db, skip_bad=skip_bad) as found:
            _refuse_people(found)
            done = simulated(found, replace(crew, names=tuple(found.lists)))
        give({"study": found.name, "seed": seed, **asdict(done)}, _text(found, done), as_json)


def _crew(raters: int, seed: int, dropouts: float, skips: float) -> Crew:
    if not 1 <= raters <= 10_000:
        raise _bad("--raters", raters, "a number from 1 to 10,000")
    for option, share in (("--dropouts", dropouts), ("--skips", skips)):
        if not 0 <= share <= 1:
            raise _bad(option, share, "a share from 0 to 1")
    return Crew(raters=raters, seed=seed, dropouts=dropouts, skips=skips)


def _refuse_people(found: Opened) -> None:
    accounts, places = found.store.accounts, found.store.places
    people = [
        rater
        for rater in accounts.raters(found.name)
        if not is_robot(rater.name) and places.places(found.name, rater.number, 0, 1)
    ]
    if people:
        raise Problem(AMONG_PEOPLE, got=str(len(people)))


def _bad(option: str, got: float, expected: str) -> Problem:
    return Problem(BAD_NUMBER, expected=expected, got=str(got), details={"option": option})


def simulated(found: Opened, crew: Crew) -> Simulated:
    """Let a crew of robots rate the study, with a bar while they do."""
    desk = found.desk()
    per_item = desk.design.capacity
    most = desk.design.items * min(crew.raters, per_item or crew.raters)
    with progress("Simulating", most) as told:
        return simulate(desk, crew, _systems(found), told)


def _systems(found: Opened) -> SystemOf:
    """Robots see systems differ in quality; only this side may know which system an item is of."""
    known: dict[int, str | None] = {}

    def system_of(item: Item) -> str | None:
        if item.id not in known:
            known[item.id] = found.store.verdicts.hidden(found.name, item.id).system
        return known[item.id]

    return system_of


def _text(found: Opened, done: Simulated) -> str:
    made = tally(done.ratings, done.skips, done.revisions)
    lines = [f"{found.name}: {counted(done.raters, 'robot')} made {made}."]
    if done.dropped_out:
        lines.append(f"  {counted(done.dropped_out, 'robot')} dropped out.")
    if done.failed_practice:
        lines.append(f"  {counted(done.failed_practice, 'robot')} did not pass the practice.")
    return "\n".join(lines)
