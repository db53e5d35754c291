"""What layouts share that are read and never written."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from pathlib import Path

from rubrica.errors import Problem, Rule, Where
from rubrica.exchange.contract import Asked, Format, Here, Wrote
from rubrica.items.readers.contract import Record
from rubrica.items.records import readers
from rubrica.study.model import Study

READ_ONLY = Rule(
    code="X050",
    title="A layout that is only read is not exported to",
    says="the layout {got} is read, never written",
    why="The tool it comes from has its own database, and takes no ratings from files.",
    mend="Use --layout tidy, which takes any study and holds everything.",
)
NOT_READ = Rule(
    code="X051",
    title="What a file holds beside answers is said to be left out",
    says="{got} is no question of this study and is left out",
    why="Nothing is dropped in silence.",
    mend="Nothing to mend, unless it was meant to be an answer: then give it the question's name.",
    level="note",
)
NO_ANSWERS = Rule(
    code="X052",
    title="A file of ratings has answers to questions of the study",
    says="nothing in this file is named like a question of the study",
    why="There is nothing to bring in.",
    mend="Name the columns or controls like the study's questions: {expected}.",
)


class ReadOnly(Format):
    """A layout that ratings come from and never go to."""

    native = False
    repeats = "places"

    def fits(self, study: Study) -> bool:
        return False

    def write(self, here: Here, asked: Asked) -> Wrote:
        raise Problem(READ_ONLY, Where(str(asked.to)), got=self.name)


def records(path: Path) -> Iterator[Record | Problem]:
    """Every record of a file, by the reader for its ending; problems with the file's name."""
    for reader in readers().values():
        if path.suffix.lower() in reader.suffixes:
            for found in reader.read(path, None):
                if isinstance(found, Problem):
                    yield found.at(replace(found.where, file=str(path)))
                else:
                    yield found
            return


def first_record(path: Path) -> Mapping[str, object]:
    """The first record that can be read, where it is an object; otherwise an empty one."""
    first = next(iter(records(path)), None)
    return first.data if isinstance(first, Record) and isinstance(first.data, dict) else {}
