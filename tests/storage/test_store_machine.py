"""Anything raters may do, in any order: what must never happen does not, on any store."""

from __future__ import annotations

import tempfile
from collections import Counter
from itertools import count
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, Phase, settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    Bundle,
    RuleBasedStateMachine,
    initialize,
    invariant,
    precondition,
    rule,
    run_state_machine_as_test,
)
from ready import ready_file
from storing import STUDY, Clock, fill, item, submission

from rubrica.assignment.contract import Design, Place
from rubrica.assignment.design import GROUP
from rubrica.errors import Problem
from rubrica.kinds.registry import registered
from rubrica.ratings.model import Submission
from rubrica.storage.doctor import findings
from rubrica.storage.memory import MemoryStore
from rubrica.storage.open import open_store
from rubrica.storage.store import SqlStore

ITEMS, RATERS = 9, 4
policies = registered(GROUP)


class Machine(RuleBasedStateMachine):
    """Two stores side by side: the one under test, and the one in memory that is easy to read."""

    open_one: Any

    places = Bundle("places")
    sent = Bundle("sent")

    @initialize(
        capacity=st.sampled_from([1, 2]),
        policy=st.sampled_from(["everyone", "least_covered", "places"]),
        order=st.sampled_from(["given", "shuffled"]),
        batches=st.sampled_from(["in_turn", "mixed"]),
        thread=st.sampled_from([None, "set", "sequence"]),
        repeat=st.sampled_from([0.0, 0.5]),
        gold=st.sampled_from([None, 3]),
        calibration=st.sampled_from([0, 1]),
    )
    def begin(
        self,
        capacity: int,
        policy: str,
        order: Any,
        batches: Any,
        thread: Any,
        repeat: float,
        gold: int | None,
        calibration: int,
    ) -> None:
        self.clock = Clock()
        self.store = self.open_one(self.clock)
        self.model = MemoryStore(self.clock)
        self.policy = policies[policy]
        self.design = Design(
            seed=3,
            items=ITEMS,
            capacity=None if policy == "everyone" else capacity,
            order=order,
            batches=batches,
            thread=thread,
            repeat_share=repeat,
            repeat_apart=2,
            gold_every=gold,
            calibration=calibration,
        )
        new = [
            item(
                n,
                batch=f"b{n // 5}",
                thread=None if thread is None else f"t{n % 4}",
                turn=n // 4 if thread == "sequence" else 0,
                gold={"q": 3} if gold and n in (2, 6) else None,
            )
            for n in range(ITEMS)
        ]
        for store in (self.store, self.model):
            fill(store, new, RATERS)
        self.acknowledged: dict[str, Submission] = {}
        self.known: dict[int, Place] = {}
        self.withdrawn: set[int] = set()
        self.ids = count(1)

    def working(self, place: int) -> Place | None:
        """The place, unless its rater has left: fieldwork lets nobody else through."""
        known = self.known.get(place)
        return None if known is None or known.rater in self.withdrawn else known

    def both(self, act: Any) -> Any:
        """The same done to both, with the same outcome."""
        outcomes = []
        for store in (self.store, self.model):
            try:
                outcomes.append(act(store))
            except Problem as problem:
                outcomes.append(problem.code)
        assert outcomes[0] == outcomes[1]
        return outcomes[0]

    @rule(target=places, rater=st.integers(1, RATERS), count=st.integers(1, 3))
    def reserve(self, rater: int, count: int) -> Any:
        if rater in self.withdrawn:
            return 0
        found = self.both(
            lambda s: list(s.places.reserve(STUDY, rater, count, self.policy, self.design))
        )
        self.known.update({place.id: place for place in found})
        return found[-1].id if found else 0

    @rule(target=places, rater=st.integers(1, RATERS), number=st.integers(0, ITEMS + 1))
    def goto(self, rater: int, number: int) -> Any:
        if rater in self.withdrawn:
            return 0
        found = self.both(
            lambda s: list(s.places.reserve(STUDY, rater, 1, self.policy, self.design, goto=number))
        )
        self.known.update({place.id: place for place in found})
        return found[0].id if found else 0

    @rule(place=places, revision=st.integers(1, 3))
    def draft(self, place: int, revision: int) -> None:
        known = self.working(place)
        if known:
            self.both(
                lambda s: s.ratings.save_draft(
                    STUDY, known.rater, place, revision, {"n": revision}
                ).result()
            )

    @rule(target=sent, place=places, skip=st.booleans(), revise=st.booleans(), old=st.booleans())
    def submit(self, place: int, skip: bool, revise: bool, old: bool) -> Any:
        known = self.working(place)
        if not known:
            return None
        earlier = [i for i, s in self.acknowledged.items() if s.place == place]
        supersedes = (earlier[0] if old else earlier[-1]) if revise and earlier else None
        one = submission(known, f"id{next(self.ids)}", supersedes=supersedes)
        if skip:
            one = submission(
                known, one.id, supersedes=supersedes, answers=None, skip_reason="black image"
            )
        receipt = self.both(lambda s: s.ratings.submit(one).result())
        if isinstance(receipt, str):
            assert receipt == "D032"
            return None
        self.acknowledged[one.id] = one
        return one

    @rule(one=sent)
    def replay(self, one: Submission | None) -> None:
        if one is not None and one.rater not in self.withdrawn:
            assert self.both(lambda s: s.ratings.submit(one).result()).replay

    @rule(seconds=st.sampled_from([60, 700, 4000]))
    def wait(self, seconds: int) -> None:
        self.clock.pass_seconds(seconds)

    @rule(rater=st.integers(1, RATERS))
    def release(self, rater: int) -> None:
        self.both(lambda s: s.places.release(STUDY, rater))

    @rule(place=places)
    def extend(self, place: int) -> None:
        known = self.working(place)
        if known:
            self.both(lambda s: s.places.extend(STUDY, known.rater, [place], 900))

    @precondition(lambda self: len(self.acknowledged) > 6)
    @rule(rater=st.integers(1, RATERS))
    def withdraw(self, rater: int) -> None:
        self.both(lambda s: s.accounts.change_rater(STUDY, rater, state="withdrawn"))
        self.withdrawn.add(rater)
        gone = [i for i, s in self.acknowledged.items() if s.rater == rater]
        for number in gone:
            del self.acknowledged[number]

    @invariant()
    def what_was_acknowledged_is_there_once(self) -> None:
        if not hasattr(self, "store"):
            return
        every = Counter(r.submission.id for r in self.store.ratings.ratings(STUDY, all_revisions=True))
        assert set(self.acknowledged) <= set(every)
        assert all(count == 1 for count in every.values())

    @invariant()
    def no_item_has_too_many_raters_and_no_rater_an_item_twice(self) -> None:
        if not hasattr(self, "store"):
            return
        taking: Counter[int] = Counter()
        for rater in range(1, RATERS + 1):
            own = self.store.places.places(STUDY, rater)
            assert own == self.model.places.places(STUDY, rater)
            plain = [p for p in own if p.repeat_of is None]
            assert len({p.item for p in plain}) == len(plain)
            assert all(self.apart(p, own) for p in own)
            ordinary = [p for p in plain if not p.gold and p.round == "main"]
            taking.update(p.item for p in ordinary if p.state != "released" and not p.surplus)
        if self.design.capacity is not None:
            assert max(taking.values(), default=0) <= self.design.capacity

    def apart(self, place: Place, own: list[Place]) -> bool:
        """A repeat comes as far after the first time as planned."""
        if place.repeat_of is None:
            return True
        (first,) = [p for p in own if p.id == place.repeat_of]
        same = first.item == place.item
        return same and place.number - first.number >= self.design.repeat_apart

    def teardown(self) -> None:
        if hasattr(self, "store"):
            self.history_gives_the_same_state()
            if isinstance(self.store, SqlStore):
                assert [p.code for p in findings(self.store) if p.level == "error"] == []
            self.store.close()

    def history_gives_the_same_state(self) -> None:
        """The log of moves and the ratings alone say how every place stands."""
        last = dict(moves(self.store))
        made = {r.submission.place: r.submission for r in all_ratings(self.store)}
        for place, known in self.known.items():
            state = "reserved"
            if last[place] == "returned":
                state = "released"
            elif place in made:
                state = "skipped" if made[place].answers is None else "rated"
            assert self.store.places.place(STUDY, known.id).state == state


def moves(store: Any) -> list[tuple[int, str]]:
    if isinstance(store, MemoryStore):
        return [(m.place, m.what) for m in store.world.study(STUDY).moves]
    with store.database.read() as tx:
        return [(row[0], row[1]) for row in tx.plain("SELECT place, what FROM moves ORDER BY number")]


def all_ratings(store: Any) -> list[Any]:
    """Withdrawn raters' too."""
    every = range(1, RATERS + 1)
    found = [r for n in every for r in store.ratings.of_rater(STUDY, n, all_revisions=True)]
    return sorted(found, key=lambda r: r.number)


def check(open_one: Any, examples: int) -> None:
    class Here(Machine):
        pass

    Here.open_one = staticmethod(open_one)
    run_state_machine_as_test(  # type: ignore[no-untyped-call]
        Here,
        settings=settings(
            max_examples=examples,
            stateful_step_count=30,
            deadline=None,
            derandomize=True,
            database=None,
            suppress_health_check=list(HealthCheck),
            # Thirty steps can be read as they are; shrinking them takes minutes.
            phases=[Phase.generate],
        ),
    )


def test_the_store_in_memory() -> None:
    check(MemoryStore, 60)


@pytest.mark.slow
def test_a_sqlite_file(tmp_path: Path) -> None:
    def open_one(clock: Clock) -> Any:
        return open_store(ready_file(Path(tempfile.mkdtemp(dir=tmp_path)) / "rubrica.db"), clock)

    check(open_one, 40)


@pytest.mark.postgres
@pytest.mark.slow
def test_postgresql(postgres: Any) -> None:
    check(lambda clock: open_store(postgres.fresh(), clock), 15)
