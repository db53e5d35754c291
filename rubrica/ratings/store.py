"""How ratings and drafts are kept: append-only, acknowledged only after the commit."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import Future
from typing import Any, Protocol

from rubrica.errors import Problem
from rubrica.ratings.model import Draft, Known, NewDraft, Rating, Receipt, Sending, Submission


class RatingStore(Protocol):
    def submit(self, submission: Submission, *, imported: bool = False) -> Future[Receipt]:
        """Record once, fill the place, drop the draft, in one transaction shared with others.

        The future fails with a Problem: same id with other content, another rater's place, a place
        already rated without `supersedes`. A late submit is stored as surplus, never refused.
        `imported` marks ratings that were made elsewhere.
        """
        ...

    def submit_all(self, submissions: Sequence[Submission]) -> Future[Sequence[Receipt | Problem]]:
        """The same for many of one study; what each is refused with stands among the receipts."""
        ...

    def known(self, study: str, sendings: Sequence[Sending]) -> Sequence[Known]:
        """What is known before they are taken, for each of many in order, of one moment."""
        ...

    def rating(self, study: str, rating: str) -> Rating | None: ...

    def latest(self, study: str, place: int) -> Rating | None:
        """The rating that stands for a place: the last not superseded."""
        ...

    def ratings(self, study: str, *, all_revisions: bool = False) -> Iterator[Rating]:
        """Streams in recorded order; without withdrawn raters' ratings."""
        ...

    def of_rater(self, study: str, rater: int, *, all_revisions: bool = False) -> Iterator[Rating]:
        """One rater's ratings in recorded order, through an index."""
        ...

    def active_seconds(self, study: str, raters: Sequence[int]) -> Mapping[int, float]:
        """How long these raters really worked, revisions included."""
        ...

    def save_draft(
        self, study: str, rater: int, place: int, revision: int, content: Mapping[str, Any]
    ) -> Future[int]:
        """Keep the newest draft; the revision that is now kept comes back (an older one loses)."""
        ...

    def save_drafts(self, study: str, drafts: Sequence[NewDraft]) -> Future[Sequence[int | Problem]]:
        """The same for many; what each is refused with stands among the revisions."""
        ...

    def draft(self, study: str, rater: int, place: int) -> Draft | None: ...

    def drafts(self, study: str, rater: int) -> Sequence[Draft]: ...

    def drafts_of(self, study: str, raters: Sequence[int]) -> Mapping[int, Draft]:
        """The drafts of several raters, by their places."""
        ...
