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
    """On a text that is empty."""
    cut_off: Text | None = None
    """On a text that stops in mid-sentence."""
    equals: dict[str, Text] = Field(default_factory=dict)
    """On a text that equals one of these."""


class View(Model):
    """What all views share."""

    label: Text | None = None
    """The heading above it."""
    note: Text | None = None
    """A remark below the heading."""
    folded: bool = False
    """Whether it is folded until a rater opens it."""
    context: bool = True
    """Whether it is shown for earlier items of the thread too."""


class ChatView(View):
    """A conversation: a list of turns, each with what the user and what the system said."""

    chat: Path
    """A path to the list of turns."""
    user: Path = "user"
    """Inside a turn, a path to what the user said."""
    assistant: Path = "assistant"
    """Inside a turn, a path to what the system said."""
    labels: Annotated[list[Text], Field(min_length=2, max_length=2)] | None = None
    """What the two are called, the user first."""
    images: Path | None = None
    """Inside a turn, a path to the images sent with it."""


class TextView(View):
    """A text shown as it is."""

    text: Path
    """A path to the text."""
    marks: Marks | None = None
    """Neutral marks where it is empty, cut off or an error."""


class MarkdownView(View):
    """A text shown as Markdown, made safe."""

    markdown: Path
    """A path to the Markdown."""
    marks: Marks | None = None
    """Neutral marks where it is empty, cut off or an error."""


class ValuesView(View):
    """Names and values: `{Task: task_type}`."""

    values: dict[str, Path | ValueOf] = Field(min_length=1)
    """Names and the paths to their values, in this order."""


class ValueOf(Model):
    """A value with its own label in every language."""

    path: Path
    """A path to the value."""
    label: Text
    """Its label."""


class TableView(View):
    """A list of objects or of lists as a table."""

    table: Path
    """A path to the list of rows."""
    columns: list[Path] | None = None
    """Paths inside a row; all of its fields unless given."""


class SequenceView(View):
    """N images with texts, each text between its two images; surplus texts stand at the end."""

    sequence: Path | Numbered
    """A path to the list of images, or a pattern of their names."""
    between: Path | None = None
    """A path to the list of texts."""
    per_row: int = Field(default=6, ge=1, le=12)
    """How many images stand in a row."""


class Numbered(Model):
    """File names made from a pattern over item data: `images/{id}_{n}_{i}.jpg`.

    `{i}` counts the files from `start`; `{n}` is how many files there are: `count`, which is a path to
    a number or to a list whose length counts, plus `more`. Other names are paths into the item.
    """

    pattern: str
    """The names: `{i}` is the running number, other names in braces are paths into the item."""
    count: Path
    """A path to their number, or to a list that is as long."""
    more: int = 0
    """How many more there are than `count` says."""
    start: int = 0
    """The first running number."""


class ImagesView(View):
    """Single images side by side."""

    images: Path
    """A path to one image or to a list of them."""


class AudioView(View):
    """A recording to listen to."""

    audio: Path
    """A path to one recording or to a list of them."""


class VideoView(View):
    """A film to watch."""

    video: Path
    """A path to one film or to a list of them."""


class JsonView(View):
    """Any data, folded."""

    json_: Path = Field(alias="json")
    """A path to the data."""


class NoteView(View):
    """A text of the study chosen by a value of the item: guidance per action type."""

    note_by: Path
    """A path to the value that chooses."""
    texts: dict[str, Text] = Field(min_length=1)
    """The text for each value; Markdown."""
    otherwise: Text | None = None
    """The text for any other value."""


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
