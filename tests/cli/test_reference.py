from __future__ import annotations

from pathlib import Path

from rubrica.cli.reference import page

WRITTEN = Path(__file__).parents[2] / "docs" / "reference" / "commands.md"


def test_the_reference_of_commands_is_what_the_commands_say() -> None:
    assert WRITTEN.read_text(encoding="utf-8") == page(), "run `make docs`"
