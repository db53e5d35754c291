"""What was asked of whom, and what was left out."""

from __future__ import annotations

from collections.abc import Iterator

from rubrica.analysis.results import LeftOut
from rubrica.analysis.table import Question
from rubrica.reports.book import Book
from rubrica.reports.document import Block, Bullets, Caution, Fold, Head, Paragraph, Section, Table
from rubrica.reports.language import number
from rubrica.review.coding import ENTRIES, SCORE


def asked(book: Book) -> Section:
    say = book.say
    blocks: list[Block] = [Paragraph(text) for text in _who(book)]
    blocks.append(_questions(book))
    return Section(
        "asked",
        say("What was asked of whom", "评了什么、由谁来评"),
        blocks,
        say("Who rated what, and by which questions?", "谁评了什么？依据哪些问题？"),
    )


def _who(book: Book) -> Iterator[str]:
    say, asked = book.say, book.results.asked
    items = say.counted(asked["items"], "item", "个条目")
    systems = asked["systems"]
    from_systems = say.counted(systems, "system", "个系统")
    of = say(f" from {from_systems}", f"（来自 {from_systems}）") if systems else ""
    raters = say.counted(asked["raters"], "rater", "位评分员")
    places = say("numbered places without names", "不具名的席位")
    who = raters if book.gathered.named else places
    yield say(
        f"The study has {items}{of}. {asked['rated_items']:,} of them were rated, by {who}, "
        f"in {book.tally()}.",
        f"本研究共有 {items}{of}，其中 {asked['rated_items']:,} 个已评。{who}共给出 {book.tally()}。",
    )
    yield _design(book)
    if asked["unnamed_ratings"] and asked["raters"]:
        yield say(
            f"{asked['unnamed_ratings']:,} ratings stand at places without a rater's name.",
            f"{asked['unnamed_ratings']:,} 份评分所在的席位没有评分员姓名。",
        )


def _design(book: Book) -> str:
    say, raters = book.say, book.gathered.study.raters
    if raters.places is not None:
        each = say(f"Each item has {raters.places} places", f"每个条目有 {raters.places} 个席位")
    elif raters.per_item == "all":
        each = say("Every rater was asked to rate every item", "每位评分员都评全部条目")
    else:
        many = say.counted(raters.per_item, "rater", "位评分员")
        each = say(f"Each item was to be rated by {many}", f"每个条目由 {many} 评")
    order = (
        say("in an order shuffled for each rater", "顺序为每位评分员单独打乱")
        if raters.order == "shuffled"
        else say("in the given order", "按给定顺序")
    )
    kept = _looks(book)
    return say(f"{each}, {order}.{kept}", f"{each}，{order}。{kept}")


def _looks(book: Book) -> str:
    """Looking while ratings still come in is a choice a reader should know of."""
    looks = book.gathered.looks
    if not looks:
        return ""
    at = book.say.listed([f"{n:,}" for n in looks[:10]])
    return book.say(
        f" Results were looked at before all ratings were in: after {at} ratings.",
        f"在全部评分到齐之前，结果曾被查看：分别在 {at} 份评分之后。",
    )


def _questions(book: Book) -> Table:
    say = book.say
    shown = [q for q in book.headline if not q.endswith(ENTRIES)]
    rows = [(book.names.question(q), _asks(book, q), _levels(book, book.questions[q])) for q in shown]
    uncounted = [book.names.question(q) for q in book.gathered.uncounted]
    note = say(
        f"Asked too, without a statistic: {say.listed(uncounted)}.",
        f"另外还问了（不作统计）：{say.listed(uncounted)}。",
    )
    return Table(
        [Head(say("Question", "问题")), Head(say("Asked as", "问法")), Head(say("Answers", "回答"))],
        rows,
        say("The questions", "问题一览"),
        [note] if uncounted else [],
    )


def _asks(book: Book, question: str) -> str:
    if question.startswith(SCORE):
        return book.say("derived from the answers", "由各项回答得出")
    return book.names.ask(question.partition(".")[0])


def _levels(book: Book, question: Question) -> str:
    if question.levels is None:
        return book.say("a number", "数字")
    labels = [book.names.level(question.name, question.label(i)) for i in range(len(question.levels))]
    return book.say(", ", "、").join(labels)


# --- what was left out -------------------------------------------------------------------------------


def left_out(book: Book) -> Section:
    say = book.say
    blocks: list[Block] = []
    if not book.results.left_out:
        blocks.append(Paragraph(say("Nothing was left out.", "没有排除任何数据。")))
    whole = [r for r in book.results.left_out if r.question is None]
    per_question = [r for r in book.results.left_out if r.question is not None]
    if whole:
        blocks.append(_table(book, whole, say("Left out of everything", "不计入任何统计")))
    if per_question:
        table = _table(book, per_question, say("Left out of single questions", "不计入个别问题"))
        blocks.append(Fold(table.caption, [table]) if len(per_question) > 12 else table)
    blocks += _excluded(book)
    blocks += _versions(book)
    return Section(
        "left-out",
        say("What was left out, and why", "排除了什么、为什么"),
        blocks,
        say("Is anything missing from the numbers below?", "下面的数字没有计入哪些数据？"),
    )


def _table(book: Book, records: list[LeftOut], caption: str) -> Table:
    say = book.say
    what = {
        "ratings": say("ratings", "评分"),
        "answers": say("answers", "回答"),
        "items": say("items", "条目"),
        "raters": say("raters", "评分员"),
        "mismatches": say("mismatches listed", "列出的不一致"),
        "scores": say("judges' scores", "评委分数"),
    }
    questions = any(r.question for r in records)
    heads = [Head(say("Questions", "问题"))] if questions else []
    heads += [
        Head(say("What", "内容")),
        Head(say("How many", "数量"), numbers=True),
        Head(say("Why", "原因")),
    ]
    alike: dict[tuple[str, int, str], list[str]] = {}
    for r in records:
        alike.setdefault((r.what, r.count, r.why), []).append(r.question or "")
    rows = [
        (
            *([_listed(book, of)] if questions else []),
            what.get(kind, kind),
            number(count, 0),
            book.reason(why),
        )
        for (kind, count, why), of in alike.items()
    ]
    return Table(heads, rows, caption)


def _listed(book: Book, questions: list[str]) -> str:
    return book.say(", ", "、").join(book.names.question(q) for q in questions)


def _excluded(book: Book) -> Iterator[Block]:
    """Whom somebody excluded, and why; what their ratings would change stands with the raters."""
    if book.gathered.excluded:
        yield Paragraph(book.say("Excluded raters, with the reason given:", "被排除的评分员及理由："))
        yield Bullets([(f"{r}{book.say.colon}", why) for r, why in book.gathered.excluded.items()])


def _versions(book: Book) -> Iterator[Block]:
    say, gathered = book.say, book.gathered
    current = gathered.version.hash
    if set(gathered.versions) - {current}:
        lines = [
            (v + (say(" (reported here)", "（本报告）") if v == current else ""), f"{n:,}")
            for v, n in gathered.versions.items()
        ]
        yield Paragraph(
            say(
                "Ratings were made under several versions of the study. Answers to a question count "
                "together where it was asked in the same words.",
                "评分是在研究的多个版本下给出的。同一问题只要问法相同，回答就合并统计。",
            )
        )
        yield Bullets([(f"{v}{say.colon}", n) for v, n in lines])
    if gathered.conflicts:
        yield Caution(
            [
                say(
                    f"{gathered.conflicts} revisions changed a rating that had been revised "
                    "elsewhere at the same time; the last one in the server's order counts.",
                    f"有 {gathered.conflicts} 次修改与别处同时进行的修改相冲突；以服务器次序中的最后一次为准。",
                )
            ]
        )
