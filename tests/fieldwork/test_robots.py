from __future__ import annotations

import subprocess
import sys
from collections import Counter
from contextlib import ExitStack
from pathlib import Path
from statistics import mean
from typing import Any

import pytest
from fieldwork_bench import Bench

from rubrica.fieldwork.desk import Desk
from rubrica.fieldwork.robots import Crew, simulate
from rubrica.items.model import Item


def recorded(desk: Desk) -> list[tuple[Any, ...]]:
    """Everything chance decides."""
    return [
        (s.id, s.rater, s.place, s.item, s.answers, s.skip_reason, s.language, s.pace.active_seconds)
        for s in (r.submission for r in desk.stores.ratings.ratings(desk.id, all_revisions=True))
    ]


def test_everybody_rates_everything_and_it_is_counted(bench: Bench) -> None:
    desk = bench.desk(items=8)
    heard: list[int] = []
    done = simulate(desk, Crew(raters=3, skips=0.2, revisions=0.2), heard=heard.append)
    assert done.ratings + done.skips == 24
    kept = list(desk.stores.ratings.ratings(desk.id))
    assert len(kept) == 24
    assert sum(r.submission.answers is None for r in kept) <= done.skips
    assert len(recorded(desk)) == 24 + done.revisions
    assert done.skips > 0
    assert done.revisions > 0
    assert heard[-1] == 24


def test_one_seed_one_history(tmp_path: Path) -> None:
    histories = []
    for name, seed in (("a", 1), ("b", 1), ("c", 2)):
        (tmp_path / name).mkdir()
        with ExitStack() as stack:
            desk = Bench("memory", tmp_path / name, stack).desk(items=8)
            simulate(desk, Crew(raters=3, seed=seed, skips=0.1, revisions=0.1))
            histories.append(recorded(desk))
    assert histories[0] == histories[1]
    assert histories[0] != histories[2]


def test_never_more_raters_than_asked(bench: Bench) -> None:
    desk = bench.desk(items=8, extra="raters: {per_item: 2}")
    simulate(desk, Crew(raters=5))
    per_item = Counter(r.submission.item for r in desk.stores.ratings.ratings(desk.id))
    assert set(per_item.values()) == {2}
    assert len(per_item) == 8


def test_better_systems_are_rated_better_and_the_skilled_agree(bench: Bench) -> None:
    desk = bench.desk(items=40)

    def system_of(item: Item) -> str:
        return "good" if item.position % 2 else "bad"

    crew = Crew(raters=4, skill=(0.95, 1.0), bias=0, systems={"good": 0.9, "bad": 0.1}, skips=0)
    simulate(desk, crew, system_of)
    levels: dict[str, list[int]] = {"good": [], "bad": []}
    for rating in desk.stores.ratings.ratings(desk.id):
        item = desk.stores.items.item(desk.id, rating.submission.item)
        answers = rating.submission.answers or {}
        levels[system_of(item)].append(answers["correct"].value)
    assert mean(levels["good"]) - mean(levels["bad"]) > 1


def test_some_drop_out(bench: Bench) -> None:
    desk = bench.desk(items=10)
    done = simulate(desk, Crew(raters=6, dropouts=0.9, seed=3))
    assert 0 < done.dropped_out <= 6
    assert done.ratings + done.skips < 60


def test_robots_come_as_the_study_expects_them(bench: Bench) -> None:
    desk = bench.desk(extra="raters: {join: ids, ids: [p1, p2]}", items=2)
    assert simulate(desk, Crew(raters=5)).raters == 2
    invited = bench.desk(extra="raters: {join: invitation}", items=2)
    assert simulate(invited, Crew(raters=3)).raters == 3
    again = bench.desk(items=2)
    assert simulate(again, Crew(raters=2)).raters == 2
    names = [r.name for r in again.stores.accounts.raters(again.id)]
    assert names == ["p1", "p2", "robot 1", "robot 2", "robot 3", "robot 4", "robot 5"]


def test_robots_read_agree_and_practise_before_they_rate(bench: Bench) -> None:
    practice = "- {item: {answer: x}, answers: {correct: 1, helps: null}}\n" * 3
    desk = bench.desk(
        items=2,
        extra="consent: {text: May we?}\nguidelines: guidelines.md\n"
        "practice: {from: practice.yaml, pass_at: 1, retries: RETRIES}".replace("RETRIES", "2"),
        guidelines_md="# How",
        practice_yaml=practice,
    )
    done = simulate(desk, Crew(raters=3, skips=0))
    assert (done.failed_practice, done.ratings) == (0, 6)
    told = {e.what for e in desk.stores.accounts.log_entries(desk.id)}
    assert {"joined", "agreed to consent", "confirmed guidelines"} <= told


@pytest.mark.parametrize("module", ["rubrica.fieldwork.working", "rubrica.fieldwork.robots"])
def test_the_serving_process_stays_light(module: str) -> None:
    heavy = ["numpy", "scipy", "polars", "pandas", "rich", "typer"]
    code = f"import sys, {module}; print([m for m in {heavy} if m in sys.modules])"
    told = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert told.stdout.strip() == "[]"
