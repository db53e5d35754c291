"""Every reader on well-made, odd and broken files."""

from __future__ import annotations

import json
import zipfile
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

import polars
import pytest
import xlsxwriter
from hypothesis import given, settings
from hypothesis import strategies as st

from rubrica.errors import Problem
from rubrica.items.readers import json_files, json_lines, lines, parquet, separated, workbooks
from rubrica.items.readers.contract import Reader, Record
from rubrica.items.readers.decoding import decode
from rubrica.kinds.registry import registered

JSON = json_files.READER
JSONL = json_lines.READER


def records(reader: Reader, path: Path, at: str | None = None) -> list[Record]:
    found = list(reader.read(path, at))
    assert not [f for f in found if isinstance(f, Problem)]
    return [f for f in found if isinstance(f, Record)]


def codes(reader: Reader, path: Path, at: str | None = None) -> list[tuple[str, int | None]]:
    found = [f for f in reader.read(path, at) if isinstance(f, Problem)]
    assert all(str(problem) for problem in found)
    return [(f.code, f.where.line) for f in found]


def write(path: Path, data: bytes) -> Path:
    path.write_bytes(data)
    return path


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "data"


def test_every_reader_says_what_it_reads() -> None:
    there: dict[str, Reader] = registered("rubrica.readers")
    assert set(there) == {"csv", "json", "jsonl", "parquet", "tsv", "xlsx"}
    assert all(
        name == reader.name and reader.says and reader.suffixes for name, reader in there.items()
    )
    suffixes = [suffix for reader in there.values() for suffix in reader.suffixes]
    assert len(suffixes) == len(set(suffixes))


class TestJsonLines:
    def test_places_are_lines_and_sources_are_exact(self, file: Path) -> None:
        write(file, b'{"a" : 1}\n\n  \n{"a":2.50}\n')
        assert records(JSONL, file) == [
            Record(1, {"a": 1}, b'{"a" : 1}'),
            Record(4, {"a": 2.5}, b'{"a":2.50}'),
        ]

    def test_byte_order_mark_and_windows_endings(self, file: Path) -> None:
        write(file, b'\xef\xbb\xbf{"a":1}\r\n{"a":2}\r\n')
        assert [r.source for r in records(JSONL, file)] == [b'{"a":1}', b'{"a":2}']

    @pytest.mark.parametrize("encoding", ["utf-16", "utf-32"])
    def test_other_unicode_with_its_mark(self, file: Path, encoding: str) -> None:
        write(file, '{"a":"döner 🥙"}\r\n{"a":"二"}\n'.encode(encoding))
        assert [r.data["a"] for r in records(JSONL, file)] == ["döner 🥙", "二"]

    def test_utf16_cut_in_half_is_a_problem_with_its_line(self, file: Path) -> None:
        write(file, '{"a":1}\n{"a":2}\n'.encode("utf-16")[:-1])
        assert codes(JSONL, file) == [("I004", 2)]

    def test_a_bad_line_is_one_problem_and_the_rest_comes(self, file: Path) -> None:
        write(file, b'{"a":1}\n{oops}\n{"a":3}\n')
        found = list(JSONL.read(file, None))
        assert [f.where.line if isinstance(f, Problem) else f.place for f in found] == [1, 2, 3]
        assert codes(JSONL, file) == [("I005", 2)]

    @pytest.mark.parametrize("cut", [b'{"a": "b', b'{"a": tr', b'{"a": {"b": 1}', b'{"a"'])
    def test_a_half_written_last_line_is_called_that(self, file: Path, cut: bytes) -> None:
        write(file, b'{"a":1}\n' + cut)
        assert codes(JSONL, file) == [("I006", 2)]

    def test_a_whole_last_line_needs_no_end_of_line(self, file: Path) -> None:
        assert len(records(JSONL, write(file, b'{"a":1}\n{"a":2}'))) == 2
        assert codes(JSONL, write(file, b"{a:1}")) == [("I005", 1)]

    def test_nan_infinity_and_lone_surrogates_are_kept(self, file: Path) -> None:
        source = b'{"a":NaN,"b":-Infinity,"c":"\\ud800","d":1e999}'
        (found,) = records(JSONL, write(file, source))
        assert found.source == source
        assert found.data["a"] != found.data["a"]
        assert (found.data["b"], found.data["c"], found.data["d"]) == (
            -float("inf"),
            "\ud800",
            float("inf"),
        )

    def test_surrogates_written_as_bytes_are_kept(self, file: Path) -> None:
        (found,) = records(JSONL, write(file, b'{"a":"\xed\xa0\x80"}'))
        assert found.data["a"] == "\ud800"

    def test_bytes_that_are_no_text_and_raw_nul_are_problems(self, file: Path) -> None:
        write(file, b'{"a":"\xff"}\n{"a":"\0"}\n{"a":"\\u0000"}\n')
        assert codes(JSONL, file) == [("I004", 1), ("I005", 2)]

    def test_numbers_stay_exact(self, file: Path) -> None:
        (found,) = records(
            JSONL, write(file, b'{"a":123456789012345678901234567890,"b":9007199254740993}')
        )
        assert found.data == {"a": 123456789012345678901234567890, "b": 9007199254740993}

    def test_absurd_nesting_and_digits_are_problems(self, file: Path) -> None:
        write(file, b"[" * 100_000 + b"]" * 100_000 + b"\n" + b"9" * 5000 + b"e\n")
        assert codes(JSONL, file) == [("I032", 1), ("I005", 2)]

    def test_a_very_long_line_is_read_and_an_endless_one_is_not(
        self, file: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        write(file, b'{"a":"' + b"x" * 1_600_000 + b'"}\n{"a":1}\n')
        assert len(records(JSONL, file)[0].data["a"]) == 1_600_000
        monkeypatch.setattr(lines, "LONGEST", 1000)
        assert codes(JSONL, file) == [("I007", 1)]
        assert [f.place for f in JSONL.read(file, None) if isinstance(f, Record)] == [2]

    def test_an_empty_file_has_no_records(self, file: Path) -> None:
        assert records(JSONL, write(file, b"")) == []


class TestJsonFiles:
    def test_one_item_a_file_keeps_every_byte(self, file: Path) -> None:
        source = b'\xef\xbb\xbf{\r\n  "a": 1\r\n}\r\n'
        assert records(JSON, write(file, source)) == [Record(1, {"a": 1}, source)]

    @pytest.mark.parametrize("odd", [b"1.0", b"NaN", b'"\\ud800"'])
    def test_a_list_gives_each_item_its_own_bytes(self, file: Path, odd: bytes) -> None:
        write(file, b'[ {"a": 1 } ,\n {"b":[' + odd + b"]}]")
        assert [r.source for r in records(JSON, file)] == [b'{"a": 1 }', b'{"b":[' + odd + b"]}"]
        assert [r.place for r in records(JSON, file)] == [1, 2]

    def test_at_leads_to_a_list_inside(self, file: Path) -> None:
        write(file, b'{"n":[1], "run": {"other": {"items":[9]}, "items": [{"a" :1},{"a":2}]}}')
        assert [r.source for r in records(JSON, file, "run.items")] == [b'{"a" :1}', b'{"a":2}']
        found = records(JSON, file, "run.items[?a == `2`]")
        assert [(r.data, r.source) for r in found] == [({"a": 2}, b'{"a":2}')]

    def test_of_equal_names_the_last_counts_as_in_any_reader(self, file: Path) -> None:
        (found,) = records(JSON, write(file, b'{"a":[{"x":1}],"a":[{"x":2}]}'), "a")
        assert (found.data, found.source) == ({"x": 2}, b'{"x":2}')

    def test_problems_have_a_place(self, file: Path) -> None:
        (problem,) = JSON.read(write(file, b'{\n "a": 1,\n}\n'), None)
        assert isinstance(problem, Problem)
        assert (problem.code, problem.where.line) == ("I005", 3)
        assert codes(JSON, write(file, b'{"a":1}'), "b.c") == [("I016", None)]
        assert codes(JSON, write(file, b""), None) == [("I006", 1)]
        assert codes(JSON, write(file, b"\xff\xff"), None) == [("I004", 1)]
        assert codes(JSON, write(file, b"\xff\xfea"), None) == [("I004", None)]

    def test_a_file_too_large_is_not_opened(self, file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(json_files, "LARGEST", 5)
        assert codes(JSON, write(file, b'{"a":1}')) == [("I007", None)]


class TestSeparated:
    def test_rows_by_their_names_with_exact_sources(self, file: Path) -> None:
        write(file, b'\xef\xbb\xbfid,text\r\n1,"a ""b"", c\r\nnext"\r\n\r\n2,=HYPERLINK(1)\r\n')
        assert records(separated.CSV, file) == [
            Record(2, {"id": "1", "text": 'a "b", c\r\nnext'}, b'1,"a ""b"", c\r\nnext"'),
            Record(5, {"id": "2", "text": "=HYPERLINK(1)"}, b"2,=HYPERLINK(1)"),
        ]

    def test_semicolons_tabs_and_columns_without_a_name(self, file: Path) -> None:
        assert records(separated.CSV, write(file, b";a;b,c\n0;1;2\n"))[0].data == {
            "column_1": "0",
            "a": "1",
            "b,c": "2",
        }
        assert records(separated.TSV, write(file, b"a\tb\n1,5\t2\n"))[0].data == {"a": "1,5", "b": "2"}

    def test_utf16_as_spreadsheets_save_it(self, file: Path) -> None:
        write(file, "名\t文\n一\t二\n".encode("utf-16"))
        assert records(separated.TSV, file)[0].data == {"名": "一", "文": "二"}

    def test_a_cell_of_megabytes(self, file: Path) -> None:
        write(file, b"a\n" + b"x" * 1_600_000 + b"\n")
        assert len(records(separated.CSV, file)[0].data["a"]) == 1_600_000

    def test_a_ragged_row_is_a_problem_and_the_rest_comes(self, file: Path) -> None:
        write(file, b"a,b\n1\n1,2,3\n1,2\n")
        assert codes(separated.CSV, file) == [("I018", 2), ("I018", 3)]
        assert [f.place for f in separated.CSV.read(file, None) if isinstance(f, Record)] == [4]

    def test_an_open_quote_is_told_at_the_line_it_starts(self, file: Path) -> None:
        assert codes(separated.CSV, write(file, b'a,b\n1,2\n3,"4\n5,6\n')) == [("I019", 3)]

    def test_two_columns_of_one_name_and_other_encodings(self, file: Path) -> None:
        assert codes(separated.CSV, write(file, b"a,a\n1,2\n")) == [("I017", 1)]
        assert codes(separated.CSV, write(file, "a\nMünchen\n".encode("latin-1"))) == [("I004", 2)]

    def test_an_empty_table_has_no_records(self, file: Path) -> None:
        assert records(separated.CSV, write(file, b"")) == []


class TestWorkbooks:
    def book(self, path: Path, rows: list[list[Any]], sheet: str = "Data") -> Path:
        with xlsxwriter.Workbook(
            path, {"strings_to_formulas": False, "strings_to_urls": False}
        ) as book:
            book.add_worksheet("Notes" if sheet != "Data" else sheet)
            page = book.get_worksheet_by_name(sheet) or book.add_worksheet(sheet)
            day = book.add_format({"num_format": "yyyy-mm-dd hh:mm"})
            for i, row in enumerate(rows):
                for j, cell in enumerate(row):
                    if isinstance(cell, datetime):
                        page.write_datetime(i, j, cell, day)
                    else:
                        page.write(i, j, cell)
        return path

    def test_cells_as_data(self, file: Path) -> None:
        row = [8, 0.5, "=HYPERLINK(1)", None, True, datetime(2024, 1, 2, 3, 4)]
        self.book(file, [["id", "x", "t", "e", "b", "d"], [], row])
        (found,) = records(workbooks.READER, file)
        assert found.place == 3
        assert found.data == {
            "id": 8,
            "x": 0.5,
            "t": "=HYPERLINK(1)",
            "e": None,
            "b": True,
            "d": "2024-01-02T03:04:00",
        }
        assert json.loads(found.source) == found.data

    def test_a_table_that_does_not_start_at_the_corner(self, file: Path) -> None:
        self.book(file, [[], [], [None, "a", None, 7], [], [None, 1, 2, 3]])
        (found,) = records(workbooks.READER, file)
        assert (found.place, found.data) == (5, {"a": 1, "column_2": 2, "7": 3})

    def test_at_names_a_sheet(self, file: Path) -> None:
        self.book(file, [["a"], [1]], sheet="Items")
        assert records(workbooks.READER, file, "Items")[0].data == {"a": 1}
        (problem,) = workbooks.READER.read(file, "items")
        assert isinstance(problem, Problem)
        assert (problem.code, problem.nearest) == ("I021", "Items")

    def test_what_is_no_workbook(self, file: Path) -> None:
        assert codes(workbooks.READER, write(file, b"PK no")) == [("I021", None)]
        with zipfile.ZipFile(file, "w") as archive:
            archive.writestr("a.txt", "a")
        assert codes(workbooks.READER, file) == [("I021", None)]

    def test_a_bomb_is_refused_by_its_sizes(self, file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        self.book(file, [["a"], [1]])
        monkeypatch.setattr(workbooks, "LARGEST", 1000)
        assert codes(workbooks.READER, file) == [("I020", None)]

    def test_two_cells_at_the_ends_of_a_sheet_are_a_bomb_too(self, file: Path) -> None:
        with xlsxwriter.Workbook(file) as book:
            page = book.add_worksheet()
            page.write(0, 0, "a")
            page.write(1_048_575, 16_383, 1)
        assert codes(workbooks.READER, file) == [("I020", None)]


class TestParquet:
    def test_rows_with_what_json_has_no_word_for(self, file: Path) -> None:
        polars.DataFrame(
            {
                "id": [1, 2],
                "when": [datetime(2024, 1, 2), None],
                "took": [timedelta(seconds=90), None],
                "turns": [[{"user": "a"}], []],
                "raw": [b"\0\1", None],
            }
        ).write_parquet(file)
        first, second = records(parquet.READER, file)
        assert first.data == {
            "id": 1,
            "when": "2024-01-02T00:00:00",
            "took": 90.0,
            "turns": [{"user": "a"}],
            "raw": "AAE=",
        }
        assert (second.place, second.data["when"], second.data["turns"]) == (2, None, [])

    def test_large_tables_come_in_parts(self, file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(parquet, "ROWS", 3)
        polars.DataFrame({"i": range(10)}).write_parquet(file)
        assert [r.data["i"] for r in records(parquet.READER, file)] == list(range(10))

    def test_a_broken_file_and_a_missing_extra(
        self, file: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        assert codes(parquet.READER, write(file, b"PAR1")) == [("I003", None)]
        monkeypatch.setattr(parquet, "find_spec", lambda name: None)
        (problem,) = parquet.READER.read(file, None)
        assert isinstance(problem, Problem)
        assert problem.code == "I022"
        assert "rubrica[parquet]" in problem.hint


def same(value: Any, other: Any) -> bool:
    return json.dumps(value) == json.dumps(other)


texts = st.text(st.characters(exclude_categories=()), max_size=20)
values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | texts,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(texts, inner, max_size=4),
    max_leaves=12,
)


@given(values, st.booleans())
def test_any_json_is_read_as_the_standard_library_reads_it(value: Any, ascii_only: bool) -> None:
    raw = json.dumps(value, ensure_ascii=ascii_only).encode("utf-8", "surrogatepass")
    assert same(decode(raw), json.loads(raw.decode("utf-8", "surrogatepass")))


@settings(max_examples=50)
@given(st.lists(values, min_size=1, max_size=4), st.booleans())
def test_any_list_keeps_each_items_bytes(
    tmp_path_factory: Any, items: list[Any], ascii_only: bool
) -> None:
    sources = [json.dumps(i, ensure_ascii=ascii_only).encode("utf-8", "surrogatepass") for i in items]
    path = write(tmp_path_factory.getbasetemp() / "list.json", b"[" + b" ,\n".join(sources) + b"]")
    assert [r.source for r in records(JSON, path)] == sources
