"""The bundled studies, loaded once."""

from __future__ import annotations

import json
from collections.abc import Iterator
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Any

from rubrica.items.load import items_of
from rubrica.items.mapping import Mapper
from rubrica.items.model import Item, NewItem
from rubrica.ratings.accept import Accepted, accept
from rubrica.study.load import LoadedStudy, load_study
from rubrica.study.model import PracticeExample

NAMES = ("m3bench", "vtt", "incar")
STUDIES = Path(str(files("rubrica.studies")))


@cache
def bundled(name: str) -> LoadedStudy:
    return load_study(STUDIES / name)


@cache
def items(name: str) -> tuple[NewItem, ...]:
    return tuple(items_of(bundled(name)))


def lines(file: Path) -> Iterator[dict[str, Any]]:
    for line in file.read_text(encoding="utf-8").splitlines():
        yield json.loads(line)


def practised(loaded: LoadedStudy, example: PracticeExample) -> Accepted:
    """What the server makes of an example's reference answers when a rater gives them."""
    mapper = Mapper(loaded.study)
    shown, facts = mapper.shown(example.item), mapper.facts(example.item)
    item = Item(id=1, public="x", position=0, shown=shown, facts=facts, turn=len(example.earlier))
    replies = {name: _reply(loaded, name, answer) for name, answer in example.answers.items()}
    return accept(loaded.study, item, {name: reply for name, reply in replies.items() if reply})


def _reply(loaded: LoadedStudy, name: str, answer: Any) -> dict[str, Any]:
    if answer is not None:
        return {"value": answer}
    reasons = loaded.study.questions[name].cannot_judge
    if not isinstance(reasons, list):
        return {}
    first = reasons[0]
    return {"cannot_judge": first if isinstance(first, str) else first["en"]}
