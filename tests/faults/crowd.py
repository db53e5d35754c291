"""Raters in a process of their own who never give up, and what became of what they were told."""

from __future__ import annotations

import subprocess
import sys
from collections import Counter
from pathlib import Path

from rubrica.storage.doctor import findings
from rubrica.storage.open import open_store
from tests.waiting import until

PROGRAM = Path(__file__).parents[2] / "benchmarks" / "crowd" / "raters.py"
STUDY = "load"


class Crowd:
    def __init__(self, url: str, acks: Path, raters: int = 12, *more: str) -> None:
        self.raters, self._acks = raters, acks
        command = [
            sys.executable,
            str(PROGRAM),
            "--url",
            url,
            "--study",
            STUDY,
            "--raters",
            str(raters),
        ]
        command += [
            "--seconds",
            "100000",
            "--patient",
            "--drafts",
            "--think",
            "0.1",
            "--acks",
            str(acks),
        ]
        self._process = subprocess.Popen([*command, *more])

    def acknowledged(self) -> list[str]:
        return self._acks.read_text().split("\n")[:-1] if self._acks.exists() else []

    def goes_on(self, more: int | None = None) -> None:
        """Until so many more ratings have been acknowledged."""
        before, wanted = len(self.acknowledged()), 2 * self.raters if more is None else more
        until(lambda: len(self.acknowledged()) >= before + wanted, "more ratings", 180)

    def end(self) -> None:
        self._process.kill()
        self._process.wait()


def wrong_with(address: str, said: list[str]) -> list[str]:
    """What is wrong with a database that must hold what was said by then."""
    with open_store(address) as store:
        there = Counter(r.submission.id for r in store.ratings.ratings(STUDY, all_revisions=True))
        wrong = [str(problem) for problem in findings(store) if problem.level == "error"]
    lost = [f"lost: {one}" for one in said if one not in there]
    doubled = [f"doubled: {one}" for one, count in there.items() if count > 1]
    return [*wrong, *lost, *doubled]
