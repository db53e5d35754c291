"""Which system is better?"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from rubrica.analysis.results import Comparison, SystemMean
from rubrica.reports import figures
from rubrica.reports.book import TOLD_ELSEWHERE, Book, Notes, slug
from rubrica.reports.document import Block, Figure, Fold, Head, Paragraph, Section, Table
from rubrica.reports.language import NONE, interval, number, p_value, percent, signed
from rubrica.review.coding import ENTRIES

SIGNIFICANT = 0.05


def stars(p: float | None) -> str:
    """The customary marks of the corrected p."""
    if p is None:
        return ""
    return "***" if p < 0.001 else "**" if p < 0.01 else "*" if p < SIGNIFICANT else ""


def systems(book: Book) -> Section:
    say = book.say
    many = book.results.asked["systems"]
    title = (
        say("Which system is better?", "哪个系统更好？")
        if many > 1
        else say("What the raters answered", "评分员的回答")
    )
    blocks: list[Block] = [*_means(book), *_distributions(book), *_pairs(book)]
    asks = say(
        "Systems are compared on the inputs both of them answered.",
        "系统只在双方都作答的输入上比较。",
    )
    return Section("systems", title, blocks, asks if many > 1 else "")


# --- means ------------------------------------------------------------------------------------------


def table_questions(book: Book) -> list[str]:
    """Questions with a mean for at least one system."""
    have = {r.question for r in book.results.systems if r.mean is not None}
    return [q for q in book.headline if q in have and not q.endswith(ENTRIES)]


def compared_with(book: Book) -> dict[tuple[str, str], Comparison]:
    """By question and system: its comparison with the reference system."""
    reference = book.gathered.options.reference
    return {(c.question, c.a): c for c in book.results.comparisons if c.reference and c.b == reference}


def _means(book: Book) -> Iterator[Block]:
    say, notes = book.say, Notes()
    questions = table_questions(book)
    of = {(r.question, r.system): r for r in book.results.systems}
    names = list(dict.fromkeys(r.system for r in book.results.systems))
    marks = compared_with(book)
    reference = book.gathered.options.reference
    rows = []
    for system in names:
        cells = [_mean(of.get((q, system)), marks.get((q, system)), notes, book) for q in questions]
        rows.append((book.names.system(system), *cells))
    if not questions or not rows:
        yield Paragraph(say("No question has a mean.", "没有可求均值的问题。"))
        return
    below = list(notes.lines)
    if reference in names and len(names) > 1:
        below.insert(
            0,
            say(
                f"* marks a difference to {reference}, the system named for comparison: * p < 0.05, "
                "** p < 0.01, *** p < 0.001, corrected for the number of comparisons (Holm).",
                f"* 表示与指定的对照系统 {reference} 有差异：* p < 0.05，** p < 0.01，*** p < 0.001，"
                "已按比较次数校正（Holm）。",
            ),
        )
    heads = [Head(say("System", "系统"))]
    heads += [Head(book.names.question(q), _range(book, q), numbers=True) for q in questions]
    caption = say("Means with 95 % intervals", "均值与 95% 区间")
    strong = frozenset({names.index(reference)} if reference in names and len(names) > 1 else ())
    # Many questions make a table nobody can take in: those with levels stay on top.
    if len(questions) > 6:
        kept = [q for q in questions if book.questions[q].levels is not None]
        kept = kept[:6] or questions[:6]
        at = [0, *(questions.index(q) + 1 for q in kept)]
        top = [tuple(row[i] for i in at) for row in rows]
        yield Table([heads[i] for i in at], top, caption, below, strong)
        rest = [0, *(i + 1 for i, q in enumerate(questions) if q not in kept)]
        more = say("Further means: scores and counts", "其他均值：得分与计数")
        other = [tuple(row[i] for i in rest) for row in rows]
        yield Fold(more, [Table([heads[i] for i in rest], other, more, below, strong)])
    else:
        yield Table(heads, rows, caption, below, strong)
    yield from _means_figures(book, kept if len(questions) > 6 else questions)


def _range(book: Book, question: str) -> str:
    asked = book.questions[question]
    if asked.levels is None:
        return ""
    if asked.binary and asked.labels is not None:
        yes = book.names.level(question, asked.label(1))
        return book.say(f"share of “{yes}”", f"“{yes}”的比例")
    return f"{number(asked.levels[0], 0)}–{number(asked.levels[-1], 0)}"


def _mean(record: SystemMean | None, against: Comparison | None, notes: Notes, book: Book) -> str:
    if record is None or record.mean is None:
        return f"{NONE} {notes.mark(book.note(record.note if record else None))}".rstrip()
    mark = stars(against.p_holm) if against is not None else ""
    why = record.note if record.note and record.note.code not in TOLD_ELSEWHERE else None
    reach = interval(record.low, record.high)
    return " ".join(p for p in (number(record.mean) + mark, reach, notes.mark(book.note(why))) if p)


def _means_figures(book: Book, questions: list[str]) -> Iterator[Block]:
    say = book.say
    for question in questions:
        records = [r for r in book.results.systems if r.question == question]
        title = book.names.question(question)
        drawing = figures.means(f"means-{slug(question)}", title, records)
        if drawing is not None:
            caption = say(f"{title}: mean with 95 % interval.", f"{title}：均值与 95% 区间。")
            yield Figure(drawing, caption, wide=False)
    drawn: list[Block] = []
    for question in questions:
        records = [r for r in book.results.systems if r.question == question]
        title = book.names.question(question)
        drawing = figures.ranks(f"ranks-{slug(question)}", title, records)
        if drawing is not None:
            drawn.append(Figure(drawing, title, wide=False))
    if drawn:
        says = say(
            "Rank 1 is the best. The bar holds the ranks a system would have if other inputs had been "
            "drawn; systems whose bars overlap cannot be told apart by rank.",
            "第 1 名最好。横条是换一批输入时该系统可能得到的名次；横条重叠的系统无法按名次区分。",
        )
        yield Fold(say("Ranks", "名次"), [Paragraph(says), *_rank_caution(book), *drawn])


def _rank_caution(book: Book) -> Iterator[Block]:
    for note in book.results.notes:
        if note.code == "R038":
            yield Paragraph(book.note(note), "soft")


# --- distributions ----------------------------------------------------------------------------------


def _distributions(book: Book) -> Iterator[Block]:
    say = book.say
    for question in book.headline:
        shares = [s for s in book.results.shares if s.question == question and s.rater is None]
        asked = book.questions[question]
        if not shares or asked.levels is None:
            continue
        title = book.names.question(question)
        drawing = figures.distribution(
            f"answers-{slug(question)}",
            title,
            shares,
            partial(book.names.level, question),
            book.names.system,
        )
        if drawing is not None:
            yield Figure(drawing, say(f"Answers: {title}.", f"回答分布：{title}。"), wide=False)


# --- pairs ------------------------------------------------------------------------------------------


def _pairs(book: Book) -> Iterator[Block]:
    say = book.say
    for why in _never_compared(book):
        yield Paragraph(why, "soft")
    if all(c.difference is None for c in book.results.comparisons):
        return
    yield Paragraph(
        say(
            "Each line takes the difference between two systems on every input both answered, and their "
            "mean. The chance of a difference at least as large, if there were none, is p; the corrected "
            "p allows for the number of comparisons.",
            "每一行先求两个系统在共同输入上的差，再取平均。p 是在实际并无差别时出现这样大或更大差值的概率；"
            "校正后的 p 已考虑比较的次数。",
        )
    )
    there = [c for c in book.results.comparisons if c.difference is not None]
    reference = [c for c in there if c.reference]
    shown = [c for c in reference or there if not c.question.endswith(ENTRIES)]
    if shown:
        yield _comparisons(book, shown, say("Differences between systems", "系统之间的差异"))
    rest = [c for c in there if c not in shown]
    if rest:
        title = say("All other pairs", "其余各对")
        yield Fold(title, [_comparisons(book, rest, title)])


def _never_compared(book: Book) -> list[str]:
    """Why pairs have no difference, each reason once."""
    undefined = [c for c in book.results.comparisons if c.difference is None and c.note is not None]
    return list(dict.fromkeys(book.sentence(c.note) for c in undefined if c.note is not None))


def _comparisons(book: Book, records: list[Comparison], caption: str) -> Table:
    say, notes = book.say, Notes()
    order = {q: i for i, q in enumerate(book.headline)}
    rows = []
    for c in sorted(records, key=lambda c: order[c.question]):
        why = c.note if c.note and c.note.code not in {"R020"} else None
        pair = say(f"{c.a} minus {c.b}", f"{c.a} 减 {c.b}")
        rows.append(
            (
                f"{pair} {notes.mark(book.note(why))}".rstrip(),
                book.names.question(c.question),
                _difference(c),
                p_value(c.p),
                p_value(c.p_holm) + stars(c.p_holm),
                signed(c.effect),
                f"{c.wins} / {c.ties} / {c.losses}",
                percent(c.superiority),
                str(c.n),
            )
        )
    heads = [
        Head(say("Pair", "对比")),
        Head(say("Question", "问题")),
        Head(say("Difference", "差值"), say("95 % interval", "95% 区间"), numbers=True),
        Head("p", numbers=True),
        Head(say("p corrected", "校正后 p"), "Holm", numbers=True),
        Head("d_z", say("in standard deviations", "以标准差计"), numbers=True),
        Head(say("Win / tie / loss", "胜 / 平 / 负"), numbers=True),
        Head(say("First better", "前者更好"), say("ties half", "平局算半"), numbers=True),
        Head(say("Inputs", "输入"), numbers=True),
    ]
    return Table(heads, rows, caption, notes.lines)


def _difference(c: Comparison) -> str:
    if c.difference is None:
        return NONE
    low, high = c.low, c.high
    return f"{signed(c.difference)} {interval(low, high)}".rstrip()
