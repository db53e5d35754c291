"""Whatever raters do in whatever order: what was acknowledged is there, once, and places are kept."""

from __future__ import annotations

import tempfile
from collections import Counter
from contextlib import ExitStack
from pathlib import Path

from fieldwork_bench import GOOD, Bench
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    Bundle,
    RuleBasedStateMachine,
    initialize,
    invariant,
    multiple,
    rule,
)

from rubrica.errors import Problem
from rubrica.fieldwork.joining import join
from rubrica.fieldwork.model import Sent, Work
from rubrica.fieldwork.pace import all_places
from rubrica.fieldwork.sending import save_draft, submit
from rubrica.fieldwork.working import leave, next_work, open_work
from rubrica.ratings.model import Receipt

ITEMS, PER_ITEM = 5, 2


class Field(RuleBasedStateMachine):
    """Three raters, five items, two raters an item, one in three items a second time."""

    kind = "memory"
    works = Bundle("works")
    sents = Bundle("sents")

    @initialize()
    def begin(self) -> None:
        self.stack = ExitStack()
        folder = Path(self.stack.enter_context(tempfile.TemporaryDirectory()))
        self.bench = Bench(self.kind, folder, self.stack)
        raters = f"raters: {{per_item: {PER_ITEM}, repeats: {{share: 0.3, apart: 2}}}}"
        self.desk = self.bench.desk(items=ITEMS, extra=raters)
        self.raters = [join(self.desk, name).rater.number for name in ("Ann", "Bo", "Cy")]
        self.receipts: dict[str, tuple[int, Receipt]] = {}
        self.drafts: dict[int, int] = {}
        self.count = 0

    def teardown(self) -> None:
        if hasattr(self, "stack"):
            self.stack.close()

    @rule(target=works, who=st.integers(0, 2), ahead=st.integers(1, 3))
    def take(self, who: int, ahead: int) -> object:
        rater = self.raters[who]
        return multiple(*((rater, work) for work in next_work(self.desk, rater, ahead)))

    @rule(work=works, level=st.integers(0, 9))
    def draft(self, work: tuple[int, Work], level: int) -> None:
        rater, unit = work
        kept = save_draft(self.desk, rater, unit.place, level, {"level": level}).result()
        seen = open_work(self.desk, rater, unit.place)
        if seen.state == "reserved":
            assert kept >= level
            assert seen.draft is not None
            assert seen.draft.revision == kept

    @rule(target=sents, work=works, skip=st.booleans())
    def send(self, work: tuple[int, Work], skip: bool) -> object:
        rater, unit = work
        self.count += 1
        own = open_work(self.desk, rater, unit.place).own
        sent = Sent(
            id=f"rating-{self.count:010d}",
            place=unit.place,
            version=unit.version,
            answers=None if skip else GOOD,
            skip_reason="black" if skip else None,
            supersedes=own.id if own else None,
        )
        return self._acknowledged(rater, sent)

    @rule(target=sents, work=works)
    def send_blindly(self, work: tuple[int, Work]) -> object:
        """A second tab that does not know what the first one sent."""
        rater, unit = work
        self.count += 1
        return self._acknowledged(
            rater, Sent(f"rating-{self.count:010d}", unit.place, unit.version, GOOD)
        )

    def _acknowledged(self, rater: int, sent: Sent) -> object:
        try:
            receipt = submit(self.desk, rater, sent).result()
        except Problem as problem:
            if problem.code != "D032":
                raise
            return multiple()
        self.receipts[sent.id] = (rater, receipt)
        return rater, sent

    @rule(sent=sents)
    def repeat(self, sent: tuple[int, Sent]) -> None:
        rater, content = sent
        again = submit(self.desk, rater, content).result()
        assert again.replay
        assert again.number == self.receipts[content.id][1].number

    @rule(minutes=st.sampled_from([5, 15, 70]))
    def wait(self, minutes: int) -> None:
        self.bench.clock.forward(minutes=minutes)

    @rule(who=st.integers(0, 2))
    def go_home(self, who: int) -> None:
        leave(self.desk, self.raters[who])
        assert not self.desk.stores.places.tally(self.desk.id, self.raters[who]).get("reserved")

    @invariant()
    def acknowledged_ratings_are_there_once(self) -> None:
        if not hasattr(self, "desk"):
            return
        kept = list(self.desk.stores.ratings.ratings(self.desk.id, all_revisions=True))
        assert Counter(r.submission.id for r in kept) == Counter(list(self.receipts))
        assert [r.number for r in kept] == sorted(r.number for r in kept)

    @invariant()
    def no_item_has_more_places_than_asked(self) -> None:
        if not hasattr(self, "desk"):
            return
        taken: Counter[int] = Counter()
        for rater in self.raters:
            places = list(all_places(self.desk, rater))
            assert len({p.number for p in places}) == len(places)
            items = Counter(p.item for p in places if p.repeat_of is None)
            assert all(count == 1 for count in items.values())
            held = (p for p in places if p.state != "released" and p.repeat_of is None)
            taken.update(p.item for p in held if not p.surplus)
        assert all(count <= PER_ITEM for count in taken.values())


class SqliteField(Field):
    kind = "sqlite"


QUIET = (HealthCheck.too_slow, HealthCheck.data_too_large)


def machine(case: type[RuleBasedStateMachine], examples: int) -> type:
    case.TestCase.settings = settings(
        max_examples=examples, stateful_step_count=30, deadline=None, suppress_health_check=QUIET
    )
    return case.TestCase


TestFieldInMemory = machine(Field, 60)
TestFieldOnSqlite = machine(SqliteField, 8)
