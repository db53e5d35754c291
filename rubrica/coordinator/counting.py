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
        self._busy: set[str] = set()
        self._lock = Lock()

    def refresh(self, study: str) -> int:
        """Count what came in; how much is left to be counted behind the page."""
        with self._lock:
            if study in self._busy:
                return self._board.uncounted(study)
            self._busy.add(study)
        left, until = 0, monotonic() + PATIENCE
        try:
            while (left := self._piece(study)) and monotonic() < until:
                pass
        finally:
            if left:
                run = Thread(target=self._rest, args=[study], name="rubrica-counts", daemon=True)
                run.start()
            else:
                self._busy.discard(study)
        return left

    def _piece(self, study: str) -> int:
        counting = self._counting.setdefault(study, ItemCounting(self._studies, study))
        return self._board.count(study, counting, PIECE)

    def _rest(self, study: str) -> None:
        try:
            sleep(LATER)
            begun = monotonic()
            while self._piece(study):
                sleep(monotonic() - begun)
                begun = monotonic()
        except Exception:
            log.exception("the counts of a study could not be brought up to date")
        finally:
            self._busy.discard(study)
