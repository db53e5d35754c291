"""What stands in a page of documentation: its links, its headings, its files and its commands.

A block of `sh` holds commands, unless `no-run` stands behind the word; a block with `file=NAME` is a
file the commands find. A comment `<!-- given: PATH as NAME -->` puts something of this repository
there beforehand.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from markdown_it import MarkdownIt
from markdown_it.token import Token

ROOT = Path(__file__).parents[2]
GIVEN = re.compile(r"<!-- given: (\S+) as (\S+) -->")
FILE = re.compile(r"\bfile=(\S+)")


@dataclass(frozen=True)
class Block:
    language: str
    words: str
    text: str
    line: int

    @property
    def file(self) -> str | None:
        found = FILE.search(self.words)
        return found[1] if found else None

    @property
    def commands(self) -> list[str]:
        """The commands of a block that is run, with continued lines joined."""
        if self.language != "sh" or "no-run" in self.words.split():
            return []
        joined = self.text.replace("\\\n", " ").splitlines()
        return [line.partition("  #")[0].strip() for line in joined if line.strip() and line[0] != "#"]


@dataclass(frozen=True)
class Page:
    path: Path

    @property
    def name(self) -> str:
        return self.path.relative_to(ROOT).as_posix()

    @cached_property
    def text(self) -> str:
        return self.path.read_text(encoding="utf-8")

    @cached_property
    def _tokens(self) -> list[Token]:
        return MarkdownIt("commonmark").enable("table").parse(self.text)

    @property
    def given(self) -> list[tuple[str, str]]:
        return GIVEN.findall(self.text)

    @property
    def blocks(self) -> Iterator[Block]:
        for token in self._tokens:
            if token.type == "fence":
                language, _, words = token.info.strip().partition(" ")
                yield Block(language, words, token.content, (token.map or [0])[0] + 1)

    @property
    def links(self) -> Iterator[str]:
        for token in self._tokens:
            for inner in token.children or ():
                target = inner.attrs.get("href") or inner.attrs.get("src")
                if target:
                    yield str(target)

    @cached_property
    def anchors(self) -> set[str]:
        """What a link may name in this page, as renderers make it from headings."""
        titles = [
            after.content
            for before, after in zip(self._tokens, self._tokens[1:], strict=False)
            if before.type == "heading_open"
        ]
        return {_slug(title) for title in titles}


def _slug(title: str) -> str:
    kept = re.sub(r"[^\w\- ]", "", title.lower())
    return kept.strip().replace(" ", "-")


def pages() -> list[Page]:
    """Every page people read, the ones made from code included."""
    found = [*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md")]
    return [Page(path) for path in sorted(found)]
