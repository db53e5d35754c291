"""What many raters ask for at the same moment, handled together: the next items, drafts and submits."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future
from dataclasses import asdict, dataclass
from functools import partial
from typing import Any

from rubrica.annotator.sheets import Sheets, as_json
from rubrica.annotator.site import Asking, Served, Signed, Site
from rubrica.annotator.units import sheet_json
from rubrica.errors import Problem
from rubrica.fieldwork import sending, working
from rubrica.fieldwork.desk import Desk
from rubrica.fieldwork.model import Given, Sent, Sheet, Typed
from rubrica.web.together import Tell, Together

Group = Sequence[tuple[int, Signed]]
"""Those who work at one desk, each with the place of their request among all."""


@dataclass(frozen=True, slots=True)
class Wanted:
    """Somebody wants so many items; those their browser holds need not travel again."""

    count: int
    held: frozenset[int]


class Crowd:
    """All raters of one process."""

    def __init__(self, site: Site) -> None:
        self.site = site
        self._sheets: dict[str, Sheets] = {}
        self.submits: Together[tuple[Asking, Sent]] = Together(partial(self._send, sending.submit_all))
        """Who it is and the receipt, once the rating is safe."""
        self.drafts: Together[tuple[Asking, Typed]] = Together(partial(self._send, sending.save_drafts))
        """Who it is and the revision that is kept."""
        self.nexts: Together[tuple[Asking, Wanted]] = Together(self._give, lanes=3)
        """The whole answer."""

    def _send(
        self,
        send: Callable[[Desk, Sequence[tuple[int, Any]]], Future[Sequence[Any]]],
        asked: Sequence[tuple[Asking, Any]],
        tell: Tell,
    ) -> None:
        for group in self._groups(asked, tell):
            desk = group[0][1].desk
            future = send(desk, [(signed.rater, asked[at][1]) for at, signed in group])
            future.add_done_callback(partial(_told, group, tell))

    def _give(self, asked: Sequence[tuple[Asking, Wanted]], tell: Tell) -> None:
        for group in self._groups(asked, tell):
            served = group[0][1].served
            wanted = [(signed.rater, asked[at][1].count) for at, signed in group]
            given = working.next_all(served.desk, wanted)
            sheets = self._sheets_of(served)
            sheets.prepare(
                one.place.item for each in given if isinstance(each, Given) for one in each.open
            )
            for (at, _), found in zip(group, given, strict=True):
                if isinstance(found, Problem):
                    tell(at, found)
                else:
                    tell(at, _answer(served, sheets, found, asked[at][1].held))

    def _groups(self, asked: Sequence[tuple[Asking, Any]], tell: Tell) -> Iterator[Group]:
        """Find out who they are, and at which desk they work."""
        by_desk: dict[int, list[tuple[int, Signed]]] = {}
        for at, signed in enumerate(self.site.signed_all([asking for asking, _ in asked])):
            if isinstance(signed, Problem):
                tell(at, signed)
            else:
                by_desk.setdefault(id(signed.desk), []).append((at, signed))
        yield from by_desk.values()

    def _sheets_of(self, served: Served) -> Sheets:
        """Those of a study that is only tried are not kept."""
        name = served.desk.id
        if name in self._sheets:
            return self._sheets[name]

        def render(sheet: Sheet, number: str) -> dict[str, Any]:
            return sheet_json(self.site.templates, served, sheet, number)

        made = Sheets(served.desk, render)
        if self.site.studies.get(name) is served:
            self._sheets[name] = made
        return made


def _told(group: Group, tell: Tell, done: Future[Sequence[Any]]) -> None:
    error = done.exception()
    answers = [error] * len(group) if error is not None else done.result()
    for (at, signed), found in zip(group, answers, strict=True):
        tell(at, found if isinstance(found, BaseException) else (signed, found))


def _answer(served: Served, sheets: Sheets, given: Given, held: frozenset[int]) -> bytes:
    """The open reservations; only those the browser does not hold travel again."""
    works = b",".join(sheets.opened(one) for one in given.open if one.place.id not in held)
    rest = {
        "open": [one.place.id for one in given.open],
        "progress": asdict(given.progress),
        "now": served.desk.clock().timestamp(),
        "version": served.desk.version.hash,
        "news": given.news,
    }
    return b'%s,"works":[%s]}' % (as_json(rest)[:-1], works)
