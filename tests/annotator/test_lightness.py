"""The serving process carries nothing it does not need."""

from __future__ import annotations

import subprocess
import sys

HEAVY = ("numpy", "scipy", "polars", "altair", "pandas", "rubrica.analysis", "rubrica.reports")
LOOK = f"import rubrica.app, sys; print([m for m in {HEAVY} if m in sys.modules])"


def test_no_statistics_are_loaded_to_serve_raters() -> None:
    found = subprocess.run([sys.executable, "-c", LOOK], capture_output=True, text=True, check=True)
    assert found.stdout.strip() == "[]"
