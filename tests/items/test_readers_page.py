from __future__ import annotations

from pathlib import Path

from rubrica.items.reference import page

WRITTEN = Path(__file__).parents[2] / "docs" / "reference" / "readers.md"


def test_the_reference_of_readers_is_what_is_registered() -> None:
    assert WRITTEN.read_text(encoding="utf-8") == page(), "run `make docs`"
