"""Who rates what: rules that must not contradict one another."""

from __future__ import annotations

from collections.abc import Iterator

from rubrica.errors import Problem
from rubrica.study.checks.rule import Found, check, rule
from rubrica.study.companions import inside
from rubrica.study.draft import Draft


@rule(
    "S100",
    title="Places and raters per item agree",
    says="{places} places per item and {per_item} raters per item contradict each other",
    why="Each place is taken by one rater, so both say how many rate an item.",
    mend="Keep `places` where raters choose a number to start from; else keep `per_item`.",
)
def places_or_per_item(draft: Draft) -> Iterator[Found]:
    raters = draft.study.raters
    both = raters.places is not None and draft.written(("raters", "per_item")) is not None
    if both and raters.per_item != raters.places:
        details = {"places": raters.places, "per_item": raters.per_item}
        yield Found(("raters", "per_item"), str(raters.per_item), str(raters.places), None, details)


@rule(
    "S101",
    title="Fixed lists alone say who rates what",
    says="`lists` and `{key}` contradict each other",
    why="A list already says which rater rates which item, and in which order.",
    mend="Keep `lists`, or take it out and keep the other.",
)
def lists_alone(draft: Draft) -> Iterator[Found]:
    for key in ("per_item", "places", "repeats"):
        if draft.study.raters.lists is not None and draft.written(("raters", key)) is not None:
            yield Found(("raters", key), details={"key": key}, on_key=True)


@check
def lists_there(draft: Draft) -> Iterator[Found]:
    try:
        _ = draft.study.raters.lists and inside(draft.folder, draft.study.raters.lists)
    except Problem as problem:
        yield Found(("raters", "lists"), already=problem)


@rule(
    "S103",
    title="Who may join can join",
    says="raters join by a list of ids, but the list is empty",
    why="Nobody could get in.",
    mend="List them under `ids:`, or let raters join in another way.",
)
def ids_given(draft: Draft) -> Iterator[Found]:
    raters = draft.study.raters
    if raters.join == "ids" and not raters.ids:
        yield Found(("raters", "join"), "no ids", "`ids: [...]`")


@rule(
    "S104",
    title="A list of ids is used",
    says="a list of ids is given, but raters join without it",
    why="Anybody could join under any name, which the list looks as if it prevented.",
    mend="Write `join: ids`, or take the list out.",
    level="warning",
)
def ids_used(draft: Draft) -> Iterator[Found]:
    raters = draft.study.raters
    if raters.ids and raters.join != "ids":
        yield Found(("raters", "ids"), raters.join, "ids", on_key=True)


@rule(
    "S105",
    title="An id stands once",
    says="the id {name!r} stands here twice",
    why="Two people under one id could not be told apart.",
    mend="Give each rater an id of their own.",
)
def ids_once(draft: Draft) -> Iterator[Found]:
    ids = draft.study.raters.ids
    for place, name in enumerate(ids):
        if name in ids[:place]:
            yield Found(("raters", "ids", place), name[:80], details={"name": name[:80]})


@rule(
    "S106",
    title="What is said of batches has batches to speak of",
    says="there are no batches",
    why="Without batches this does nothing, and raters would get no break where one was meant.",
    mend="Add `items: batch` (`folder`, or a path), or take this out.",
    level="warning",
)
def batches_exist(draft: Draft) -> Iterator[Found]:
    for steps in (("raters", "batches"), ("breaks", "after_batch")):
        if draft.study.items.batch is None and draft.written(steps) not in (None, False):
            yield Found(steps, None, "`items: batch`", on_key=True)


@rule(
    "S107",
    title="A comparison of systems has systems to compare",
    says="the report is to compare with a system, but items do not say which they come from",
    why="Without it every item counts as coming from one and the same source.",
    mend="Add `items: system` with the path to the system's name.",
)
def systems_exist(draft: Draft) -> Iterator[Found]:
    if draft.study.report.reference_system is not None and draft.study.items.system is None:
        yield Found(("report", "reference_system"), None, "`items: system`", on_key=True)


@rule(
    "S108",
    title="A worked return goes to a web address",
    says="{got} is no web address",
    why="Raters sent back there would lose their way, or land on a page that can do harm.",
    mend="Write an address that begins with `https://`.",
)
def return_address(draft: Draft) -> Iterator[Found]:
    url = draft.study.crowd.return_url if draft.study.crowd else None
    if url is not None and not url.startswith(("https://", "http://")):
        yield Found(("crowd", "return_url"), url[:80], "https://...")
