"""report.md: the same document in Markdown, figures linked as files."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from rubrica.reports.document import (
    Block,
    Bullets,
    Caution,
    Document,
    Figure,
    Fold,
    Paragraph,
    Quote,
    Table,
    Terms,
)
from rubrica.reports.svg import legible

_SPECIAL = re.compile(r"([\\`*_\[\]<>|#~$])")


def markdown(document: Document) -> str:
    lines = [f"# {_text(document.title)}", "", _text(document.subtitle), ""]
    lines += [f"- {_text(name)}: {_text(value)}" for name, value in document.facts]
    lines += ["", *_blocks([Caution(document.cautions)] if document.cautions else [])]
    for section in document.sections:
        lines += ["", f"## {_text(section.title)}", ""]
        if section.asks:
            lines += [f"*{_text(section.asks)}*", ""]
        lines += _blocks(section.blocks)
    return re.sub(r"\n{3,}", "\n\n", "\n".join(lines)).rstrip() + "\n"


def _text(text: str) -> str:
    """Data may hold anything: nothing of it may become markup, and a line stays a line."""
    return _SPECIAL.sub(r"\\\1", " ".join(legible(text).split()))


def _blocks(blocks: Sequence[Block]) -> list[str]:
    return [line for block in blocks for line in [*_block(block), ""]]


def _block(block: Block) -> Iterator[str]:
    match block:
        case Paragraph():
            yield _text(block.text)
        case Bullets():
            yield from (f"- **{_text(a)}** {_text(b)}" for a, b in block.lines)
        case Caution():
            yield from (f"> {_text(text)}\n>" for text in block.texts)
        case Table():
            yield from _table(block)
        case Figure():
            name = f"figures/{block.drawing.name}.svg"
            yield f"![{_text(block.drawing.alt)}]({name})"
            yield ""
            yield f"*{_text(block.caption)}*"
        case Fold():
            yield f"### {_text(block.title)}"
            yield ""
            yield from _blocks(block.blocks)
        case Terms():
            yield from (f"- **{_text(term)}**: {_text(means)}" for term, means in block.entries)
        case Quote():
            yield from (f"> {_text(text)}\n>" for text in block.paragraphs)


def _table(table: Table) -> Iterator[str]:
    if not table.rows:
        return
    if table.caption:
        yield f"**{_text(table.caption)}**"
        yield ""
    yield "| " + " | ".join(_text(head.title) for head in table.heads) + " |"
    yield "|" + "|".join("--:" if head.numbers else "---" for head in table.heads) + "|"
    for row in table.rows:
        yield "| " + " | ".join(_text(cell) for cell in row) + " |"
    for note in table.notes:
        yield ""
        yield _text(note)
