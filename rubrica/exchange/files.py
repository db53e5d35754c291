"""Writing files whole or not at all."""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Any

from rubrica.errors import Problem, Rule, Where

CANNOT_WRITE = Rule(
    code="X001",
    title="An export can be written where it is asked for",
    says="{got} cannot be written: {reason}",
    why="Half a file could be taken for a whole one, so none is left behind.",
    mend="Choose a folder you may write to, see that the disk has room, and close the file elsewhere.",
)


@contextmanager
def whole_file(path: Path) -> Iterator[IO[str]]:
    """A text file that takes its name only when it is complete and safe on the disk."""
    partial = path.with_name(f".{path.name}.partial")
    try:
        with partial.open("w", encoding="utf-8", newline="\n") as file:
            yield file
            file.flush()
            os.fsync(file.fileno())
        partial.replace(path)
    except OSError as error:
        details = {"reason": error.strerror or str(error)}
        where = Where(file=str(path))
        raise Problem(CANNOT_WRITE, where=where, got=str(path), details=details) from None
    finally:
        partial.unlink(missing_ok=True)


def write_jsonl(path: Path, rows: Iterable[dict[str, Any]]) -> None:
    """One JSON object a line; escaped to ASCII, so that no character is lost on the way."""
    with whole_file(path) as file:
        for row in rows:
            file.write(json.dumps(row, default=dict) + "\n")
