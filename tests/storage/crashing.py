"""What runs in the processes that are killed: raters who reserve and submit as fast as they can.

Each acknowledgement goes into a pipe after the store has given it and before anything else happens, so
whatever the parent reads there must be in the database for ever.
"""

from __future__ import annotations

import os
import time
from typing import Any

from storing import STUDY, design, submission

from rubrica.assignment.least_covered import POLICY
from rubrica.errors import Problem
from rubrica.storage.open import open_store

AT_ONCE = 4


def work(address: str, name: str, pipe: Any) -> None:
    """Until killed, or until there is nothing left to rate."""
    store = _again(lambda: open_store(address))
    rater = _again(lambda: _join(store, name))
    while places := _again(lambda: _reserve(store, rater)):
        sent = [submission(place, f"{name}-{place.id}") for place in places]
        futures = [store.ratings.submit(one) for one in sent]
        for one, future in zip(sent, futures, strict=True):
            receipt = _first(future) or _again(lambda one=one: store.ratings.submit(one).result())
            os.write(pipe.fileno(), f"{receipt.id}\n".encode())
    os.write(pipe.fileno(), b"done\n")


def _join(store: Any, name: str) -> int:
    known = store.accounts.rater_named(STUDY, name)
    rater = known[0] if known else store.accounts.add_rater(STUDY, name, "", "en", {})
    return int(rater.number)


def _reserve(store: Any, rater: int) -> Any:
    return store.places.reserve(STUDY, rater, AT_ONCE, POLICY, design(3))


def _first(future: Any) -> Any:
    try:
        return future.result()
    except Problem:
        return None


def _again(call: Any) -> Any:
    """As a browser would: when the server is away, the same is sent once more a little later."""
    for _ in range(600):
        try:
            return call()
        except Problem as problem:
            if problem.code not in ("D009", "D019", "D007"):
                raise
            time.sleep(0.05)
    raise TimeoutError("the database did not come back")
