"""The three studies' real files, where they are at hand."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest
from item_studies import QUESTION, MakeStudy

from rubrica.items.check import check_items
from rubrica.items.load import items_of
from rubrica.items.model import NewItem

FILES = ("m3bench/annotation_samples.jsonl", "m3bench/annotation_results_demo.jsonl")


@pytest.fixture
def real(shared_data: Path, tmp_path: Path) -> Path:
    shutil.copytree(shared_data, tmp_path, dirs_exist_ok=True)
    return tmp_path


def good(found: list[object]) -> list[NewItem]:
    assert all(isinstance(item, NewItem) for item in found)
    return [item for item in found if isinstance(item, NewItem)]


def test_m1_m2_samples_of_long_dialogues(real: Path, make: MakeStudy) -> None:
    marks = {"empty": "empty", "cut_off": "cut", "equals": {"[Target model error]": "error"}}
    loaded = make(
        key="sample_id",
        thread={"by": "task_id", "kind": "sequence", "order": "timestamp", "restarts": "turn_number"},
        show=[{"markdown": "vlm_response", "marks": marks}, {"images": "images_sent"}],
        **{"from": list(FILES)},
    )
    found = good(list(items_of(loaded)))
    lines = [line for name in FILES for line in (real / name).read_bytes().splitlines()]
    assert [item.source for item in found] == lines
    assert len({(item.key, item.copy) for item in found}) == len(found)
    assert sum(item.copy > 0 for item in found) > 0
    runs: dict[str | None, list[NewItem]] = {}
    for item in found:
        runs.setdefault(item.thread, []).append(item)
    for run in runs.values():
        run.sort(key=lambda item: item.turn)
        turns = [item.hidden["turn_number"] for item in run]
        assert turns == sorted(set(turns))
        assert [i.hidden["timestamp"] for i in run] == sorted(i.hidden["timestamp"] for i in run)
    assert {item.shown.views[0]["mark"] for item in found} == {None, "empty", "cut_off", "equals"}
    assert any("/images/" in name for item in found for name in item.media)


def test_v1_v10_v13_outputs_joined_to_samples(real: Path, make: MakeStudy) -> None:
    images = {"pattern": "{sample.id}_{n}_{i}.jpg", "count": "sample.annotation", "more": 1}
    loaded = make(
        system="exp",
        key=["exp", "index"],
        thread={"by": "sample.id", "kind": "set"},
        join=[{"from": "vtt/vtt_test.jsonl", "as": "sample", "on": "index"}],
        show=[
            {"values": {"Category": "sample.category", "Topic": "sample.topic"}},
            {"sequence": images, "between": "preds"},
        ],
        **{"from": ["vtt/cst.jsonl", "vtt/ttnet.jsonl"]},
    )
    found = good(list(items_of(loaded)))
    assert len(found) == 784
    assert {item.system for item in found} == {"cst", "ttnet"}
    for item in found:
        assert len(item.shown.views[1]["images"]) == len(item.hidden["label"]) + 1
        words = set(json.dumps(item.shown.views).split('"'))
        assert not {"exp", item.system, *item.hidden["label"]} & (words - set(item.hidden["preds"]))


def test_c2_c3_c8_folders_of_conversations(real: Path, make: MakeStudy) -> None:
    goals = {"path": "targets", "turn": "introduced_turn"}
    loaded = make(
        key="conversation_id",
        batch="folder",
        show=[{"chat": "turns", "assistant": "system"}, {"text": "seed_phrase"}],
        questions={
            "goals": {"kind": "each", "ask": "Reached?", "over": goals, "answer": {"kind": "text"}},
            "overall": QUESTION,
        },
        **{"from": "incar/config_*"},
    )
    found = good(list(items_of(loaded)))
    assert len(found) == 9
    assert {item.origin.batch for item in found} == {"incar/config_1"}
    assert any("döner" in item.origin.file for item in found)
    for item in found:
        assert [e["label"] for e in item.shown.entries["goals"]] == list(item.hidden["targets"])
        assert all(e["turn"] >= 1 for e in item.shown.entries["goals"])
        assert set(item.shown.views[0]["turns"][0]) == {"user", "assistant", "images"}
        file = loaded.folder / item.origin.file
        assert item.source == file.read_bytes()
    assert list(check_items(loaded)) == []
