"""tables.tex: the tables a paper needs, for booktabs, each with what its marks mean below it."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from rubrica.analysis.results import Agreement, SystemMean
from rubrica.reports.book import TOLD_ELSEWHERE, Book, Notes, slug
from rubrica.reports.language import number
from rubrica.reports.sections.judging import judge_rows
from rubrica.reports.sections.systems import compared_with, stars, table_questions
from rubrica.reports.svg import legible
from rubrica.review.coding import ENTRIES, SCORE

NOTHING = "--"
HEAD, LONG = 9, 32
"""Characters of a head's line, and of a text, that are few enough to be left as they are."""
LONG_SHARE = 0.32
"""Of the width of the page, for a column of long texts."""
_WIDE = re.compile(".{1,5}")
_BREAK = r" \\ "
_SPECIAL = {
    "\\": r"\textbackslash{}",
    "^": r"\textasciicircum{}",
    "~": r"\textasciitilde{}",
    "<": r"\textless{}",
    ">": r"\textgreater{}",
    "−": r"$-$",
    "–": "--",
    "’": "'",
    **{c: "\\" + c for c in "&%$#_{}"},
}
_ANY = re.compile("[" + re.escape("".join(_SPECIAL)) + "]")


def tables(book: Book) -> str:
    say = book.say
    made = [t for t in (_means(book), _agreement(book), _judges(book)) if t]
    head = [
        f"% {_line(book.names.title)}: study version {book.gathered.version.hash}, seed {book.gathered.seed}.",
        r"% Needs \usepackage{booktabs} in the preamble.",
        *(f"% {text}" for text in book.cautions()),
    ]
    if say.language == "zh":
        head.append(r"% 中文内容请用 XeLaTeX 或 LuaLaTeX 与 ctex 宏包编译。")
    if not made:
        head.append(
            "% " + say("There is nothing to put into a table yet.", "目前还没有可以列成表格的内容。")
        )
    return "\n".join([*head, *made]) + "\n"


def tex(text: str) -> str:
    """Data may hold anything: none of it may become a command."""
    return _ANY.sub(lambda found: _SPECIAL[found[0]], _line(text))


def _line(text: str) -> str:
    return " ".join(legible(text).split())


# --- systems by question ----------------------------------------------------------------------------


def _means(book: Book) -> str:
    """A row for each system, a column for each question, the marks against the named reference."""
    say = book.say
    questions = [q for q in table_questions(book) if book.questions[q].levels or q.startswith(SCORE)]
    questions = questions or table_questions(book)
    of = {(r.question, r.system): r for r in book.results.systems}
    systems = list(dict.fromkeys(r.system for r in book.results.systems))
    if not questions or not systems:
        return ""
    marks = compared_with(book)
    rows = []
    for system in systems:
        cells = [_mean(book, of.get((q, system)), marks.get((q, system))) for q in questions]
        rows.append([tex(book.names.system(system)), *cells])
    sizes = sorted({r.n for r in book.results.systems if r.question in questions and r.n})
    caption = say("Mean ratings by system", "各系统的平均评分")
    heads = [say("System", "系统"), *(book.names.question(q) for q in questions)]
    return _table(f"{slug(book.gathered.name)}-means", caption, heads, rows, _below(book, sizes))


def _mean(book: Book, record: SystemMean | None, against: object) -> str:
    if record is None or record.mean is None:
        return NOTHING
    digits = 2
    p = getattr(against, "p_holm", None)
    mark = f"$^{{{stars(p)}}}$" if stars(p) else ""
    best = record.rank is not None and record.rank <= 1 and book.results.asked["systems"] > 1
    value = tex(number(record.mean, digits))
    return (rf"\textbf{{{value}}}" if best else value) + mark


def _below(book: Book, sizes: Sequence[int]) -> Iterator[str]:
    say, reference = book.say, book.gathered.options.reference
    systems = {r.system for r in book.results.systems}
    many = " -- ".join(f"{n:,}" for n in dict.fromkeys((sizes[0], sizes[-1]))) if sizes else "0"
    yield say(f"Items per system: {many}.", f"每个系统的条目数：{many}。")
    if book.results.asked["systems"] > 1:
        yield say("The best mean of a column is bold.", "每列最好的均值以粗体表示。")
    if reference in systems and len(systems) > 1:
        yield say(
            f"Marks show a difference to {tex(str(reference))} on the inputs both answered: "
            "$^{*}$ $p < 0.05$, $^{**}$ $p < 0.01$, $^{***}$ $p < 0.001$, "
            "two-sided, corrected for the number of comparisons (Holm).",
            f"星号表示在共同输入上与 {tex(str(reference))} 有差异："
            "$^{*}$ $p < 0.05$，$^{**}$ $p < 0.01$，$^{***}$ $p < 0.001$，双侧，已作 Holm 校正。",
        )
    out = sorted(book.gathered.options.leave_out)
    if out:
        named = tex(", ".join(out[:20])) + (" ..." if len(out) > 20 else "")
        yield say(f"Items left out by name: {named}.", f"按名单排除的条目：{named}。")


# --- agreement --------------------------------------------------------------------------------------


def _agreement(book: Book) -> str:
    say, notes = book.say, Notes()
    whole = [r for r in book.results.agreement if r.group is None]
    rows = []
    for question in (q for q in book.headline if not q.endswith(ENTRIES)):
        of = {r.coefficient: r for r in whole if r.question == question}
        alpha = of.get("alpha")
        if alpha is None:
            continue
        why = alpha.note if alpha.note and alpha.note.code not in TOLD_ELSEWHERE else None
        mark = notes.mark(book.note(why)).strip("()")
        rows.append(
            [
                tex(book.names.question(question)) + (f"$^{{{mark}}}$" if mark else ""),
                _value(alpha),
                _reach(alpha, say(" to ", " 至 ")),
                _value(of.get("percent")),
                _value(of.get("AC2") or of.get("AC1")),
                f"{alpha.items}",
            ]
        )
    if not rows:
        return ""
    heads = [
        say("Question", "问题"),
        "alpha",
        say("95 % interval", "95% 区间"),
        say("Same answer", "回答相同"),
        "AC1/AC2",
        say("Items", "条目"),
    ]
    below = [tex(line) for line in notes.lines]
    below.append(
        say(
            "Krippendorff's alpha with the metric of each scale; intervals resample items.",
            "Krippendorff alpha，度量与各量表相应；区间由对条目重抽样得出。",
        )
    )
    caption = say("Agreement of the raters", "评分员的一致性")
    return _table(f"{slug(book.gathered.name)}-agreement", caption, heads, rows, below)


def _value(record: Agreement | None) -> str:
    return NOTHING if record is None or record.value is None else tex(number(record.value))


def _reach(record: Agreement, between: str) -> str:
    if record.low is None or record.high is None:
        return NOTHING
    return f"{tex(number(record.low))}{between}{tex(number(record.high))}"


# --- judges -----------------------------------------------------------------------------------------


def _judges(book: Book) -> str:
    say = book.say
    rows = [[tex(cell) for cell in row] for row in judge_rows(book)]
    if not rows:
        return ""
    heads = [
        say("Judge", "评委"),
        say("Question", "问题"),
        "n",
        "Pearson",
        "Spearman",
        "tau-b",
        "kappa",
        say("Rater", "评分员"),
    ]
    below = [
        say(
            "Kappa is quadratic where levels have an order. Rater: the kappa of a left-out rater with the "
            "other raters of the same items.",
            "有序等级用二次加权 kappa。“评分员”为留出的一位评分员与同一条目其他评分员的 kappa。",
        )
    ]
    caption = say("Automatic judges beside the raters", "自动评委与评分员的比较")
    return _table(f"{slug(book.gathered.name)}-judges", caption, heads, rows, below, words=2)


# --- the shape of a table ---------------------------------------------------------------------------


def _table(
    label: str,
    caption: str,
    heads: Sequence[str],
    rows: Sequence[Sequence[str]],
    below: Sequence[str] | Iterator[str],
    words: int = 1,
) -> str:
    """`words` columns hold text, the others numbers."""
    columns = [_column([row[at] for row in rows]) for at in range(words)] + ["r"] * (len(heads) - words)
    return "\n".join(
        [
            "",
            r"\begin{table}",
            r"\centering",
            rf"\caption{{{tex(caption)}}}",
            rf"\label{{tab:{label}}}",
            r"\footnotesize\setlength{\tabcolsep}{3pt}",
            rf"\begin{{tabular}}{{{''.join(columns)}}}",
            r"\toprule",
            " & ".join([*map(tex, heads[:words]), *map(_head, heads[words:])]) + r" \\",
            r"\midrule",
            *(" & ".join(row) + r" \\" for row in rows),
            r"\bottomrule",
            r"\end{tabular}",
            "",
            r"\smallskip",
            *(rf"\parbox{{\linewidth}}{{\footnotesize {line}}}\par" for line in below),
            r"\end{table}",
        ]
    )


def _column(texts: Sequence[str]) -> str:
    """Long texts go over several lines, so that the numbers still find room on the page."""
    return "l" if max(map(len, texts)) <= LONG else rf"p{{{LONG_SHARE}\linewidth}}"


def _head(text: str) -> str:
    """A head over several lines, as wide as its longest word; Chinese has none to break between."""
    lines = _lines(text) if text.isascii() else _WIDE.findall(text)
    return tex(text) if len(lines) < 2 else rf"\shortstack[r]{{{_BREAK.join(map(tex, lines))}}}"


def _lines(text: str) -> list[str]:
    lines: list[str] = []
    width = max([HEAD, *map(len, text.split())])
    for word in text.split():
        if lines and len(lines[-1]) + 1 + len(word) <= width:
            lines[-1] += f" {word}"
        else:
            lines.append(word)
    return lines
