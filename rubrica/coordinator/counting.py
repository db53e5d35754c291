"""Keeping a study's counts up to date while somebody looks: one thread a study, at most."""

from __future__ import annotations

import logging
from threading import Lock, Thread
from time import monotonic, sleep

from rubrica.review.board import BoardStore
from rubrica.review.standing import ItemCounting
from rubrica.study.store import StudyStore

PIECE = 200
PATIENCE = 0.05
"""After so many seconds of counting the page is answered; the rest goes on behind it."""
LATER = 0.3
"""The rest begins when the page has likely been answered, and rests as long as it works: raters'
submissions and other pages come first."""

log = logging.getLogger("rubrica")


class Counters:
    def __init__(self, board: BoardStore, studies: StudyStore) -> None:
        self._board, self._studies = board, studies
        self._counting: dict[str, ItemCounting] = {}
        self._turns: dict[str, Lock] = {}
        self._behind: set[str] = set()
        self._lock = Lock()

    def refresh(self, study: str) -> int:
        """Count what came in; how much is left to be counted behind the page."""
        turn = self._turns.setdefault(study, Lock())
        if not turn.acquire(timeout=PATIENCE):
            return self._board.uncounted(study)
        try:
            left, until = self._piece(study), monotonic() + PATIENCE
            while left and monotonic() < until:
                left = self._piece(study)
        finally:
            turn.release()
        if left:
            self._go_on(study)
        return left

    def _piece(self, study: str) -> int:
        counting = self._counting.setdefault(study, ItemCounting(self._studies, study))
        return self._board.count(study, counting, PIECE)

    def _go_on(self, study: str) -> None:
        with self._lock:
            if study in self._behind:
                return
            self._behind.add(study)
        Thread(target=self._rest, args=[study], name="rubrica-counts", daemon=True).start()

    def _rest(self, study: str) -> None:
        """A page that is asked for meanwhile counts what it can by itself."""
        left, worked = 1, LATER
        try:
            while left:
                sleep(worked)
                with self._turns[study]:
                    begun = monotonic()
                    left = self._piece(study)
                    worked = monotonic() - begun
        except Exception:
            log.exception("the counts of a study could not be brought up to date")
        finally:
            self._behind.discard(study)
