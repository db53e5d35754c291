"""The reference page of kinds says what the kinds are."""

from __future__ import annotations

from pathlib import Path

from rubrica.kinds.reference import page
from rubrica.kinds.registry import kinds

PAGE = Path(__file__).parents[2] / "docs" / "reference" / "kinds.md"


def test_the_page_is_current() -> None:
    assert PAGE.read_text(encoding="utf-8") == page(), "run `make docs`"


def test_every_kind_has_its_section() -> None:
    for name, kind in kinds().items():
        assert f"\n## {name}\n\n{kind.says}" in page()
