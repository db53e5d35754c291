"""Practice: worked examples with an answer to each answer, kept apart from ratings."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from rubrica.accounts.model import Rater
from rubrica.errors import Problem
from rubrica.fieldwork.desk import Desk
from rubrica.fieldwork.examples import Example
from rubrica.fieldwork.model import Exercise, Feedback, PracticeStanding
from rubrica.fieldwork.rules import NO_EXAMPLE
from rubrica.fieldwork.showing import rules_of, shown_of
from rubrica.kinds.contract import Kind, Question
from rubrica.kinds.registry import kind
from rubrica.ratings.accept import accept
from rubrica.ratings.model import Answer
from rubrica.study.model import Practice
from rubrica.texts import per_language


def standing(desk: Desk, rater: Rater) -> PracticeStanding:
    """Where the rater stands; changed examples start practice anew."""
    version, kept = desk.version, _kept(desk, rater)
    rules = version.study.practice
    finished = kept["rounds"]
    return PracticeStanding(
        round=len(finished) + (0 if kept["passed"] is not None else 1),
        answered=sorted(int(n) for n in kept["answers"]),
        examples=len(desk.examples),
        rounds=rules.retries + 1 if rules and rules.pass_at is not None else None,
        share=finished[-1]["share"] if finished else None,
        passed=True if not desk.examples else kept["passed"],
    )


def exercises(desk: Desk, rater: int) -> Sequence[Exercise]:
    """All examples in order; what was answered in this round carries its feedback."""
    kept = _kept(desk, desk.rater(rater))
    return [
        _exercise(desk, example, kept["answers"].get(str(example.number))) for example in desk.examples
    ]


def answer_example(
    desk: Desk, rater: int, number: int, answers: Mapping[str, Any]
) -> tuple[Sequence[Feedback], PracticeStanding]:
    """Answer an example, once a round; the last one of a round decides about it."""
    who = desk.rater(rater)
    kept = _kept(desk, who)
    example = _due(desk, kept, number)
    accepted = accept(desk.version.study, example.item, answers).answers
    found = list(_feedback(desk, example, accepted))
    record = {name: {"state": a.state, "value": a.value} for name, a in accepted.items()}
    kept["answers"] = {**kept["answers"], str(number): record}
    if len(kept["answers"]) == len(desk.examples):
        _finish_round(desk, kept)
    who = desk.stores.accounts.change_rater(desk.id, rater, practice=kept)
    return found, standing(desk, who)


def _kept(desk: Desk, rater: Rater) -> dict[str, Any]:
    version = desk.version.practice_hash
    if rater.practice.get("version") == version:
        return dict(rater.practice)
    return {"version": version, "answers": {}, "rounds": [], "passed": None}


def _due(desk: Desk, kept: Mapping[str, Any], number: int) -> Example:
    examples = desk.examples
    if kept["passed"] is not None or not 0 <= number < len(examples) or str(number) in kept["answers"]:
        raise Problem(NO_EXAMPLE, got=str(number))
    return examples[number]


def _finish_round(desk: Desk, kept: dict[str, Any]) -> None:
    rules = desk.version.study.practice
    share = _share(desk, kept["answers"])
    kept["rounds"] = [*kept["rounds"], {"share": share, "answers": kept["answers"]}]
    if rules is None or rules.pass_at is None or share >= rules.pass_at:
        kept["passed"] = True
    elif len(kept["rounds"]) > rules.retries:
        kept["passed"] = False
    kept["answers"] = {}


def _share(desk: Desk, answers: Mapping[str, Any]) -> float:
    """The share of the comparable answers that agree with the reference."""
    agreed = [
        f.agreed
        for example in desk.examples
        for f in _feedback(desk, example, _answers(answers[str(example.number)]))
        if f.agreed is not None
    ]
    return sum(agreed) / len(agreed) if agreed else 1.0


def _answers(record: Mapping[str, Any]) -> dict[str, Answer]:
    return {name: Answer(a["state"], a["value"]) for name, a in record.items()}


def _exercise(desk: Desk, example: Example, record: Mapping[str, Any] | None) -> Exercise:
    version = desk.version
    title = example.declared.title
    return Exercise(
        number=example.number,
        title=None if title is None else per_language(title, version.languages),
        shown=shown_of(version, example.item),
        context=example.context,
        rules=rules_of(version, example.item),
        feedback=() if record is None else list(_feedback(desk, example, _answers(record))),
    )


def _feedback(desk: Desk, example: Example, answers: Mapping[str, Answer]) -> Iterator[Feedback]:
    declared, version = example.declared, desk.version
    rules = version.study.practice
    for name, reference in declared.answers.items():
        answer = answers.get(name, Answer("left_out"))
        why = declared.why.get(name)
        yield Feedback(
            question=name,
            agreed=_agrees(version.study.questions[name], answer, reference, rules),
            state=answer.state,
            own=answer.value,
            reference=reference,
            why=None if why is None else per_language(why, version.languages),
        )


def _agrees(question: Question, answer: Answer, reference: Any, rules: Practice | None) -> bool | None:
    """Null as a reference means that no value is right; a text of one's own is never compared."""
    if reference is None or answer.state != "answered":
        return reference is None and answer.state != "answered"
    own, of = answer.value, kind(question.kind)
    if _is_number(own) and _is_number(reference):
        return bool(abs(own - reference) <= (rules.within if rules else 0))
    if isinstance(own, str) and of.levels(question) is None:
        return None
    if isinstance(own, list) and isinstance(reference, list):
        return _same_list(of, question, own, reference)
    return bool(own == reference)


def _same_list(of: Kind[Any], question: Question, own: list[Any], reference: list[Any]) -> bool:
    """Answers per entry by their values, marks by what is counted of them, choices in any order."""
    if all(isinstance(e, dict) and "value" in e for e in (*own, *reference)):
        return [e["value"] for e in own] == [e["value"] for e in reference]
    if of.measures(question):
        return dict(of.measure(question, own)) == dict(of.measure(question, reference))
    return sorted(map(str, own)) == sorted(map(str, reference))


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)
