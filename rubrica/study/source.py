"""Reading YAML once: plain data, and the line and column of everything in it.

What YAML would guess is kept narrow, so that a file means what it says:

- a key is always text, exactly as written: `Yes:`, `on:`, `007:` and `1:` are "Yes", "on", "007", "1";
- a bare value is true or false only as `true` or `false`; `Yes`, `No`, `on` and `off` are text;
- a bare value is a number only as `12`, `-3` or `0.75`; `007`, `0x1F`, `1_000`, `12:30`, `1e5`, `.nan`
  and dates are text;
- `null`, `~` and nothing are null;
- anchors and aliases work, within bounds; merge keys (`<<`) and tags (`!!set`) do not.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import yaml

from rubrica.errors import Problem, Rule, Where, shown

Mark = tuple[int, int]
"""Line and column, counted from 1."""

Steps = tuple[str | int, ...]
"""The way to a value: keys and places in lists, from the top of the file."""

LARGEST = 4_000_000
"""Bytes of one file; a study with long rubrics in five languages has some 100,000."""
DEEPEST = 40
MOST_VALUES = 200_000

NO_FILE = Rule(
    code="S001",
    title="The study's files can be read",
    says="{file} cannot be read: {reason}",
    why="Without the file there is nothing to check or to run.",
    mend="Give a study's folder (it holds `study.yaml`) or its file, and see that you may read it.",
)
TOO_LARGE = Rule(
    code="S002",
    title="A study's file has a sensible size",
    says="{file} has {size:,} bytes",
    why="A study file holds questions and rules; a file this large is data given by mistake.",
    mend="Keep at most {expected} in a file; items belong in files of their own, under `items: from`.",
)
NOT_UTF8 = Rule(
    code="S003",
    title="Texts are written in UTF-8",
    says="{file} is not UTF-8 text",
    why="In any other encoding, raters would read garbled letters.",
    mend="Save the file as UTF-8 (in most editors: Save with encoding, UTF-8).",
)
NOT_YAML = Rule(
    code="S004",
    title="The file is well-formed YAML",
    says="this is not YAML: {reason}",
    why="A file that cannot be taken apart says nothing, and what follows the fault is unread.",
    mend="Look at this line and the one above it: indentation, a missing colon or closing quote, or a "
    "text with `: ` or `#` in it that needs quotes.",
)
TABS = Rule(
    code="S005",
    title="Indentation is made of blanks, not tabs",
    says="a tab stands where blanks must (lines that begin with a tab: {count})",
    why="YAML does not allow tabs there, because nobody can see how deep they indent.",
    mend="Replace each tab by two blanks.",
)
DUPLICATE = Rule(
    code="S006",
    title="A key stands once",
    says="the key {key} stands here a second time; the first is in line {first}",
    why="Only one of the two could hold, and nobody could tell which.",
    mend="Remove one of the two, or rename it.",
)
TOO_MUCH = Rule(
    code="S007",
    title="The file stays small when its aliases are written out",
    says="the file {reason}",
    why="A few lines of nested aliases can stand for billions of values and stop the machine.",
    mend="Write the parts out instead of nesting aliases.",
)
NOT_A_MAPPING = Rule(
    code="S008",
    title="A file holds one thing: a study its keys, a practice file its examples",
    says="the file does not hold what it should",
    why="A study is declared under named keys, a practice file is a list, and nothing may follow.",
    mend="Begin a study with `rubrica: 1` and write its other keys below, without a second `---`; "
    "begin each worked example with `- `.",
)
NOT_PLAIN = Rule(
    code="S009",
    title="The file holds plain data",
    says="{what} cannot stand here",
    why="A study is data that any program can read alike; this would mean different things to each.",
    mend="Write a plain value. A text that begins with `!`, `&`, `*` or `<<` needs quotes.",
)

_WORDS = {"true": True, "True": True, "TRUE": True, "false": False, "False": False, "FALSE": False}
_NULLS = frozenset({"", "~", "null", "Null", "NULL"})
_INTEGER = re.compile(r"[-+]?(0|[1-9][0-9]{0,29})")
_NUMBER = re.compile(r"[-+]?(0|[1-9][0-9]{0,29})?\.[0-9]{1,30}")
_Loader: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)


@dataclass(frozen=True, slots=True)
class Spot:
    """Where a value stands, and its key where it has one."""

    value: Mark
    key: Mark | None = None


@dataclass(frozen=True, slots=True)
class Source:
    """One file as data, with the place of everything in it, and the faults that left it readable."""

    file: str
    data: Any
    spots: Mapping[Steps, Spot]
    problems: tuple[Problem, ...] = ()
    text: str = ""
    """As it was written, comments and all."""

    def where(self, steps: Steps, key: bool = False) -> Where:
        """The place of a value, or of its key; of the nearest thing around it, if it is not there."""
        near = steps
        while near and near not in self.spots:
            near = near[:-1]
        spot = self.spots.get(near, Spot((1, 1)))
        line, column = spot.key if spot.key and (key or near != steps) else spot.value
        return Where(self.file, line, column, as_path(steps))


def as_path(steps: Steps) -> str:
    """`items.show[0].label`: a way as people write it."""
    text = "".join(f"[{s}]" if isinstance(s, int) else f".{s}" for s in steps)
    return text.removeprefix(".")


@dataclass(slots=True)
class _Node:
    """A value as it was parsed; an alias is the very same node again.

    `key` is the key of a mapping whose value is still to come; its text is None if it is no key.
    """

    mark: Mark
    scalar: Any = None
    items: list[_Node] | None = None
    keys: dict[str, tuple[Mark, _Node]] | None = None
    key: tuple[str | None, Mark] | None = None


def read_bytes(path: Path, file: str) -> bytes:
    try:
        if path.stat().st_size > LARGEST:
            details = {"file": file, "size": path.stat().st_size}
            raise Problem(TOO_LARGE, Where(file), f"{LARGEST:,} bytes", details=details)
        return path.read_bytes()
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or str(error)
        raise Problem(NO_FILE, Where(file), details={"file": file, "reason": reason}) from None


def read_text(path: Path, file: str) -> str:
    """A text file in UTF-8, with or without a byte order mark, its line ends made alike."""
    return _decoded(read_bytes(path, file), file)


def _decoded(raw: bytes, file: str) -> str:
    try:
        return raw.decode("utf-8-sig").replace("\r\n", "\n").replace("\r", "\n")
    except UnicodeDecodeError as error:
        before = raw[: error.start]
        line, column = before.count(b"\n") + 1, error.start - (before.rfind(b"\n") + 1) + 1
        got = f"the byte 0x{raw[error.start]:02x}"
        where = Where(file, line, column)
        raise Problem(NOT_UTF8, where, "UTF-8", got, details={"file": file}) from None


def read_yaml(path: Path, file: str) -> Source:
    return parse_yaml(read_bytes(path, file), file)


def parse_yaml(raw: bytes, file: str) -> Source:
    """Plain data with places; raises the `Problem` that leaves the file unreadable."""
    reading = _Reading(file)
    text = _decoded(raw, file)
    root = reading.root(text)
    spots: dict[Steps, Spot] = {}
    data = _Writing(file, spots).out(root, ())
    return Source(file, data, spots, tuple(reading.problems), text)


class _Reading:
    """Events to nodes, with a stack of its own, so that no depth can overflow it."""

    def __init__(self, file: str) -> None:
        self.file = file
        self.problems: list[Problem] = []
        self.anchors: dict[str, _Node] = {}
        self.stack: list[_Node] = []
        self.top: _Node | None = None

    def root(self, text: str) -> _Node:
        try:
            for event in yaml.parse(text, Loader=_Loader):
                self._take(event)
        except (yaml.YAMLError, ValueError, OverflowError) as error:
            raise _syntax(error, text, self.file) from None
        if self.top is None:
            expected, got = "keys such as `title:` with their values", "nothing"
            raise Problem(NOT_A_MAPPING, Where(self.file, 1, 1), expected, got)
        return self.top

    def _take(self, event: Any) -> None:
        mark = (event.start_mark.line + 1, event.start_mark.column + 1)
        if isinstance(event, yaml.CollectionEndEvent):
            self.stack.pop()
        elif isinstance(event, yaml.AliasEvent):
            self._put(self._aliased(event.anchor, mark), mark, None)
        elif isinstance(event, yaml.ScalarEvent):
            self._tag(event, mark)
            plain = event.style in (None, "")
            node = _Node(mark, _value(event.value) if plain else event.value)
            self._anchor(event, node)
            self._put(node, mark, event.value if not plain or event.value != "<<" else None)
        elif isinstance(event, yaml.CollectionStartEvent):
            self._tag(event, mark)
            self._open(event, mark)

    def _open(self, event: Any, mark: Mark) -> None:
        listing = isinstance(event, yaml.SequenceStartEvent)
        node = _Node(mark, items=[]) if listing else _Node(mark, keys={})
        if len(self.stack) >= DEEPEST:
            reason = f"nests values more than {DEEPEST} deep"
            raise Problem(TOO_MUCH, Where(self.file, *mark), details={"reason": reason})
        self._anchor(event, node)
        self._put(node, mark, None)
        self.stack.append(node)

    def _put(self, node: _Node, mark: Mark, text: str | None) -> None:
        """Gives a parsed value its place: at the top, in a list, as a key or as a key's value."""
        if not self.stack:
            self._begin(node, mark)
            return
        parent = self.stack[-1]
        if parent.items is not None:
            parent.items.append(node)
        elif parent.key is None:
            parent.key = (self._key(node, mark, text), mark)
        else:
            self._pair(parent, *parent.key, node)
            parent.key = None

    def _begin(self, node: _Node, mark: Mark) -> None:
        if self.top is not None:
            where = Where(self.file, *mark)
            self.problems.append(Problem(NOT_A_MAPPING, where, "one document", "a second one"))
        self.top = self.top or node

    def _key(self, node: _Node, mark: Mark, text: str | None) -> str | None:
        if text is None:
            merge = node.items is None and node.keys is None and node.scalar == "<<"
            what = "a merge key (`<<`)" if merge else "a key that is no plain text"
            self.problems.append(Problem(NOT_PLAIN, Where(self.file, *mark), details={"what": what}))
        return text

    def _pair(self, parent: _Node, name: str | None, mark: Mark, node: _Node) -> None:
        keys = parent.keys
        if name is None or keys is None:
            return
        name = _same_key(name, keys)
        if name in keys:
            details = {"key": shown(name), "first": keys[name][0][0]}
            where = Where(self.file, *mark)
            self.problems.append(Problem(DUPLICATE, where, got=name[:80], details=details))
        else:
            keys[name] = (mark, node)

    def _anchor(self, event: Any, node: _Node) -> None:
        if event.anchor is not None:
            self.anchors[event.anchor] = node

    def _aliased(self, name: Any, mark: Mark) -> _Node:
        if name in self.anchors:
            return self.anchors[name]
        where = Where(self.file, *mark)
        reason = f"there is no anchor `&{name[:80]}` above"
        raise Problem(NOT_YAML, where, got=f"*{name[:80]}", details={"reason": reason})

    def _tag(self, event: Any, mark: Mark) -> None:
        if event.tag is not None:
            details = {"what": f"the tag `{str(event.tag)[:80]}`"}
            self.problems.append(Problem(NOT_PLAIN, Where(self.file, *mark), details=details))


@dataclass(slots=True)
class _Writing:
    """Nodes to plain data, aliases written out, within bounds."""

    file: str
    spots: dict[Steps, Spot]
    count: int = 0

    def out(self, node: _Node, steps: Steps, key: Mark | None = None) -> Any:
        self.count += 1
        if self.count > MOST_VALUES or len(steps) > DEEPEST:
            reason = f"stands for more than {MOST_VALUES:,} values, or nests without end"
            raise Problem(TOO_MUCH, Where(self.file, *node.mark), details={"reason": reason})
        self.spots[steps] = Spot(node.mark, key)
        if node.keys is not None:
            return {k: self.out(v, (*steps, k), at) for k, (at, v) in node.keys.items()}
        if node.items is not None:
            return [self.out(v, (*steps, i)) for i, v in enumerate(node.items)]
        return node.scalar


def _value(text: str) -> Any:
    """What a bare scalar means; see the top of this module."""
    if text in _NULLS:
        return None
    if text in _WORDS:
        return _WORDS[text]
    if _INTEGER.fullmatch(text):
        return int(text)
    return float(text) if _NUMBER.fullmatch(text) else text


def _same_key(name: str, keys: Mapping[str, Any]) -> str:
    """`+1` and `1` are one key, because a level is the number and not its spelling."""
    plain = name.removeprefix("+")
    return plain if plain in keys and plain.isdecimal() else name


def _syntax(error: Exception, text: str, file: str) -> Problem:
    mark = getattr(error, "problem_mark", None) or getattr(error, "context_mark", None)
    line, column = (mark.line + 1, mark.column + 1) if mark else _position(error, text)
    lines = text.split("\n")
    tabbed = [n for n, content in enumerate(lines, 1) if _tab_indents(content)]
    near = next((n for n in (line, line - 1) if n in tabbed), None)
    if near is not None:
        spot = Where(file, near, lines[near - 1].index("\t") + 1)
        return Problem(TABS, spot, "blanks", "a tab", details={"count": len(tabbed)})
    reason = str(getattr(error, "problem", None) or getattr(error, "reason", None) or error)
    begun = getattr(error, "context_mark", None)
    if begun is not None and begun.line + 1 < line:
        reason += f" ({error.context}, which begins in line {begun.line + 1})"  # type: ignore[attr-defined]
    got = lines[line - 1].strip()[:80] if 0 < line <= len(lines) else None
    return Problem(
        NOT_YAML, Where(file, line, column), got=got or None, details={"reason": reason[:300]}
    )


def _position(error: Exception, text: str) -> Mark:
    """Line and column of a character YAML does not allow; its error counts characters."""
    at = getattr(error, "position", None)
    before = text[: at if isinstance(at, int) else 0]
    return before.count("\n") + 1, len(before) - (before.rfind("\n") + 1) + 1


def _tab_indents(line: str) -> bool:
    return "\t" in line[: len(line) - len(line.lstrip())]
