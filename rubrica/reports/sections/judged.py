"""A closer look at judges: by group, figures, corrected means, the items to look at."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import partial

from rubrica.analysis.results import JudgeStatistic, Mismatch
from rubrica.reports import figures, grids
from rubrica.reports.book import Book, slug
from rubrica.reports.document import (
    Block,
    Bullets,
    Figure,
    Fold,
    Head,
    Paragraph,
    Table,
    Terms,
    table_of,
)
from rubrica.reports.language import NONE, estimate, number, percent
from rubrica.review.coding import ENTRIES

GROUPS = 200
FEW = 3
MISMATCHES = 40
KAPPAS = ("quadratic_kappa", "kappa")

Statistics = dict[str, JudgeStatistic]
Pairs = list[tuple[str, str, Statistics]]
"""Each judge of each question with its statistics on all items."""


def judge_pairs(book: Book) -> Pairs:
    """Each judge of each question with its statistics on all items."""
    found: dict[tuple[str, str], Statistics] = {}
    for judge, records in book.judges():
        for record in records:
            found.setdefault((judge, record.question), {})[record.statistic] = record
    order = {q: i for i, q in enumerate(book.headline)}
    keys = sorted(found, key=lambda key: order[key[1]])
    return [(judge, question, found[judge, question]) for judge, question in keys]


def is_metric(of: Statistics) -> bool:
    """Judges on a scale of their own have no errors, only an order."""
    return "pearson" in of and "mae" not in of and not any(k in of for k in (*KAPPAS, "accuracy"))


def closer_look(book: Book, pairs: Pairs) -> Iterator[Block]:
    yield from _by_group(book)
    yield from _confusions(book)
    yield from _differences(book, pairs)
    yield from _corrected(book)
    yield from _mismatches(book)


def first_of(of: Statistics, names: Sequence[str]) -> JudgeStatistic | None:
    return next((of[name] for name in names if name in of), None)


def shown(record: JudgeStatistic | None, digits: int = 2) -> str:
    return NONE if record is None else estimate(record.value, record.low, record.high, digits)


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
    kept = {k: of for k, of in cells.items() if _worth_a_line(of)}
    several = {k: of for k, of in kept.items() if not k[2].startswith("system=")}
    rows = [
        (
            book.names.group(group),
            judge,
            book.names.question(question),
            str(max(r.n for r in of.values())),
            shown(of.get("pearson")),
            shown(first_of(of, KAPPAS)),
            percent(of["accuracy"].value) if "accuracy" in of else NONE,
            percent(of["mismatch_share"].value) if "mismatch_share" in of else NONE,
        )
        for (judge, question, group), of in list(several.items())[:GROUPS]
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
        f"{rest} more groups, most of them of a few items, stand in report.json.",
        f"另有 {rest} 组（多数只有几个条目）见 report.json。",
    )
    title = say("Judges by group", "分组的评委比较")
    yield Fold(title, [table_of(heads, rows, title, [note] if rest else [])])


def _worth_a_line(of: Statistics) -> bool:
    """Groups of a few items say nothing by themselves, unless there is more than their mismatches."""
    return any(
        r.value is not None and (r.n >= FEW or r.statistic != "mismatch_share") for r in of.values()
    )


# --- figures ------------------------------------------------------------------------------------------


def _confusions(book: Book) -> Iterator[Block]:
    say = book.say
    drawn: list[Block] = []
    for (question, judge), cells in figures.grouped(
        book.results.confusion, lambda c: (c.question, c.judge)
    ).items():
        title = f"{judge}{say.colon}{book.names.question(question)}"
        drawing = grids.confusion(
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


def _differences(book: Book, pairs: Pairs) -> Iterator[Block]:
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
            shown(r),
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
    worst = _by_item(book, sorted(records, key=lambda m: -m.size)[:MISMATCHES])
    listed = [m for of in worst.values() for m in of]
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
        for m in listed
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
    more = len(records) - len(listed)
    note = say(f"{more} more stand in report.json.", f"另有 {more} 条见 report.json。")
    title = say("Items to look at", "值得细看的条目")
    blocks: list[Block] = [Paragraph(says), Table(heads, rows, title, [note] if more else [])]
    blocks += _texts(book, worst)
    yield Fold(f"{title} ({len(records)})", blocks)


def _by_item(book: Book, records: Sequence[Mismatch]) -> dict[str, list[Mismatch]]:
    """Mismatches of an item and of the entries of its list together, the item of the worst first."""
    found: dict[str, list[Mismatch]] = {}
    for m in records:
        found.setdefault(book.reviewed.item_of(m.item), []).append(m)
    return found


def _texts(book: Book, by_item: Mapping[str, Sequence[Mismatch]]) -> Iterator[Block]:
    """Each item once: where judge and raters are apart on it, then its texts."""
    say = book.say
    found: list[Block] = []
    for item, records in by_item.items():
        texts = [(book.names.text(label), text) for label, text in book.reviewed.texts.get(item, ())]
        if texts:
            apart = Bullets([(f"{_what(book, m)}{say.colon}", _sides(book, m)) for m in records])
            unlabelled = say("Text", "文本")
            found.append(
                Fold(item, [apart, Terms([(label or unlabelled, text) for label, text in texts])])
            )
    if found:
        yield Fold(say("What raters saw of them", "评分员看到的内容"), found)


def _what(book: Book, m: Mismatch) -> str:
    """The question, and which entry of the item's own list it was asked of."""
    item, asked = book.reviewed.item_of(m.item), book.names.question(m.question)
    if item == m.item:
        return asked
    number = int(m.item.removeprefix(f"{item} / "))
    labels = book.reviewed.entries.get(item, {}).get(m.question.removesuffix(ENTRIES), ())
    return f"{asked}{book.say.colon}{labels[number - 1] if number <= len(labels) else number}"


def _sides(book: Book, m: Mismatch) -> str:
    human, score = number(m.human), number(m.score)
    return book.say(f"raters {human}, {m.judge} {score}", f"评分员 {human}，{m.judge} {score}")
