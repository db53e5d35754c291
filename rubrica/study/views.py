"""How an item is shown: the views a study may choose from.

What a view names is all that a rater's browser can ever receive of an item.
"""

from __future__ import annotations

from typing import Annotated, Any

from pydantic import Discriminator, Field, Tag

from rubrica.paths import Path
from rubrica.texts import Model, Text


class Marks(Model):
    """Neutral marks on a text that is empty, cut off in mid-sentence or an error message.

    They say what the reader cannot see for sure; they never hint at a level.
    """

    empty: Text | None = None
    cut_off: Text | None = None
    equals: dict[str, Text] = Field(default_factory=dict)


class View(Model):
    """What all views share. `context` says whether it is shown for earlier items of the thread."""

    label: Text | None = None
    note: Text | None = None
    folded: bool = False
    context: bool = True


class ChatView(View):
    """A conversation: a list of turns, each with what the user and what the system said."""

    chat: Path
    user: Path = "user"
    assistant: Path = "assistant"
    labels: Annotated[list[Text], Field(min_length=2, max_length=2)] | None = None
    images: Path | None = None
    """Images sent with a turn, inside one turn."""


class TextView(View):
    """A text shown as it is."""

    text: Path
    marks: Marks | None = None


class MarkdownView(View):
    """A text shown as Markdown, made safe."""

    markdown: Path
    marks: Marks | None = None


class ValuesView(View):
    """Names and values: `{Task: task_type}`."""

    values: dict[str, Path | ValueOf] = Field(min_length=1)


class ValueOf(Model):
    """A value with its own label in every language."""

    path: Path
    label: Text


class TableView(View):
    """A list of objects or of lists as a table."""

    table: Path
    columns: list[Path] | None = None


class SequenceView(View):
    """N images with texts, each text between its two images; surplus texts stand at the end."""

    sequence: Path | Numbered
    between: Path | None = None
    per_row: int = Field(default=6, ge=1, le=12)


class Numbered(Model):
    """File names made from a pattern over item data: `images/{id}_{n}_{i}.jpg`.

    `{i}` counts from `start` to `count` files; other names are paths into the item; `count` is a
    path to a number or to a list whose length counts, plus `more`.
    """

    pattern: str
    count: Path
    more: int = 0
    start: int = 0


class ImagesView(View):
    """Single images side by side."""

    images: Path


class AudioView(View):
    audio: Path


class VideoView(View):
    video: Path


class JsonView(View):
    """Any data, folded."""

    json_: Path = Field(alias="json")


class NoteView(View):
    """A text of the study chosen by a value of the item: guidance per action type."""

    note_by: Path
    texts: dict[str, Text] = Field(min_length=1)
    otherwise: Text | None = None


VIEWS: dict[str, type[View]] = {
    "chat": ChatView,
    "text": TextView,
    "markdown": MarkdownView,
    "values": ValuesView,
    "table": TableView,
    "sequence": SequenceView,
    "images": ImagesView,
    "audio": AudioView,
    "video": VideoView,
    "json": JsonView,
    "note_by": NoteView,
}


def view_name(value: Any) -> str | None:
    """Which view a declaration is; the first known name wins, so `chat` may have `images`."""
    if isinstance(value, View):
        return next(name for name, shape in VIEWS.items() if type(value) is shape)
    return next((name for name in VIEWS if isinstance(value, dict) and name in value), None)


AnyView = Annotated[
    Annotated[ChatView, Tag("chat")]
    | Annotated[TextView, Tag("text")]
    | Annotated[MarkdownView, Tag("markdown")]
    | Annotated[ValuesView, Tag("values")]
    | Annotated[TableView, Tag("table")]
    | Annotated[SequenceView, Tag("sequence")]
    | Annotated[ImagesView, Tag("images")]
    | Annotated[AudioView, Tag("audio")]
    | Annotated[VideoView, Tag("video")]
    | Annotated[JsonView, Tag("json")]
    | Annotated[NoteView, Tag("note_by")],
    Discriminator(view_name),
]


ValuesView.model_rebuild()
SequenceView.model_rebuild()
