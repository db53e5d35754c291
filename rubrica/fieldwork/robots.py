"""Robot raters: a whole study rated through the use-cases a browser calls.

Chance comes from the seed alone, by name: the same seed, study and order of names gives the same
robots, the same qualities and the same answers.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from concurrent.futures import Future
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from random import Random

from rubrica.accounts.changes import invite
from rubrica.accounts.model import ROBOT, Joined, is_robot
from rubrica.errors import Problem
from rubrica.fieldwork import joining, practice, sending, stepping, working
from rubrica.fieldwork.answering import Mind, as_shown, replies
from rubrica.fieldwork.desk import Desk
from rubrica.fieldwork.examples import PRACTICE
from rubrica.fieldwork.model import Sent, Work
from rubrica.fieldwork.rules import NO_PLACE
from rubrica.items.model import Item
from rubrica.ratings.model import Pace, Receipt

AHEAD = 4
"""Items a robot takes at a time, as a browser fetches ahead."""

SystemOf = Callable[[Item], str | None]
Heard = Callable[[int], None]
"""Told how many ratings are safe."""

SKIP_REASONS = ("The content is missing.", "I cannot make out what is meant.", "Other.")


@dataclass(frozen=True, slots=True)
class Crew:
    """Who the robots are. Shares and chances lie between 0 and 1."""

    raters: int = 5
    seed: int = 1
    names: Sequence[str] = ()
    """Annotator ids to take, where the study expects certain ones."""
    skill: tuple[float, float] = (0.6, 0.95)
    """The least and the most skilled rater's chance to see what is true."""
    bias: float = 0.08
    """How far raters differ in severity (standard deviation)."""
    spread: float = 0.2
    """How far the items of one system differ in quality (standard deviation)."""
    systems: dict[str, float] = field(default_factory=dict)
    """The mean quality of systems by name; others get one by chance."""
    skips: float = 0.02
    unsure: float = 0.03
    revisions: float = 0.02
    dropouts: float = 0.0
    """The share of raters who stop somewhere on the way."""
    seconds: float = 40.0
    """The usual time for an item."""


@dataclass(slots=True)
class Simulated:
    """What happened, counted."""

    raters: int = 0
    ratings: int = 0
    skips: int = 0
    revisions: int = 0
    drafts: int = 0
    dropped_out: int = 0
    failed_practice: int = 0
    surplus: int = 0


@dataclass(slots=True)
class _Robot:
    number: int
    mind: Mind
    rng: Random
    language: str
    clock: datetime
    stays: int | None
    """How many items until it drops out; None for a rater who stays."""


def simulate(
    desk: Desk, crew: Crew, system_of: SystemOf | None = None, heard: Heard | None = None
) -> Simulated:
    """Let a crew of robots rate until nothing is left for them."""
    counts = Simulated()
    robots = [_prepare(desk, crew, name, system_of, counts) for name in _names(desk, crew)]
    active = [robot for robot in robots if robot is not None]
    while active:
        active = _round(desk, crew, active, counts)
        if heard is not None:
            heard(counts.ratings + counts.skips)
    return counts


def _round(desk: Desk, crew: Crew, robots: list[_Robot], counts: Simulated) -> list[_Robot]:
    """Each robot does a handful of items; their submits share commits."""
    given = [(robot, _take(desk, robot, counts)) for robot in robots]
    sent = [
        (robot, work, _rate(desk, crew, robot, work, counts))
        for robot, works in given
        for work in works
    ]
    for robot, work, future in sent:
        counts.surplus += future.result().surplus
        if robot.rng.random() < crew.revisions:
            _revise(desk, robot, work, counts)
    return [robot for robot, works in given if works]


def _names(desk: Desk, crew: Crew) -> Sequence[str]:
    """Free names: those the study expects, or robots' own."""
    taken = {rater.name for rater in desk.stores.accounts.raters(desk.id)}
    study = desk.version.study
    expected = crew.names or (study.raters.ids if study.raters.join == "ids" else ())
    if expected:
        return [name for name in expected if name not in taken][: crew.raters]
    first = sum(map(is_robot, taken)) + 1
    return [f"{ROBOT}{n}" for n in range(first, first + crew.raters)]


def _prepare(
    desk: Desk, crew: Crew, name: str, system_of: SystemOf | None, counts: Simulated
) -> _Robot | None:
    def known(item: Item) -> str | None:
        return system_of(item) if system_of and item.id != PRACTICE else None

    rng = Random(f"{crew.seed}:rater:{name}")
    mind = Mind(
        rng=rng,
        skill=rng.uniform(*crew.skill),
        bias=rng.gauss(0, crew.bias),
        unsure=crew.unsure,
        truth=lambda item, question: truth(crew, item, question, known(item)),
    )
    joined = _join(desk, name, rng)
    stays = rng.randrange(desk.design.items + 1) if rng.random() < crew.dropouts else None
    robot = _Robot(joined.rater.number, mind, rng, joined.rater.language, desk.clock(), stays)
    counts.raters += 1
    if not _begin(desk, robot):
        counts.failed_practice += 1
        return None
    return robot


def _join(desk: Desk, name: str, rng: Random) -> Joined:
    study = desk.version.study
    code = None
    if study.raters.join == "invitation":
        accounts = desk.stores.accounts
        code = invite(accounts, desk.id, name, "simulation", desk.randomness).resume_code
    return joining.join(desk, name, language=rng.choice(study.languages), code=code)


def _begin(desk: Desk, robot: _Robot) -> bool:
    """All that comes before the first item; false for a robot that failed its practice."""
    due = stepping.step(desk, robot.number)
    if due.page == "consent":
        stepping.agree(desk, robot.number, desk.version.consent_hash or "")
    elif due.page == "guidelines":
        stepping.confirm_guidelines(desk, robot.number, desk.version.guidelines_hash or "")
    elif due.page == "practice":
        _practise(desk, robot)
    else:
        return due.reason != "practice"
    return _begin(desk, robot)


def _practise(desk: Desk, robot: _Robot) -> None:
    """One round. Robots learn: after a failed round they know the references they were shown."""
    standing = practice.standing(desk, desk.rater(robot.number))
    for example in desk.examples:
        if example.number in standing.answered:
            continue
        answers = replies(desk.version.study, example.item, robot.mind)
        if standing.round > 1:
            shown = example.declared.answers
            answers = {**answers, **as_shown(desk.version.study, shown, robot.mind)}
        practice.answer_example(desk, robot.number, example.number, answers)


def _take(desk: Desk, robot: _Robot, counts: Simulated) -> list[Work]:
    if robot.stays is not None and robot.stays <= 0:
        counts.dropped_out += 1
        return []
    count = AHEAD if robot.stays is None else min(AHEAD, robot.stays)
    works = list(working.next_work(desk, robot.number, count))[:count]
    if robot.stays is not None:
        robot.stays -= len(works)
    return works


def _rate(desk: Desk, crew: Crew, robot: _Robot, work: Work, counts: Simulated) -> Future[Receipt]:
    sent = _sent(desk, robot, work, crew.seconds)
    if robot.rng.random() < crew.skips:
        counts.skips += 1
        reason = robot.rng.choice(SKIP_REASONS)
        return sending.submit(desk, robot.number, replace(sent, answers=None, skip_reason=reason))
    if robot.rng.random() < 0.05:
        counts.drafts += 1
        sending.save_draft(desk, robot.number, work.place, 1, {"answers": sent.answers}).result()
    counts.ratings += 1
    return sending.submit(desk, robot.number, sent)


def _revise(desk: Desk, robot: _Robot, work: Work, counts: Simulated) -> None:
    seen = working.open_work(desk, robot.number, work.place)
    if seen.own is None or not desk.version.study.raters.revise:
        return
    sent = replace(_sent(desk, robot, seen, 10), supersedes=seen.own.id)
    sending.submit(desk, robot.number, sent).result()
    counts.revisions += 1


def _sent(desk: Desk, robot: _Robot, work: Work, seconds: float) -> Sent:
    item = desk.stores.items.by_public(desk.id, work.item)
    if item is None:
        raise Problem(NO_PLACE)
    return Sent(
        id=f"{robot.rng.getrandbits(128):032x}",
        place=work.place,
        version=work.version,
        answers=replies(desk.version.study, item, robot.mind),
        language=robot.language,
        pace=_pace(robot, seconds),
    )


def _pace(robot: _Robot, seconds: float) -> Pace:
    """People's times are lopsided: most near the usual, a few far above."""
    active = round(seconds * robot.rng.lognormvariate(0, 0.4), 1)
    wall = round(active * (1 + robot.rng.expovariate(8)), 1)
    started = robot.clock
    robot.clock = started + timedelta(seconds=wall)
    return Pace(started.isoformat(), robot.clock.isoformat(), wall, active)


def truth(crew: Crew, item: Item, question: str, system: str | None) -> float:
    """How good an item really is in a question: its system's quality and its own luck."""
    chance = Random(f"{crew.seed}:system:{system}:{question}")
    quality = crew.systems.get(system or "", chance.uniform(0.35, 0.8))
    own = Random(f"{crew.seed}:item:{item.position}").gauss(0, crew.spread)
    there = Random(f"{crew.seed}:item:{item.position}:{question}").gauss(0, crew.spread / 2)
    return min(1.0, max(0.0, quality + own + there))
