"""From a study's files to its items."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from item_studies import QUESTION, MakeStudy, jsonl

from rubrica.errors import Problem, Problems
from rubrica.items import load
from rubrica.items.load import items_of
from rubrica.items.model import NewItem
from rubrica.study.load import LoadedStudy


def items(loaded: LoadedStudy) -> list[NewItem]:
    return [item for item in items_of(loaded) if isinstance(item, NewItem)]


def problems(loaded: LoadedStudy) -> list[Problem]:
    with pytest.raises(Problems) as caught:
        list(items_of(loaded))
    assert str(caught.value)
    return caught.value.problems


class TestItems:
    def test_shown_is_what_show_names_and_the_rest_is_hidden(self, make: MakeStudy) -> None:
        record = {"id": 7, "text": "Hi", "model": "m1", "judge": {"overall": 0.5}}
        (item,) = items(make({"data.jsonl": jsonl(record)}, key="id", system="model"))
        assert (item.key, item.copy, item.position, item.system) == ("7", 0, 0, "m1")
        assert item.shown.views == [{"text": "Hi", "mark": None}]
        assert item.hidden == record
        assert json.loads(item.source) == record
        assert (item.origin.file, item.origin.place) == ("data.jsonl", 1)

    def test_m1_equal_keys_are_items_of_their_own(self, make: MakeStudy) -> None:
        data = jsonl(*({"id": key, "text": "a"} for key in ("x", "y", "x", "x")))
        found = items(make({"data.jsonl": data}, key="id"))
        assert [(i.key, i.copy) for i in found] == [("x", 0), ("y", 0), ("x", 1), ("x", 2)]

    def test_a_key_of_several_paths_and_none_at_all(self, make: MakeStudy) -> None:
        data = {"data.jsonl": jsonl({"a": 1, "b": "x", "text": ""}, {"a": 1, "b": None, "text": ""})}
        assert [i.key for i in items(make(data))] == ["data.jsonl:1", "data.jsonl:2"]
        (problem,) = problems(make(key=["a", "b"]))
        assert (problem.code, problem.where.line, problem.got) == ("I011", 2, "null")
        (tmp,) = [i for i in items_of(make(key=["a", "b"]), skip_bad=True) if isinstance(i, NewItem)]
        assert tmp.key == "1 | x"

    def test_the_digest_changes_with_the_source_only(self, make: MakeStudy) -> None:
        (one,) = items(make({"data.jsonl": b'{"text":"a"}\n'}))
        (same,) = items(make(show=[{"markdown": "text"}]))
        (other,) = items(make({"data.jsonl": b'{"text": "a"}\n'}))
        assert one.digest == same.digest != other.digest

    def test_facts_are_those_that_conditions_name_anywhere(self, make: MakeStudy) -> None:
        questions = {
            "a": {**QUESTION, "when": {"any": [{"item.kind": "x"}, {"not": {"item.meta.n": 2}}]}},
            "b": {**QUESTION, "second_look": {"when": {"item.late": True}, "says": "Look again."}},
        }
        record = {"text": "", "kind": "x", "meta": {"n": 2}, "secret": 1}
        (item,) = items(make({"data.jsonl": jsonl(record)}, questions=questions))
        assert item.facts == {
            "item.kind": "x",
            "item.meta.n": 2,
            "item.late": None,
            "thread.position": 0,
        }

    def test_gold_items_carry_their_answers(self, make: MakeStudy) -> None:
        data = jsonl({"text": "", "gold": True, "level": 2}, {"text": "", "gold": False, "level": 1})
        gold = {"when": {"item.gold": True}, "answers": {"overall": "level"}}
        assert [i.gold for i in items(make({"data.jsonl": data}, gold=gold))] == [{"overall": 2}, None]

    def test_context_is_kept_but_has_no_position(self, make: MakeStudy) -> None:
        data = jsonl(*({"text": "", "t": "a", "kind": k} for k in ("filler", "real", "filler", "real")))
        thread = {"by": "t", "kind": "sequence"}
        only = {"not": {"item.kind": "filler"}}
        found = items(make({"data.jsonl": data}, thread=thread, only=only))
        assert [(i.rated, i.position, i.turn) for i in found] == [
            (False, -1, 0),
            (True, 0, 1),
            (False, -1, 2),
            (True, 1, 3),
        ]

    def test_batches_waves_and_systems(self, make: MakeStudy) -> None:
        data = jsonl({"text": "", "part": 2, "wave": "late", "m": None})
        (item,) = items(make({"data.jsonl": data}, batch="part", wave="wave", system="m"))
        assert (item.origin.batch, item.wave, item.system) == ("2", "late", None)

    def test_no_items_is_a_problem(self, make: MakeStudy) -> None:
        (problem,) = problems(make({"data.jsonl": b"\n"}))
        assert (problem.code, problem.where.path) == ("I024", "items")

    def test_a_source_that_says_all_is_told(self, make: MakeStudy) -> None:
        files = {
            "data.jsonl": jsonl({"text": "a", "n": 0}),
            "data.csv": b"text,n\nb,0\n",
            "s.jsonl": b"{}",
        }
        loaded = make(files, **{"from": ["data.jsonl", "data.csv"]})
        assert [i.whole for i in items(loaded)] == [True, False]
        join = [{"from": "s.jsonl", "as": "s", "on": "n", "required": False}]
        assert [i.whole for i in items(make({"s.jsonl": b""}, join=join))] == [False]


class TestBadRecords:
    DATA = b'{"text":"a"}\n{oops}\n[1]\n{"txet":"b"}\n{"text":"c"}\n'

    def test_nothing_is_left_out_unless_asked(self, make: MakeStudy) -> None:
        found = problems(make({"data.jsonl": self.DATA}))
        assert [(p.code, p.where.file, p.where.line) for p in found] == [
            ("I005", "data.jsonl", 2),
            ("I008", "data.jsonl", 3),
            ("I010", "data.jsonl", 4),
        ]
        assert found[2].nearest == "txet"

    def test_skip_bad_counts_what_it_leaves_out(self, make: MakeStudy) -> None:
        found = list(items_of(make({"data.jsonl": self.DATA}), skip_bad=True))
        assert [i.position for i in found if isinstance(i, NewItem)] == [0, 1]
        assert len([p for p in found if isinstance(p, Problem)]) == 3

    def test_no_item_comes_after_the_first_problem(self, make: MakeStudy) -> None:
        seen = []
        with pytest.raises(Problems):
            seen.extend(items_of(make({"data.jsonl": self.DATA})))
        assert len(seen) <= 1

    def test_a_hopeless_file_is_given_up(
        self, make: MakeStudy, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(load, "MOST_PROBLEMS", 5)
        assert len(problems(make({"data.jsonl": b"oops\n" * 100}))) == 5

    def test_a_path_that_fails_on_one_item(self, make: MakeStudy) -> None:
        data = jsonl({"text": "a", "n": ["x"]}, {"text": "b", "n": 3})
        (problem,) = problems(make({"data.jsonl": data}, system="join('-', n)"))
        assert (problem.code, problem.where.line) == ("I030", 2)

    def test_an_item_nested_too_deeply_to_be_shown(self, make: MakeStudy) -> None:
        deep = b'{"text":' + b"[" * 700 + b"]" * 700 + b"}"
        found = list(items_of(make({"data.jsonl": deep + b"\n"}), skip_bad=True))
        assert all(isinstance(f, NewItem) or f.code in ("I032", "I024") for f in found)


class TestFiles:
    ONE = b'{"text": "a"}'

    def names(self, loaded: LoadedStudy) -> list[tuple[str, str | None]]:
        return [(i.origin.file, i.origin.batch) for i in items(loaded)]

    def test_c2_a_folder_is_a_batch_and_numbers_count(self, make: MakeStudy) -> None:
        names = ["logs/c_10/a.json", "logs/c_2/b copy.json", 'logs/c_2/What\'s "a" döner.json']
        loaded = make(dict.fromkeys(names, self.ONE), batch="folder", **{"from": "logs/*/*.json"})
        assert self.names(loaded) == [
            ("logs/c_2/b copy.json", "logs/c_2"),
            ('logs/c_2/What\'s "a" döner.json', "logs/c_2"),
            ("logs/c_10/a.json", "logs/c_10"),
        ]

    def test_c2_a_conversations_folder_inside_is_found(self, make: MakeStudy) -> None:
        names = ["logs/c_1/conversations/a.json", "logs/c_2/b.json", "logs/c_2/.hidden.json"]
        files = dict.fromkeys([*names, "logs/c_1/readme.txt"], self.ONE)
        expected = [(names[0], "logs/c_1"), (names[1], "logs/c_2")]
        for pattern in ("logs/*", "logs/c_*/**/*.json", "logs", "./logs/"):
            assert self.names(make(files, batch="folder", **{"from": pattern})) == expected

    def test_files_come_once_and_in_the_order_named(self, make: MakeStudy) -> None:
        files = dict.fromkeys(["b.json", "a.json", "a[1].json"], self.ONE)
        loaded = make(files, **{"from": ["b.json", "*.json", "a[1].json"]})
        assert [name for name, _ in self.names(loaded)] == ["b.json", "a.json", "a[1].json"]

    def test_a_name_that_finds_nothing(self, make: MakeStudy) -> None:
        (tmp,) = problems(make({"dta.jsonl": b""}))[:1]
        assert (tmp.code, tmp.nearest, tmp.where.path) == ("I001", "dta.jsonl", "items.from")

    @pytest.mark.parametrize("pattern", ["../data.jsonl", "/etc/passwd", "a/../../b", "C:\\data.jsonl"])
    def test_data_outside_the_studys_folder(self, make: MakeStudy, pattern: str) -> None:
        assert problems(make(**{"from": pattern}))[0].code == "I002"

    def test_unknown_endings_and_named_readers(self, make: MakeStudy) -> None:
        loaded = make({"data.log": b'{"text":"a"}\n'}, **{"from": "data.log"})
        assert problems(loaded)[0].code == "I009"
        assert len(items(make(**{"from": "data.log"}, reader="jsonl"))) == 1

    def test_at_where_it_has_no_meaning(self, make: MakeStudy) -> None:
        loaded = make({"data.jsonl": jsonl({"text": "a"})}, at="items")
        assert problems(loaded)[0].code == "I031"

    def test_items_of_a_list_are_told_by_their_number(self, make: MakeStudy) -> None:
        files = {"a.json": b'{"items": [{"text": "a"}, {"txt": "b"}]}'}
        (problem,) = problems(make(files, at="items", **{"from": "a.json"}))
        assert str(problem.where) == "a.json item 2"

    def test_a_file_name_that_is_no_text(self, make: MakeStudy, tmp_path: Path) -> None:
        try:
            (tmp_path / os.fsdecode(b"\xff.json")).write_bytes(self.ONE)
        except OSError:
            pytest.skip("this file system has no such names")
        ((name, _),) = self.names(make(**{"from": "*.json"}))
        assert name == "\\xff.json"

    def test_a_file_that_cannot_be_opened(
        self, make: MakeStudy, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        loaded = make({"data.jsonl": b"{}\n"})

        def refuse(*_: Any, **__: Any) -> None:
            raise PermissionError(13, "Permission denied")

        monkeypatch.setattr(Path, "open", refuse)
        assert problems(loaded)[0].code == "I003"

    def test_progress_goes_from_nothing_to_all(self, make: MakeStudy, monkeypatch: Any) -> None:
        monkeypatch.setattr(load, "_EVERY", 1)
        told: list[float] = []
        data = jsonl(*({"text": "a", "t": i} for i in range(10)))
        thread = {"by": "t", "kind": "set", "order": "t"}
        list(items_of(make({"data.jsonl": data}, thread=thread), progress=told.append))
        assert told == sorted(told)
        assert (len(told), told[-1]) == (22, 1.0)


class TestJoins:
    ITEMS = jsonl({"text": "a", "idx": 1}, {"text": "b", "idx": 0})

    def test_v10_by_the_lines_place_counted_from_0(self, make: MakeStudy) -> None:
        files = {"data.jsonl": self.ITEMS, "s.jsonl": jsonl({"topic": "Pizza"}, {"topic": "Latte"})}
        join = [{"from": "s.jsonl", "as": "sample", "on": "idx"}]
        found = items(make(files, join=join, show=[{"text": "sample.topic"}]))
        assert [i.shown.views[0]["text"] for i in found] == ["Latte", "Pizza"]
        assert found[0].hidden["sample"] == {"topic": "Latte"}
        assert json.loads(found[0].source) == {"text": "a", "idx": 1}

    def test_by_a_key_whether_number_or_text(self, make: MakeStudy) -> None:
        files = {"data.jsonl": self.ITEMS, "s.csv": b"id,topic\n0,Pizza\n1,Latte\n"}
        join = [{"from": "s.csv", "as": "sample", "on": "idx", "key": "id"}]
        found = items(make(files, join=join, show=[{"text": "sample.topic"}]))
        assert [i.shown.views[0]["text"] for i in found] == ["Latte", "Pizza"]

    def test_the_digest_covers_what_is_joined(self, make: MakeStudy) -> None:
        join = [{"from": "s.jsonl", "as": "s", "on": "idx"}]
        (one, _) = items(make({"data.jsonl": self.ITEMS, "s.jsonl": jsonl({}, {})}, join=join))
        (two, _) = items(make({"s.jsonl": jsonl({}, {"new": 1})}, join=join))
        assert one.digest != two.digest

    def test_a_record_without_partner(self, make: MakeStudy) -> None:
        files = {"data.jsonl": self.ITEMS, "s.jsonl": jsonl({})}
        join = {"from": "s.jsonl", "as": "s", "on": "idx"}
        (problem,) = problems(make(files, join=[join]))
        assert (problem.code, problem.where.line, problem.details["key"]) == ("I013", 1, "1")
        found = items(make(join=[{**join, "required": False}]))
        assert [i.hidden["s"] for i in found] == [None, {}]

    def test_doubled_keys_taken_names_and_missing_keys(self, make: MakeStudy) -> None:
        files = {"data.jsonl": self.ITEMS, "s.jsonl": jsonl({"k": 0}, {"k": 0}, {"k": None}, {"k": 1})}
        join = {"from": "s.jsonl", "as": "s", "on": "idx", "key": "k"}
        assert [p.code for p in problems(make(files, join=[join]))] == ["I014", "I011"]
        taken = problems(make(join=[{**join, "as": "text", "key": None}]))
        assert {p.code for p in taken} == {"I015"}


class TestEntries:
    def each(self, over: Any) -> dict[str, Any]:
        return {"goals": {"kind": "each", "ask": "Reached?", "over": over, "answer": {"kind": "text"}}}

    def entries(self, make: MakeStudy, over: Any, data: Any) -> Any:
        loaded = make({"data.jsonl": jsonl({"text": "", "goals": data})}, questions=self.each(over))
        return items(loaded)[0].shown.entries["goals"]

    def test_c8_goals_are_the_keys_of_an_object(self, make: MakeStudy) -> None:
        targets = {"Find a café": {"status": 1, "introduced_turn": 0}, "Go home": {"status": 0}}
        expected = [
            {"label": "Find a café", "note": None, "turn": 1},
            {"label": "Go home", "note": None, "turn": None},
        ]
        for path in ("keys(goals)", "goals"):
            over = {"path": path, "turn": "introduced_turn"}
            assert self.entries(make, over, targets) == expected

    def test_texts_objects_and_nothing(self, make: MakeStudy) -> None:
        assert [e["label"] for e in self.entries(make, "goals", ["a", 2])] == ["a", "2"]
        over = {"path": "goals", "label": "name", "note": "why"}
        assert self.entries(make, over, [{"name": "a", "why": "b", "secret": 1}]) == [
            {"label": "a", "note": "b", "turn": None}
        ]
        assert self.entries(make, "goals", None) == self.entries(make, "goals", []) == []

    def test_c3_an_object_without_a_label_is_called_by_its_number(self, make: MakeStudy) -> None:
        turns = [{"user": "Hi", "verdict": "bad"}, {"user": "Ho", "verdict": "good"}]
        assert [e["label"] for e in self.entries(make, "goals", turns)] == ["1", "2"]

    def test_what_is_no_list(self, make: MakeStudy) -> None:
        loaded = make({"data.jsonl": jsonl({"text": "", "goals": "x"})}, questions=self.each("goals"))
        assert problems(loaded)[0].code == "I012"


texts = st.text(st.characters(exclude_categories=()), max_size=20)
values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | texts,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(texts, inner, max_size=4),
    max_leaves=10,
)
ODD_VIEWS = [
    {"chat": "a", "images": "b"},
    {"text": "a", "marks": {"empty": "e", "cut_off": "c", "equals": {"x": "y"}}},
    {"values": {"A": "a", "B": "b.c", "C": "a[0]"}},
    {"table": "a"},
    {"sequence": {"pattern": "{b}_{i}", "count": "a"}, "between": "b"},
    {"images": "a"},
    {"json": "b"},
    {"note_by": "a", "texts": {"x": "y"}},
]


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=80)
@given(st.dictionaries(st.sampled_from(["a", "b", "k", "s", "t"]), values), st.sampled_from(ODD_VIEWS))
def test_any_record_is_an_item_or_a_problem(make: MakeStudy, record: Any, view: Any) -> None:
    source = json.dumps(record).encode()
    thread = {"by": "t", "kind": "sequence", "order": "b", "restarts": "k"}
    loaded = make({"data.jsonl": source}, show=[view], key="k", system="s", thread=thread)
    found = list(items_of(loaded, skip_bad=True))
    for item in found:
        if isinstance(item, NewItem):
            assert item.source == source
            assert json.dumps(item.hidden) == json.dumps(json.loads(source))
            json.dumps(item.shown.views, allow_nan=False).encode()
            json.dumps(item.shown.views, ensure_ascii=False).encode()
        else:
            assert str(item)
