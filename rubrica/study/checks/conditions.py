"""Conditions speak of things that are there, and can come true."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from rubrica.conditions import Test
from rubrica.errors import Problem, nearest, shown
from rubrica.kinds.registry import kinds
from rubrica.paths import compile_path
from rubrica.study.checks.facts import STATES, Named, measures_of, named_facts, needs
from rubrica.study.checks.rule import Found, check, rule
from rubrica.study.draft import Draft
from rubrica.study.model import Mean


@rule(
    "S050",
    title="A condition speaks of questions that are asked",
    says="there is no question {name!r}",
    why="A condition on a question that is not asked never holds, so the rule would never work.",
    mend="Write the name as it stands under `questions:`, or add the question.",
)
def known_question(draft: Draft) -> Iterator[Found]:
    for named in named_facts(draft):
        if named.room == "answer" and named.name not in draft.question_names:
            yield _unknown(named, named.name, draft.question_names)


@rule(
    "S051",
    title="A condition speaks of numbers its question gives",
    says="the question gives no number {name!r}",
    why="A number that is never there satisfies no condition.",
    mend="Use one of those expected, or the question's own value without a second name.",
)
def known_measure(draft: Draft) -> Iterator[Found]:
    for named in named_facts(draft):
        question = draft.question(named.name) if named.room == "answer" else None
        if question and named.measure and named.measure not in measures_of(question):
            yield _unknown(named, named.measure, measures_of(question))


@rule(
    "S052",
    title="A condition speaks of scores the study makes",
    says="there is no score {name!r}",
    why="A condition on a score that is not made never holds.",
    mend="Write the name as it stands under `score:`; `NAME.pass` is there where it has `pass_at`.",
)
def known_score(draft: Draft) -> Iterator[Found]:
    for named in named_facts(draft):
        if named.room != "score":
            continue
        score = draft.study.score.get(named.name)
        passes = isinstance(score, Mean) and score.pass_at is not None
        if named.name not in draft.score_names:
            yield _unknown(named, named.name, draft.score_names)
        elif score and named.measure not in ("", *(["pass"] if passes else [])):
            yield _unknown(named, f"{named.name}.{named.measure}", draft.score_names)


@rule(
    "S053",
    title="What a condition says of threads can be known",
    says="{reason}",
    why="The condition would never hold.",
    mend="Use `thread.position` (0 for the first item of a thread), and declare `items: thread`.",
)
def known_thread_fact(draft: Draft) -> Iterator[Found]:
    for named in named_facts(draft):
        if named.room != "thread":
            continue
        reason = "" if draft.study.items.thread else "this study's items have no threads"
        if named.fact != "thread.position":
            reason = f"nothing is known as {named.fact!r}"
        if reason:
            yield Found(
                named.steps, named.fact, "thread.position", details={"reason": reason}, on_key=True
            )


@rule(
    "S054",
    title="A condition on items looks at item data alone",
    says="{name!r} is not known before an item is rated",
    why="Which items there are is settled when they are loaded, before anybody answers.",
    mend="Use facts that begin with `item.` here.",
)
def items_before_answers(draft: Draft) -> Iterator[Found]:
    for named in named_facts(draft):
        if named.use == "items" and named.room in ("answer", "score"):
            yield Found(named.steps, named.fact, "item.PATH", details={"name": named.fact}, on_key=True)


@rule(
    "S055",
    title="No question waits for its own answer",
    says="{cycle}",
    why="The question could never be asked, or its level never settled.",
    mend="Take one of these conditions out, or let it look at another question.",
)
def no_circle(draft: Draft) -> Iterator[Found]:
    edges: dict[str, dict[str, Named]] = {}
    for named in named_facts(draft):
        if named.question and named.use in ("when", "implied"):
            for target in sorted(needs(draft, named.fact)):
                edges.setdefault(named.question, {}).setdefault(target, named)
    reported: set[frozenset[str]] = set()
    for start in edges:
        way = _way_back(start, edges)
        if way and frozenset(way) not in reported:
            reported.add(frozenset(way))
            cycle = " waits for ".join([*way, start])
            yield Found(edges[start][(*way, start)[1]].steps, details={"cycle": cycle}, on_key=True)


def _way_back(start: str, edges: Mapping[str, Mapping[str, Named]]) -> list[str]:
    """A shortest chain of questions from this one to itself, empty if there is none."""
    waiting, seen = [[start]], {start}
    while waiting:
        way = waiting.pop(0)
        for target in edges.get(way[-1], ()):
            if target == start:
                return way
            if target not in seen:
                seen.add(target)
                waiting.append([*way, target])
    return []


@rule(
    "S056",
    title="A condition compares with a value the question can have",
    says="no answer to {name!r} is ever {got}",
    why="The comparison never holds, most likely by a slip of the pen.",
    mend="Use one of the values that are expected, spelled as in the question.",
)
def possible_value(draft: Draft) -> Iterator[Found]:
    for named in named_facts(draft):
        offered = _offered(draft, named)
        for value in _compared(named.test) if offered else ():
            if not any(_like(value, o) for o in offered):
                expected = "one of " + ", ".join(map(str, offered))
                near = nearest(value, offered)
                yield Found(named.steps, shown(value), expected, near, {"name": named.name})


def _offered(draft: Draft, named: Named) -> list[Any]:
    question = draft.question(named.name) if named.room == "answer" else None
    if question is None or named.measure not in ("", "state"):
        return []
    if named.measure == "state":
        return list(STATES)
    return list(kinds()[question.kind].levels(question) or ())


def _compared(test: Any) -> list[Any]:
    value = test.is_not if isinstance(test, Test) else test
    return value if isinstance(value, list) else [] if value is None else [value]


def _like(value: Any, offered: Any) -> bool:
    return isinstance(value, bool) == isinstance(offered, bool) and str(value) == str(offered)


@rule(
    "S057",
    title="More and less are asked of numbers",
    says="the answers to {name!r} are texts, which are neither more nor less",
    why="Compared with a number, a text satisfies no condition.",
    mend="Name the values (`[a, b]`), or use a number the question gives: {expected}.",
)
def ordered_values(draft: Draft) -> Iterator[Found]:
    for named in named_facts(draft):
        question = draft.question(named.name) if named.room == "answer" else None
        limits = isinstance(named.test, Test) and named.test.limits()
        if question is None or not limits or named.measure not in ("", "state"):
            continue
        if any(isinstance(value, str) for value in _offered(draft, named)):
            expected = ", ".join(f"answer.{named.name}.{m}" for m in measures_of(question)[1:])
            yield Found(named.steps, None, expected or "none", None, {"name": named.name}, on_key=True)


@rule(
    "S058",
    title="A question comes after those it waits for",
    says="{question!r} waits for {name!r}, which stands below it",
    why="Raters would answer upwards: a question would appear above the one they are at.",
    mend="Move the question below the one it waits for.",
    level="warning",
)
def in_reading_order(draft: Draft) -> Iterator[Found]:
    order = {name: place for place, name in enumerate(draft.question_names)}
    for named in named_facts(draft):
        if named.use != "when" or named.question is None:
            continue
        for name in sorted(needs(draft, named.fact)):
            if order.get(name, -1) > order[named.question]:
                details = {"question": named.question, "name": name}
                yield Found(named.steps, details=details, on_key=True)


@check
def readable_path(draft: Draft) -> Iterator[Found]:
    for named in named_facts(draft):
        if named.room == "item":
            try:
                compile_path(named.name)
            except Problem as problem:
                yield Found(named.steps, already=problem, on_key=True)


def _unknown(named: Named, name: str, known: list[str]) -> Found:
    expected = "one of " + ", ".join(known) if known else "there are none"
    on_key = named.steps[-1] == named.fact
    return Found(named.steps, named.fact, expected, nearest(name, known), {"name": name}, on_key)
