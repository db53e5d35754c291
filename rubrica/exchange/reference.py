"""The reference page of layouts, made from what is registered."""

from __future__ import annotations

from collections.abc import Iterator

from rubrica.exchange.contract import Format, formats
from rubrica.exchange.reading import ReadOnly

_HEAD = """\
<!-- Made by scripts/reference.py from the code; do not edit. -->

# Layouts: ratings in files

`rubrica import STUDY FILE...` reads ratings that were made elsewhere and finds out the layout of each
file by itself; `rubrica export STUDY --to FILE` writes them (`--layout native` the layout of the tool
whose questions the study has, `--layout tidy` any study). A package may bring layouts of its own under
the entry points `rubrica.formats`.

An import is one transaction: everything comes in, or nothing does and every problem is told with its
place; `--dry-run` only tells. What was imported before is recognised and not doubled. Ratings of items
the study does not have are left out and counted. The server decides every answer again, as for one
from a browser.
"""


def page() -> str:
    return _HEAD + "".join(line for one in formats().values() for line in _section(one))


def _section(one: Format) -> Iterator[str]:
    ways = "read only" if isinstance(one, ReadOnly) else "read and written"
    yield f"\n## {one.name}\n\n{one.says}\n\nFiles: {one.files}; {ways}.\n"
    if one.questions:
        yield f"Questions: {', '.join(f'`{name}`' for name in sorted(one.questions))}.\n"
