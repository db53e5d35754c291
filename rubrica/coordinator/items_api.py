"""Items at the desk: found, looked at with all their ratings, settled."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from rubrica.coordinator.endpoint import At, Endpoint, File, Nothing
from rubrica.coordinator.goal import enough_of, stages_of
from rubrica.coordinator.messages_api import about_item
from rubrica.coordinator.names import name_of, raters
from rubrica.coordinator.rules import NOT_ALLOWED, NOTHING, TOO_EARLY
from rubrica.coordinator.shapes.items import (
    ContextShown,
    ItemList,
    ItemOf,
    ItemsAsked,
    ItemShown,
    MediaOf,
    RatingShown,
    Settle,
    SettledShown,
    TurnMark,
    VerdictShown,
    VerdictsWhy,
)
from rubrica.coordinator.shown import (
    answers_shown,
    line_shown,
    settled_shown,
    settlement_of,
    verdict_lines,
)
from rubrica.errors import Problem
from rubrica.fieldwork.showing import shown_of
from rubrica.fieldwork.units import earlier_items
from rubrica.items.media import TYPES, media_file
from rubrica.items.model import Item
from rubrica.ratings.model import Rating
from rubrica.review.board import Cursor, ItemFilter, ItemLine, Settled
from rubrica.review.looks import VERDICTS_LOOKED
from rubrica.review.saying import marks_of
from rubrica.review.standing import ItemCounting
from rubrica.texts import LANGUAGES, per_language

MEDIA_POLICY = "default-src 'none'; style-src 'unsafe-inline'; sandbox"


# --- the list ---------------------------------------------------------------------------------------


def item_list(at: At, asked: ItemsAsked) -> ItemList:
    board, name = at.site.stores.board, at.name
    at.refresh()
    levels = board.levels(name)
    enough = enough_of(at.study.desk, at.site.stores)
    wanted = ItemFilter(
        levels=_levels(asked.stage, enough, max((one.done for one in levels), default=0)),
        batch=asked.batch,
        mark=asked.mark or None,
        skips=asked.skips,
        thread=asked.thread or None,
        find=asked.find.strip(),
    )
    page = board.lines(name, wanted, _cursor(asked.after), asked.count)
    return ItemList(
        items=[line_shown(at, line) for line in page.lines],
        after=None if page.after is None else f"{page.after[0]!r}_{page.after[1]}",
        searched=page.searched,
        per_item=at.study.desk.design.capacity,
        marks={str(mark): n for mark, n in board.marks(name).items()},
        stages=stages_of(levels, enough, at.study.desk.design.items),
    )


def _levels(stage: str, enough: int, most: int) -> Sequence[int] | None:
    """By how many raters an item of this stage was done."""
    found: Mapping[str, Sequence[int]] = {
        "waiting": [0],
        "going": range(1, enough),
        "done": range(enough, most + 1),
    }
    return found.get(stage)


def _cursor(after: str) -> Cursor | None:
    if not after:
        return None
    split, _, position = after.partition("_")
    try:
        return float(split), int(position)
    except ValueError:
        raise Problem(NOTHING) from None


# --- one item ---------------------------------------------------------------------------------------


def item(at: At, asked: ItemOf) -> ItemShown:
    line = known_item(at, asked.item)
    found = at.site.stores.items.item(at.name, line.item)
    ratings = at.site.stores.board.of_item(at.name, line.item)
    verdicts, why = _verdicts(at, line)
    return ItemShown(
        row=line_shown(at, line),
        thread=line.thread if at.is_at_least("coordinator") else None,
        turn=line.turn,
        views=_views(at, found),
        context=_context(at, found),
        questions={
            name: per_language(question.ask, LANGUAGES)
            for name, question in at.study.desk.version.study.questions.items()
        },
        ratings=_ratings(at, ratings, found),
        marks=_marks(at, ratings),
        splits=ItemCounting(at.site.stores.studies, at.name).splits(_standing(ratings)),
        settled=settled_shown(at, at.site.stores.board.settled(at.name, line.item)),
        flags=about_item(at, line.item),
        verdicts=verdicts,
        verdicts_why=why,
    )


def known_item(at: At, public: str) -> ItemLine:
    at.refresh()
    found = at.site.stores.board.line(at.name, public)
    if found is None:
        raise Problem(NOTHING)
    return found


def _views(at: At, found: Item) -> list[Any]:
    return list(shown_of(at.study.desk.version, found).views)


def _context(at: At, found: Item) -> list[ContextShown]:
    earlier = earlier_items(at.study.desk, found)
    return [ContextShown(one.item, one.turn, list(one.shown.views)) for one in earlier]


def _standing(ratings: Sequence[Rating]) -> list[Rating]:
    """The last of each place."""
    return list({r.submission.place: r for r in ratings}.values())


def _ratings(at: At, ratings: Sequence[Rating], item: Item) -> list[RatingShown]:
    known, standing = raters(at), {r.submission.id for r in _standing(ratings)}
    return [_rating(at, known, one, one.submission.id in standing, item) for one in ratings]


def _rating(at: At, known: Mapping[int, Any], one: Rating, stands: bool, item: Item) -> RatingShown:
    sent = one.submission
    return RatingShown(
        id=sent.id,
        rater=sent.rater,
        name=name_of(at, known.get(sent.rater)),
        version=sent.version,
        received=one.received,
        active_seconds=sent.pace.active_seconds,
        skip_reason=sent.skip_reason,
        answers=answers_shown(at, sent.version, sent.answers, item),
        scores=dict(sent.scores),
        supersedes=sent.supersedes,
        superseded=not stands,
        surplus=one.surplus,
        language=sent.language,
        excluded=getattr(known.get(sent.rater), "state", "") == "excluded",
    )


def _marks(at: At, ratings: Sequence[Rating]) -> list[TurnMark]:
    found = []
    for one in _standing(ratings):
        questions = at.study.desk.version_named(one.submission.version).study.questions
        for mark in marks_of(questions, one.submission.answers or {}, LANGUAGES):
            found.append(TurnMark(mark.part, one.submission.rater, mark.question, mark.says))
    return sorted(found, key=lambda mark: (mark.turn, mark.rater))


def media(at: At, asked: MediaOf) -> File:
    """A medium some item shows, by its opaque id; nothing else of the folder."""
    name = at.site.stores.items.media(at.name, asked.media)
    path = None if name is None else media_file(at.study.media, name)
    if path is None:
        raise Problem(NOTHING, got=asked.media)
    headers = {"content-security-policy": MEDIA_POLICY}
    return File("", TYPES[path.suffix.lower()], path=path, headers=headers)


# --- judges' scores ---------------------------------------------------------------------------------


def _verdicts(at: At, line: ItemLine) -> tuple[list[VerdictShown] | None, VerdictsWhy | None]:
    """Judges' scores, or why they are not shown: `none`, `role`, `ratings`, `closed`, `ask`."""
    declared = at.study.desk.version.study
    if not declared.items.verdict:
        return None, "none"
    if not at.is_at_least("coordinator"):
        return None, "role"
    if at.site.stores.studies.is_closed(at.name):
        return verdict_lines(at, line.item), None
    if declared.report.show_verdicts == "closed":
        return None, "closed"
    enough = enough_of(at.study.desk, at.site.stores, whoever_joined=True)
    if declared.report.show_verdicts == "rated" and line.done < enough:
        return None, "ratings"
    return None, "ask"


def look_at_verdicts(at: At, of: ItemOf, asked: Nothing) -> list[VerdictShown]:
    """While a study is open every look is logged, and the report says that there were some."""
    line = known_item(at, of.item)
    verdicts, why = _verdicts(at, line)
    if verdicts is not None:
        return verdicts
    if why == "role":
        raise Problem(NOT_ALLOWED, details={"role": "coordinator"})
    if why != "ask":
        raise Problem(NOTHING) if why == "none" else Problem(TOO_EARLY)
    details = {"item": line.public, "ratings": line.done}
    at.site.stores.accounts.log(at.name, at.me.who, VERDICTS_LOOKED, details)
    return verdict_lines(at, line.item)


# --- settling ---------------------------------------------------------------------------------------


def settle(at: At, of: ItemOf, asked: Settle) -> list[SettledShown]:
    """An answer that stands beside the raters' own, which stay as they are."""
    line = known_item(at, of.item)
    found = at.site.stores.items.item(at.name, line.item)
    value = settlement_of(at, found, asked)
    board, version = at.site.stores.board, at.study.desk.version.hash
    board.settle(at.name, Settled(line.item, asked.question, value, asked.note, at.me.who, version))
    details = {"item": line.public, "question": asked.question}
    at.site.stores.accounts.log(at.name, at.me.who, "settled an answer", details)
    return settled_shown(at, board.settled(at.name, line.item))


ENDPOINTS = [
    Endpoint(
        "GET",
        "/studies/{study}/items",
        "The items of a study, filtered, a page at a time.",
        item_list,
        ItemList,
        asks=ItemsAsked,
    ),
    Endpoint(
        "GET",
        "/studies/{study}/items/{item}",
        "One item: what raters see, all its ratings side by side, what was settled.",
        item,
        ItemShown,
        asks=ItemOf,
    ),
    Endpoint(
        "GET",
        "/studies/{study}/media/{media}",
        "An image, sound or film that an item shows.",
        media,
        tuple(dict.fromkeys(TYPES.values())),
        asks=MediaOf,
    ),
    Endpoint(
        "POST",
        "/studies/{study}/items/{item}/verdicts",
        "Look at judges' scores of an item; while the study is open the look is logged.",
        look_at_verdicts,
        list[VerdictShown],
        asks=ItemOf,
        takes=Nothing,
        who="coordinator",
        needs="write",
    ),
    Endpoint(
        "POST",
        "/studies/{study}/items/{item}/settle",
        "Settle an answer to one question; raters' own answers stay as they are.",
        settle,
        list[SettledShown],
        asks=ItemOf,
        takes=Settle,
        needs="write",
    ),
]
