"""Figures of experiments by Plotly, as the JSON that the page's script hands to plotly.js."""

import base64
import gzip
import html
from functools import cache
from textwrap import wrap
from typing import Any

from redblue.show.axes import extents, gap_outline, log_range, log_ticks, shown, tick_text
from redblue.show.looks import Look
from redblue.show.model import Axis, Figure, Series
from redblue.show.rows import exact

HOVER_WIDTH = 48  # characters, for a phone
HOVER = "%{customdata}<extra></extra>"


def chart(figure: Figure, looks: tuple[Look, ...]) -> dict[str, Any]:
    """Data and layout of a figure for Plotly, checked by its Python package.

    Each trace says in `meta` which colour of the style sheet it has: the script puts in the
    colour's value, which is another one on a dark ground.
    """
    import plotly.graph_objects as go

    traces = [
        _trace(go, series, look, figure) for series, look in zip(figure.series, looks, strict=True)
    ]
    outline = gap_outline(figure)
    if outline:
        traces.insert(0, _gap(go, outline))
    ranges = extents(figure)
    x = _axis(figure.x, None if ranges is None else ranges[0])
    y = _axis(figure.y, None if ranges is None else ranges[1])
    layout = {"xaxis": x, "yaxis": y, "showlegend": False, "hovermode": "closest"}
    data: dict[str, Any] = go.Figure(traces, layout, skip_invalid=False).to_plotly_json()
    return {"data": data["data"], "layout": {**layout, **_bare(data["layout"])}}


def _bare(layout: dict[str, Any]) -> dict[str, Any]:
    """A layout without Plotly's own template, a large one."""
    return {key: value for key, value in layout.items() if key != "template"}


def _trace(go: Any, series: Series, look: Look, figure: Figure) -> Any:
    """The trace of a series."""
    points = list(shown(series, figure.x, figure.y))
    symbol = look.symbol or "line-ew-open"
    size = 10 if "triangle" in symbol else 8  # else they look smaller than the others
    return go.Scatter(
        x=[x for x, _, _ in points],
        y=[y for _, y, _ in points],
        customdata=[_hover(figure, series.label, *point) for point in points],
        name=_escaped(series.label),
        mode="lines+markers" if look.symbol or len(points) == 1 else "lines",
        line={"color": look.colour.light, "dash": look.dash, "width": 2},
        marker={"color": look.colour.light, "symbol": symbol, "size": size},
        meta={"colour": look.colour.name},
        hovertemplate=HOVER,
    )


def _gap(go: Any, outline: list[tuple[float, float]]) -> Any:
    """The shaded area."""
    return go.Scatter(
        x=[x for x, _ in outline],
        y=[y for _, y in outline],
        mode="none",
        fill="toself",
        hoverinfo="skip",
        meta={"colour": "gap"},
    )


def _hover(figure: Figure, label: str, x: float, y: float, note: str) -> str:
    """The tooltip of a point: its series, both coordinates in full, its note."""
    lines = [f"{figure.x.label}: {exact(x)}", f"{figure.y.label}: {exact(y)}"]
    note_lines = [_escaped(part) for line in (*lines, note) for part in wrap(line, HOVER_WIDTH)]
    return "<br>".join([f"<b>{_escaped(label)}</b>", *note_lines])


def _escaped(text: str) -> str:
    """`text` so that Plotly reads no mark-up in it."""
    return html.escape(text, quote=False)


def _axis(axis: Axis, extent: tuple[float, float] | None) -> dict[str, Any]:
    """An axis with numbers in words at its ticks."""
    common: dict[str, Any] = {"title": {"text": _escaped(axis.label)}, "fixedrange": True}
    if axis.base is None:
        return {**common, "tickformat": ","}
    if extent is None:
        return {**common, "type": "log"}
    first, last = log_range(*extent)
    ticks = log_ticks(10**first, 10**last, axis.base)
    texts = [tick_text(value, axis.base) for value in ticks]
    return {
        **common,
        "type": "log",
        "range": [first, last],
        "tickvals": ticks,
        "ticktext": texts,
    }


@cache
def library() -> tuple[str, str]:
    """Return plotly.js and its version; the package has one bundle of it."""
    from plotly.offline import get_plotlyjs, get_plotlyjs_version

    return get_plotlyjs(), get_plotlyjs_version()


@cache  # of one text, that of `library`
def packed(text: str) -> str:
    """`text` compressed by gzip, in base64: of plotly.js 2 million characters instead of 5.

    Browsers unpack it by themselves, those older than 2023 show the still figures.
    """
    return base64.b64encode(gzip.compress(text.encode(), mtime=0)).decode("ascii")
