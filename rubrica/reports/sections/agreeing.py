"""Do the raters agree?"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from rubrica.analysis.results import Agreement, RaterStatistic
from rubrica.reports import figures, grids
from rubrica.reports.book import TOLD_ELSEWHERE, Book, Notes, slug
from rubrica.reports.document import Block, Bullets, Figure, Fold, Head, Paragraph, Section, Table
from rubrica.reports.language import NONE, Say, estimate, number, percent
from rubrica.review.coding import ENTRIES

GOOD, TENTATIVE = 0.8, 0.667
"""Krippendorff's customary marks."""


def verdict(say: Say, alpha: float | None) -> str:
    if alpha is None:
        return say("cannot be said", "无法判断")
    if alpha >= GOOD:
        return say("good", "良好")
    return say("tentative", "尚可") if alpha >= TENTATIVE else say("low", "偏低")


def agreeing(book: Book) -> Section:
    say = book.say
    blocks: list[Block] = [
        Paragraph(
            say(
                "Alpha is 1 where raters always agree and 0 where they agree no more than by chance. By "
                "custom 0.80 and more is good, from 0.67 on conclusions are tentative, and below that "
                "answers depend too much on who gave them.",
                "alpha 为 1 表示评分员总是一致，为 0 表示一致的程度与偶然无异。惯例上 0.80 以上为良好，"
                "0.67 以上可作初步结论，更低则说明回答过于取决于由谁来评。",
            )
        )
    ]
    drawing = figures.agreement(say, _in_order(book), book.names.question)
    if drawing is not None:
        caption = say(
            "Alpha with its 95 % interval; the dashed lines mark 0.667 and 0.80.",
            "alpha 及其 95% 区间；虚线为 0.667 与 0.80。",
        )
        blocks.append(Figure(drawing, caption))
    blocks.append(_coefficients(book))
    blocks += _groups(book)
    blocks += _refused(book)
    blocks += _matrices(book)
    blocks += _retest(book)
    return Section(
        "agreement",
        say("Do the raters agree?", "评分员的意见一致吗？"),
        blocks,
        say(
            "If raters do not agree, no comparison below can be trusted much.",
            "如果评分员意见不一，下面的比较就不太可信。",
        ),
    )


def _in_order(book: Book) -> list[Agreement]:
    records = [r for r in book.results.agreement if r.group is None]
    return sorted(records, key=lambda r: book.headline.index(r.question))


def _coefficients(book: Book) -> Table:
    say, notes = book.say, Notes()
    rows = []
    for question in book.headline:
        of = {r.coefficient: r for r in _in_order(book) if r.question == question}
        alpha = of.get("alpha")
        if alpha is None:
            continue
        why = alpha.note if alpha.note and alpha.note.code not in TOLD_ELSEWHERE else None
        gwet = of.get("AC2") or of.get("AC1")
        icc = of.get("ICC(A,1)") or of.get("ICC(1)")
        if icc is not None and icc.value is None:
            icc = of.get("ICC(1)", icc)
        named = f" {icc.coefficient.removeprefix('ICC')}" if icc and icc.value is not None else ""
        rows.append(
            (
                f"{book.names.question(question)} {notes.mark(book.note(why))}".rstrip(),
                verdict(say, alpha.value),
                estimate(alpha.value, alpha.low, alpha.high),
                _percent(of.get("percent")),
                _value(gwet),
                _value(icc) + named,
                f"{alpha.items:,}",
                NONE if alpha.raters is None else str(alpha.raters),
            )
        )
    heads = [
        Head(say("Question", "问题")),
        Head(say("Agreement", "一致性")),
        Head("alpha", say("95 % interval", "95% 区间"), numbers=True),
        Head(say("Same answer", "回答相同"), say("share of pairs", "配对的比例"), numbers=True),
        Head("AC1 / AC2", say("steady when skewed", "偏斜时更稳"), numbers=True),
        Head("ICC", say("one rater", "单个评分员"), numbers=True),
        Head(say("Items", "条目"), say("with 2 or more", "两人以上"), numbers=True),
        Head(say("Raters", "评分员"), numbers=True),
    ]
    return Table(heads, rows, say("Agreement on every question", "各问题的一致性"), notes.lines)


def _value(record: Agreement | None) -> str:
    return NONE if record is None else number(record.value)


def _percent(record: Agreement | None) -> str:
    return NONE if record is None else percent(record.value)


def _groups(book: Book) -> Iterator[Block]:
    """Alpha by group: a row per group, a column per question with levels."""
    say = book.say
    grouped = [r for r in book.results.agreement if r.group and r.coefficient == "alpha"]
    shown = [q for q in book.headline if any(r.question == q for r in grouped)]
    questions = [q for q in shown if not q.endswith(ENTRIES)][:6]
    cells = {(r.group, r.question): r for r in grouped if r.group}
    groups = list(dict.fromkeys(r.group for r in grouped if r.group))
    if not groups or not questions:
        return
    rows = [(book.names.group(g), *(_cell(cells.get((g, q))) for q in questions)) for g in groups]
    heads = [Head(say("Group", "组"))]
    heads += [Head(book.names.question(q), numbers=True) for q in questions]
    note = say(
        "Alpha with the number of items; all of it with intervals stands in report.json.",
        "alpha 及条目数；完整结果（含区间）见 report.json。",
    )
    title = say("Agreement by group", "分组的一致性")
    yield Fold(title, [Table(heads, rows, title, [note])])


def _cell(record: Agreement | None) -> str:
    if record is None or record.value is None:
        return NONE
    return f"{number(record.value)} ({record.items})"


def _refused(book: Book) -> Iterator[Block]:
    """Why raters are not set against each other, where they are not."""
    for note in book.results.notes:
        if note.code in ("R006", "R029", "R021"):
            yield Paragraph(book.sentence(note), "soft")


def _matrices(book: Book) -> Iterator[Block]:
    say = book.say
    drawn: list[Block] = []
    for question in book.headline:
        pairs = [p for p in book.results.matrix if p.question == question]
        title = book.names.question(question)
        drawing = grids.matrix(say, f"matrix-{slug(question)}", title, pairs)
        if drawing is not None:
            drawn.append(Figure(drawing, title, wide=False))
    if drawn:
        says = say(
            "Kappa of every pair of raters (quadratic where levels have an order); the stronger the colour, the "
            "closer. A light row is a rater who sees things differently.",
            "每对评分员之间的 kappa（有序等级用二次加权）；颜色越深越一致。某一行偏浅，说明那位评分员的看法与众不同。",
        )
        yield Fold(say("Rater by rater", "评分员两两对照"), [Paragraph(says), *drawn])


def _retest(book: Book) -> Iterator[Block]:
    say = book.say
    found = [r for r in book.results.raters if r.rater == "*" and r.statistic.startswith("test-retest")]
    lines = []
    for question in dict.fromkeys(r.question for r in found if r.question):
        of = {r.statistic.removeprefix("test-retest "): r for r in found if r.question == question}
        lines.append((f"{book.names.question(question)}{say.colon}", _steady(say, of)))
    if lines:
        yield Paragraph(
            say("Items that came again to the same rater:", "同一评分员再次评到的条目："),
        )
        yield Bullets(lines)


def _steady(say: Say, of: dict[str, RaterStatistic]) -> str:
    same, kappa = of.get("percent"), of.get("kappa")
    parts: Sequence[str] = [
        say(
            f"the same answer {percent(same.value)} of the time",
            f"{percent(same.value)} 的回答相同",
        )
        if same
        else "",
        f"kappa {estimate(kappa.value, kappa.low, kappa.high)}" if kappa else "",
        f"n = {same.n}" if same else "",
    ]
    return say(", ", "，").join(p for p in parts if p)
