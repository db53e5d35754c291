"""Items: what is shown, what stays hidden, what is compared."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator

from rubrica.errors import Problem, nearest, shown
from rubrica.kinds.registry import find
from rubrica.paths import compile_path, covers
from rubrica.study.checks.facts import named_facts
from rubrica.study.checks.rule import Found, check, rule
from rubrica.study.companions import NOT_FOUND, OUTSIDE, leads_out
from rubrica.study.draft import Draft
from rubrica.study.model import Items
from rubrica.study.source import Steps
from rubrica.study.views import Numbered, SequenceView, View


def _hidden(items: Items) -> Iterator[tuple[str, str]]:
    """What raters must never see: a word for it, and its path."""
    for name, verdict in items.verdict.items():
        yield f"the verdict {name!r}", verdict.path
    if items.system is not None:
        yield "the system's name", items.system
    for question, path in (items.gold.answers if items.gold else {}).items():
        yield f"the known answer to {question!r}", path


def _views(draft: Draft) -> Iterator[tuple[Steps, View]]:
    yield from ((("items", "show", i), view) for i, view in enumerate(draft.study.items.show))


PATHS_SHOWN = ("text", "markdown", "table", "images", "audio", "video", "json_", "between")


def _shown_paths(draft: Draft) -> Iterator[tuple[Steps, str]]:
    """Every plain path a view names. A chat shows chosen fields of each turn, so it names none."""
    for steps, view in _views(draft):
        for key, value in view:
            if key in PATHS_SHOWN and value is not None:
                yield (*steps, key.rstrip("_")), value
        for name, value in getattr(view, "values", {}).items():
            yield (*steps, "values", name), value if isinstance(value, str) else value.path


@rule(
    "S080",
    title="What is hidden from raters is not shown",
    says="this shows raters {what}",
    why="Raters who see a judge's score, a system's name or a known answer judge by that.",
    mend="Show the single fields raters need, none of which holds {path!r}.",
)
def blind(draft: Draft) -> Iterator[Found]:
    for steps, path in _shown_paths(draft):
        for what, hidden in _hidden(draft.study.items):
            if covers(path, hidden):
                yield Found(steps, path, details={"what": what, "path": hidden})


@rule(
    "S081",
    title="Whether a question is asked does not give away what is hidden",
    says="this condition looks at {what}",
    why="Raters see whether a question is asked, and could tell a judge's score or the system from it.",
    mend="Let the condition look at something raters may know.",
)
def conditions_blind(draft: Draft) -> Iterator[Found]:
    for named in named_facts(draft):
        if named.room != "item" or named.use not in ("when", "second_look", "implied"):
            continue
        for what, hidden in _hidden(draft.study.items):
            if covers(named.name, hidden):
                yield Found(named.steps, named.fact, details={"what": what}, on_key=True)


@rule(
    "S082",
    title="A verdict is about a question that is asked",
    says="there is no question {name!r} this verdict could be about",
    why="A judge's score can be compared only with answers to a question.",
    mend="Write the question's name as it stands under `questions:`, or `score.NAME`; or leave "
    "`question:` out.",
)
def verdict_question(draft: Draft) -> Iterator[Found]:
    for name, verdict in draft.study.items.verdict.items():
        about = verdict.question
        if about is not None and about not in draft.question_names and not _is_score(draft, about):
            yield _unknown(draft, ("items", "verdict", name, "question"), about)


def _is_score(draft: Draft, name: str) -> bool:
    """`score.NAME`, or `score.NAME.pass` for one that can be passed."""
    room, _, rest = name.partition(".")
    score, _, passes = rest.partition(".")
    if room != "score" or score not in draft.score_names:
        return False
    return not passes or (
        passes == "pass" and getattr(draft.study.score[score], "pass_at", None) is not None
    )


@rule(
    "S083",
    title="A verdict named almost like a question is meant for it",
    says="{name!r} is no question, but almost",
    why="A verdict is compared with the question of its name; under any other name it stays apart.",
    mend="Correct the name, or say `question:` inside the verdict if they are to be compared.",
    level="warning",
)
def verdict_name(draft: Draft) -> Iterator[Found]:
    known = draft.question_names
    for name, verdict in draft.study.items.verdict.items():
        near = nearest(name, known) if name not in known and verdict.question is None else None
        if near is not None:
            yield Found(("items", "verdict", name), name, None, near, {"name": name}, on_key=True)


@rule(
    "S084",
    title="A judge's scale rises",
    says="a scale from {low:g} to {high:g} does not rise",
    why="Scores are put on the raters' scale between its ends; without a distance there is no scale.",
    mend="Write the judge's lowest value first, then the highest.",
)
def verdict_scale(draft: Draft) -> Iterator[Found]:
    for name, verdict in draft.study.items.verdict.items():
        low, high = verdict.scale or (0.0, 1.0)
        if not low < high:
            steps = ("items", "verdict", name, "scale")
            yield Found(steps, shown([low, high]), details={"low": low, "high": high})


@rule(
    "S085",
    title="Only items in a sequence have a previous one",
    says="{what} needs items that come in sequences",
    why="Without an order inside threads nothing says which item came before.",
    mend="Declare `items: thread` with `kind: sequence`, or take this out.",
)
def sequence_needed(draft: Draft) -> Iterator[Found]:
    items = draft.study.items
    if items.thread is not None and items.thread.kind == "sequence":
        return
    if items.thread is not None and items.thread.restarts is not None:
        yield Found(("items", "thread", "restarts"), details={"what": "`restarts`"})
    for name, verdict in items.verdict.items():
        if verdict.speaks_of == "previous":
            steps = ("items", "verdict", name, "speaks_of")
            yield Found(steps, details={"what": "a verdict on the previous item"})


@rule(
    "S086",
    title="A known answer is to a question that is asked",
    says="there is no question {name!r}",
    why="Raters could not be compared with an answer to a question nobody asks.",
    mend="Write the name as it stands under `questions:`.",
)
def gold_question(draft: Draft) -> Iterator[Found]:
    gold = draft.study.items.gold
    for name in gold.answers if gold else ():
        if name not in draft.question_names:
            yield _unknown(draft, ("items", "gold", "answers", name), name, on_key=True)


@rule(
    "S087",
    title="Joined data has a name of its own",
    says="{name!r} is joined a second time",
    why="The second would cover the first.",
    mend="Give each join another name under `as:`.",
)
def joined_once(draft: Draft) -> Iterator[Found]:
    names = [join.as_ for join in draft.study.items.join]
    for place, name in enumerate(names):
        if name in names[:place]:
            yield Found(("items", "join", place, "as"), name, details={"name": name})


@rule(
    "S088",
    title="A pattern of file names counts, and its parts can be read",
    says="{reason}",
    why="Every file of the sequence would have the same name, or none.",
    mend="Write `{{i}}` where the running number goes, and paths into the item in other braces, as in "
    "`images/{{id}}_{{i}}.jpg`.",
)
def counting_pattern(draft: Draft) -> Iterator[Found]:
    for steps, view in _views(draft):
        numbered = view.sequence if isinstance(view, SequenceView) else None
        if isinstance(numbered, Numbered):
            where = (*steps, "sequence", "pattern")
            for reason in _pattern_faults(numbered.pattern):
                yield Found(where, shown(numbered.pattern), details={"reason": reason})


def _pattern_faults(pattern: str) -> Iterator[str]:
    names = re.findall(r"\{([^{}]*)\}", pattern)
    if "i" not in names:
        yield "the running number `{i}` is missing"
    if re.search(r"[{}]", re.sub(r"\{[^{}]*\}", "", pattern)):
        yield "a brace is open or closed that has no other"
    for name in names:
        try:
            compile_path(name)
        except Problem as problem:
            yield problem.message


@check
def media_inside(draft: Draft) -> Iterator[Found]:
    folder, steps = draft.study.items.media, ("items", "media")
    details = {"file": folder[:120]}
    if leads_out(draft.folder, folder):
        yield Found(steps, already=Problem(OUTSIDE, got=folder[:120], details=details))
    elif not (draft.folder / folder).is_dir():
        yield Found(steps, already=Problem(NOT_FOUND, got=folder[:120], details=details))


@check
def registered_parts(draft: Draft) -> Iterator[Found]:
    study = draft.study
    named = (
        (("items", "reader"), "rubrica.readers", "reader", study.items.reader),
        (("raters", "policy"), "rubrica.policies", "policy", study.raters.policy),
        (("native",), "rubrica.formats", "format", study.native),
    )
    for steps, group, what, name in named:
        try:
            _ = name is None or find(group, what, name)
        except Problem as problem:
            yield Found(steps, already=problem)


@rule(
    "S091",
    title="A path is shown once",
    says="{path!r} is shown twice",
    why="Raters would read the same text twice and wonder which of the two counts.",
    mend="Take one of the two out, or fold it.",
    level="warning",
)
def shown_once(draft: Draft) -> Iterator[Found]:
    seen = Counter[str]()
    for steps, path in _shown_paths(draft):
        seen[path] += 1
        if seen[path] == 2:
            yield Found(steps, path, details={"path": path})


def _unknown(draft: Draft, steps: Steps, name: str, on_key: bool = False) -> Found:
    known = draft.question_names
    expected = "one of " + ", ".join(known)
    return Found(steps, name, expected, nearest(name, known), {"name": name}, on_key)
