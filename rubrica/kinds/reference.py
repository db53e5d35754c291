"""The reference page of question kinds, made from what is registered.

python -m rubrica.kinds.reference > docs/reference/kinds.md
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from importlib import import_module
from typing import Any

import yaml

from rubrica.kinds.contract import Entry, Kind, Question
from rubrica.kinds.registry import kinds

ENTRIES = (Entry("first entry"), Entry("second entry"))
"""What the example's item has in its own list, for the schema."""

HEAD = """\
# Question kinds

<!-- Made by `make docs` from the registered kinds; do not edit. -->

A kind is one way to ask. Each of them stands in a folder of its own under `rubrica/kinds` and is
registered under the entry points `rubrica.kinds`; a package of yours can register others.

Every question may declare `ask`, `label`, `note`, `rubric`, `required`, `when`, `cannot_judge` and
`second_look`; the reference of the [study file](study-file.md) lists them with the keys of each kind.

For each question the browser sends one reply: `{"value": ...}` with what is described below, or
`{"cannot_judge": true}` (or a reason), or `{}` where nothing was chosen. `"first"` is the first
choice, where a second look or a level that follows from evidence led to another, and `"prompted":
true` says that the page asked for a second look.

In tables and exports a question called `quality` fills the column `quality` and the others listed
below as `quality.NAME`; beside them stands `quality.state` (`answered`, `not_applicable`,
`cannot_judge` or `left_out`), and where the question can have them `quality.reason`, `quality.first`,
`quality.implied`, `quality.implied_by`, `quality.prompted` and `quality.second_look`.

In conditions `answer.quality` is the value, `answer.quality.NAME` one of the numbers listed below, and
`answer.quality.state` its state. A number marked as a share lies between 0 (worst) and 1 (best), and
a mean may use it: `quality` alone means `quality.fraction`.
"""


def page() -> str:
    """The page as Markdown."""
    parts = [HEAD, *("\n".join(_kind(kind)) for kind in kinds().values())]
    return "\n".join(parts).rstrip() + "\n"


def _kind(kind: Kind[Any]) -> Iterator[str]:
    question = kind.question.model_validate(yaml.safe_load(kind.example))
    model = kind.question.__name__
    yield f"## {kind.name}\n"
    yield f"{kind.says} Its keys: [{model}](study-file.md#{model.lower()}).\n"
    yield f"```yaml\n{kind.example.rstrip()}\n```\n"
    yield f"{_sends(kind)}\n"
    yield from _columns(kind, question)
    yield from _numbers(kind, question)
    yield "<details><summary>JSON Schema of the example's answer</summary>\n"
    yield f"```json\n{json.dumps(kind.schema(question, ENTRIES), indent=2, ensure_ascii=False)}\n```\n"
    yield "</details>\n"


def _sends(kind: Kind[Any]) -> str:
    """What the kind's own documentation says of the answer the browser sends."""
    said = import_module(type(kind).__module__).__doc__ or ""
    return said.partition("\n\n")[2].strip()


def _columns(kind: Kind[Any], question: Question) -> Iterator[str]:
    yield "| column | type | |"
    yield "|---|---|---|"
    for column in kind.columns(question):
        name = f"`NAME.{column.name}`" if column.name else "`NAME`"
        yield f"| {name} | {column.type} | {column.says} |"
    yield ""


def _numbers(kind: Kind[Any], question: Question) -> Iterator[str]:
    shares = set(kind.shares(question))
    names = [f"`{n}`{' (a share)' if n in shares else ''}" for n in kind.measures(question)]
    if names:
        yield f"Numbers for conditions and scores: {', '.join(names)}.\n"


if __name__ == "__main__":
    print(page(), end="")  # noqa: T201
