"""The reference page of readers, made from what is registered."""

from __future__ import annotations

from collections.abc import Iterator

from rubrica.items.readers.contract import Reader
from rubrica.items.records import readers

_HEAD = """\
<!-- Made by scripts/reference.py from the code; do not edit. -->

# Readers: data files as items

`items: from` names files, patterns or folders inside the study's folder. A file's ending tells which
reader takes it; `items: reader` names one for any ending. A package may bring readers of its own under
the entry points `rubrica.readers`.

| reader | endings | a place is a | `items: at` |
|---|---|---|---|
"""

_RULES = """\
## Files, order and batches

- Files come in the order of the names under `from`; those of one pattern sorted by name, with numbers
  by their value (`config_2` before `config_10`). A file that two patterns find is read once.
- A folder stands for all files in and below it that a reader knows. Names that start with a dot are
  left out.
- `batch: folder` takes the folders down to the last wildcard: `logs/config_*/**/*.json` gives the
  batches `logs/config_1`, `logs/config_2`, and so does `logs/config_*`, also where the files lie in a
  folder inside. Without a wildcard it is the file's own folder, or the folders inside the named one.

## Keys

`key` may be one path or several. Items with the same key are items of their own: the first in the
order of the files has copy 0, the next copy 1, and so on. Without `key`, an item is known by its file
and place.

## Odd data

| what | what happens |
|---|---|
| a bad line | a problem with its line; the rest loads only with `--skip-bad`, counted |
| a half-written last line | the same, and the problem says so |
| a blank line | is skipped; line numbers count it |
| a byte order mark, Windows line ends | are no part of an item |
| UTF-16 and UTF-32 with their mark | are read; the stored source is UTF-8 |
| other encodings | a problem; nothing is guessed |
| NaN, infinities, whole numbers of any size | are kept; pages get numbers as text, unrounded |
| a lone surrogate | is kept in the source; a page shows `\N{REPLACEMENT CHARACTER}` |
| NUL written as `\\u0000` | is kept in the source; a page shows `\N{SYMBOL FOR NULL}` |
| a null field | is shown as nothing; a field that is *missing* is a problem |
| an empty cell | is an empty text in CSV and TSV, null in a workbook |
| a formula in CSV | is text like any other; in a workbook the value saved with it counts |
| backslashes in media names | are read as slashes |
| media with `..`, a leading slash or an address | are never opened; they are listed as missing |
"""


def page() -> str:
    there = readers().values()
    table = "".join(f"{_row(reader)}\n" for reader in there)
    told = "\n".join(line for reader in there for line in _about(reader))
    return f"{_HEAD}{table}\n{told}\n{_RULES}"


def _row(reader: Reader) -> str:
    endings = ", ".join(f"`{suffix}`" for suffix in reader.suffixes)
    return f"| [{reader.name}](#{reader.name}) | {endings} | {reader.place} | {reader.at or 'no'} |"


def _about(reader: Reader) -> Iterator[str]:
    yield f"## {reader.name}\n"
    yield f"{reader.says}\n"
