"""In short: what a reader in a hurry takes home."""

from __future__ import annotations

from collections.abc import Iterator

from rubrica.analysis.results import Comparison, JudgeStatistic
from rubrica.errors import Problem
from rubrica.reports.book import Book
from rubrica.reports.document import Block, Bullets, Caution, Paragraph, Section
from rubrica.reports.language import estimate, interval, number, p_value
from rubrica.reports.sections.agreeing import verdict
from rubrica.reports.sections.judged import KAPPAS, is_metric, judge_pairs
from rubrica.reports.sections.systems import SIGNIFICANT, table_questions
from rubrica.review.coding import ENTRIES, SCORE

FEW = 6
HOLD = ("R020", "R041", "R038", "R040")
"""Notes without which the numbers above them would be misread."""


def short(book: Book) -> Section:
    say = book.say
    lines = [*_agreement(book), *_systems(book), *_judges(book), *_metrics(book)]
    held: dict[str, Problem] = {}
    for note in book.results.notes:
        if note.code in HOLD and not _of_score(note):
            held.setdefault(note.message if note.code == "R040" else note.code, note)
    cautions = [book.sentence(note) for note in held.values()]
    blocks: list[Block] = [Bullets(lines), Caution(cautions)]
    if not book.results.asked["ratings_used"]:
        blocks = [Paragraph(_nothing(book), "lead")]
    return Section("short", say("In short", "要点"), blocks)


def _of_score(note: Problem) -> bool:
    """A score changes with its parts, of which it is said already."""
    return str(note.details.get("question", "")).startswith(SCORE)


def _nothing(book: Book) -> str:
    say, ratings = book.say, book.results.asked["ratings"]
    if not ratings:
        return say("Nobody has rated anything yet.", "还没有任何评分。")
    return say(
        f"None of the {ratings:,} ratings takes part; the reasons stand below.",
        f"{ratings:,} 份评分都不计入，原因见下文。",
    )


def _asked(book: Book) -> list[str]:
    """Questions raters answered by a level, before scores and counts."""
    levels = [q for q in book.headline if book.questions[q].levels is not None]
    asked = [q for q in levels if not q.startswith(SCORE) and not q.endswith(ENTRIES)]
    return asked or [q for q in book.headline if not q.endswith(ENTRIES)]


def _agreement(book: Book) -> Iterator[tuple[str, str]]:
    say = book.say
    alpha = {
        r.question: r for r in book.results.agreement if r.group is None and r.coefficient == "alpha"
    }
    sorted_by: dict[str, list[str]] = {}
    for question in _asked(book):
        record = alpha.get(question)
        if record is None:
            continue
        shown = number(record.value) if record.value is not None else book.note(record.note)
        named = f"{book.names.question(question)} ({shown})"
        sorted_by.setdefault(verdict(say, record.value), []).append(named)
    if sorted_by:
        parts = [f"{word}{say.colon}{say.listed(names)}" for word, names in sorted_by.items()]
        lead = say("Agreement of the raters (alpha):", "评分员的一致性（alpha）：")
        yield lead, say("; ", "；").join(parts) + say(".", "。")


def _systems(book: Book) -> Iterator[tuple[str, str]]:
    say = book.say
    if book.results.asked["systems"] < 2:
        yield from _means(book)
        return
    wanted = [c for c in book.results.comparisons if c.reference] or list(book.results.comparisons)
    questions = _asked(book)
    compared = [c for c in wanted if c.question in questions and c.difference is not None]
    found = [c for c in compared if c.p_holm is not None and c.p_holm < SIGNIFICANT]
    lead = say("Differences between systems:", "系统之间的差异：")
    if not compared:
        text = say("no two systems answered the same inputs.", "没有两个系统在相同的输入上作答。")
        yield lead, text
        return
    if not found:
        yield lead, _no_difference(book, [c for c in compared if c.p_holm is not None])
        return
    lines = [_difference(book, c) for c in sorted(found, key=lambda c: c.p_holm or 0.0)[:FEW]]
    more = len(found) - len(lines)
    none = sum(c.p_holm is not None for c in compared) - len(found)
    rest = say(f" {more} more stand below.", f"另有 {more} 处见下文。") if more > 0 else ""
    if none:
        rest += say(
            f" {none} more comparisons show none beyond chance.",
            f"其余 {none} 次比较没有显示出超过偶然的差异。",
        )
    yield lead, say("; ", "；").join(lines) + say(".", "。") + rest


def _no_difference(book: Book, tested: list[Comparison]) -> str:
    say, many = book.say, len(tested)
    if not tested:
        return say(
            "systems share too few inputs for a test; see below.",
            "系统的共同输入太少，无法检验，见下文。",
        )
    if many == 1:
        return say(
            "the one comparison shows none beyond chance (p not below 0.05).",
            "仅有的一次比较没有显示出超过偶然的差异（p 不低于 0.05）。",
        )
    return say(
        f"none of {many} comparisons shows one beyond chance (corrected p not below 0.05).",
        f"{many} 次比较都没有显示出超过偶然的差异（校正后 p 均不低于 0.05）。",
    )


def _difference(book: Book, c: Comparison) -> str:
    say = book.say
    higher = (c.difference or 0.0) > 0
    first, second = (c.a, c.b) if higher else (c.b, c.a)
    low, high = (c.low, c.high) if higher else (_turned(c.high), _turned(c.low))
    size = number(c.difference).lstrip("−")
    p = p_value(c.p_holm)
    equal = p if p.startswith("<") else f"= {p}"
    return say(
        f"{first} is rated {size} {interval(low, high)} higher than {second} on "
        f"{book.names.question(c.question)} (p {equal})",
        f"在“{book.names.question(c.question)}”上，{first} 比 {second} 高 {size} {interval(low, high)}（p {equal}）",
    )


def _turned(value: float | None) -> float | None:
    return None if value is None else -value


def _means(book: Book) -> Iterator[tuple[str, str]]:
    say = book.say
    means = {r.question: r for r in book.results.systems if r.mean is not None}
    shown = [q for q in table_questions(book) if q in _asked(book)]
    lines = [
        f"{book.names.question(q)} {estimate(means[q].mean, means[q].low, means[q].high)}"
        for q in shown
    ]
    if lines:
        yield say("Means:", "均值："), say("; ", "；").join(lines) + say(".", "。")


def _judges(book: Book) -> Iterator[tuple[str, str]]:
    """Where a judge speaks the raters' scale: its kappa beside a rater's, at its worst and its best."""
    say, asked = book.say, _asked(book)
    lines = []
    for judge, records in book.judges():
        kappas = [r for r in records if r.statistic in KAPPAS and r.question in asked]
        known = sorted((r for r in kappas if r.value is not None), key=lambda r: r.value or 0.0)
        ends = [_kappa(book, r) for r in (*known[:1], *known[1:][-1:])]
        if ends:
            between = say("{} from {} to {}", "{}：从 {} 到 {}")
            lines.append(
                between.format(judge, *ends) if len(ends) > 1 else f"{judge}{say(' ', '：')}{ends[0]}"
            )
    if lines:
        lead = say("Judges agree with the raters by kappa:", "评委与评分员的一致（kappa）：")
        more = len(lines) - FEW
        rest = say(f" {more} more stand below.", f"另有 {more} 位见下文。") if more > 0 else ""
        yield lead, say("; ", "；").join(lines[:FEW]) + say(".", "。") + rest


def _kappa(book: Book, record: JudgeStatistic) -> str:
    say, on = book.say, book.names.question(record.question)
    if record.ceiling is None:
        return say(f"{number(record.value)} ({on})", f"{number(record.value)}（{on}）")
    rater = number(record.ceiling)
    return say(
        f"{number(record.value)} ({on}; a rater {rater})",
        f"{number(record.value)}（{on}；评分员为 {rater}）",
    )


def _metrics(book: Book) -> Iterator[tuple[str, str]]:
    """Where judges have a scale of their own: how closely the best and the worst follow the raters."""
    say, asked = book.say, _asked(book)
    found = [
        (of["pearson"], judge)
        for judge, question, of in judge_pairs(book)
        if is_metric(of) and question in asked and of["pearson"].value is not None
    ]
    if not found:
        return
    ordered = sorted(found, key=lambda one: one[0].value or 0.0)
    ends = [ordered[-1]] if len(found) == 1 else [ordered[-1], ordered[0]]
    shown = [
        f"{number(r.value)} ({judge}{say(' on ', '：')}{book.names.question(r.question)})"
        for r, judge in ends
    ]
    lead = say(
        "Metrics follow the raters item by item (Pearson):", "自动指标与评分员的逐条相关（Pearson）："
    )
    yield (
        lead,
        say("from {1} to {0}.", "从 {1} 到 {0}。").format(*shown) if len(shown) > 1 else shown[0],
    )
