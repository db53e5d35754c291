"""report.html: one file that needs nothing else, for screens of any size and for paper."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache
from html import escape
from importlib.resources import files

from rubrica.reports.colours import (
    DARK,
    LIGHT,
    RAMP,
    RAMP_DARK,
    figure_style,
    of_page,
    own_properties,
    properties,
)
from rubrica.reports.document import (
    Block,
    Bullets,
    Caution,
    Document,
    Figure,
    Fold,
    Head,
    Paragraph,
    Quote,
    Section,
    Table,
    Terms,
)
from rubrica.reports.language import Say
from rubrica.reports.svg import clean


@cache
def _css() -> str:
    own = files(__package__).joinpath("report.css").read_text(encoding="utf-8")
    return f"{properties()}{own}{figure_style(of_page, '.drawing ')}\n"


def html(document: Document, say: Say) -> str:
    title = _text(document.title)
    language = "zh-Hans" if document.language == "zh" else "en"
    return f"""<!doctype html>
<html lang="{language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>{title}</title>
<style>
{_css()}</style>
</head>
<body>
<a class="skip" href="#main">{_text(say("To the results", "跳到结果"))}</a>
<header>
<p class="kind">{_text(document.subtitle)}</p>
<h1>{title}</h1>
{_facts(document)}
</header>
{_contents(document, say)}
<main id="main">
{_chapters(document)}
</main>
</body>
</html>
"""


def part(document: Document, say: Say) -> str:
    """The report inside another page, which brings the head and, by `part_style`, the style."""
    return f"{_facts(document)}\n{_contents(document, say)}\n{_chapters(document)}"


def part_style(within: str, dark: Callable[[str], str]) -> str:
    """The style of a report that is a part of a page; `dark` makes a rule hold where that page is
    dark. Ink, lines and paper are the page's own."""
    own = files(__package__).joinpath("report.css").read_text(encoding="utf-8")
    light, night = (f"{within}{{{own_properties(*of)}}}" for of in ((LIGHT, RAMP), (DARK, RAMP_DARK)))
    figures = figure_style(of_page, ".drawing ")
    return "\n".join([light, dark(night), f"{within} {{\n{own}{figures}\n}}"])


def _facts(document: Document) -> str:
    facts = "".join(f"<div><dt>{_text(k)}</dt><dd>{_text(v)}</dd></div>" for k, v in document.facts)
    return f'<dl class="facts">{facts}</dl>'


def _contents(document: Document, say: Say) -> str:
    named = _text(say("Contents", "目录"))
    entries = "".join(_entry(section) for section in document.sections)
    return f'<nav aria-label="{named}"><h2>{named}</h2><ol>{entries}</ol></nav>'


def _chapters(document: Document) -> str:
    cautions = _blocks([Caution(document.cautions)] if document.cautions else [])
    return cautions + "\n".join(_section(section) for section in document.sections)


def _text(text: str) -> str:
    return clean(text)


def _entry(section: Section) -> str:
    return f'<li><a href="#{escape(section.id)}">{_text(section.title)}</a></li>'


def _section(section: Section) -> str:
    asks = f'<p class="asks">{_text(section.asks)}</p>' if section.asks else ""
    return (
        f'<section id="{escape(section.id)}" aria-labelledby="{escape(section.id)}-title">\n'
        f'<h2 id="{escape(section.id)}-title">{_text(section.title)}</h2>\n{asks}'
        f"{_blocks(section.blocks)}</section>"
    )


def _blocks(blocks: Sequence[Block]) -> str:
    """Small figures in a row share a grid."""
    out: list[str] = []
    grid: list[str] = []
    for block in blocks:
        if isinstance(block, Figure) and not block.wide:
            grid.append(_block(block))
            continue
        out += _grid(grid)
        grid = []
        out.append(_block(block))
    return "".join([*out, *_grid(grid)])


def _grid(figures: list[str]) -> list[str]:
    return [f'<div class="grid">{"".join(figures)}</div>\n'] if figures else []


def _block(block: Block) -> str:
    match block:
        case Paragraph():
            return f'<p class="{block.tone}">{_text(block.text)}</p>\n'
        case Bullets():
            lines = "".join(f"<li><b>{_text(a)}</b> {_text(b)}</li>" for a, b in block.lines)
            return f'<ul class="points">{lines}</ul>\n'
        case Caution():
            lines = "".join(f"<p>{_text(text)}</p>" for text in block.texts)
            return f'<aside class="caution">{lines}</aside>\n' if block.texts else ""
        case Table():
            return _table(block)
        case Figure():
            return _figure(block)
        case Fold():
            inner = _blocks(block.blocks)
            return f"<details><summary>{_text(block.title)}</summary>\n{inner}</details>\n"
        case Terms():
            entries = "".join(
                f"<div><dt>{_text(term)}</dt><dd>{_text(means)}</dd></div>"
                for term, means in block.entries
            )
            return f'<dl class="terms">{entries}</dl>\n'
        case Quote():
            lines = "".join(f"<p>{_text(text)}</p>" for text in block.paragraphs)
            return f"<blockquote>{lines}</blockquote>\n"


def _table(table: Table) -> str:
    if not table.rows:
        return ""
    caption = f"<caption>{_text(table.caption)}</caption>" if table.caption else ""
    heads = "".join(_head(head) for head in table.heads)
    rows = "".join(_row(table, number, row) for number, row in enumerate(table.rows))
    notes = "".join(f"<p>{_text(note)}</p>" for note in table.notes)
    below = f'<div class="below">{notes}</div>' if notes else ""
    # A region that scrolls must be reachable from the keyboard, and have a name.
    name = _text(table.caption or table.heads[0].title)
    return (
        f'<div class="table" role="region" aria-label="{name}" tabindex="0"><table>{caption}'
        f"<thead><tr>{heads}</tr></thead>\n<tbody>{rows}</tbody></table></div>{below}\n"
    )


def _head(head: Head) -> str:
    of = ' class="n"' if head.numbers else ""
    means = f'<span class="means">{_text(head.means)}</span>' if head.means else ""
    return f'<th scope="col"{of}>{_text(head.title)}{means}</th>'


def _row(table: Table, number: int, row: Sequence[str]) -> str:
    cells = []
    for place, (head, cell) in enumerate(zip(table.heads, row, strict=True)):
        of = ' class="n"' if head.numbers else ""
        name = "th" if place == 0 else "td"
        scope = ' scope="row"' if place == 0 else ""
        cells.append(f"<{name}{scope}{of}>{_text(cell)}</{name}>")
    strong = ' class="strong"' if number in table.emphasis else ""
    return f"<tr{strong}>{''.join(cells)}</tr>\n"


def _figure(figure: Figure) -> str:
    of = "wide" if figure.wide else "small"
    return (
        f'<figure class="{of}" id="figure-{escape(figure.drawing.name)}">'
        f'<div class="drawing">{figure.drawing.inline()}</div>'
        f"<figcaption>{_text(figure.caption)}</figcaption></figure>\n"
    )
