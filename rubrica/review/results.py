"""All results of one study: the analysis over every table, and the texts of items that need a look."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from rubrica.analysis.analyse import analyse
from rubrica.analysis.results import Results
from rubrica.errors import Problem
from rubrica.items.model import Shown
from rubrica.review.gather import Gathered, Part
from rubrica.review.sources import Sources
from rubrica.study.model import Study
from rubrica.texts import Text

LONGEST = 1_500
"""Characters of an item's text that a list of mismatches shows."""


@dataclass(frozen=True, slots=True)
class Reviewed:
    """What a report is written from."""

    gathered: Gathered
    results: Results
    texts: Mapping[str, Sequence[tuple[Text, str]]]
    """Of the items that judge and raters differ on: what raters saw, as label and text."""

    entries: Mapping[str, Mapping[str, Sequence[str]]]
    """Of the same items: what the entries of their own lists are called, by question."""

    def item_of(self, name: str) -> str:
        """The item with such texts which a name is of, where results go entry by entry: `KEY / 2`."""
        return name if name in self.texts else name.rpartition(" / ")[0]


def reviewed(
    sources: Sources, gathered: Gathered, told: Callable[[float], None] | None = None
) -> Reviewed:
    results = results_of(gathered, told)
    seen = _shown(sources, gathered, results)
    texts = {name: list(item_texts(gathered.study, one.views)) for name, one in seen.items()}
    entries = {name: _labels(one) for name, one in seen.items()}
    return Reviewed(gathered, results, texts, entries)


def results_of(gathered: Gathered, told: Callable[[float], None] | None = None) -> Results:
    """The whole, then each list question entry by entry, as one."""
    parts = [gathered.whole, *gathered.parts]
    found = []
    for number, part in enumerate(parts):
        found.append(_analysed(gathered, part))
        if told is not None:
            told((number + 1) / len(parts))
    whole, *others = found
    lost = [*gathered.left_out, *whole.left_out, *(x for o in others for x in o.left_out if x.question)]
    return replace(
        whole,
        left_out=tuple(lost),
        agreement=_joined(found, "agreement"),
        matrix=_joined(found, "matrix"),
        systems=_joined(found, "systems"),
        comparisons=_joined(found, "comparisons"),
        judges=_joined(found, "judges"),
        mismatches=_joined(found, "mismatches"),
        confusion=_joined(found, "confusion"),
        differences=_joined(found, "differences"),
        shares=_joined(found, "shares"),
        notes=_once(found),
    )


def _analysed(gathered: Gathered, part: Part) -> Results:
    rng = np.random.default_rng(gathered.seed)
    return analyse(part.table, part.questions, gathered.options, rng)


def _joined(found: Sequence[Results], name: str) -> tuple[Any, ...]:
    return tuple(record for results in found for record in getattr(results, name))


def _once(found: Sequence[Results]) -> tuple[Problem, ...]:
    notes: dict[str, Problem] = {}
    for results in found:
        for note in results.notes:
            notes.setdefault(note.message, note)
    return tuple(notes.values())


# --- texts of items ----------------------------------------------------------------------------------


def _shown(sources: Sources, gathered: Gathered, results: Results) -> dict[str, Shown]:
    ids = dict(zip(gathered.things.names, gathered.things.ids, strict=True))
    found: dict[str, Shown] = {}
    for name in {m.item for m in results.mismatches}:
        of = name if name in ids else name.rpartition(" / ")[0]
        if of in ids and of not in found:
            found[of] = sources.items.item(gathered.name, ids[of]).shown
    return found


def _labels(shown: Shown) -> dict[str, list[str]]:
    return {
        question: [entry["label"] for entry in listed] for question, listed in shown.entries.items()
    }


def item_texts(study: Study, views: Sequence[Any]) -> Iterator[tuple[Text, str]]:
    """What raters saw of an item, without its pictures, each text cut where it is long."""
    for declared, view in zip(study.items.show, views, strict=False):
        label: Text | None = getattr(declared, "label", None)
        text = _plain(view)
        if text:
            yield label or "", _cut(text)


def _plain(view: Mapping[str, Any]) -> str:
    if "turns" in view:
        lines = [t.get(side) for t in view["turns"] for side in ("user", "assistant")]
        return "\n".join(str(line) for line in lines if line)
    if "values" in view or "texts" in view:
        return " / ".join(str(v) for v in view.get("values", view.get("texts")) or () if v)
    return str(view.get("text") or view.get("json") or "")


def _cut(text: str) -> str:
    return text if len(text) <= LONGEST else text[: LONGEST - 1] + "…"
