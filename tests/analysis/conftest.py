"""A study's table written as rows, the way a test wants to read it."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from rubrica.analysis.bootstrap import Sampler
from rubrica.analysis.table import FLAGS, WHY_MISSING, Answers, Factor, Items, Judge, Question, Table

Row = Mapping[str, Any]


def build(
    rows: Sequence[Row],
    questions: Sequence[Question],
    *,
    fields: Sequence[str] = (),
    judges: Mapping[str, Mapping[str, float]] | None = None,
    scale: str = "levels",
    more_items: Sequence[Row] = (),
) -> Table:
    """Rows name `item`, `rater`, answers by question; a text as an answer is why it is missing."""
    item = Factor.of(r["item"] for r in [*rows, *more_items])
    first = {r["item"]: r for r in reversed([*rows, *more_items])}

    def of_items(name: str) -> Factor | None:
        values = [first[i].get(name) for i in item.names]
        return None if all(v is None for v in values) else Factor.of(values)

    made = [
        Judge(name, q.name, np.array([scores.get(i, np.nan) for i in item.names]), scale)  # type: ignore[arg-type]
        for name, scores in (judges or {}).items()
        for q in questions
    ]
    items = Items(
        names=item.names,
        system=of_items("system"),
        input=of_items("input"),
        thread=of_items("thread"),
        wave=of_items("wave"),
        fields={name: of_items(name) or Factor.none(len(item.names)) for name in fields},
        judges=made,
    )
    return Table(
        items=items,
        item=item.codes[: len(rows)],
        rater=Factor.of(r.get("rater") for r in rows),
        answers={q.name: _answers(rows, q.name) for q in questions},
        seconds=np.array([r.get("seconds", np.nan) for r in rows], dtype=float),
        language=Factor.of(r.get("language") for r in rows),
        flags={f: np.array([bool(r.get(f)) for r in rows], dtype=bool) for f in FLAGS},
    )


def _answers(rows: Sequence[Row], name: str) -> Answers:
    given = [r.get(name, "left open") for r in rows]
    final = [np.nan if isinstance(v, str) or v is None else float(v) for v in given]
    why = [WHY_MISSING.index(v) if isinstance(v, str) else 0 for v in given]
    first = [r.get(f"{name} first", np.nan) for r in rows]
    return Answers(np.array(final), np.array(first, dtype=float), np.array(why, dtype=np.uint8))


@pytest.fixture(scope="session")
def table_of() -> Callable[..., Table]:
    return build


@pytest.fixture
def rng() -> np.random.Generator:
    return np.random.default_rng(20_240)


@pytest.fixture
def sampler(rng: np.random.Generator) -> Sampler:
    return Sampler(rng)


@pytest.fixture(scope="session")
def five() -> Question:
    """An ordered scale of five levels."""
    return Question("quality", "ordinal", (1, 2, 3, 4, 5))


@pytest.fixture(scope="session")
def yes_no() -> Question:
    return Question("safe", "nominal", (0, 1), ("No", "Yes"))


@pytest.fixture(scope="session")
def published() -> dict[str, Any]:
    """Tables of published examples, as their authors printed them."""
    text = Path(__file__).with_name("published.json").read_text(encoding="utf-8")
    return dict(json.loads(text))


KRIPPENDORFF = ("12332141 2***", "123322412 5*3", "*33323422 51*", "12332441251*")
"""Krippendorff (2004), four observers, twelve units, `*` missing; spaces are for the eye."""


def coded(lines: Sequence[str]) -> np.ndarray:
    """Raters x items of level codes from 0, 255 where there is none."""
    rows = [line.replace(" ", "") for line in lines]
    return np.array([[255 if c == "*" else int(c) - 1 for c in row] for row in rows], dtype=np.uint8)


def counted(codes: np.ndarray, levels: int) -> np.ndarray:
    """Items x levels."""
    return np.stack([(codes == level).sum(axis=0) for level in range(levels)], axis=1).astype(float)


@pytest.fixture(scope="session")
def krippendorff_codes() -> np.ndarray:
    return coded(KRIPPENDORFF)


@pytest.fixture(scope="session")
def gwet_counts() -> np.ndarray:
    """The same table with unit 12's 3 given by the third rater instead of the second."""
    codes = coded(KRIPPENDORFF)
    codes[1, 11], codes[2, 11] = 255, 2
    return counted(codes, 5)


@pytest.fixture(scope="session")
def gwet_codes() -> np.ndarray:
    codes = coded(KRIPPENDORFF)
    codes[1, 11], codes[2, 11] = 255, 2
    return codes
