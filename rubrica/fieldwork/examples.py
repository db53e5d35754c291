"""Worked examples as items of their own, which no database knows."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from rubrica.fieldwork.model import Earlier
from rubrica.fieldwork.showing import as_context
from rubrica.fieldwork.versions import Version
from rubrica.items.mapping import TURN, Mapper
from rubrica.items.media import media_names
from rubrica.items.model import Item
from rubrica.study.model import PracticeExample

PRACTICE = 0
"""Stands for the id of all items of practice, which the database does not number."""

MediaIds = Callable[[Sequence[str]], Mapping[str, str]]
"""Gives media names their opaque ids."""


@dataclass(frozen=True, slots=True)
class Example:
    """A worked example. `declared` has the reference answers."""

    number: int
    declared: PracticeExample
    item: Item
    context: Sequence[Earlier]


def examples_of(version: Version, media_ids: MediaIds) -> Sequence[Example]:
    mapper = Mapper(version.study)
    return [
        _example(version, mapper, media_ids, number, declared)
        for number, declared in enumerate(version.practice)
    ]


def _example(
    version: Version, mapper: Mapper, media_ids: MediaIds, number: int, declared: PracticeExample
) -> Example:
    *earlier, item = _run(version, mapper, media_ids, number, [*declared.earlier, declared.item])
    return Example(number, declared, item, as_context(version, earlier))


def _run(
    version: Version,
    mapper: Mapper,
    media_ids: MediaIds,
    number: int,
    turns: Sequence[Mapping[str, Any]],
) -> Iterator[Item]:
    for turn, data in enumerate(turns):
        shown = mapper.shown(data)
        yield Item(
            id=PRACTICE,
            public=f"practice-{number + 1}-{turn}",
            position=0,
            shown=shown,
            facts={**mapper.facts(data), TURN: turn},
            turn=turn,
            media=media_ids(media_names(version.study.items.show, shown)),
        )
