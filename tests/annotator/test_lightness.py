"""The serving process carries nothing it does not need."""

from __future__ import annotations

import subprocess
import sys

import pytest

HEAVY = ("numpy", "scipy", "polars", "altair", "pandas")
BEHIND_THE_WALL = ("rubrica.analysis", "rubrica.reports", "rubrica.verdicts", "rubrica.review")
ROOMS = {"rubrica.app": HEAVY, "rubrica.annotator.api": (*HEAVY, *BEHIND_THE_WALL)}


@pytest.mark.slow
@pytest.mark.parametrize("room", ROOMS)
def test_what_is_not_needed_is_not_loaded(room: str) -> None:
    look = f"import {room}, sys; print([m for m in {ROOMS[room]} if m in sys.modules])"
    found = subprocess.run([sys.executable, "-c", look], capture_output=True, text=True, check=True)
    assert found.stdout.strip() == "[]"
