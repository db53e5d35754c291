"""The whole document, chapter by chapter."""

from __future__ import annotations

from rubrica.reports.book import Book
from rubrica.reports.document import Document, drawings_of
from rubrica.reports.sections.agreeing import agreeing
from rubrica.reports.sections.asked import asked, left_out
from rubrica.reports.sections.closing import methods, words
from rubrica.reports.sections.judging import judging
from rubrica.reports.sections.rating import rating
from rubrica.reports.sections.short import short
from rubrica.reports.sections.systems import systems


def compose(book: Book, missing: tuple[str, ...] = ()) -> Document:
    say, gathered = book.say, book.gathered
    chapters = (short, asked, left_out, agreeing, systems, judging, rating, methods, words)
    sections = [section for chapter in chapters if (section := chapter(book)) is not None]
    results = book.results.asked
    facts = [
        (say("Items rated", "已评条目"), f"{results['rated_items']:,} / {results['items']:,}"),
        (say("Came in", "收到"), book.tally()),
        (
            say("Left out of everything", "全部不计"),
            f"{results['ratings'] - results['ratings_used']:,}",
        ),
        (
            say("Raters", "评分员"),
            f"{results['raters']:,}" if gathered.named else say("unnamed", "不具名"),
        ),
        (say("Study version", "研究版本"), gathered.version.hash),
        (say("Seed of intervals and tests", "区间与检验的随机种子"), str(gathered.seed)),
        (say("State", "状态"), say("closed", "已结束") if gathered.closed else say("open", "进行中")),
    ]
    return Document(
        language=say.language,
        title=book.names.title,
        subtitle=say("Report of a human evaluation", "人工评测报告"),
        facts=facts,
        sections=sections,
        cautions=[*book.cautions(), *missing],
        drawings=drawings_of(sections),
    )
