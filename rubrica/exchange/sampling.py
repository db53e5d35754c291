"""Drawing items from a simulator's logs: by task and action, the risky actions more often.

Every stratum has a place for each of its turns in expectation; what falls between two whole numbers is
decided by one draw for all strata, so that a turn's chance is exactly what stands in its line.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from math import floor
from typing import Any

from rubrica.assignment.chance import draw, fraction
from rubrica.exchange.runs import CONTEXT, FILLER, is_run, turns
from rubrica.exchange.starting.contract import LINES, WHOLE, Given
from rubrica.exchange.starting.m3bench import KIND, as_line

RISKY = frozenset(
    {"mislead", "mislead_subtle", "memory_injection", "cross_image_confusion", "consistency_check"}
)
"""Actions that try whether a model withstands, forgets or mixes up: what a study is mostly about."""
RATE = 3.0
"""How much more often a risky turn is drawn."""

Stratum = tuple[str, str]


@dataclass(frozen=True, slots=True)
class Turn:
    """A turn of a run; `run` tells runs apart, also those of one task."""

    run: int
    data: Mapping[str, Any]

    @property
    def stratum(self) -> Stratum:
        return str(self.data.get("task_type") or ""), str(self.data.get("action_type") or "")

    @property
    def rated(self) -> bool:
        return self.stratum[1] != FILLER and CONTEXT not in self.data


@dataclass(frozen=True, slots=True)
class Share:
    """What was drawn of one stratum. `probability` is each of its turns' chance."""

    task_type: str
    action_type: str
    turns: int
    drawn: int
    probability: float


@dataclass(slots=True)
class Drawn:
    """A sample: its lines with the earlier turns of their runs, and what was there to draw from."""

    lines: list[dict[str, Any]] = field(default_factory=list)
    shares: list[Share] = field(default_factory=list)
    turns: int = 0
    fillers: int = 0
    runs: int = 0

    @property
    def items(self) -> int:
        return sum(share.drawn for share in self.shares)

    @property
    def context(self) -> int:
        return len(self.lines) - self.items


def turns_of(given: Given) -> Iterator[Turn]:
    """Every turn of logs and of sample lines among the data."""
    run = -1
    for found in given.with_endings(*LINES, *WHOLE):
        records = [record.data for record in given.records(found)]
        if is_run(records):
            run += 1
            for data in turns(records, found.path.stem):
                yield Turn(run, data)
        else:
            for data in filter(KIND.holds, records):
                run += 1
                yield Turn(run, data)


def sample(there: Sequence[Turn], size: int, seed: int) -> Drawn:
    """So many turns, and the earlier turns of their runs as context."""
    strata: dict[Stratum, list[int]] = {}
    for place, turn in enumerate(there):
        if turn.rated:
            strata.setdefault(turn.stratum, []).append(place)
    told = Drawn(turns=sum(map(len, strata.values())), fillers=sum(not turn.rated for turn in there))
    told.runs = len({turn.run for turn in there})
    named = sorted(strata)
    wanted = expected({name: len(strata[name]) for name in named}, size)
    chosen: dict[int, float] = {}
    begin = floor_at = fraction("sample", seed)
    for name in named:
        floor_at += wanted[name]
        count = floor(floor_at) - floor(begin)
        begin = floor_at
        places = strata[name]
        order = sorted(places, key=lambda place: draw("sample", seed, place))
        probability = wanted[name] / len(places)
        chosen |= dict.fromkeys(order[:count], probability)
        told.shares.append(Share(*name, len(places), count, probability))
    told.lines = list(_lines(there, chosen))
    return told


def expected(there: Mapping[Stratum, int], size: int) -> dict[Stratum, float]:
    """How many of each stratum on average: risky ones more, none without a chance.

    Where the sample has room for all strata, each gets one at least.
    """
    if size >= sum(there.values()):
        return {name: float(count) for name, count in there.items()}
    least = min(1.0, size / len(there)) if there else 0.0

    def at(scale: float) -> dict[Stratum, float]:
        rate = {name: RATE if name[1] in RISKY else 1.0 for name in there}
        return {n: min(float(c), max(least, scale * rate[n] * c)) for n, c in there.items()}

    low, high = 0.0, 1.0
    for _ in range(100):
        middle = (low + high) / 2
        low, high = (low, middle) if sum(at(middle).values()) > size else (middle, high)
    return at(low)


def _lines(there: Sequence[Turn], chosen: Mapping[int, float]) -> Iterator[dict[str, Any]]:
    last: dict[int, int] = {}
    for place in chosen:
        last[there[place].run] = max(place, last.get(there[place].run, -1))
    for place, turn in enumerate(there):
        if place in chosen:
            yield as_line(turn.data, inclusion_probability=chosen[place])
        elif place < last.get(turn.run, -1):
            yield as_line(turn.data, context=True)
