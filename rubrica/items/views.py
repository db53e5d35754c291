"""From item data to what each view shows, as plain data that any page can carry.

    chat               {"turns": [{"user": text, "assistant": text, "images": [name, ...]}, ...]}
    text, markdown     {"text": text, "mark": "empty" | "cut_off" | "equals" | null}
    values             {"values": [text, ...]}, in the order they are declared
    table              {"columns": [text, ...], "rows": [[text, ...], ...]}
    sequence           {"images": [name, ...], "texts": [text, ...]}
    images             {"images": [name, ...]}
    audio              {"audio": [name, ...]}
    video              {"video": [name, ...]}
    json               {"json": text}, written over several lines
    note_by            {"note": key of `texts`, or null for `otherwise`}

Every text may be null where the data say null. Numbers are texts too, so that no browser rounds them.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Any

from rubrica.errors import Problem, nearest
from rubrica.items.lookup import as_text, kind_of, name_of, page_text, required
from rubrica.items.marks import mark_of
from rubrica.items.rules import MISSING, SHAPE
from rubrica.paths import compile_path
from rubrica.study.views import (
    AudioView,
    ChatView,
    ImagesView,
    JsonView,
    MarkdownView,
    Marks,
    NoteView,
    Numbered,
    SequenceView,
    TableView,
    TextView,
    ValuesView,
    VideoView,
    View,
)

Extract = Callable[[Any], dict[str, Any]]

MOST_IMAGES = 1000
"""Images of one sequence."""
_IN_BRACES = re.compile(r"\{([^{}]+)\}")


def compile_view(view: View) -> Extract:
    """A function from item data to what this view shows; it raises a problem where data lack it."""
    return _COMPILE[type(view)](view)


def _shape(view: str, path: str, expected: str, value: Any) -> Problem:
    details = {"view": view, "path": path}
    return Problem(SHAPE, expected=expected, got=kind_of(value), details=details)


def _list_at(view: str, path: str) -> Callable[[Any], list[Any]]:
    find = required(path)

    def get(data: Any) -> list[Any]:
        value = find(data)
        if not isinstance(value, list | None):
            raise _shape(view, path, "a list", value)
        return value or []

    return get


def _text(path: str, marks: Marks | None) -> Extract:
    find = required(path)
    if marks is None:
        return lambda data: {"text": page_text(find(data)), "mark": None}

    def extract(data: Any) -> dict[str, Any]:
        text = page_text(find(data))
        return {"text": text, "mark": mark_of(marks, text)}

    return extract


def _values(view: ValuesView) -> Extract:
    paths = [v if isinstance(v, str) else v.path for v in view.values.values()]
    finds = [required(path) for path in paths]
    return lambda data: {"values": [page_text(find(data)) for find in finds]}


def _json(view: JsonView) -> Extract:
    find = required(view.json_)
    return lambda data: {"json": page_text(as_text(find(data)))}


def _note(view: NoteView) -> Extract:
    find = required(view.note_by)

    def extract(data: Any) -> dict[str, Any]:
        name = name_of(find(data))
        return {"note": name if name in view.texts else None}

    return extract


# --- media --------------------------------------------------------------------------------------


def media_name(name: str) -> str:
    """A reference as it counts from the media folder, with slashes whatever wrote it."""
    text = (page_text(name) or "").replace("\\", "/")
    return text[2:] if text.startswith("./") else text


def _names(view: str, path: str, value: Any) -> list[str]:
    found = value if isinstance(value, list) else [] if value is None else [value]
    for name in found:
        if not isinstance(name, str | None):
            raise _shape(view, path, "file names", name)
    return [media_name(name) for name in found if name]


def _media(view: str, path: str) -> Extract:
    find = required(path)
    return lambda data: {view: _names(view, path, find(data))}


def _sequence(view: SequenceView) -> Extract:
    images = _numbered(view.sequence) if isinstance(view.sequence, Numbered) else None
    listed = required(view.sequence) if isinstance(view.sequence, str) else None
    between = _list_at("sequence", view.between) if view.between else None

    def extract(data: Any) -> dict[str, Any]:
        names = images(data) if images else []
        if listed:
            names = _names("sequence", str(view.sequence), listed(data))
        return {"images": names, "texts": [page_text(t) for t in between(data)] if between else []}

    return extract


def _numbered(files: Numbered) -> Callable[[Any], list[str]]:
    names = [n for n in _IN_BRACES.findall(files.pattern) if n not in ("i", "n")]
    finds = {name: required(name) for name in names}
    count = required(files.count)

    def get(data: Any) -> list[str]:
        number = _count(files.count, count(data)) + files.more
        parts = {name: name_of(find(data)) or "" for name, find in finds.items()} | {"n": str(number)}
        return [
            media_name(_filled(files.pattern, {**parts, "i": str(i)}))
            for i in range(files.start, files.start + number)
        ]

    return get


def _filled(pattern: str, parts: Mapping[str, str]) -> str:
    return _IN_BRACES.sub(lambda found: parts[found[1]], pattern)


def _count(path: str, value: Any) -> int:
    if isinstance(value, list):
        return len(value)
    text = name_of(value) or ""
    if not text.isdecimal() or int(text[:9]) > MOST_IMAGES:
        raise _shape("sequence", path, f"a list or a number up to {MOST_IMAGES}", value)
    return int(text)


# --- lists of things ----------------------------------------------------------------------------


def _chat(view: ChatView) -> Extract:
    turns = _list_at("chat", view.chat)
    user, assistant = compile_path(view.user), compile_path(view.assistant)
    images = compile_path(view.images) if view.images else None

    def turn(data: Any) -> dict[str, Any]:
        said, replied = user(data), assistant(data)
        if said is None and replied is None and not _has_either(view, data):
            raise _no_turn(view, data)
        sent = _names("chat", view.images or "", images(data)) if images else []
        return {"user": _said(said), "assistant": _said(replied), "images": sent}

    return lambda data: {"turns": [turn(t) for t in turns(data)]}


def _said(value: Any) -> str | None:
    """`false` is what a path such as `role == 'user' && content` gives for the other side."""
    return None if value is False else page_text(value)


def _has_either(view: ChatView, turn: Any) -> bool:
    return isinstance(turn, dict) and bool({view.user, view.assistant} & turn.keys())


def _no_turn(view: ChatView, turn: Any) -> Problem:
    if isinstance(turn, dict):
        details = {"path": f"{view.chat}[].{view.user}"}
        return Problem(MISSING, nearest=nearest(view.user, turn), details=details)
    return _shape("chat", view.chat, "a list of objects", [turn])


def _table(view: TableView) -> Extract:
    rows = _list_at("table", view.table)
    if view.columns is None:
        return lambda data: _whole_table(rows(data))
    finds = [compile_path(path) for path in view.columns]
    return lambda data: {
        "columns": list(view.columns or ()),
        "rows": [[page_text(find(row)) for find in finds] for row in rows(data)],
    }


def _whole_table(rows: list[Any]) -> dict[str, Any]:
    """Every field of the rows, in the order they first appear; rows without names have no header."""
    if all(isinstance(row, dict) for row in rows):
        names = list(dict.fromkeys(name for row in rows for name in row))
        cells = [[page_text(row.get(name)) for name in names] for row in rows]
        return {"columns": [page_text(name) for name in names], "rows": cells}
    listed = [row if isinstance(row, list) else [row] for row in rows]
    return {"columns": [], "rows": [[page_text(cell) for cell in row] for row in listed]}


_COMPILE: dict[type[View], Callable[[Any], Extract]] = {
    ChatView: _chat,
    TextView: lambda view: _text(view.text, view.marks),
    MarkdownView: lambda view: _text(view.markdown, view.marks),
    ValuesView: _values,
    TableView: _table,
    SequenceView: _sequence,
    ImagesView: lambda view: _media("images", view.images),
    AudioView: lambda view: _media("audio", view.audio),
    VideoView: lambda view: _media("video", view.video),
    JsonView: _json,
    NoteView: _note,
}
