"""The page about the bundled studies: every row is there, and the tests it names show it."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

HOME = Path(__file__).parents[2]
LAST = {"M": 13, "V": 13, "C": 14}
ROW = re.compile(r"^\| ([MVC]\d+) \| (.+) \| (.+) \|$", re.MULTILINE)
PAGE = (HOME / "docs" / "studies.md").read_text(encoding="utf-8")
ROWS = {row: re.findall(r"`(tests/[^`]+)`", where) for row, _, where in ROW.findall(PAGE)}


def test_every_row_is_on_the_page() -> None:
    assert list(ROWS) == [f"{letter}{n}" for letter, last in LAST.items() for n in range(1, last + 1)]


@pytest.mark.parametrize("row", ROWS)
def test_a_row_is_shown_by_tests_that_name_it(row: str) -> None:
    named = re.compile(rf"^ *(async )?def test_([a-z]\d+_)*{row.lower()}_", re.MULTILINE)
    assert ROWS[row]
    for file in ROWS[row]:
        assert named.search((HOME / file).read_text(encoding="utf-8")), (row, file)
