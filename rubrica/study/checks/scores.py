"""Scores are made of numbers that are there."""

from __future__ import annotations

from collections.abc import Iterator

from rubrica.errors import nearest, shown
from rubrica.kinds.contract import Question
from rubrica.kinds.registry import kinds
from rubrica.study.checks.facts import measures_of, part_fact, parts_of
from rubrica.study.checks.rule import Found, rule
from rubrica.study.draft import Draft
from rubrica.study.model import Gap, Mean
from rubrica.study.source import Steps


def _means(draft: Draft) -> Iterator[tuple[Steps, Mean]]:
    for name, score in draft.study.score.items():
        if isinstance(score, Mean):
            yield ("score", name), score


def _parts(draft: Draft) -> Iterator[tuple[Steps, str]]:
    """Every part of every score, with its way, as the fact it stands for."""
    for name, score in draft.study.score.items():
        for place, part in enumerate(parts_of(score)):
            inside = ("gap", place) if isinstance(score, Gap) else ("mean", part)
            fact = part_fact(draft, part) if isinstance(score, Gap) else f"answer.{part}"
            yield ("score", name, *inside), fact


@rule(
    "S070",
    title="A score is made of what the study asks",
    says="{name!r} is neither a question nor a score of this study",
    why="A part that is never there would drop out of every score without a word.",
    mend="Write the name as it stands under `questions:` (or, in a gap, under `score:`).",
)
def known_part(draft: Draft) -> Iterator[Found]:
    for steps, fact in _parts(draft):
        room, name = fact.split(".")[:2]
        known = draft.question_names if room == "answer" else draft.score_names
        if name not in known:
            expected = "one of " + ", ".join(known)
            yield Found(steps, name, expected, nearest(name, known), {"name": name}, True)


@rule(
    "S071",
    title="A part of a score is a number",
    says="the answers to {name!r} have no number {measure!r}",
    why="An answer that has no place between worst and best cannot enter a mean.",
    mend="Use one of those expected; options get a rank by `worth:` (0 for worst, 1 for best).",
)
def numeric_part(draft: Draft) -> Iterator[Found]:
    for steps, fact in _parts(draft):
        room, name, *rest = fact.split(".")
        question = draft.question(name) if room == "answer" else None
        is_value = not rest and steps[2] == "gap"
        measure = rest[0] if rest else "fraction"
        numbers = _numbers(question, steps[2] == "mean") if question else []
        if question is None or is_value or measure in numbers:
            continue
        expected = ", ".join(f"{name}.{n}" for n in numbers) or "a question whose answers have a rank"
        yield Found(steps, fact, expected, None, {"name": name, "measure": measure}, True)


def _numbers(question: Question, in_mean: bool) -> list[str]:
    """A mean takes what lies between worst and best; a gap any number."""
    if in_mean:
        return list(kinds()[question.kind].shares(question))
    return [measure for measure in measures_of(question) if measure != "state"]


@rule(
    "S072",
    title="Weights sum to something",
    says="the weights of this mean cannot be used",
    why="A mean divides by the sum of its weights, and a weight below 0 turns a scale round.",
    mend="Give every part a weight of 0 or more, and at least one part more than 0.",
)
def usable_weights(draft: Draft) -> Iterator[Found]:
    for steps, score in _means(draft):
        weights = score.mean
        if any(not 0 <= w < float("inf") for w in weights.values()) or not sum(weights.values()):
            yield Found((*steps, "mean"), shown(weights), "weights of 0 or more, not all of them 0")


@rule(
    "S073",
    title="A score has a range, and its pass mark lies in it",
    says="{reason}",
    why="Every item would pass, or none could, or best and worst would be exchanged.",
    mend="Write `onto: [low, high]` with the lower number first, and `pass_at` between them.",
)
def pass_mark_in_range(draft: Draft) -> Iterator[Found]:
    for steps, score in _means(draft):
        low, high = score.onto
        if not low < high:
            reason = f"the scale from {low:g} to {high:g} does not rise"
            yield Found((*steps, "onto"), shown(list(score.onto)), details={"reason": reason})
        elif score.pass_at is not None and not low <= score.pass_at <= high:
            reason = "the pass mark is out of the score's range"
            expected = f"{low:g} to {high:g}"
            got = f"{score.pass_at:g}"
            yield Found((*steps, "pass_at"), got, expected, details={"reason": reason})


@rule(
    "S074",
    title="No score is made of itself",
    says="the score {name!r} is made of itself",
    why="It could never be worked out.",
    mend="Let each side of the gap be a question or another score.",
)
def no_score_of_itself(draft: Draft) -> Iterator[Found]:
    inner = {name: [f.split(".")[1] for f in _score_facts(draft, name)] for name in draft.study.score}
    for name in draft.study.score:
        reached, waiting = set[str](), list(inner[name])
        while waiting:
            next_one = waiting.pop()
            if next_one not in reached:
                reached.add(next_one)
                waiting += inner.get(next_one, [])
        if name in reached:
            yield Found(("score", name), details={"name": name}, on_key=True)


def _score_facts(draft: Draft, name: str) -> list[str]:
    facts = (part_fact(draft, part) for part in parts_of(draft.study.score[name]))
    is_gap = isinstance(draft.study.score[name], Gap)
    return [fact for fact in facts if is_gap and fact.startswith("score.")]


@rule(
    "S075",
    title="A score and a question have different names",
    says="{name!r} is a question too",
    why="In a gap, a table or a condition nobody could tell which of the two is meant.",
    mend="Give the score a name of its own.",
)
def names_apart(draft: Draft) -> Iterator[Found]:
    for name in draft.score_names:
        if name in draft.question_names:
            yield Found(("score", name), name, details={"name": name}, on_key=True)


@rule(
    "S076",
    title="A score that is to be shown is there",
    says="raters are to see a score, but the study makes none",
    why="The page would promise a number that never comes.",
    mend="Declare it under `score:`, or take `show_score` out.",
)
def shown_score_exists(draft: Draft) -> Iterator[Found]:
    if draft.study.show_score and not draft.score_names:
        yield Found(("show_score",))
