"""Every problem of a study's items in one run."""

from __future__ import annotations

from typing import Any

from item_studies import MakeStudy, jsonl

from rubrica.errors import RULES
from rubrica.items import rules
from rubrica.items.check import check_items
from rubrica.items.keys import Copies


def test_a_good_study_has_no_problems(make: MakeStudy) -> None:
    data = jsonl({"id": 1, "text": "a", "score": None}, {"id": 2, "text": "b", "score": 1})
    loaded = make({"data.jsonl": data}, key="id", verdict={"overall": "score"})
    told: list[float] = []
    assert list(check_items(loaded, progress=told.append)) == []
    assert told[-1] == 1.0


def test_all_problems_of_an_item_are_told(make: MakeStudy) -> None:
    show = [{"text": "answr"}, {"chat": "turns"}, {"images": "pics"}]
    record = {"answer": "", "turns": "x", "pics": "none.png"}
    found = list(check_items(make({"data.jsonl": jsonl(record)}, show=show, key="id")))
    assert [p.code for p in found] == ["I011", "I010", "I012"]
    assert all(str(p.where) == "data.jsonl:1" for p in found)


def test_a_missing_image_is_told_where_it_is_shown(make: MakeStudy) -> None:
    found = list(check_items(make({"data.jsonl": jsonl({"p": "none.png"})}, show=[{"images": "p"}])))
    assert [(p.code, p.where.line) for p in found] == [("I027", 1)]


def test_many_missing_images_are_one_problem(make: MakeStudy) -> None:
    data = jsonl(*({"p": f"{i}.png"} for i in range(5)))
    (found,) = check_items(make({"data.jsonl": data}, show=[{"images": "p"}]))
    assert found.message == "not in the media folder: '0.png', '1.png', '2.png' and 2 more"


def test_a_path_no_item_has_is_told_once_where_it_is_written(make: MakeStudy) -> None:
    show = [
        {"markdown": "answr"},
        {"chat": "turns", "user": "usr"},
        {"sequence": {"pattern": "{idd}_{i}.svg", "count": "n"}},
    ]
    record = {"answer": "a", "turns": [{"user": "x"}], "id": 1, "n": 1, "name": "x"}
    loaded = make({"data.jsonl": jsonl(record, record)}, show=show, key="nmae")
    found = list(check_items(loaded))
    assert [(p.code, p.nearest, p.where.path) for p in found] == [
        ("I033", "name", "items.key"),
        ("I033", "answer", "items.show[0].markdown"),
        ("I033", "user", "items.show[1].user"),
        ("I033", "id", "items.show[2].sequence.pattern"),
    ]
    assert all(str(p.where.file).endswith("study.yaml") and p.where.line for p in found)


def test_a_path_that_only_some_items_lack_is_told_at_those(make: MakeStudy) -> None:
    data = jsonl({"text": "a"}, {"txt": "b"})
    (found,) = check_items(make({"data.jsonl": data}))
    assert (found.code, str(found.where)) == ("I010", "data.jsonl:2")


def test_many_equal_problems_are_counted(make: MakeStudy) -> None:
    data = jsonl({"text": "good"}, *({"txt": i} for i in range(25))) + b"oops\n"
    found = list(check_items(make({"data.jsonl": data})))
    assert [p.code for p in found] == ["I010"] * 10 + ["I005", "I025"]
    assert (found[-1].level, found[-1].details["count"]) == ("note", 15)


def test_paths_that_find_nothing_anywhere(make: MakeStudy) -> None:
    data = jsonl({"text": "a", "model": "m", "judge": {}}, {"text": "b", "task": "t"})
    verdict = {"overall": "jugde.overall"}
    thread = {"by": "task", "kind": "set", "order": "tmie"}
    found = list(
        check_items(make({"data.jsonl": data}, system="model", thread=thread, verdict=verdict))
    )
    assert [(p.code, p.details["path"], p.level) for p in found] == [
        ("I026", "tmie", "warning"),
        ("I026", "jugde.overall", "warning"),
    ]
    assert [p.nearest for p in found] == [None, "judge"]
    assert found[1].where.line == 1
    assert str(found[1].where.file).endswith("study.yaml")


def test_equal_keys_are_noted_and_told_apart(make: MakeStudy) -> None:
    data = jsonl(*({"text": "a", "id": i} for i in (1, 1, 2, 1)))
    (note,) = check_items(make({"data.jsonl": data}, key="id"))
    assert (note.code, note.level, note.details["count"]) == ("I029", "note", 2)


def test_paths_that_fail_on_an_item(make: MakeStudy) -> None:
    thread = {"by": "join('', t)", "kind": "set"}
    loaded = make({"data.jsonl": jsonl({"text": "a", "t": 1})}, thread=thread, system="abs(m)")
    assert sorted(p.code for p in check_items(loaded) if p.level == "error") == ["I030", "I030"]


def test_a_limit_bounds_what_is_looked_at(make: MakeStudy) -> None:
    loaded = make({"data.jsonl": jsonl({"text": "a"}, {"text": "b"}) + b"oops\n"})
    assert list(check_items(loaded, limit=2)) == []
    assert [p.code for p in check_items(loaded, limit=3)] == ["I005"]


def test_no_items_at_all_is_a_problem_of_its_own(make: MakeStudy) -> None:
    found = list(check_items(make({"data.jsonl": b""})))
    assert [p.code for p in found] == ["I024"]


def test_problems_of_joins(make: MakeStudy) -> None:
    files = {"data.jsonl": jsonl({"text": "a", "n": 1}), "s.jsonl": jsonl({}) + b"oops\n"}
    join = [{"from": "s.jsonl", "as": "s", "on": "n"}]
    found = list(check_items(make(files, join=join)))
    assert [p.code for p in found] == ["I005", "I013"]


def test_codes_of_this_room_and_all_of_their_texts() -> None:
    here = [value for value in vars(rules).values() if type(value).__name__ == "Rule"]
    assert all(rule.code[0] == "I" and int(rule.code[1:]) < 200 for rule in here)
    assert all(RULES[rule.code] is rule for rule in here)


class TestCopies:
    def test_it_counts_as_a_dictionary_would(self) -> None:
        copies, plain = Copies(), dict[str, int]()
        for i in range(20_000):
            key = f"key {i * 7919 % 6000}"
            assert copies.count(key) == plain.get(key, 0)
            plain[key] = plain.get(key, 0) + 1

    def test_equal_fingerprints_still_give_items_of_their_own(self, monkeypatch: Any) -> None:
        monkeypatch.setattr("rubrica.items.keys._fingerprint", lambda key: 1)
        copies = Copies()
        assert [copies.count(key) for key in ("a", "b", "b", "a")] == [0, 1, 2, 1]
