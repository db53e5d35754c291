"""Numbers that need statistics, computed by a child process and kept; the word that they changed."""

from __future__ import annotations

import asyncio
import json
import logging
from collections.abc import AsyncIterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import cached_property
from hashlib import sha256
from threading import Thread
from time import monotonic, time
from typing import Any

from rubrica.coordinator.endpoint import At
from rubrica.coordinator.rules import NO_COMPUTER
from rubrica.coordinator.shapes.progress import AgreementLine
from rubrica.coordinator.shapes.raters import Figures, NumberShown
from rubrica.coordinator.site import DeskSite
from rubrica.errors import Problem
from rubrica.review.board import Kept

NUMBERS = "watched"
LEFT_OUT = ("excluded", "withdrawn")
RESTS = 10.0
"""After a computation its process rests so many times as long as it took, half a minute at least."""
LEAST_REST = 30.0
LOOKS_EVERY = 1.0
LASTS = 25.0
"""Seconds a stream lasts before the browser asks again, so that a stop never waits for long."""

log = logging.getLogger("rubrica")


def start(site: DeskSite, study: str, what: str, of: str, asked: Mapping[str, Any]) -> bool:
    """Begin to compute, unless that is being done; whether it is under way now."""
    compute, running, key = site.compute, site.running, (study, what)
    if compute is None or site.stopping.is_set():
        return False
    with running.lock:
        if key in running.now:
            return True
        running.now.add(key)
        running.failed.pop(key, None)

    def run() -> None:
        began = monotonic()
        try:
            found = compute(what, {"study": study, **asked})
            made = site.study(study).desk.clock().isoformat()
            body = json.dumps(found, allow_nan=False)
            site.stores.board.keep(study, what, Kept(of, body, made, monotonic() - began))
        except Problem as problem:
            running.failed[key] = (time(), problem)
            if not site.stopping.is_set():
                log.warning("results of %s could not be computed: %s", study, problem.message)
        except Exception as error:
            running.failed[key] = (time(), Problem(NO_COMPUTER, details={"reason": str(error)[:200]}))
            log.exception("results of a study could not be computed")
        finally:
            running.now.discard(key)

    Thread(target=run, name="rubrica-results", daemon=True).start()
    return True


def is_running(site: DeskSite, study: str, what: str) -> bool:
    return (study, what) in site.running.now


def failure(site: DeskSite, study: str, what: str) -> Problem | None:
    found = site.running.failed.get((study, what))
    return None if found is None else found[1]


@dataclass(frozen=True, slots=True)
class Found:
    """Something about a rater that needs a look; `alerts` says it in words."""

    code: str
    rater: int
    values: Mapping[str, Any]


@dataclass(frozen=True)
class Numbers:
    """What the last computation said about agreement and raters."""

    body: Mapping[str, Any]
    made: str | None

    def agreement(self) -> list[AgreementLine]:
        return [
            AgreementLine(
                question=one["question"],
                name=one["name"],
                value=one["value"],
                low=one["low"],
                high=one["high"],
                raters=one.get("raters"),
                items=one.get("items"),
                why=one.get("why"),
            )
            for one in self.body.get("agreement", ())
        ]

    def found(self) -> list[Found]:
        """What needs a look, by the statistics."""
        return [Found(one["code"], one["rater"], one["values"]) for one in self.body.get("alerts", ())]

    def figures(self, rater: int) -> Figures:
        return self._figures.get(str(rater), NOTHING_KNOWN)

    @cached_property
    def _figures(self) -> Mapping[str, Figures]:
        return {rater: _worst(lines) for rater, lines in self.body.get("raters", {}).items()}

    def of_rater(self, rater: int) -> list[NumberShown]:
        return [
            NumberShown(
                one["name"],
                one["question"],
                one["value"],
                one["low"],
                one["high"],
                one["n"],
                one["why"],
            )
            for one in self.body.get("raters", {}).get(str(rater), ())
        ]


NOTHING_KNOWN = Figures()


def _worst(lines: Sequence[Mapping[str, Any]]) -> Figures:
    """Of several questions, the one that most needs a look; not of scores derived from them."""
    found: dict[str, list[float]] = {}
    for one in lines:
        if one["value"] is not None and not str(one["question"]).startswith("score."):
            found.setdefault(one["name"], []).append(one["value"])
    return Figures(
        agreement=min(found.get("agreement_with_rest", ()), default=None),
        severity=max(found.get("severity", ()), key=abs, default=None),
        straight_lined=max(found.get("straight_lined_share", ()), default=None),
        gold_missed=max(found.get("gold_failed_share", ()), default=None),
        pace=min(found.get("relative_pace", ()), default=None),
    )


def data_name(at: At) -> str:
    """What results are made from, named: other ratings, raters or words make another name."""
    stores, name = at.site.stores, at.name
    out = [(r.number, r.state) for r in stores.accounts.raters(name) if r.state in LEFT_OUT]
    parts = (stores.board.newest(name), stores.studies.is_closed(name), at.study.desk.version.hash, out)
    return sha256(repr(parts).encode()).hexdigest()[:32]


def kept_numbers(at: At) -> Numbers:
    """The numbers there are, however old."""
    board, name, read = at.site.stores.board, at.name, at.site.running.read
    known, last = board.kept_of(name, NUMBERS), read.get(name)
    if known is None:
        return Numbers({}, None)
    if last is None or last.made != known.made:
        kept = board.kept(name, NUMBERS) or known
        last = read[name] = Numbers(json.loads(kept.body), kept.made)
    found: Numbers = last
    return found


def known_numbers(at: At) -> Numbers:
    """The numbers there are; newer ones are computed behind the page, not too often."""
    name, of = at.name, data_name(at)
    kept = at.site.stores.board.kept_of(name, NUMBERS)
    if (kept is None or kept.of != of) and _rested(kept, at) and not _just_failed(at):
        start(at.site, name, NUMBERS, of, {"version": at.study.desk.version.hash})
    return kept_numbers(at)


def _rested(kept: Kept | None, at: At) -> bool:
    if kept is None:
        return True
    from_then = at.study.desk.clock() - datetime.fromisoformat(kept.made)
    return from_then.total_seconds() > max(LEAST_REST, RESTS * kept.seconds)


def _just_failed(at: At) -> bool:
    failed = at.site.running.failed.get((at.name, NUMBERS))
    return failed is not None and time() - failed[0] < LEAST_REST


# --- the word that something changed --------------------------------------------------------------


async def events(site: DeskSite, study: str) -> AsyncIterator[bytes]:
    """Server-sent events: the revision whenever it is another one; pages then ask for themselves."""
    until = monotonic() + LASTS
    before: str | None = None
    yield b"retry: 1000\n\n"
    while monotonic() < until and not site.stopping.is_set():
        now = await asyncio.to_thread(_state, site, study)
        if now != before:
            yield f"data: {now}\n\n".encode()
            before = now
        await asyncio.sleep(LOOKS_EVERY)


def _state(site: DeskSite, study: str) -> str:
    board = site.stores.board
    made = [kept.made for what in (NUMBERS, "results") if (kept := board.kept_of(study, what))]
    left = min(board.uncounted(study), 1)
    return f"{site.stores.studies.revision(study)}-{left}-{'-'.join(made)}"
