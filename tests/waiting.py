"""Waiting for what must come, never for a while."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

T = TypeVar("T")
PATIENCE = 90.0


def until(found: Callable[[], T | None], what: str, seconds: float = PATIENCE) -> T:
    """What `found` gives once it gives something."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        if value := found():
            return value
        time.sleep(0.02)
    raise AssertionError(f"{what} did not come within {seconds} s")


def is_alive(pid: int) -> bool:
    """Whether a process runs; one that has ended and was not yet asked about does not."""
    try:
        return "\nState:\tZ" not in Path(f"/proc/{pid}/status").read_text()
    except OSError:
        return False
