"""Which submissions become ratings.

The server decides everything again, in the order questions depend on each other: which apply, which
level evidence implies, whether a second look was due, and every score. What the browser showed is
never evidence.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from functools import partial
from typing import Any

from msgspec.structs import replace

from rubrica.conditions import holds
from rubrica.errors import Problem, Problems, Rule, Where, nearest, shown
from rubrica.items.model import Item
from rubrica.kinds.contract import Entry, Question
from rubrica.kinds.implied import ImpliedLevel, level_implied
from rubrica.kinds.registry import kind
from rubrica.ratings.facts import Facts, entries_of
from rubrica.ratings.model import Answer
from rubrica.ratings.reply import Reply, read_reply
from rubrica.ratings.scores import needs, scores
from rubrica.study.model import Study
from rubrica.texts import Text, in_language

LEFT_OUT = Rule(
    code="A100",
    title="Every required question is answered",
    says="{question} has no answer",
    why="A gap nobody meant would later look like missing data.",
    mend="Answer it, or mark it as cannot judge where the study allows that.",
)
NO_SUCH_QUESTION = Rule(
    code="A101",
    title="An answer belongs to a question of the study",
    says="the study has no question {question}",
    why="An answer without its question cannot be recorded.",
    mend="Load the page again; it may show another version of the study.",
)
MAY_NOT_PASS = Rule(
    code="A104",
    title="Cannot judge is said only where the study allows it",
    says="{question} does not take cannot judge",
    why="Where every item can be judged, a gap would only weaken the result.",
    mend="Give an answer.",
)
REASON = Rule(
    code="A105",
    title="Cannot judge comes with one of the listed reasons",
    says="this is none of the reasons {question} lists",
    why="Reasons are counted; they must be comparable.",
    mend="Choose one of: {expected}.",
)
REASON_TOO_LONG = Rule(
    code="A106",
    title="A reason keeps within its length",
    says="this reason has {length} characters",
    why="A reason that was cut in silence would no longer be what the rater wrote.",
    mend="Shorten it to at most {expected}.",
)
HIDDEN = Rule(
    code="A107",
    title="A question that does not apply has no answer",
    says="{question} does not apply here, so what was sent for it is not recorded",
    why="The study's own condition decides which questions apply.",
    mend="Nothing needs to be done; the answer is recorded as not applicable.",
    level="note",
)

LONGEST_REASON = 2000


@dataclass(frozen=True, slots=True)
class Accepted:
    """What will be recorded. `notes` are problems that did not stand in the way."""

    answers: Mapping[str, Answer]
    scores: Mapping[str, float | None]
    notes: list[Problem] = field(default_factory=list)


def accept(
    study: Study, item: Item, answers: Mapping[str, Any], asked: Collection[str] | None = None
) -> Accepted:
    """The answers as they will be recorded, or Problems that name every question at fault.

    `asked` names the questions another tool asked, where the answers come from one: the others are
    left out without a problem (evidence among them, so that nothing follows from it), and cannot
    judge needs no reason.
    """
    deciding = Deciding(study, item, answers, asked)
    found = {name: deciding.answer(name) for name in study.questions}
    problems = [p for name in study.questions for p in deciding.problems.get(name, ())]
    problems = [*_unknown(study, answers), *problems]
    if any(p.level == "error" for p in problems):
        raise Problems(p for p in problems if p.level == "error")
    recorded = {name: a for name, a in found.items() if a is not None}
    looked = {name: deciding.second_look(name, a) for name, a in recorded.items()}
    return Accepted(looked, scores(study, deciding.facts), problems)


def _unknown(study: Study, answers: Mapping[str, Any]) -> list[Problem]:
    return [
        Problem(
            NO_SUCH_QUESTION,
            where=Where(path=f"answers.{name}"),
            nearest=nearest(name, study.questions),
            details={"question": shown(name)},
        )
        for name in answers
        if name not in study.questions
    ]


class Deciding:
    """Decides one question after the other, each after those it depends on."""

    def __init__(
        self,
        study: Study,
        item: Item,
        raw: Mapping[str, Any],
        asked: Collection[str] | None = None,
    ) -> None:
        self.study, self.item, self.raw, self.asked = study, item, raw, asked
        self.facts = Facts(study, item, self.answer)
        self.problems: dict[str, list[Problem]] = {}
        self._answers: dict[str, Answer | None] = {}

    def answer(self, name: str) -> Answer | None:
        """None where what was sent cannot be recorded."""
        if name not in self._answers and name in self.study.questions:
            self._answers[name] = None  # what depends on itself finds nothing
            try:
                self._answers[name] = self._decide(name, self.study.questions[name])
            except Problem as problem:
                self._add(name, problem)
        return self._answers.get(name)

    def implied(self, name: str) -> ImpliedLevel | None:
        """The level that follows from the evidence given so far."""
        rule = getattr(self.study.questions[name], "implied", None)
        return None if rule is None else level_implied(rule, self.facts, self._pending)

    def applies(self, name: str) -> bool:
        question = self.study.questions[name]
        if question.when is not None and not holds(question.when, self.facts):
            return False
        return kind(question.kind).applies(question, self._entries(name))

    def second_look(self, name: str, answer: Answer) -> Answer:
        """The answer, marked where its first choice called for a second look."""
        look = self.study.questions[name].second_look
        if look is None or answer.state == "not_applicable":
            return answer
        first = answer
        if answer.first is not None:
            first = replace(answer, state="answered", value=answer.first)
        facts = Facts(self.study, self.item, lambda n: first if n == name else self.answer(n))
        return replace(answer, second_look=holds(look.when, facts))

    def _decide(self, name: str, question: Question) -> Answer:
        sent = self.raw.get(name)
        if self.applies(name):
            return self._reply(name, question, read_reply(sent))
        if sent:
            self._add(name, Problem(HIDDEN, details={"question": name}))
        return Answer("not_applicable")

    def _reply(self, name: str, question: Question, reply: Reply) -> Answer:
        implied = self.implied(name)
        first = self._checked(name, question, reply.first, ".first")
        kept = partial(
            Answer,
            implied=implied.value if implied else None,
            implied_by=implied.name if implied else None,
            prompted=reply.prompted,
        )
        if reply.cannot_judge:
            reason = self._reason(name, question, reply.cannot_judge)
            return kept("cannot_judge", reason=reason, first=first)
        value = self._checked(name, question, reply.value, "")
        if value is None and implied is not None:
            value = implied.value
        if value is not None:
            return kept("answered", value, first=None if first == value else first)
        due = question.required and (self.asked is None or name in self.asked)
        if due and name not in self.problems:
            raise Problem(LEFT_OUT, details={"question": name})
        return kept("left_out", first=first)

    def _checked(self, name: str, question: Question, value: Any, member: str) -> Any:
        if value is None:
            return None
        of, entries = kind(question.kind), self._entries(name)
        problems = list(of.check(question, value, entries))
        for problem in problems:
            self._add(name, problem, member)
        return None if problems else of.clean(question, value, entries)

    def _reason(self, name: str, question: Question, said: bool | str) -> str | None:
        if self.asked is not None and said is True and question.cannot_judge:
            return None
        return _reason(name, question.cannot_judge, said, self.study.languages[0])

    def _pending(self, fact: str) -> bool:
        """Whether evidence may still come: a question applies and nobody could answer it yet."""
        answers = [self.answer(name) for name in needs(self.study, fact)]
        return any(a is None or a.state in ("left_out", "cannot_judge") for a in answers)

    def _entries(self, name: str) -> list[Entry]:
        return entries_of(self.item, name)

    def _add(self, name: str, problem: Problem, member: str = "") -> None:
        placed = problem.at(Where(path=f"answers.{name}{member}{problem.where.path}"))
        self.problems.setdefault(name, []).append(placed)


def reasons(listed: list[Text], language: str) -> list[str]:
    """Reasons as they are recorded: in the study's first language, whatever the rater reads."""
    return [in_language(text, language) for text in listed]


def _reason(name: str, allowed: bool | list[Text], said: bool | str, language: str) -> str | None:
    if not allowed:
        raise Problem(MAY_NOT_PASS, details={"question": name})
    if isinstance(allowed, list) and said not in (known := reasons(allowed, language)):
        details = {"question": name}
        raise Problem(REASON, expected=", ".join(known), got=shown(said), details=details)
    if isinstance(said, str) and len(said) > LONGEST_REASON:
        expected = f"{LONGEST_REASON} characters"
        raise Problem(REASON_TOO_LONG, expected=expected, details={"length": len(said)})
    return said if isinstance(said, str) else None
