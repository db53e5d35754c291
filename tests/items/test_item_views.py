"""What each view makes of item data."""

from __future__ import annotations

from typing import Any, ClassVar

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import TypeAdapter

from rubrica.errors import Problem
from rubrica.items.lookup import page_text
from rubrica.items.marks import looks_cut_off
from rubrica.items.views import compile_view
from rubrica.study.views import VIEWS, AnyView

VIEW: TypeAdapter[Any] = TypeAdapter(AnyView)


def shows(view: dict[str, Any], data: Any) -> dict[str, Any]:
    return compile_view(VIEW.validate_python(view))(data)


def problem(view: dict[str, Any], data: Any) -> Problem:
    with pytest.raises(Problem) as caught:
        shows(view, data)
    return caught.value


def test_every_view_can_be_compiled() -> None:
    from rubrica.items.views import _COMPILE

    assert set(_COMPILE) == set(VIEWS.values())


class TestTexts:
    def test_a_text_may_be_null_but_not_missing(self) -> None:
        assert shows({"text": "a"}, {"a": "hi"}) == {"text": "hi", "mark": None}
        assert shows({"text": "a.b"}, {"a": None}) == {"text": None, "mark": None}
        found = problem({"markdown": "answr"}, {"answer": "hi"})
        assert (found.code, found.nearest, found.details["path"]) == ("I010", "answer", "answr")

    def test_a_missing_field_inside_an_object_names_its_neighbours(self) -> None:
        assert problem({"text": "meta.modl"}, {"meta": {"model": 1}}).nearest == "model"
        assert problem({"text": "meta.model"}, {"meta": "x"}).code == "I010"

    def test_computed_paths_and_fallbacks(self) -> None:
        assert shows({"text": "a || 'none'"}, {})["text"] == "none"
        assert shows({"text": "a[0].b"}, {"a": []})["text"] is None
        assert problem({"text": "a[0].b"}, {"c": 1}).code == "I010"
        assert problem({"text": "join(', ', a)"}, {"a": 1}).code == "I030"

    def test_numbers_and_structures_become_texts_no_browser_rounds(self) -> None:
        view = {"values": {"A": "a", "B": {"path": "b", "label": {"en": "B", "zh": "二"}}, "C": "c"}}
        data = {"a": 12345678901234567890, "b": float("nan"), "c": {"k": [True]}}
        values = ["12345678901234567890", "NaN", '{\n  "k": [\n    true\n  ]\n}']
        assert shows(view, data) == {"values": values}
        assert shows({"json": "a"}, {"a": ["é", None]}) == {"json": '[\n  "é",\n  null\n]'}

    @given(st.text(st.characters(exclude_categories=())))
    def test_every_text_can_stand_on_a_page(self, text: str) -> None:
        carried = page_text(text)
        assert carried is not None
        assert "\0" not in carried
        carried.encode()
        if "\0" not in text and not any("\ud800" <= c <= "\udfff" for c in text):
            assert carried == text

    def test_nul_and_lone_surrogates_become_visible(self) -> None:
        assert page_text("a\0b\ud800ü") == "a␀b\ufffdü"
        assert page_text("\ud83d\ude00") == "😀"

    def test_a_note_is_chosen_by_a_value_that_itself_stays_hidden(self) -> None:
        view = {"note_by": "kind", "texts": {"mislead": "Withstand."}, "otherwise": "As usual."}
        assert shows(view, {"kind": "mislead"}) == {"note": "mislead"}
        assert shows(view, {"kind": "secret"}) == shows(view, {"kind": None}) == {"note": None}


class TestMarks:
    MARKS: ClassVar[dict[str, Any]] = {
        "empty": "empty",
        "cut_off": "cut",
        "equals": {"[Target model error]": "error"},
    }

    def mark(self, text: str | None, **marks: Any) -> str | None:
        found: str | None = shows({"text": "a", "marks": marks or self.MARKS}, {"a": text})["mark"]
        return found

    def test_only_declared_marks_are_given(self) -> None:
        assert [self.mark(t) for t in ("", None, "  ")] == ["empty"] * 3
        assert self.mark(" [Target model error]\n") == "equals"
        assert self.mark("Fair. In a scene like") == "cut_off"
        assert self.mark("All is well.") is None
        assert self.mark("", cut_off="cut") is None
        assert self.mark("Fair. In a scene like", empty="empty") is None

    @pytest.mark.parametrize(
        "text",
        [
            "That is a very fair question. In a scene like",
            "1. Here (count: 3)\n4.  Further back in the",
            "There is very little space between",
            "It is large,",
            "```python\nx = 1",
            "这是第一句。第二句还没有说",
            "It is blue. It stands besi",
        ],
    )
    def test_looks_cut_off(self, text: str) -> None:
        assert looks_cut_off(text)

    @pytest.mark.parametrize(
        "text",
        [
            "Image 2",
            "Yes",
            "with a total of **three**.",
            "the second image. What's next?",
            'He said: "No."',
            "```python\nx = 1\n```",
            "All of them. Here they are:\n- Edeka\n- Rewe",
            "## Result. Done.\n| a | b |",
            "好的。",
            "Well done! 🎉",
            "The sum. It is 42",
            "See [1]. (It is there.)",
        ],
    )
    def test_looks_whole(self, text: str) -> None:
        assert not looks_cut_off(text)


class TestChat:
    VIEW: ClassVar[dict[str, Any]] = {"chat": "turns", "assistant": "system"}

    def test_turns_with_nothing_but_what_is_named(self) -> None:
        data = {"turns": [{"user": "Hi", "system": None, "evaluation": 1}, {"system": "Ho"}]}
        assert shows(self.VIEW, data) == {
            "turns": [
                {"user": "Hi", "assistant": None, "images": []},
                {"user": None, "assistant": "Ho", "images": []},
            ]
        }

    def test_images_sent_with_a_turn(self) -> None:
        view = {**self.VIEW, "images": "sent"}
        turn = {"user": "Hi", "system": "Ho", "sent": ["run\\a.jpg", "./b.png"]}
        assert shows(view, {"turns": [turn]})["turns"][0]["images"] == ["run/a.jpg", "b.png"]

    def test_messages_with_roles(self) -> None:
        view = {
            "chat": "m",
            "user": "role == 'user' && content",
            "assistant": "role == 'assistant' && content",
        }
        data = {"m": [{"role": "user", "content": "a"}, {"role": "assistant", "content": "b"}]}
        assert [(t["user"], t["assistant"]) for t in shows(view, data)["turns"]] == [
            ("a", None),
            (None, "b"),
        ]

    def test_what_is_no_chat(self) -> None:
        assert shows(self.VIEW, {"turns": None}) == {"turns": []}
        assert problem(self.VIEW, {"turns": "a"}).code == "I012"
        assert problem(self.VIEW, {"turns": ["a"]}).code == "I012"
        assert problem(self.VIEW, {"turns": [{"driver": "a"}]}).code == "I010"


class TestTables:
    def test_chosen_columns(self) -> None:
        view = {"table": "rows", "columns": ["a", "b.c"]}
        rows = [{"a": 1, "b": {"c": "x"}, "secret": 2}, {"a": None}]
        assert shows(view, {"rows": rows}) == {
            "columns": ["a", "b.c"],
            "rows": [["1", "x"], [None, None]],
        }

    def test_all_columns_lists_and_single_values(self) -> None:
        assert shows({"table": "r"}, {"r": [{"a": 1}, {"b": True}]}) == {
            "columns": ["a", "b"],
            "rows": [["1", None], [None, "true"]],
        }
        assert shows({"table": "r"}, {"r": [[1, 2], "x"]}) == {
            "columns": [],
            "rows": [["1", "2"], ["x"]],
        }
        assert problem({"table": "r"}, {"r": {"a": 1}}).code == "I012"


class TestMedia:
    def test_lists_single_names_and_nothing(self) -> None:
        assert shows({"images": "a"}, {"a": ["x.png", None, ""]}) == {"images": ["x.png"]}
        assert shows({"audio": "a"}, {"a": "x.mp3"}) == {"audio": ["x.mp3"]}
        assert shows({"video": "a"}, {"a": None}) == {"video": []}
        assert problem({"images": "a"}, {"a": [1]}).code == "I012"
        assert problem({"images": "a"}, {}).code == "I010"

    def test_v1_images_found_by_a_numbered_pattern(self) -> None:
        view = {
            "sequence": {"pattern": "frames/{sample.id}_{n}_{i}.jpg", "count": "texts", "more": 1},
            "between": "texts",
        }
        data = {"sample": {"id": "ab"}, "texts": ["cut", "fry"]}
        assert shows(view, data) == {
            "images": ["frames/ab_3_0.jpg", "frames/ab_3_1.jpg", "frames/ab_3_2.jpg"],
            "texts": ["cut", "fry"],
        }

    def test_v1_other_patterns_and_lists(self) -> None:
        view = {"sequence": {"pattern": "{id}-{length(clips)}-{i}.png", "count": "size", "start": 1}}
        data = {"id": 7, "clips": [1, 2], "size": "2"}
        assert shows(view, data) == {"images": ["7-2-1.png", "7-2-2.png"], "texts": []}
        assert shows({"sequence": "i", "between": "t"}, {"i": ["a.png"], "t": ["x", "y"]}) == {
            "images": ["a.png"],
            "texts": ["x", "y"],
        }

    @pytest.mark.parametrize("count", [None, -1, "many", 10**9, 1.5, {}])
    def test_a_count_that_is_none(self, count: Any) -> None:
        view = {"sequence": {"pattern": "{i}.png", "count": "size"}}
        assert problem(view, {"size": count}).code == "I012"
