"""Media names, files and what is missing."""

from __future__ import annotations

import struct
import unicodedata
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from item_studies import MakeStudy, jsonl

from rubrica.items.holes import media_report
from rubrica.items.media import media_file, media_names, media_root, renamed
from rubrica.items.model import Shown
from rubrica.study.views import AudioView, ChatView, ImagesView, SequenceView, TextView, VideoView

PNG = b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR" + struct.pack(">II", 640, 480) + b"\x08\x02\0\0\0"


def put(path: Path, data: bytes = PNG) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(data)
    return path


class TestNames:
    VIEWS = (
        TextView(text="t"),
        ImagesView(images="i"),
        SequenceView(sequence="s"),
        AudioView(audio="a"),
        VideoView(video="v"),
        ChatView(chat="c", images="i"),
    )
    SHOWN = Shown(
        [
            {"text": "a.png", "mark": None},
            {"images": ["1.png", "1.png"]},
            {"images": ["2.png"], "texts": ["2.png"]},
            {"audio": ["3.mp3"]},
            {"video": ["4.mp4"]},
            {"turns": [{"user": "5.png", "assistant": None, "images": ["5.png"]}]},
        ],
        {"goals": [{"label": "g"}]},
    )

    def test_every_name_is_found_and_replaced(self) -> None:
        names = ["1.png", "1.png", "2.png", "3.mp3", "4.mp4", "5.png"]
        assert media_names(self.VIEWS, self.SHOWN) == names
        hidden = renamed(self.VIEWS, self.SHOWN, lambda name: f"id-{name[0]}")
        assert media_names(self.VIEWS, hidden) == [f"id-{name[0]}" for name in names]
        assert hidden.views[0] == self.SHOWN.views[0]
        assert hidden.views[2]["texts"] == ["2.png"]
        assert hidden.entries == self.SHOWN.entries

    def test_a_view_taken_out_stays_out(self) -> None:
        shown = Shown([None] * len(self.VIEWS))
        assert renamed(self.VIEWS, shown, str.upper) == shown


class TestFiles:
    def test_inside_the_folder(self, tmp_path: Path) -> None:
        file = put(tmp_path / "run" / 'What\'s "a" image.PNG')
        assert media_file(tmp_path, 'run/What\'s "a" image.PNG') == file
        assert media_file(tmp_path, "run") is None
        assert media_file(tmp_path, "none.png") is None

    @pytest.mark.parametrize("form", ["NFC", "NFD"])
    def test_umlauts_in_either_form(self, tmp_path: Path, form: Any) -> None:
        file = put(tmp_path / unicodedata.normalize(form, "döner.png"))
        assert media_file(tmp_path, "döner.png") == file
        assert media_file(tmp_path, unicodedata.normalize("NFD", "döner.png")) == file

    def test_nothing_outside_is_ever_given(self, tmp_path: Path) -> None:
        root, secret = tmp_path / "study", put(tmp_path / "secret.png")
        inside = put(root / "a.png")
        (root / "link.png").symlink_to(secret)
        (root / "folder").symlink_to(tmp_path)
        (root / "good.png").symlink_to(inside)
        assert media_file(root, "good.png") == inside
        for name in (
            "../secret.png",
            str(secret),
            "link.png",
            "folder/secret.png",
            "a/../../secret.png",
        ):
            assert media_file(root, name) is None

    @pytest.mark.parametrize(
        "name", ["", ".", "a\0.png", "x" * 5000 + ".png", "https://a.example/b.png"]
    )
    def test_odd_names_are_no_files(self, tmp_path: Path, name: str) -> None:
        assert media_file(tmp_path, name) is None

    @pytest.mark.parametrize("name", ["study.yaml", "rubrica.db", "data.jsonl", "page.html", ".env"])
    def test_what_is_no_medium_is_never_given(self, tmp_path: Path, name: str) -> None:
        put(tmp_path / name)
        assert media_file(tmp_path, name) is None

    def test_the_media_folder_may_itself_be_a_link(self, make: MakeStudy, tmp_path: Path) -> None:
        file = put(tmp_path.parent / f"{tmp_path.name}-elsewhere" / "a.png")
        (tmp_path / "images").mkdir()
        loaded = make({"data.jsonl": b"{}\n"}, media="images")
        assert media_root(loaded) == (tmp_path / "images").resolve()
        assert media_file(file.parent, "a.png") == file

    @given(st.text(st.characters(exclude_categories=()), max_size=30))
    def test_any_name_is_answered(self, name: str) -> None:
        assert media_file(Path(__file__).parent, name) is None


class TestReport:
    def test_w4_what_is_missing_is_listed(self, make: MakeStudy, tmp_path: Path) -> None:
        put(tmp_path / "images" / "run" / "a.png")
        put(tmp_path / "images" / "b.png")
        data = jsonl(
            {"sent": ["run\\a.png", "old/b.png"]},
            {"sent": ["old/b.png", "../c.png", "run/a.png"]},
            {"sent": "https://pictures.example/d.png"},
        )
        report = media_report(make({"data.jsonl": data}, show=[{"images": "sent"}], media="images"))
        assert report.there == 1
        assert [(h.name, h.items, h.outside, h.nearest, h.where.line) for h in report.holes] == [
            ("old/b.png", 2, False, "b.png", 1),
            ("../c.png", 1, True, None, 2),
            ("https://pictures.example/d.png", 1, True, None, 3),
        ]
        assert [p.code for p in report.problems()] == ["I027", "I028", "I028"]

    def test_nothing_missing(self, make: MakeStudy, tmp_path: Path) -> None:
        put(tmp_path / "a.png")
        report = media_report(make({"data.jsonl": jsonl({"i": "a.png"})}, show=[{"images": "i"}]))
        assert (report.there, report.holes) == (1, ())
