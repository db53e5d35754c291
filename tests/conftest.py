"""Fixtures every room's tests share."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from argon2 import PasswordHasher
from playwright.sync_api import Browser
from stage import chromium

from rubrica.accounts import passwords

TESTS = Path(__file__).parent

# Test modules may share a name (importlib mode); what they share beside them is found by its own.
sys.path[:0] = [str(folder) for folder in TESTS.iterdir() if folder.is_dir()]


@pytest.fixture(scope="session")
def shared_data() -> Path:
    """Real files of the three studies, where they lie beside the project; skipped elsewhere."""
    folder = TESTS.parents[1] / "shared" / "data"
    if not folder.is_dir():
        pytest.skip("the studies' real files are not beside the project")
    return folder


@pytest.fixture(scope="session", name="chromium")
def _chromium() -> Iterator[Browser]:
    """One browser for all tests of a process."""
    with chromium() as browser:
        yield browser


@pytest.fixture
def quick_hashes(monkeypatch: pytest.MonkeyPatch) -> None:
    """Passwords are hashed by the same function, at less cost."""
    quick = PasswordHasher(time_cost=1, memory_cost=64, parallelism=1)
    monkeypatch.setattr(passwords, "_hasher", quick)
    nobody = quick.hash("nobody has this password")
    monkeypatch.setattr(passwords, "_nobody", lambda: nobody)
