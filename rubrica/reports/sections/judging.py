"""May an automatic judge be trusted?"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial

from rubrica.analysis.results import JudgeStatistic, Mismatch
from rubrica.reports import figures
from rubrica.reports.book import Book, Notes, slug
from rubrica.reports.document import (
    Block,
    Caution,
    Figure,
    Fold,
    Head,
    Paragraph,
    Section,
    Table,
    Terms,
)
from rubrica.reports.language import NONE, estimate, number, percent, signed
from rubrica.review.coding import ENTRIES

GROUPS = 200
MISMATCHES = 40
KAPPAS = ("quadratic_kappa", "kappa")
GWETS = ("AC2", "AC1")

Statistics = dict[str, JudgeStatistic]


def judging(book: Book) -> Section | None:
    if not book.results.judges:
        return None
    say = book.say
    pairs = _pairs(book)
    levelled = [(j, q, of) for j, q, of in pairs if not _is_metric(of)]
    metrics = [(j, q, of) for j, q, of in pairs if _is_metric(of)]
    blocks: list[Block] = []
    warned = list(dict.fromkeys(book.note(n) for n in book.results.notes if n.code == "R032"))
    if warned:
        blocks.append(Caution(warned))
    if levelled:
        blocks += _levelled(book, levelled)
    if metrics:
        blocks += _metrics(book, metrics)
    blocks += _by_group(book)
    blocks += _confusions(book)
    blocks += _differences(book, pairs)
    blocks += _corrected(book)
    blocks += _mismatches(book)
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


def _pairs(book: Book) -> list[tuple[str, str, Statistics]]:
    """Each judge of each question with its statistics on all items."""
    found: dict[tuple[str, str], Statistics] = {}
    for judge, records in book.judges():
        for record in records:
            found.setdefault((judge, record.question), {})[record.statistic] = record
    order = {q: i for i, q in enumerate(book.headline)}
    keys = sorted(found, key=lambda key: order[key[1]])
    return [(judge, question, found[judge, question]) for judge, question in keys]


def _is_metric(of: Statistics) -> bool:
    """Judges on a scale of their own have no errors, only an order."""
    return "pearson" in of and "mae" not in of and not any(k in of for k in (*KAPPAS, "accuracy"))


def _first(of: Statistics, names: Sequence[str]) -> JudgeStatistic | None:
    return next((of[name] for name in names if name in of), None)


def _whole(record: JudgeStatistic | None, digits: int = 2) -> str:
    return NONE if record is None else estimate(record.value, record.low, record.high, digits)


# --- judges that speak the raters' scale --------------------------------------------------------------


def _levelled(book: Book, pairs: list[tuple[str, str, Statistics]]) -> Iterator[Block]:
    say, notes = book.say, Notes()
    rows = []
    for judge, question, of in pairs:
        pearson, kappa = of.get("pearson"), _first(of, KAPPAS)
        lead = pearson or kappa or next(iter(of.values()))
        why = lead.note if lead.note is not None and lead.note.code != "R032" else None
        rows.append(
            (
                f"{judge} {notes.mark(book.note(why))}".rstrip(),
                book.names.question(question),
                str(lead.n),
                str(lead.missing),
                _whole(pearson),
                number(of["spearman"].value) if "spearman" in of else NONE,
                _whole(kappa),
                _ceiling(kappa),
                _whole(of.get("accuracy")),
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
    yield Table(heads, rows, caption, notes.lines)
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


def _stand_ins(book: Book, pairs: list[tuple[str, str, Statistics]]) -> Iterator[Block]:
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


def _metrics(book: Book, pairs: list[tuple[str, str, Statistics]]) -> Iterator[Block]:
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
                _whole(pearson),
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
    yield Table(heads, rows, caption, notes.lines)
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


# --- by group -----------------------------------------------------------------------------------------


def _by_group(book: Book) -> Iterator[Block]:
    say = book.say
    wanted = ("pearson", *KAPPAS, "accuracy", "mismatch_share")
    records = [r for r in book.results.judges if r.group and r.statistic in wanted]
    cells: dict[tuple[str, str, str], Statistics] = {}
    for r in records:
        if r.question.endswith(ENTRIES) or r.group is None:
            continue
        cells.setdefault((r.judge, r.question, r.group), {})[r.statistic] = r
    kept = {k: of for k, of in cells.items() if any(r.n > 1 for r in of.values())}
    shown = {k: of for k, of in kept.items() if not k[2].startswith("system=")}
    rows = [
        (
            book.names.group(group),
            judge,
            book.names.question(question),
            str(max(r.n for r in of.values())),
            _whole(of.get("pearson")),
            _whole(_first(of, KAPPAS)),
            percent(of["accuracy"].value) if "accuracy" in of else NONE,
            percent(of["mismatch_share"].value) if "mismatch_share" in of else NONE,
        )
        for (judge, question, group), of in list(shown.items())[:GROUPS]
    ]
    if not rows:
        return
    heads = [
        Head(say("Group", "组")),
        Head(say("Judge", "评委")),
        Head(say("Question", "问题")),
        Head("n", say("items", "条目"), numbers=True),
        Head("Pearson", numbers=True),
        Head("kappa", numbers=True),
        Head(say("Same level", "等级相同"), numbers=True),
        Head(say("Mismatches", "不一致"), say("share of items", "条目的比例"), numbers=True),
    ]
    rest = len(cells) - len(rows)
    note = say(
        f"{rest} more groups, most of a single item, stand in report.json.",
        f"另有 {rest} 组（多为单个条目）见 report.json。",
    )
    title = say("Judges by group", "分组的评委比较")
    yield Fold(title, [Table(heads, rows, title, [note] if rest else [])])


# --- figures ------------------------------------------------------------------------------------------


def _confusions(book: Book) -> Iterator[Block]:
    say = book.say
    drawn: list[Block] = []
    for (question, judge), cells in figures.grouped(
        book.results.confusion, lambda c: (c.question, c.judge)
    ).items():
        title = f"{judge}{say.colon}{book.names.question(question)}"
        drawing = figures.confusion(
            say,
            f"confusion-{slug(question)}-{slug(judge)}",
            title,
            cells,
            partial(book.names.level, question),
        )
        if drawing is not None:
            drawn.append(Figure(drawing, title, wide=False))
    if drawn:
        says = say(
            "Each cell counts items: raters’ level down, the judge’s across. An item with several raters "
            "is shared among them. Framed cells are where both say the same.",
            "每格为条目数：行是评分员的等级，列是评委的等级。有多位评分员的条目按人数均分。带框的格子表示两边相同。",
        )
        yield Fold(
            say("Where judge and raters differ", "评委与评分员在何处不同"), [Paragraph(says), *drawn]
        )


def _differences(book: Book, pairs: list[tuple[str, str, Statistics]]) -> Iterator[Block]:
    say = book.say
    points = figures.grouped(book.results.differences, lambda d: (d.judge, d.question))
    drawn: list[Block] = []
    for judge, question, of in pairs:
        if question.endswith(ENTRIES):
            continue
        title = f"{judge}{say.colon}{book.names.question(question)}"
        drawing = figures.bland_altman(
            say,
            f"differences-{slug(question)}-{slug(judge)}",
            title,
            points.get((judge, question), []),
            of.get("limits_of_agreement"),
        )
        if drawing is not None:
            drawn.append(Figure(drawing, title, wide=False))
    if drawn:
        says = say(
            "Each dot is an item (a larger one several): how far the judge lies above or below the raters. "
            "The solid line is the mean difference; 95 % of the differences lie between the dashed ones.",
            "每个点是一个条目（大点为多个）：评委比评分员高多少或低多少。实线为平均差，95% 的差值落在两条虚线之间。",
        )
        title = say("Differences, item by item (Bland–Altman)", "逐条目的差值（Bland–Altman 图）")
        yield Fold(title, [Paragraph(says), *drawn])


# --- corrected means ----------------------------------------------------------------------------------


def _corrected(book: Book) -> Iterator[Block]:
    say = book.say
    records = [r for r in book.results.judges if r.statistic in ("ppi_mean", "rogan_gladen")]
    trust = {
        (r.judge, r.question, r.group): r for r in book.results.judges if r.statistic == "ppi_trust"
    }
    rows = [
        (
            book.names.group(r.group) if r.group else say("all items", "全部条目"),
            r.judge,
            book.names.question(r.question),
            _whole(r),
            percent(t.value) if (t := trust.get((r.judge, r.question, r.group))) else NONE,
            str(r.n),
        )
        for r in records
        if r.value is not None
    ]
    if not rows:
        return
    heads = [
        Head(say("Of", "范围")),
        Head(say("Judge", "评委")),
        Head(say("Question", "问题")),
        Head(say("Mean or share", "均值或比例"), say("95 % interval", "95% 区间"), numbers=True),
        Head(say("Trust in the judge", "对评委的信任"), numbers=True),
        Head(say("Rated items", "已评条目"), numbers=True),
    ]
    title = say(
        "Means that use the judge’s scores of unrated items too", "同时利用评委对未评条目打分的均值"
    )
    says = say(
        "Where a judge scored items nobody rated, its scores can sharpen a mean: its error is learned on "
        "the rated items (PPI++; Rogan–Gladen for yes and no). This holds if the rated items are a "
        "random sample of the scored ones.",
        "评委若给没有人评过的条目打了分，这些分数可以提高均值的精度：先在已评条目上学得其误差（PPI++；"
        "是非题用 Rogan–Gladen 法）。前提是已评条目是有分数条目的随机样本。",
    )
    yield Fold(title, [Paragraph(says), Table(heads, rows, title)])


# --- mismatches ---------------------------------------------------------------------------------------


def _mismatches(book: Book) -> Iterator[Block]:
    say = book.say
    records = book.results.mismatches
    if not records:
        return
    shown = sorted(records, key=lambda m: -m.size)[:MISMATCHES]
    rows = [
        (
            m.item,
            m.judge,
            book.names.question(m.question),
            book.names.system(m.system) if m.system else NONE,
            number(m.human),
            number(m.score),
            number(m.size),
            str(m.ratings),
        )
        for m in shown
    ]
    heads = [
        Head(say("Item", "条目")),
        Head(say("Judge", "评委")),
        Head(say("Question", "问题")),
        Head(say("System", "系统")),
        Head(say("Raters", "评分员"), say("0 to 1", "0 到 1"), numbers=True),
        Head(say("Judge", "评委"), say("0 to 1", "0 到 1"), numbers=True),
        Head(say("Apart", "相差"), numbers=True),
        Head(say("Ratings", "评分数"), numbers=True),
    ]
    limit = number(book.gathered.options.mismatch_from, 1)
    says = say(
        f"Items on which judge and raters are more than {limit} of the scale apart, the largest first.",
        f"评委与评分员相差超过量表 {limit} 的条目，差距大的在前。",
    )
    more = len(records) - len(shown)
    note = say(f"{more} more stand in report.json.", f"另有 {more} 条见 report.json。")
    title = say("Items to look at", "值得细看的条目")
    blocks: list[Block] = [Paragraph(says), Table(heads, rows, title, [note] if more else [])]
    blocks += _texts(book, shown)
    yield Fold(f"{title} ({len(records)})", blocks)


def _texts(book: Book, records: Sequence[Mismatch]) -> Iterator[Block]:
    entries = []
    for item in dict.fromkeys(m.item for m in records):
        texts = book.reviewed.texts.get(item)
        if texts:
            said = "  ·  ".join(
                f"{label}{book.say.colon}{text}" if label else text for label, text in texts
            )
            entries.append((item, said))
    if entries:
        yield Fold(book.say("What raters saw of them", "评分员看到的内容"), [Terms(entries)])
