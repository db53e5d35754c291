"""The JSON Schema of study files, for editors."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from rubrica.cli.talk import beside
from rubrica.exchange.files import whole_file
from rubrica.study.schema import schema_text

Target = Annotated[
    Path | None, typer.Option("--out", help="Write it to this file instead of printing it.")
]


def command(to: Target = None) -> None:
    """The JSON Schema of study files, for editors.

    With the first line `# yaml-language-server: $schema=study.schema.json` an editor completes keys
    and explains them.
    """
    if to is None:
        print(schema_text(), end="")  # noqa: T201
    else:
        with whole_file(to) as file:
            file.write(schema_text().encode())
        beside().print(f"written to {to}", markup=False)
