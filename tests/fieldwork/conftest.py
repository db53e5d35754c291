"""Every use-case is shown over the memory store and over a SQLite file."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest
from fieldwork_bench import Bench


@pytest.fixture(params=["memory", "sqlite"])
def bench(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Bench]:
    with ExitStack() as stack:
        yield Bench(request.param, tmp_path, stack)


@pytest.fixture
def ids() -> Callable[[], str]:
    """Rating ids as a browser would make them."""
    count = iter(range(10**6))
    return lambda: f"rating-{next(count):016d}"
