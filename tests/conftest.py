"""Fixtures every room's tests share."""

from __future__ import annotations

from pathlib import Path

import pytest


@pytest.fixture(scope="session")
def shared_data() -> Path:
    """Real files of the three studies, where they lie beside the project; skipped elsewhere."""
    folder = Path(__file__).parents[2] / "shared" / "data"
    if not folder.is_dir():
        pytest.skip("the studies' real files are not beside the project")
    return folder
