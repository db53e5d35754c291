"""The rules a page mirrors for the rater's comfort, as plain data; the server decides again.

Whatever an item's own data decides is decided here, to true or false, so that no value of it leaves
the server. What is left speaks of answers only, in the words of `rubrica.conditions`:

    {"questions": {NAME: {"when": true, false or a condition,
                          "required": bool,
                          "cannot_judge": bool,
                          "entries": [{"label", "note", "turn"}],
                          "implied": null, {"count": FACT, "levels": {"0": 2, "more": 0}}
                                     or {"rules": [{"when", "value", "name", "says"}]},
                          "second_look": null or {"when", "says"}}},
     "scores": {NAME: {"mean": [[FACT, weight]], "onto", "missing", "pass_at"}
                      or {"gap": [FACT, FACT]}}}

A page evaluates them as `rubrica.ratings.accept` does; `tests/ratings/rules_cases.json` holds cases
that both must pass. What a page needs to know beyond the conditions' own words:

* A fact is `answer.NAME`, `answer.NAME.state`, `answer.NAME.MEASURE` (from the kind's `measure`),
  `score.NAME` or `score.NAME.pass`. Whatever is not answered has no value but its state, which is
  `left_out` until there is an answer. A question whose `when` does not hold, or that goes over a list
  without entries, is `not_applicable`.
* Rules are tried from the top. One that looks at a question that applies and has no value yet (nothing
  chosen, or cannot judge) and is not decided by the rest ends the search: nothing is implied yet. The
  same for a count.
* A question with an implied level and no choice by hand has that level as its value.
* Means and gaps are rounded to ten digits after the point before they are compared.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import asdict
from typing import Any

from rubrica.conditions import Condition, facts_of, settle
from rubrica.items.model import Item
from rubrica.kinds.contract import Question, SecondLook
from rubrica.kinds.implied import ByCount, ByRule, Implied, measure_of
from rubrica.kinds.registry import kind
from rubrica.ratings.facts import entries_of, known_facts
from rubrica.ratings.scores import gap_fact, part_fact, score_facts
from rubrica.study.model import Gap, Score, Study
from rubrica.texts import per_language


def page_rules(study: Study, item: Item) -> dict[str, Any]:
    """The rules for this item, with nothing of the item in them but its own lists."""
    questions = {name: _question(study, item, name, q) for name, q in study.questions.items()}
    return {"questions": questions, "scores": page_scores(study, _facts_in(questions))}


def _question(study: Study, item: Item, name: str, question: Question) -> dict[str, Any]:
    entries = entries_of(item, name)
    applies = kind(question.kind).applies(question, entries)
    return {
        "when": _settled(question.when, item) if applies else False,
        "required": question.required,
        "cannot_judge": bool(question.cannot_judge),
        "entries": [asdict(entry) for entry in entries],
        "implied": _implied(getattr(question, "implied", None), item, tuple(study.languages)),
        "second_look": _second_look(question.second_look, item, tuple(study.languages)),
    }


def _settled(when: Condition | None, item: Item) -> Any:
    return True if when is None else settle(when, known_facts(item, facts_of(when)))


def _second_look(look: SecondLook | None, item: Item, languages: tuple[str, ...]) -> Any:
    when = False if look is None else _settled(look.when, item)
    if look is None or when is False:
        return None
    return {"when": when, "says": per_language(look.says, languages)}


def _implied(implied: Implied | None, item: Item, languages: tuple[str, ...]) -> Any:
    if implied is None:
        return None
    if isinstance(implied, ByCount):
        levels = {str(count): level for count, level in implied.levels.items()}
        return {"count": measure_of(implied), "levels": levels}
    rules = [_rule(rule, item, languages) for rule in implied]
    return {"rules": [rule for rule in rules if rule["when"] is not False]}


def _rule(rule: ByRule, item: Item, languages: tuple[str, ...]) -> dict[str, Any]:
    return {
        "when": _settled(rule.when, item),
        "value": rule.value,
        "name": rule.name,
        "says": None if rule.says is None else per_language(rule.says, languages),
    }


def page_scores(study: Study, facts: Iterable[str]) -> dict[str, Any]:
    """The scores these facts need, and those that they need in turn."""
    wanted: dict[str, Any] = {}
    waiting = list(facts)
    while waiting:
        name = _score_name(waiting.pop())
        if name in study.score and name not in wanted:
            wanted[name] = _score(study, study.score[name])
            waiting.extend(score_facts(study, study.score[name]))
    return {name: wanted[name] for name in study.score if name in wanted}


def _score_name(fact: str) -> str:
    room, _, rest = fact.partition(".")
    return rest.partition(".")[0] if room == "score" else ""


def _score(study: Study, declared: Score) -> dict[str, Any]:
    if isinstance(declared, Gap):
        return {"gap": [gap_fact(study, side) for side in declared.gap]}
    return {
        "mean": [[part_fact(part), weight] for part, weight in declared.mean.items()],
        "onto": list(declared.onto),
        "missing": declared.missing,
        "pass_at": declared.pass_at,
    }


def _facts_in(questions: Mapping[str, Mapping[str, Any]]) -> list[str]:
    found: list[str] = []
    for question in questions.values():
        rules = (question["implied"] or {}).get("rules", ())
        conditions = [question["when"], *(rule["when"] for rule in rules)]
        conditions.append((question["second_look"] or {}).get("when"))
        for condition in conditions:
            found.extend(_facts(condition))
    return found


def _facts(settled: Any) -> Iterable[str]:
    """The facts in a settled condition, which is plain data by now."""
    if not isinstance(settled, Mapping):
        return
    for key, value in settled.items():
        if key in ("all", "any"):
            for inner in value:
                yield from _facts(inner)
        elif key == "not":
            yield from _facts(value)
        else:
            yield key
