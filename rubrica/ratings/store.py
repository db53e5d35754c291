"""How ratings and drafts are kept: append-only, acknowledged only after the commit."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import Future
from typing import Any, Protocol

from rubrica.ratings.model import Draft, Rating, Receipt, Submission


class RatingStore(Protocol):
    def submit(self, submission: Submission, *, imported: bool = False) -> Future[Receipt]:
        """Record once, fill the place, drop the draft, in one transaction shared with others.

        The future fails with a Problem: same id with other content, another rater's place, a place
        already rated without `supersedes`. A late submit is stored as surplus, never refused.
        `imported` marks ratings that were made elsewhere.
        """
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

    def save_draft(
        self, study: str, rater: int, place: int, revision: int, content: Mapping[str, Any]
    ) -> Future[int]:
        """Keep the newest draft; the revision that is now kept comes back (an older one loses)."""
        ...

    def draft(self, study: str, rater: int, place: int) -> Draft | None: ...

    def drafts(self, study: str, rater: int) -> Sequence[Draft]: ...
