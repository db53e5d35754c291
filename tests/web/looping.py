"""A coroutine run to its end, also in a process where the browser's own loop is running."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine
from concurrent.futures import ThreadPoolExecutor
from typing import Any, TypeVar

Result = TypeVar("Result")


def in_a_loop(work: Coroutine[Any, Any, Result]) -> Result:
    with ThreadPoolExecutor(1) as thread:
        return thread.submit(asyncio.run, work).result()
