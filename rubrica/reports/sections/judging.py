"""May an automatic judge be trusted?"""

from __future__ import annotations

from collections.abc import Iterator

from rubrica.analysis.results import JudgeStatistic
from rubrica.reports.book import Book, Notes
from rubrica.reports.document import (
    Block,
    Caution,
    Fold,
    Head,
    Paragraph,
    Section,
    Table,
    table_of,
)
from rubrica.reports.language import NONE, number, percent, signed
from rubrica.reports.sections.judged import (
    KAPPAS,
    Pairs,
    Statistics,
    closer_look,
    first_of,
    is_metric,
    judge_pairs,
    shown,
)
from rubrica.review.coding import ENTRIES


def judging(book: Book) -> Section | None:
    if not book.results.judges:
        return None
    say = book.say
    pairs = judge_pairs(book)
    levelled = [(j, q, of) for j, q, of in pairs if not is_metric(of)]
    metrics = [(j, q, of) for j, q, of in pairs if is_metric(of)]
    blocks: list[Block] = []
    warned = list(dict.fromkeys(book.sentence(n) for n in book.results.notes if n.code == "R032"))
    if warned:
        blocks.append(Caution(warned))
    if levelled:
        blocks += _levelled(book, levelled)
    if metrics:
        blocks += _metrics(book, metrics)
    blocks += closer_look(book, pairs)
    asks = say(
        "A judge is compared with the raters on the same items; a score that is missing is not guessed.",
        "评委与评分员在相同的条目上比较；缺失的分数不作猜测。",
    )
    return Section(
        "judges",
        say("May an automatic judge be trusted?", "自动评委可以信任吗？"),
        blocks,
        asks,
    )


# --- judges that speak the raters' scale --------------------------------------------------------------


def _levelled(book: Book, pairs: Pairs) -> Iterator[Block]:
    say, notes = book.say, Notes()
    rows = []
    for judge, question, of in pairs:
        pearson, kappa = of.get("pearson"), first_of(of, KAPPAS)
        lead = pearson or kappa or next(iter(of.values()))
        why = lead.note if lead.note is not None and lead.note.code != "R032" else None
        rows.append(
            (
                f"{judge} {notes.mark(book.note(why))}".rstrip(),
                book.names.question(question),
                str(lead.n),
                str(lead.missing),
                shown(pearson),
                number(of["spearman"].value) if "spearman" in of else NONE,
                shown(kappa),
                _ceiling(kappa),
                shown(of.get("accuracy")),
                number(of["mae"].value) if "mae" in of else NONE,
                signed(of["bias"].value) if "bias" in of else NONE,
            )
        )
    heads = [
        Head(say("Judge", "评委")),
        Head(say("Question", "问题")),
        Head("n", say("items", "条目"), numbers=True),
        Head(say("Missing", "缺失"), numbers=True),
        Head("Pearson", say("95 % interval", "95% 区间"), numbers=True),
        Head("Spearman", numbers=True),
        Head("kappa", say("quadratic where ordered", "有序时二次加权"), numbers=True),
        Head(
            say("A rater’s kappa", "评分员的 kappa"),
            say("judge on the same", "评委在同样条目上"),
            numbers=True,
        ),
        Head(say("Same level", "等级相同"), numbers=True),
        Head(say("Mean error", "平均误差"), numbers=True),
        Head(say("Bias", "偏差"), say("judge minus raters", "评委减评分员"), numbers=True),
    ]
    caption = say("Judges beside the raters", "评委与评分员的比较")
    yield table_of(heads, rows, caption, notes.lines)
    yield Paragraph(
        say(
            "A judge need not agree with raters better than they agree with each other. “A rater’s "
            "kappa” shows how well a rater agrees with the other raters of the same items, and, after "
            "the slash, how well the judge does with those same raters.",
            "评委不必比评分员之间更一致。“评分员的 kappa”是一位评分员与同一条目其他评分员的一致程度，"
            "斜线之后是评委与同样这些评分员的一致程度。",
        ),
        "soft",
    )
    yield from _stand_ins(book, pairs)


def _ceiling(record: JudgeStatistic | None) -> str:
    if record is None or record.ceiling is None:
        return NONE
    return f"{number(record.ceiling)} / {number(record.same)}"


def _stand_ins(book: Book, pairs: Pairs) -> Iterator[Block]:
    """The alternative annotator test, judge by judge."""
    say, notes = book.say, Notes()
    rows = []
    for judge, question, of in pairs:
        rate, advantage = of.get("alt_test_winning_rate"), of.get("alt_test_advantage")
        if rate is None:
            continue
        rows.append(
            (
                f"{judge} {notes.mark(book.note(rate.note) if rate.value is None else '')}".rstrip(),
                book.names.question(question),
                _passes(book, rate.value),
                percent(rate.value),
                percent(advantage.value if advantage else None),
                str(rate.n),
            )
        )
    if not rows:
        return
    heads = [
        Head(say("Judge", "评委")),
        Head(say("Question", "问题")),
        Head(say("May stand in for a rater", "可替代评分员")),
        Head(say("Raters it may replace", "可替代的评分员"), numbers=True),
        Head(say("As close to the others", "与其他人一样接近"), numbers=True),
        Head(say("Raters tested", "参与检验的评分员"), numbers=True),
    ]
    title = say(
        "May the judge stand in for a rater? (alternative annotator test)",
        "评委能否替代评分员？（替代评分员检验）",
    )
    says = say(
        "Each rater is left out in turn. The test asks whether the judge is about as close to the other "
        "raters as the one left out; it passes where that holds for half of the raters or more. It needs "
        "three raters with 30 items each, and raters who agree beyond chance.",
        "依次留出每位评分员，检验评委与其余评分员的接近程度是否与被留出的人相当；对半数以上的评分员成立即为通过。"
        "需要至少三位评分员、每位 30 个条目，且评分员之间的一致高于偶然。",
    )
    yield Fold(title, [Paragraph(says), Table(heads, rows, title, notes.lines)])


def _passes(book: Book, rate: float | None) -> str:
    say = book.say
    if rate is None:
        return say("cannot be said", "无法判断")
    return say("yes", "可以") if rate >= 0.5 else say("no", "不可以")


# --- metrics ------------------------------------------------------------------------------------------


def _metrics(book: Book, pairs: Pairs) -> Iterator[Block]:
    say, notes = book.say, Notes()
    rows = []
    for judge, question, of in pairs:
        pearson = of.get("pearson")
        why = pearson.note if pearson is not None and pearson.value is None else None
        system = of.get("system_pearson")
        if system is not None and system.value is None and why is None:
            why = system.note
        rows.append(
            (
                f"{judge} {notes.mark(book.note(why))}".rstrip(),
                book.names.question(question),
                str(pearson.n) if pearson else NONE,
                shown(pearson),
                _number(of, "spearman"),
                _number(of, "tau_b"),
                _share(of, "pairwise_accuracy"),
                _number(of, "system_pearson"),
                _share(of, "system_pairwise_accuracy"),
                _share(of, "soft_pairwise_accuracy"),
            )
        )
    heads = [
        Head(say("Metric", "指标")),
        Head(say("Question", "问题")),
        Head("n", say("items", "条目"), numbers=True),
        Head("Pearson", say("per item", "逐条目"), numbers=True),
        Head("Spearman", numbers=True),
        Head("tau-b", numbers=True),
        Head(say("Pairs in order", "成对次序正确"), say("per item", "逐条目"), numbers=True),
        Head("Pearson", say("per system", "逐系统"), numbers=True),
        Head(say("Pairs in order", "成对次序正确"), say("per system", "逐系统"), numbers=True),
        Head(say("Soft", "软成对准确率"), say("per system", "逐系统"), numbers=True),
    ]
    caption = say("How well automatic metrics follow the raters", "自动指标在多大程度上与评分员一致")
    yield table_of(heads, rows, caption, notes.lines)
    yield Paragraph(
        say(
            "“Pairs in order” is the share of pairs that the metric puts in the raters’ order; how close "
            "two scores may be and still count as a tie is learned on one half of the items and used on "
            "the other. The soft form compares how sure raters and metric are of each order of systems.",
            "“成对次序正确”是指标给出的次序与评分员相同的配对比例；分数相差多少以内算平局，"
            "在一半条目上学得、用于另一半。软成对准确率比较评分员和指标对各系统次序的把握程度。",
        ),
        "soft",
    )


def _number(of: Statistics, name: str) -> str:
    return number(of[name].value) if name in of else NONE


def _share(of: Statistics, name: str) -> str:
    return percent(of[name].value) if name in of else NONE


# --- for a paper --------------------------------------------------------------------------------------


def judge_rows(book: Book) -> list[list[str]]:
    """Judge, question, n, three correlations, kappa and the kappa of a left-out rater."""
    rows = []
    for judge, question, of in judge_pairs(book):
        lead = of.get("pearson") or first_of(of, KAPPAS)
        if lead is None or question.endswith(ENTRIES):
            continue
        kappa = first_of(of, KAPPAS)
        cells = [_number(of, name) for name in ("pearson", "spearman", "tau_b")]
        beside = [number(kappa.value), number(kappa.ceiling)] if kappa else [NONE, NONE]
        rows.append([judge, book.names.question(question), str(lead.n), *cells, *beside])
    return rows
