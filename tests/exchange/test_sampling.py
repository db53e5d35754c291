"""M13: picking the sample from a simulator's logs."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from own_files import Ran, new_log, old_log, sample, write_lines, write_talk

from rubrica.cli.opening import opened
from rubrica.exchange.sampling import RISKY, Drawn, Turn, expected, turns_of
from rubrica.exchange.sampling import sample as drawn_from
from rubrica.exchange.starting.contract import given
from rubrica.fieldwork.robots import Crew

ACTIONS = ["guidance"] * 12 + ["follow_up"] * 5 + ["mislead"] * 3 + ["memory_injection"]


def logs(folder: Path) -> Path:
    write_talk(folder / "run_log_1.json", *old_log("kite_1", ACTIONS))
    write_talk(folder / "batch_run" / "run_log_2.json", *new_log("kite_2", ACTIONS))
    return folder


def turns(folder: Path) -> list[Turn]:
    return list(turns_of(given([logs(folder)])))


def chosen(drawn: Drawn) -> list[dict[str, Any]]:
    return [line for line in drawn.lines if "inclusion_probability" in line]


def test_m13_risky_actions_at_a_higher_rate_and_no_stratum_without_a_chance(tmp_path: Path) -> None:
    there = turns(tmp_path)
    drawn = drawn_from(there, 16, seed=3)
    assert (drawn.items, drawn.turns, drawn.fillers, drawn.runs) == (16, 43, 1, 2)
    rates = {(s.task_type, s.action_type): s.probability for s in drawn.shares}
    assert all(share.drawn >= 1 for share in drawn.shares)
    assert rates["x", "mislead"] > 2 * rates["x", "guidance"] > 0
    assert {action for _, action in rates} >= {"consistency_check", *set(ACTIONS)}
    for line in chosen(drawn):
        assert line["inclusion_probability"] == rates[line["task_type"], line["action_type"]]
        assert line["human_annotation"]["correctness"] is None


def test_m13_fillers_and_earlier_turns_are_context(tmp_path: Path) -> None:
    drawn = drawn_from(turns(tmp_path), 16, seed=3)
    context = [line for line in drawn.lines if "inclusion_probability" not in line]
    assert all(line["context_only"] and "human_annotation" not in line for line in context)
    assert "filler_turn" in {line["action_type"] for line in context}
    assert "filler_turn" not in {line["action_type"] for line in chosen(drawn)}
    for task in ("kite_1", "kite_2"):
        numbers = [line["turn_number"] for line in drawn.lines if line["task_id"] == task]
        known = [n for n in numbers if n is not None]
        assert known == list(range(known[0], known[0] + len(known)))


def test_m13_a_turn_is_drawn_as_often_as_its_line_says(tmp_path: Path) -> None:
    there = turns(tmp_path)
    times = 400
    met: Counter[str] = Counter()
    for seed in range(times):
        met.update(line["sample_id"] for line in chosen(drawn_from(there, 9, seed)))
    share = {turn.data["sample_id"]: turn.stratum for turn in there if turn.rated}
    sizes = Counter(share.values())
    wanted = expected(sizes, 9)
    assert sum(wanted.values()) == pytest.approx(9)
    for stratum, size in sizes.items():
        count = sum(met[name] for name, of in share.items() if of == stratum)
        rate = wanted[stratum] / size
        spread = 4 * (times * size * rate) ** 0.5
        assert abs(count - times * size * rate) < spread, stratum


@pytest.mark.parametrize("size", [1, 4, 43, 1000])
def test_m13_any_size_can_be_asked_for(size: int, tmp_path: Path) -> None:
    drawn = drawn_from(turns(tmp_path), size, seed=1)
    assert drawn.items == min(size, 43)
    assert all(0 < share.probability <= 1 for share in drawn.shares)
    assert RISKY


def test_m13_the_same_seed_draws_the_same_and_makes_a_study(tmp_path: Path, ran: Ran) -> None:
    folder = logs(tmp_path / "logs")
    one = ran("sample", tmp_path / "a", folder, "--n", 10, "--seed", 4)
    ran("sample", tmp_path / "b", folder, "--n", 10, "--seed", 4)
    ran("sample", tmp_path / "c", folder, "--n", 10, "--seed", 5)
    lines = [(tmp_path / s / "annotation_samples.jsonl").read_bytes() for s in "abc"]
    assert lines[0] == lines[1] != lines[2]
    assert (one["items"], sum(s["drawn"] for s in one["strata"])) == (10, 10)
    loaded = ran("load", tmp_path / "a")
    assert (loaded["new"] - loaded["context"], loaded["context"]) == (10, one["context"])
    assert "x" in {s["task_type"] for s in one["strata"]}


def test_m13_a_study_that_is_there_gets_the_sample_until_it_is_rated(tmp_path: Path, ran: Ran) -> None:
    study, folder = tmp_path / "s", logs(tmp_path / "logs")
    ran("new", study, "--like", "m3bench")
    before = (study / "annotation_samples.jsonl").read_bytes()
    file = study / "study.yaml"
    file.write_text(file.read_text(encoding="utf-8").replace("minutes: 60", "minutes: 45"), "utf-8")
    ran("sample", study, folder, "--n", 5)
    assert (study / "annotation_samples.jsonl.before").read_bytes() == before
    assert "minutes: 45" in file.read_text(encoding="utf-8")
    assert ran("check", study, code=1)["errors"] == 1, "only the picture of the logs is missing"
    assert ran("sample", study, folder, "--n", 6)["items"] == 6
    with opened(study) as found:
        from rubrica.cli.simulate import simulated

        simulated(found, Crew(raters=1, seed=1))
    assert ran("sample", study, folder, "--n", 5, code=1)["problems"][0]["code"] == "C015"


def test_m13_wrong_logs_are_kind_problems(tmp_path: Path, ran: Ran) -> None:
    plain = write_lines(tmp_path / "a" / "plain.jsonl", [{"note": "x"}])
    assert ran("sample", tmp_path / "s", plain, code=1)["problems"][0]["code"] == "X071"
    assert ran("sample", tmp_path / "s", plain, "--n", 0, code=1)["problems"][0]["code"] == "C020"
    cut = tmp_path / "b" / "run_log_1.json"
    whole = write_talk(cut, *old_log())
    whole.write_bytes(whole.read_bytes()[:-30])
    assert ran("sample", tmp_path / "s", cut, code=1)["problems"][0]["where"]["file"] == str(cut)
    assert not (tmp_path / "s").exists()
    lines = write_lines(tmp_path / "c.jsonl", [sample(n) for n in range(5)])
    drawn = ran("sample", tmp_path / "s", lines, cut, "--n", 2, "--skip-bad")
    assert (drawn["items"], drawn["turns"]) == (2, 5)
    assert json.loads((tmp_path / "s" / "annotation_samples.jsonl").read_text().splitlines()[0])
