"""The reference pages are what the code says."""

from __future__ import annotations

from pathlib import Path

import pytest
import reference

ROOT = Path(__file__).parents[1]


@pytest.mark.parametrize("name", list(reference.PAGES))
def test_a_reference_page_is_current(name: str) -> None:
    written = ROOT / "docs" / "reference" / name
    assert written.is_file(), "run `make docs`"
    assert written.read_text("utf-8") == reference.PAGES[name](), "run `make docs`"


def test_every_rule_is_on_the_page_of_rules() -> None:
    page = reference.rules()
    from rubrica.errors import RULES

    assert all(f"### {code} " in page for code in RULES)
