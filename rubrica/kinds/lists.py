"""Questions about a list of the item's own: where the list is."""

from __future__ import annotations

from typing import Annotated

from pydantic import BeforeValidator

from rubrica.kinds.contract import EntryPaths
from rubrica.paths import Path
from rubrica.texts import Model


class Over(Model):
    """Where the list is, and inside one entry its label, a note and the turn it belongs to.

    A list of texts, a list of objects, or an object whose keys are the labels. Whatever is named here
    is shown to raters.
    """

    path: Path
    """A path to the list."""
    label: Path | None = None
    """Inside an entry, a path to its text."""
    note: Path | None = None
    """Inside an entry, a path to a remark."""
    turn: Path | None = None
    """Inside an entry, a path to the number of the turn it came up in."""
    turns_from: int = 0
    """The number the data gives to the first turn; pages count from 1."""

    def paths(self) -> EntryPaths:
        return EntryPaths(self.path, self.label, self.note, self.turn, self.turns_from)


def _path_alone(value: object) -> object:
    return {"path": value} if isinstance(value, str) else value


AnyOver = Annotated[Over, BeforeValidator(_path_alone, json_schema_input_type=str | Over)]
"""A bare path is short for one without labels, notes and turns."""
