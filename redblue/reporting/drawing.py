"""Figures of experiments by Matplotlib: for files, and inside the page where no script runs."""

import re
from io import StringIO
from typing import TYPE_CHECKING

from redblue.looks import (
    COLOURS,
    GAP,
    GAP_STRENGTH,
    INK,
    LINES,
    MARKERS,
    RULE,
    SANS,
    STYLE,
    Look,
)
from redblue.reporting.axes import (
    extents,
    gap_outline,
    log_range,
    log_ticks,
    shown,
)
from redblue.show.model import Axis, Figure
from redblue.ticks import tick_text

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.axis import Axis as MatplotlibAxis
    from matplotlib.figure import Figure as MatplotlibFigure


def draw(figure: Figure, looks: tuple[Look, ...], *, legend: bool = True) -> "MatplotlibFigure":
    """Return `figure` drawn by Matplotlib.

    Parameters
    ----------
    figure
        The figure as data.
    looks
        The look of each of its series, in order.
    legend
        Adds a legend below the axes.
    """
    from matplotlib import rc_context
    from matplotlib.figure import Figure as MatplotlibFigure

    with rc_context(STYLE):
        drawing = MatplotlibFigure(figsize=(7.2, 4.5), layout="constrained")
        axes = drawing.add_subplot()
        _draw_series(axes, figure, looks)
        found = extents(figure)
        _set_axis(axes, "x", figure.x, None if found is None else found[0])
        _set_axis(axes, "y", figure.y, None if found is None else found[1])
        axes.set_xlabel(_plain_text(figure.x.label))
        axes.set_ylabel(_plain_text(figure.y.label))
        axes.grid(True, which="major", color=RULE, linewidth=0.6)
        axes.set_axisbelow(True)
        if legend and figure.series:
            drawing.legend(loc="outside lower center", ncols=2, frameon=False, fontsize=9)
    return drawing


def _draw_series(axes: "Axes", figure: Figure, looks: tuple[Look, ...]) -> None:
    """Draw the shaded gap and every series."""
    outline = gap_outline(figure)
    if outline:
        axes.fill(*zip(*outline, strict=True), color=GAP, alpha=GAP_STRENGTH, linewidth=0)
    for series, look in zip(figure.series, looks, strict=True):
        points = list(shown(series, figure.x, figure.y))
        axes.plot(
            [x for x, _, _ in points],
            [y for _, y, _ in points],
            color=look.colour.light,
            linestyle=LINES[look.dash],
            linewidth=1.6,
            marker=_marker(look, len(points)),
            markersize=5,
            label=_plain_text(series.label),
        )


def _marker(look: Look, points: int) -> str:
    """Return the marker of a series; a line of one point would not be seen without."""
    return MARKERS[look.symbol] or ("_" if points == 1 else "")


def _plain_text(text: str) -> str:
    """Return `text` so that Matplotlib reads no formula in it, and hides no label."""
    escaped = text.replace("$", r"\$")
    return f" {escaped}" if escaped.startswith("_") else escaped


def _set_axis(axes: "Axes", side: str, wanted: Axis, extent: tuple[float, float] | None) -> None:
    """Set scale, range and ticks of one axis."""
    from matplotlib.ticker import FixedLocator, FuncFormatter, NullFormatter, NullLocator

    axis: MatplotlibAxis = getattr(axes, f"{side}axis")
    base = wanted.base
    if base is None:
        axis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:,.6g}"))
        return
    axes.set(**{f"{side}scale": "log"})
    if extent is None:
        return
    first, last = log_range(*extent)
    axes.set(**{f"{side}lim": (10**first, 10**last)})
    axis.set_major_locator(FixedLocator(log_ticks(10**first, 10**last, base)))
    axis.set_major_formatter(FuncFormatter(lambda value, _: tick_text(value, base)))
    axis.set_minor_locator(NullLocator())
    axis.set_minor_formatter(NullFormatter())


def inline_svg(figure: Figure, looks: tuple[Look, ...], name: str) -> str:
    """Return `figure` as an SVG element of a page, whose style sheet gives the colours.

    Its texts stay texts; `name` must not come twice in a page.
    """
    from matplotlib import rc_context

    sheet = StringIO()
    with rc_context({"svg.hashsalt": name, "svg.fonttype": "none", "font.sans-serif": SANS}):
        draw(figure, looks, legend=False).savefig(
            sheet, format="svg", transparent=True, metadata={"Date": None}
        )
    text = sheet.getvalue()
    text = text[text.index("<svg") :]
    # what describes the file, and a style that the whole page would take over
    text = re.sub(r"<(metadata|style)\b.*?</\1>", "", text, flags=re.DOTALL)
    text = re.sub(r'(<svg [^>]*?)width="[^"]*" height="[^"]*"', r"\1", text, count=1)
    text = re.sub(r"font: ([\d.]+)px [^;\"]*", r"font-size: \1px", text)
    for pattern, colour in _colours():
        text = re.sub(pattern, colour, text)
    return _unique_ids(text, name)


def _colours() -> list[tuple[str, str]]:
    """Return the colours of a drawing, each with the variable of the style sheet for it."""
    fixed = {INK: "ink", RULE: "rule", GAP: "gap"}
    return [
        *((re.escape(value), f"var(--{name})") for value, name in fixed.items()),
        *((re.escape(colour.light), f"var(--{colour.name})") for colour in COLOURS),
    ]


def _unique_ids(text: str, name: str) -> str:
    """Return an SVG with the identifiers that it refers to alone, prefixed by `name`."""
    used = set(re.findall(r'(?:url\(#|href="#)([^")]+)', text))

    def keep(found: re.Match[str]) -> str:
        return f' id="{name}-{found[1]}"' if found[1] in used else ""

    text = re.sub(r' id="([^"]*)"', keep, text)
    return re.sub(r'(url\(#|href="#)', rf"\1{name}-", text)
