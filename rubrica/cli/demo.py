"""The bundled studies in the browser, to look at before writing one's own."""

from __future__ import annotations

import webbrowser
from pathlib import Path
from typing import Annotated

import typer

from rubrica.cli.opening import Opened, opened_together
from rubrica.cli.serve import serve_studies
from rubrica.cli.simulate import simulated
from rubrica.cli.talk import beside
from rubrica.exchange.starting.frame import BUNDLED, bundled_copy
from rubrica.fieldwork.robots import Crew


def command(
    folder: Annotated[
        Path, typer.Argument(help="Where the studies and their ratings are kept.")
    ] = Path("rubrica-demo"),
    raters: Annotated[int, typer.Option(help="How many robots rate beforehand; 0 for none.")] = 4,
    port: Annotated[int, typer.Option(help="The port; 0 for any free one.")] = 8000,
    browser: Annotated[bool, typer.Option(help="Open the first study in the browser.")] = True,
) -> None:
    """Serve the three bundled studies with demo items and simulated ratings, until Ctrl-C."""
    studies = [bundled(name, folder) for name in BUNDLED]
    with opened_together(studies, str(folder / "demo.db")) as there:
        for one in there:
            _fill(one, raters)
        beside().print(f"The studies are in {folder}; their study.yaml is yours to change.")
        serve_studies(there, "127.0.0.1", port, when_ready=_show if browser else lambda _: None)


def bundled(name: str, folder: Path) -> Path:
    """A copy of a bundled study to play with; one that is there already is left as it is."""
    study = folder / name
    if not study.exists():
        bundled_copy(name, study)
    return study


def _fill(one: Opened, raters: int) -> None:
    """Robots rate a study that nobody has rated yet."""
    if raters and not one.store.accounts.raters(one.name):
        simulated(one, Crew(raters=raters, seed=1, dropouts=0.0, skips=0.02))


def _show(addresses: list[str]) -> None:
    webbrowser.open(addresses[0])
