"""What becomes of a submission: the same decision for every store."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from rubrica.ratings.model import Receipt, Submission

Refusal = Literal["id_taken", "not_your_place", "already_rated", "supersedes_nothing"]


@dataclass(frozen=True, slots=True)
class Recorded:
    """What is known of a rating that has the submission's id already."""

    digest: str
    receipt: Receipt


@dataclass(frozen=True, slots=True)
class Target:
    """The place a submission speaks of, as it stands. `rating` is the one that stands for it."""

    study: str
    rater: int
    item: int
    rating: str | None


def decide(
    sent: Submission, digest: str, recorded: Recorded | None, target: Target | None
) -> Receipt | Refusal | None:
    """A receipt for what came before, a refusal, or None: it is to be recorded.

    Whether a `supersedes` that is not the standing rating names an older one of the same place is
    for the store to look up.
    """
    if recorded is not None:
        if recorded.digest != digest:
            return "id_taken"
        known = recorded.receipt
        return Receipt(known.id, known.number, True, known.surplus, known.conflict)
    if target is None or (target.study, target.rater, target.item) != (
        sent.study,
        sent.rater,
        sent.item,
    ):
        return "not_your_place"
    if target.rating is not None and sent.supersedes is None:
        return "already_rated"
    if target.rating is None and sent.supersedes is not None:
        return "supersedes_nothing"
    return None
