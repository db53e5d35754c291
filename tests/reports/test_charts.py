"""Every figure can be drawn anew by Vega, from the numbers the plain figure draws."""

from __future__ import annotations

from dataclasses import fields

import pytest

from rubrica.analysis.results import (
    Agreement,
    Confusion,
    Difference,
    Duration,
    PairAgreement,
    Progress,
    Share,
)
from rubrica.reports import figures, grids
from rubrica.reports.charts import chart, charts, script
from rubrica.reports.figures import Drawing
from rubrica.reports.language import Say

vl_convert = pytest.importorskip("vl_convert")
pytest.importorskip("altair")
SAY = Say("en")


def _record(of: type, **given: object) -> object:
    """A record with what matters to its figure; the rest is empty."""
    return of(**{field.name: given.get(field.name) for field in fields(of)})


def drawings() -> dict[str, Drawing | None]:
    share = [
        _record(Share, system=s, level=level, count=n, share=n / 4)
        for s in ("cedar", "dune")
        for level, n in (("Bad", 1), ("Good", 3))
    ]
    alpha = [
        _record(Agreement, question=q, coefficient="alpha", value=v, low=v - 0.1, high=v + 0.1)
        for q, v in (("fluency", 0.7), ("logic", 0.4))
    ]
    pairs = [
        _record(PairAgreement, a=a, b=b, value=v)
        for a, b, v in (("R1", "R2", 0.5), ("R1", "R3", 0.7), ("R2", "R3", -0.1))
    ]
    cells = [
        _record(Confusion, human=h, score=s, count=n, share=n / 10)
        for h, s, n in (("0", "0", 4), ("0", "1", 1), ("1", "0", 0), ("1", "1", 5))
    ]
    points = [_record(Difference, mean=m, difference=m - 0.5, count=2) for m in (0.2, 0.4, 0.9)]
    times = [
        _record(
            Duration, rater=r, low=5.0, lower_quarter=10.0, median=20.0, upper_quarter=30.0, high=60.0
        )
        for r in (None, "R1")
    ]
    steps = [_record(Progress, ratings=n, items=n // 2) for n in (1, 5, 9)]
    same = str
    return {
        "bars": figures.distribution("answers", "Answers", share, same, same),  # type: ignore[arg-type]
        "dots": figures.agreement(SAY, alpha, same),  # type: ignore[arg-type]
        "grid": grids.matrix(SAY, "matrix", "Pairs", pairs),  # type: ignore[arg-type]
        "confusion": grids.confusion(SAY, "confusion", "Both", cells, same),  # type: ignore[arg-type]
        "points": figures.bland_altman(SAY, "differences", "Apart", points, None),  # type: ignore[arg-type]
        "boxes": figures.times(SAY, times, lambda r: r or "all"),  # type: ignore[arg-type]
        "steps": figures.progress(SAY, steps),  # type: ignore[arg-type]
    }


SHOWN = {
    "bars": ("cedar", "dune", "Bad", "Good"),
    "dots": ("fluency", "logic"),
    "grid": ("R1", "R3", "0.7"),
    "confusion": ("judge", "raters"),
    "points": ("judge minus raters",),
    "boxes": ("all", "R1", "seconds"),
    "steps": ("ratings", "items"),
}


@pytest.mark.parametrize("name", SHOWN)
def test_vega_draws_it(name: str) -> None:
    drawing = drawings()[name]
    assert drawing is not None
    svg = vl_convert.vegalite_to_svg(chart(drawing.drawn))
    for text in SHOWN[name]:
        assert f">{text}<" in svg, text


def test_charts_have_the_names_of_their_figures() -> None:
    drawn = [one for one in drawings().values() if one is not None]
    assert list(charts(drawn)) == [one.name for one in drawn]


def test_the_script_leaves_what_pages_draw_with() -> None:
    assert "rubricaVega" in script()
