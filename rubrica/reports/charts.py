"""The figures as charts a page draws with Vega: they answer to the pointer and take the page's colours.

Made with Altair from the very numbers the plain figures draw, in the process that computed them. A
chart has no colours of its own: the page that shows it brings them, light or dark, and puts them where
`$ink`, `$paper` and `$other` stand.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from importlib.util import find_spec
from typing import Any

from rubrica.reports.figures import Drawing, Drawn

SCRIPT = "window.rubricaVega = { embed: vegaEmbed };"
"""What the bundled script leaves behind for the page."""
ROW, CELL = 26, 44


def can_draw() -> bool:
    """Whether the extra `figures` is installed."""
    return find_spec("altair") is not None and find_spec("vl_convert") is not None


def script() -> str:
    """Vega with all it needs, from the installed package, as one module."""
    import vl_convert

    return str(vl_convert.javascript_bundle(SCRIPT))


def charts(drawings: Sequence[Drawing]) -> dict[str, Any]:
    """A chart for each figure, by the figure's name."""
    return {one.name: chart(one.drawn) for one in drawings}


def chart(drawn: Drawn) -> dict[str, Any]:
    """The figure as Vega-Lite, which Altair holds against its schema."""
    import altair as alt

    made = _MAKERS[drawn.kind](alt.Data(values=[dict(row) for row in drawn.rows]), drawn)  # type: ignore[no-untyped-call]
    whole: dict[str, Any] = made.properties(autosize=alt.AutoSizeParams(type="fit-x")).to_dict()
    whole["config"] = {"view": {"stroke": None}, "background": "transparent"}
    return whole


Maker = Callable[[Any, Drawn], Any]


def _of(drawn: Drawn) -> list[str]:
    """Labels in the order they come in."""
    return list(dict.fromkeys(row["of"] for row in drawn.rows))


def _down(drawn: Drawn) -> Any:
    import altair as alt

    axis = alt.Axis(labelLimit=180, ticks=False, domain=False)
    return alt.Y("of:N", title=None, sort=_of(drawn), axis=axis)


def _tips(**fields: str) -> list[Any]:
    import altair as alt

    return [
        alt.Tooltip(field, title=title, format=".3~f" if field.endswith(":Q") else "")
        for title, field in fields.items()
    ]


def _bars(data: Any, drawn: Drawn) -> Any:
    import altair as alt

    levels = [row["level"] for row in sorted(drawn.rows, key=lambda row: int(row["place"]))]
    return (
        alt.Chart(data, width="container", height=ROW * len(_of(drawn)))
        .mark_bar(height=ROW - 6)
        .encode(
            x=alt.X("share:Q", title=None, stack="zero", axis=alt.Axis(format="%")),
            y=_down(drawn),
            color=alt.Color(
                "level:O",
                title=None,
                sort=list(dict.fromkeys(levels)),
                legend=alt.Legend(orient="top", columns=3, labelLimit=220),
            ),
            order="place:Q",
            tooltip=[
                alt.Tooltip("of:N", title=" "),
                alt.Tooltip("level:N", title="  "),
                alt.Tooltip("count:Q", title="n"),
                alt.Tooltip("share:Q", title="%", format=".1%"),
            ],
        )
    )


def _dots(data: Any, drawn: Drawn) -> Any:
    import altair as alt

    scale = alt.Scale(domain=list(drawn.ends), nice=False) if drawn.ends else alt.Scale(zero=False)
    tips = [
        alt.Tooltip("of:N", title=" "),
        alt.Tooltip("value:Q", title="=", format=".3~f"),
        alt.Tooltip("low:Q", title="≥", format=".3~f"),
        alt.Tooltip("high:Q", title="≤", format=".3~f"),
    ]
    base = alt.Chart(data).encode(y=_down(drawn), tooltip=tips)
    reach = base.mark_rule(strokeWidth=3, opacity=0.5).encode(
        x=alt.X("low:Q", title=None, scale=scale, axis=alt.Axis(tickCount=6)), x2="high:Q"
    )
    dots = base.mark_point(filled=True, size=90, opacity=1).encode(x=alt.X("value:Q", scale=scale))
    layers = [*_marks(drawn, "x"), reach, dots]
    return alt.layer(*layers).properties(width="container", height=ROW * len(_of(drawn)))


def _marks(drawn: Drawn, channel: str) -> list[Any]:
    """Lines at the values to read a figure by."""
    import altair as alt

    if not drawn.marks:
        return []
    values = [{"at": at, "says": says} for at, says in drawn.marks]
    lines = alt.Data(values=values)  # type: ignore[no-untyped-call]
    where = {channel: alt.X("at:Q") if channel == "x" else alt.Y("at:Q")}
    rule = alt.Chart(lines).mark_rule(strokeDash=[4, 3], color="$other")
    return [rule.encode(tooltip=[alt.Tooltip("says:N", title=" ")], **where)]


def _grid(data: Any, drawn: Drawn) -> Any:
    import altair as alt

    rows = list(dict.fromkeys(row["row"] for row in drawn.rows))
    columns = list(dict.fromkeys(row["column"] for row in drawn.rows))
    order = rows if set(rows) >= set(columns) else columns
    axis = alt.Axis(labelLimit=120, labelAngle=0, ticks=False, domain=False, orient="top")
    small = 24 if len(order) > 12 else CELL
    base = alt.Chart(data, width=alt.Step(small), height=alt.Step(min(small, 34))).encode(
        x=alt.X("column:N", title=drawn.x or None, sort=order, axis=axis),
        y=alt.Y("row:N", title=drawn.y or None, sort=order, axis=alt.Axis(labelLimit=160, ticks=False)),
        tooltip=_tips(**{"↓": "row:N", "→": "column:N", "=": "value:Q"}),
    )
    scale = alt.Scale(domain=list(drawn.ends), clamp=True) if drawn.ends else alt.Undefined
    shade = alt.Color("value:Q", legend=None, scale=scale)
    boxes = base.mark_rect().encode(color=shade)
    if len(order) > 12:
        return boxes
    most = drawn.ends[1] if drawn.ends else max((row["value"] or 0 for row in drawn.rows), default=1)
    dark = alt.datum["value"] > (most or 1) * 0.55
    numbers = base.mark_text().encode(
        text=alt.Text("value:Q", format=".2~f"),
        color=alt.condition(dark, alt.value("$paper"), alt.value("$ink")),
    )
    return boxes + numbers


def _points(data: Any, drawn: Drawn) -> Any:
    import altair as alt

    dots = (
        alt.Chart(data)
        .mark_circle(opacity=0.6)
        .encode(
            x=alt.X("x:Q", title=drawn.x, scale=alt.Scale(zero=False)),
            y=alt.Y("y:Q", title=drawn.y),
            size=alt.Size("count:Q", legend=None, scale=alt.Scale(range=[30, 300])),
            tooltip=_tips(**{drawn.x: "x:Q", drawn.y: "y:Q", "n": "count:Q"}),
        )
    )
    layers = [dots, *_marks(drawn, "y")]
    return alt.layer(*layers).properties(width="container", height=220)


def _boxes(data: Any, drawn: Drawn) -> Any:
    import altair as alt

    tips = _tips(**{" ": "of:N", "5%": "low:Q", "25%": "lower:Q", "50%": "value:Q"})
    tips += _tips(**{"75%": "upper:Q", "95%": "high:Q"})
    base = alt.Chart(data).encode(y=_down(drawn), tooltip=tips)
    reach = base.mark_rule().encode(
        x=alt.X("low:Q", title=drawn.x, axis=alt.Axis(tickCount=6)), x2="high:Q"
    )
    box = base.mark_bar(height=14).encode(x="lower:Q", x2="upper:Q")
    middle = base.mark_tick(thickness=2, height=14, color="$paper").encode(x="value:Q")
    return alt.layer(reach, box, middle).properties(width="container", height=ROW * len(_of(drawn)))


def _steps(data: Any, drawn: Drawn) -> Any:
    import altair as alt

    return (
        alt.Chart(data, width="container", height=190)
        .mark_line(interpolate="step-after", point=alt.OverlayMarkDef(size=12))
        .encode(
            x=alt.X("x:Q", title=drawn.x),
            y=alt.Y("y:Q", title=drawn.y),
            tooltip=_tips(**{drawn.x: "x:Q", drawn.y: "y:Q"}),
        )
    )


_MAKERS: Mapping[str, Maker] = {
    "bars": _bars,
    "dots": _dots,
    "grid": _grid,
    "points": _points,
    "boxes": _boxes,
    "steps": _steps,
}
