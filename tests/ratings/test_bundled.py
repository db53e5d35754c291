"""The bundled studies: every item can be rated, and every rating fills its row."""

from __future__ import annotations

import json
from pathlib import Path
from random import Random
from typing import Any

import pytest
from rating_studies import make_rating

import rubrica.studies
from rubrica.items.load import items_of
from rubrica.items.model import Item, NewItem
from rubrica.kinds.contract import Robot
from rubrica.kinds.registry import kind
from rubrica.ratings.accept import accept
from rubrica.ratings.facts import entries_of
from rubrica.ratings.page import page_rules
from rubrica.ratings.tidy import columns, row
from rubrica.study.load import load_study
from rubrica.study.model import Study

FOLDERS = sorted(p.parent for p in Path(rubrica.studies.__path__[0]).glob("*/study.yaml"))


def replies(study: Study, item: Item, robot: Robot) -> dict[str, Any]:
    """A value for everything, except where one follows from the others."""
    return {
        name: {}
        if getattr(question, "implied", None)
        else {"value": kind(question.kind).robot(question, robot, entries_of(item, name))}
        for name, question in study.questions.items()
    }


@pytest.mark.parametrize("folder", FOLDERS, ids=lambda folder: folder.name)
def test_every_item_can_be_rated(folder: Path) -> None:
    loaded = load_study(folder)
    names = [column.name for column in columns(loaded.study)]
    for place, new in enumerate(items_of(loaded)):
        assert isinstance(new, NewItem)
        item = Item(place, str(place), place, new.shown, new.facts, turn=new.turn)
        robot = Robot(Random(place), skill=0.8, bias=0, truth=(place % 5) / 4)
        accepted = accept(loaded.study, item, replies(loaded.study, item, robot))
        cells = row(loaded.study, item, make_rating(accepted))
        assert list(cells) == names
        assert json.dumps(cells)
        assert json.dumps(page_rules(loaded.study, item))
