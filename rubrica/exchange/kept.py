"""The ratings of one rater as an export of another tool's layout wants them."""

from __future__ import annotations

from collections.abc import Sequence

from rubrica.accounts.model import Rater
from rubrica.errors import Problem
from rubrica.exchange.contract import Asked, Here, Wrote
from rubrica.exchange.rules import ASK_RATER
from rubrica.ratings.model import Rating


class Kept:
    """A rater's standing ratings by item, counted as they are asked for.

    Only their places in the record are held; a layout that goes through the items asks for each.
    """

    def __init__(self, here: Here, layout: str, rater: Rater | None, told: Wrote | None = None) -> None:
        self.told = told or Wrote(layout)
        self.rater = rater
        self._here = here
        self._by_item: dict[int, str] = {}
        if rater is not None:
            self._read(rater)
        tell_raters(here, self.told)

    def _read(self, rater: Rater) -> None:
        """The first of several of one item, which are planned repeats, is the one that counts."""
        ratings, name = self._here.sources.ratings, self._here.name
        for one in ratings.of_rater(name, rater.number):
            if one.submission.item not in self._by_item:
                self._by_item[one.submission.item] = one.submission.id
        self.told.superseded_left_out += superseded(self._here, rater)

    def __contains__(self, item: int) -> bool:
        return item in self._by_item

    def rating(self, item: int) -> Rating | None:
        known = self._by_item.get(item)
        found = None if known is None else self._here.sources.ratings.rating(self._here.name, known)
        if found is not None:
            count(self.told, found)
        return found


def superseded(here: Here, rater: Rater | None) -> int:
    """How many ratings were revised later, of one rater or of all."""
    ratings, name = here.sources.ratings, here.name
    if rater is None:
        every, standing = ratings.ratings(name, all_revisions=True), ratings.ratings(name)
    else:
        every = ratings.of_rater(name, rater.number, all_revisions=True)
        standing = ratings.of_rater(name, rater.number)
    return sum(1 for _ in every) - sum(1 for _ in standing)


def count(told: Wrote, rating: Rating) -> None:
    told.ratings += 1
    told.skips += rating.submission.answers is None
    told.surplus += rating.surplus


def tell_raters(here: Here, told: Wrote) -> None:
    """Raters whose ratings are left out, or in and marked."""
    raters = here.sources.accounts.raters(here.name)
    told.withdrawn_raters_left_out = sum(r.state == "withdrawn" for r in raters)
    told.excluded_raters = [r.number for r in raters if r.state == "excluded"]


def rating_raters(here: Here) -> Sequence[Rater]:
    """Everybody who has ratings and has not withdrawn."""
    raters = here.sources.accounts.raters(here.name)
    there = (r for r in raters if r.state != "withdrawn")
    return [r for r in there if next(iter(here.sources.ratings.of_rater(here.name, r.number)), None)]


def one_rater(here: Here, asked: Asked) -> Sequence[Rater]:
    return [asked.rater] if asked.rater is not None else rating_raters(here)


def only_rater(here: Here, asked: Asked) -> Rater | None:
    """The rater that was named, or the only one there is; none where nobody has rated."""
    raters = one_rater(here, asked)
    if len(raters) > 1:
        raise Problem(ASK_RATER, details={"count": len(raters)})
    return raters[0] if raters else None
