"""The raters: how they rated, how long it took, how ratings came in."""

from __future__ import annotations

from collections.abc import Iterator

from rubrica.analysis.results import RaterStatistic
from rubrica.reports import figures
from rubrica.reports.book import Book
from rubrica.reports.document import (
    Block,
    Bullets,
    Figure,
    Fold,
    Head,
    Paragraph,
    Section,
    Table,
    table_of,
)
from rubrica.reports.language import NONE, estimate, number, percent, signed
from rubrica.review.coding import ENTRIES
from rubrica.review.gather import rater_name

SHOWN = 200


def rating(book: Book) -> Section:
    say = book.say
    blocks: list[Block] = []
    if not book.gathered.named:
        blocks.append(
            Paragraph(
                say(
                    "The ratings stand at numbered places without names. Places are not raters, so "
                    "nothing is said of single raters.",
                    "评分只有席位编号，没有姓名。席位不等于评分员，因此不对个别评分员作任何判断。",
                )
            )
        )
    blocks += _table(book)
    blocks += _per_question(book)
    blocks += _time(book)
    drawing = figures.progress(say, book.results.progress)
    if drawing is not None:
        blocks.append(Figure(drawing, say("How ratings came in.", "评分的进展。"), wide=False))
    blocks += _effects(book)
    blocks += _side_by_side(book)
    return Section(
        "raters",
        say("The raters", "评分员"),
        blocks,
        say(
            "This shows where to look; no rating was changed or dropped for it.",
            "这里只提示值得留意之处；没有因此改动或剔除任何评分。",
        ),
    )


def _of(book: Book) -> dict[str, dict[str, RaterStatistic]]:
    """Statistics of whole ratings, by rater."""
    found: dict[str, dict[str, RaterStatistic]] = {}
    for r in book.results.raters:
        if r.question is None and r.rater != "*":
            found.setdefault(r.rater, {})[r.statistic] = r
    return found


def _table(book: Book) -> Iterator[Block]:
    say, of = book.say, _of(book)
    people = [r for r in dict.fromkeys(x.rater for x in book.results.raters) if r != "*"]
    known = {rater_name(r.number): r for r in book.gathered.raters}
    states = {"excluded": say(" (excluded)", "（已排除）"), "paused": say(" (paused)", "（已暂停）")}
    answers = {
        (r.rater, r.question): r.n
        for r in book.results.raters
        if r.statistic == "most_used_share" and r.question
    }
    rows = []
    for rater in people[:SHOWN]:
        mine = of.get(rater, {})
        who = known.get(rater)
        middle, quick = mine.get("median_seconds"), mine.get("hurried_share")
        flat = mine.get("straight_lined_share")
        many = max((n for (name, _), n in answers.items() if name == rater), default=0)
        rows.append(
            (
                rater + (states.get(who.state, "") if who else ""),
                str(many),
                number(middle.value, 0) if middle else NONE,
                number(mine["relative_pace"].value) if "relative_pace" in mine else NONE,
                percent(quick.value) if quick else NONE,
                percent(flat.value) if flat else NONE,
            )
        )
    if not rows:
        return
    heads = [
        Head(say("Rater", "评分员")),
        Head(say("Items", "条目"), numbers=True),
        Head(say("Seconds", "秒数"), say("middle value", "中位数"), numbers=True),
        Head(say("Pace", "相对用时"), say("1 is as others", "1 为与他人相同"), numbers=True),
        Head(
            say("Hurried", "过快"),
            say("under a third of others’ time", "不到他人的三分之一"),
            numbers=True,
        ),
        Head(
            say("All the same", "各题同分"),
            say("one level on every question", "每题都给同一等级"),
            numbers=True,
        ),
    ]
    cut = len(people) - len(rows)
    note = say(f"{cut} more raters stand in report.json.", f"另有 {cut} 位评分员见 report.json。")
    yield table_of(heads, rows, say("Rater by rater", "各评分员"), [note] if cut else [])


def _per_question(book: Book) -> Iterator[Block]:
    say = book.say
    order = {q: i for i, q in enumerate(book.headline)}
    found: dict[tuple[str, str], dict[str, RaterStatistic]] = {}
    for r in book.results.raters:
        if r.question is not None and r.rater != "*" and not r.question.endswith(ENTRIES):
            found.setdefault((r.question, r.rater), {})[r.statistic] = r
    keys = sorted(found, key=lambda key: order[key[0]])
    rows = [
        (
            rater,
            book.names.question(question),
            _signed(of.get("severity")),
            _whole(of.get("agreement_with_rest")),
            _signed(of.get("drift")),
            percent(of["most_used_share"].value) if "most_used_share" in of else NONE,
            number(of["dawid_skene_quality"].value) if "dawid_skene_quality" in of else NONE,
        )
        for question, rater in keys[:SHOWN]
        if (of := found[question, rater])
    ]
    if not rows:
        return
    heads = [
        Head(say("Rater", "评分员")),
        Head(say("Question", "问题")),
        Head(say("Severity", "宽严"), say("above or below others", "比他人高或低"), numbers=True),
        Head(say("Follows the rest", "与他人的相关"), numbers=True),
        Head(say("Drift", "漂移"), say("first to last", "从首到末"), numbers=True),
        Head(say("Favourite level", "最常用等级"), say("share", "比例"), numbers=True),
        Head(say("Accuracy", "准确度"), "Dawid–Skene", numbers=True),
    ]
    title = say("Raters, question by question", "各评分员在各问题上的表现")
    cut = len(keys) - len(rows)
    note = say(f"{cut} more lines stand in report.json.", f"另有 {cut} 行见 report.json。")
    yield Fold(title, [table_of(heads, rows, title, [note] if cut else [])])


def _signed(record: RaterStatistic | None) -> str:
    return NONE if record is None else signed(record.value)


def _whole(record: RaterStatistic | None) -> str:
    return NONE if record is None else estimate(record.value, record.low, record.high)


def _time(book: Book) -> Iterator[Block]:
    say = book.say
    drawing = figures.times(say, book.results.durations, lambda r: r or say("all", "全部"))
    if drawing is not None:
        caption = say(
            "Active seconds per item: the bar holds the middle half, the line nine items in ten.",
            "每个条目的有效秒数：条形为中间一半，线段为九成条目。",
        )
        yield Figure(drawing, caption, wide=False)


def _effects(book: Book) -> Iterator[Block]:
    say = book.say
    lines = []
    for e in book.results.effects:
        if e.value is None:
            continue
        what = (
            say("place in the list", "在列表中的先后")
            if e.effect == "position"
            else book.reason(e.effect)
        )
        shift = f"{signed(e.value)} [{number(e.low)}, {number(e.high)}]"
        lines.append((f"{book.names.question(e.question)}, {what}{say.colon}", shift))
    if lines:
        title = say("What should not matter", "本不该有影响的因素")
        says = say(
            "How far answers move from a rater’s first item to the last, and from one language of the "
            "page to the other, on the same items. Intervals that hold 0 show no effect.",
            "同样的条目上，回答从评分员的第一个条目到最后一个、以及从一种界面语言到另一种，移动了多少。区间含 0 即看不出影响。",
        )
        yield Fold(title, [Paragraph(says), Bullets(lines)])


def _side_by_side(book: Book) -> Iterator[Block]:
    say = book.say
    records = book.results.side_by_side
    if not records:
        return
    rows = [
        (
            book.names.question(r.question),
            _what(book, r.what),
            number(r.without_excluded),
            number(r.with_excluded),
        )
        for r in records
    ]
    heads = [
        Head(say("Question", "问题")),
        Head(say("What", "内容")),
        Head(say("Without them", "不含"), numbers=True),
        Head(say("With them", "含"), numbers=True),
    ]
    count = records[0].excluded_ratings
    caption = say(
        f"Results without and with excluded raters ({count} ratings)",
        f"不含与含被排除评分员的结果（{count} 份评分）",
    )
    yield Table(heads, rows, caption)


def _what(book: Book, what: str) -> str:
    system = what.removeprefix("mean of ")
    return what if system == what else book.say(f"mean of {system}", f"{system} 的均值")
