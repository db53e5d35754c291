"""One answer per entry of the item's own list: goals of a conversation, claims of a text.

The browser sends one object per entry, in the order of the list: `[{"value": 1}, {"value": 0,
"dropped": 3}]`. `value` is what the asked kind records; `dropped` is the turn an entry was dropped
at, counted from 1 as the page counts, where the question declares `dropped`. It stands beside the
value and changes nothing of it. An item whose list is empty is not asked.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, ClassVar

from rubrica.errors import Problem, Rule
from rubrica.kinds.answers import bad_length, bad_members, bad_whole, inside, whole_number, wrong_type
from rubrica.kinds.contract import Column, Entries, EntryPaths, Kind, Question, Robot
from rubrica.kinds.declared import placed
from rubrica.kinds.each.inner import Inner
from rubrica.kinds.lists import AnyOver
from rubrica.kinds.registry import kind

NOT_SIMPLE = Rule(
    code="S206",
    title="What is asked of each entry is of a simple kind",
    says="{kind} cannot be asked once per entry",
    why="A list inside a list could neither be shown on one page nor analysed as one table.",
    mend="Ask a scale, a choice, many, a number or a text of each entry.",
)
WITHOUT_EFFECT = Rule(
    code="S207",
    title="What is declared of a question inside another has an effect",
    says="{key} has no effect inside `answer`",
    why="The rater would not get what the study seems to promise.",
    mend="Declare it for the whole question, beside `over`.",
)

LAST_TURN = 100_000
"""No conversation is longer; a larger number is a slip of the hand."""

ALONE = ("label", "when", "cannot_judge", "second_look", "rubric", "implied")
"""What only a question of its own can have."""


class EachQuestion(Question):
    """The same question for each entry of the item's own list."""

    over: AnyOver
    """The list."""
    answer: Inner
    """What is asked of each entry."""
    dropped: bool = False
    """Whether an entry may be marked as dropped, with the turn it was dropped at."""


class Each(Kind[EachQuestion]):
    name: ClassVar[str] = "each"
    says: ClassVar[str] = "The rater answers the same question for each entry of the item's own list."
    simple: ClassVar[bool] = False
    question = EachQuestion
    example: ClassVar[str] = """\
kind: each
ask: Was each goal of the driver reached?
over: {path: targets, turn: introduced_turn}
answer: {kind: scale, levels: {0: Incomplete, 1: Complete}}
dropped: true
"""

    def schema(self, question: EachQuestion, entries: Entries = ()) -> dict[str, Any]:
        members: dict[str, Any] = {"value": _inner(question).schema(question.answer)}
        if question.dropped:
            members["dropped"] = {"type": "integer", "minimum": 1, "maximum": LAST_TURN}
        entry = {
            "type": "object",
            "properties": members,
            "required": ["value"],
            "additionalProperties": False,
        }
        return {"type": "array", "items": entry, "minItems": len(entries), "maxItems": len(entries)}

    def check(self, question: EachQuestion, value: Any, entries: Entries = ()) -> Iterator[Problem]:
        if not isinstance(value, list):
            yield wrong_type("a list with one answer per entry", value)
            return
        yield from bad_length(value, len(entries), len(entries), "answers, one per entry")
        for number, entry in enumerate(value):
            yield from inside(self._check_entry(question, entry), f"[{number}]")

    def _check_entry(self, question: EachQuestion, entry: Any) -> Iterator[Problem]:
        problems = list(bad_members(entry, ["value"], ["dropped"] if question.dropped else []))
        yield from problems
        if problems:
            return
        yield from inside(_inner(question).check(question.answer, entry["value"]), ".value")
        if "dropped" in entry:
            yield from inside(bad_whole(entry["dropped"], 1, LAST_TURN), ".dropped")

    def clean(self, question: EachQuestion, value: Any, entries: Entries = ()) -> Any:
        cleaned = []
        for entry in value:
            kept = {"value": _inner(question).clean(question.answer, entry["value"])}
            dropped = {"dropped": whole_number(entry["dropped"])} if "dropped" in entry else {}
            cleaned.append(kept | dropped)
        return cleaned

    def applies(self, question: EachQuestion, entries: Entries = ()) -> bool:
        return bool(entries)

    def columns(self, question: EachQuestion) -> Sequence[Column]:
        listed = Column(
            "entries", "json", "each entry with its label, its answer and where it was dropped"
        )
        says = {
            "share": "the mean of the entries' answers, from 0 (worst) to 1 (best)",
            "share_without_dropped": "the same, of those that were not dropped",
            "complete": "how many entries got the best answer",
            "total": "how many entries there are",
            "dropped": "how many were dropped",
        }
        names = [name for name in self.measures(question) if name not in ("fraction", "share")]
        types = {"share_without_dropped": "number"}
        counts = [Column(n, "number" if n in types else "integer", says[n]) for n in names]
        if _ranked(question):
            return (Column("", "number", says["share"]), *counts, listed)
        return (Column("", "json", "the answers, in the order of the entries"), *counts, listed)

    def cells(self, question: EachQuestion, value: Any, entries: Entries = ()) -> Mapping[str, Any]:
        inner = _inner(question)
        answers = [inner.cells(question.answer, entry["value"])[""] for entry in value]
        measured = self.measure(question, value)
        listed = [
            {
                "label": entries[number].label if number < len(entries) else None,
                "answer": answers[number],
                "dropped": entry.get("dropped"),
            }
            for number, entry in enumerate(value)
        ]
        names = [c.name for c in self.columns(question) if c.name not in ("", "entries")]
        main = measured.get("share") if _ranked(question) else answers
        return {"": main, **{name: measured.get(name) for name in names}, "entries": listed}

    def recorded(self, question: EachQuestion, cells: Mapping[str, Any]) -> Any:
        inner, listed = _inner(question), cells.get("entries")
        if not isinstance(listed, list) or not all(isinstance(entry, Mapping) for entry in listed):
            return listed
        values = [{"value": inner.recorded(question.answer, {"": e.get("answer")})} for e in listed]
        dropped = [{} if e.get("dropped") is None else {"dropped": e["dropped"]} for e in listed]
        return [value | more for value, more in zip(values, dropped, strict=True)]

    def robot(self, question: EachQuestion, robot: Robot, entries: Entries = ()) -> Any:
        return [self._robot_entry(question, robot) for _ in entries]

    def _robot_entry(self, question: EachQuestion, robot: Robot) -> dict[str, Any]:
        answered = {"value": _inner(question).robot(question.answer, robot)}
        if question.dropped and robot.rng.random() < 0.1:
            answered["dropped"] = robot.rng.randint(1, 5)
        return answered

    def declares(self, question: EachQuestion) -> Iterator[Problem]:
        inner = _inner(question)
        if not inner.simple:
            yield placed(
                Problem(NOT_SIMPLE, got=inner.name, details={"kind": inner.name}), "answer.kind"
            )
        for key in ALONE:
            if getattr(question.answer, key, None):
                yield placed(Problem(WITHOUT_EFFECT, details={"key": key}), f"answer.{key}")
        for problem in inner.declares(question.answer):
            yield placed(problem, f"answer.{problem.where.path}")

    def entries_path(self, question: EachQuestion) -> str:
        return question.over.path

    def entry_paths(self, question: EachQuestion) -> EntryPaths:
        return question.over.paths()

    def measures(self, question: EachQuestion) -> Sequence[str]:
        ranked = ("fraction", "share") if _ranked(question) else ()
        without = ("share_without_dropped",) if ranked and question.dropped else ()
        return (*ranked, *without, *(["complete"] if ranked else []), "total", *_dropped(question))

    def shares(self, question: EachQuestion) -> Sequence[str]:
        return [name for name in self.measures(question) if name == "fraction" or "share" in name]

    def measure(self, question: EachQuestion, value: Any) -> Mapping[str, float]:
        fractions = [_inner(question).fraction(question.answer, entry["value"]) for entry in value]
        kept = [f for f, entry in zip(fractions, value, strict=True) if "dropped" not in entry]
        numbers = {
            "fraction": _mean(fractions),
            "share": _mean(fractions),
            "share_without_dropped": _mean(kept),
            "complete": sum(fraction == 1 for fraction in fractions),
            "total": len(value),
            "dropped": len(value) - len(kept),
        }
        wanted = ((name, numbers[name]) for name in self.measures(question))
        return {name: number for name, number in wanted if number is not None}

    def fraction(self, question: EachQuestion, value: Any) -> float | None:
        return self.measure(question, value).get("fraction")

    def page_data(self, question: EachQuestion, languages: tuple[str, ...]) -> Mapping[str, Any]:
        inner = _inner(question)
        return {
            "kind": inner.name,
            "answer": inner.page_data(question.answer, languages),
            "ranked": _ranked(question),
            "dropped": question.dropped,
        }


def _inner(question: EachQuestion) -> Kind[Any]:
    return kind(question.answer.kind)


def _ranked(question: EachQuestion) -> bool:
    return "fraction" in _inner(question).measures(question.answer)


def _dropped(question: EachQuestion) -> tuple[str, ...]:
    return ("dropped",) if question.dropped else ()


def _mean(fractions: Sequence[float | None]) -> float | None:
    known = [fraction for fraction in fractions if fraction is not None]
    return sum(known) / len(known) if known else None


KIND = Each()
