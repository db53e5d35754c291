"""Questions, their examples and the practice that teaches them."""

from __future__ import annotations

from collections.abc import Iterator

from rubrica.errors import Problem, nearest
from rubrica.kinds.contract import Entry, Question
from rubrica.kinds.registry import kinds
from rubrica.paths import compile_path
from rubrica.study.checks.rule import Found, check, rule
from rubrica.study.companions import Worked
from rubrica.study.draft import Draft
from rubrica.study.source import Steps


@check
def kinds_own_rules(draft: Draft) -> Iterator[Found]:
    for name, question in draft.study.questions.items():
        for problem in kinds()[question.kind].declares(question):
            steps = steps_of(draft, ("questions", name), problem.where.path)
            yield Found(steps, already=problem)


def steps_of(draft: Draft, steps: Steps, path: str) -> Steps:
    """The way a dotted path means below some steps; a key may itself hold dots."""
    rest = path
    while rest:
        here = draft.written(steps)
        keys = list(here) if isinstance(here, dict) else []
        key = next((k for k in keys if rest == k or rest.startswith(f"{k}.")), None)
        if key is None:
            step, _, rest = rest.partition(".")
            steps = (*steps, int(step) if step.isdecimal() and isinstance(here, list) else step)
        else:
            steps, rest = (*steps, key), rest[len(key) + 1 :]
    return steps


@rule(
    "S152",
    title="A rubric's example is worth an answer the question takes",
    says="{got} is no answer to this question",
    why="Raters would learn a level from the example that they cannot give.",
    mend="Use one of the values that are expected.",
)
def examples_answer(draft: Draft) -> Iterator[Found]:
    for name, question in draft.study.questions.items():
        levels = kinds()[question.kind].levels(question)
        for place, example in enumerate(question.rubric.examples if question.rubric else ()):
            given = example.answer
            if levels and given is not None and given not in levels:
                steps = ("questions", name, "rubric", "examples", place, "answer")
                expected = "one of " + ", ".join(map(str, levels))
                yield Found(steps, str(given), expected, nearest(given, levels))


@rule(
    "S160",
    title="Practice answers questions that are asked",
    says="there is no question {name!r}",
    why="Raters could not be told how their answer compares.",
    mend="Write the name as it stands under `questions:`.",
)
def practice_questions(draft: Draft) -> Iterator[Found]:
    known = draft.question_names
    for worked in draft.practice:
        for part, names in (("answers", worked.example.answers), ("why", worked.example.why)):
            for name in names:
                if name not in known:
                    where = worked.source.where((*worked.steps, part, name), key=True)
                    near = nearest(name, known)
                    yield Found(
                        (), name, "one of " + ", ".join(known), near, {"name": name}, where=where
                    )


@check
def practice_answers(draft: Draft) -> Iterator[Found]:
    for worked in draft.practice:
        for name, answer in worked.example.answers.items():
            question = draft.question(name)
            if question is None or answer is None:
                continue
            for problem in kinds()[question.kind].check(question, answer, _entries(question, worked)):
                yield Found((), already=problem, where=worked.where("answers", name))


def _entries(question: Question, worked: Worked) -> list[Entry]:
    """The example's own list this question goes over: for a check, its length is what matters."""
    paths = kinds()[question.kind].entry_paths(question)
    try:
        found = compile_path(paths.path)(worked.example.item) if paths else None
    except Problem:
        return []
    return [Entry(str(entry)) for entry in found] if isinstance(found, list | dict) else []


@rule(
    "S162",
    title="Practice has examples",
    says="there is no worked example in the files of `practice:`",
    why="Raters would be led to a practice with nothing in it.",
    mend="Write at least one example, or take `practice:` out.",
)
def practice_there(draft: Draft) -> Iterator[Found]:
    if draft.study.practice is not None and not draft.practice and not draft.problems:
        yield Found(("practice",), on_key=True)
