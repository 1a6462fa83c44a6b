"""Figures by Matplotlib: for files, and inside the page where no script runs."""

import re
from contextlib import ExitStack
from io import StringIO
from pathlib import Path
from typing import TYPE_CHECKING

from dags.arguments import checked
from dags.cdag.files import writing
from dags.errors import ArgumentError
from dags.errors import shown as as_text
from redblue.show.axes import (
    extents,
    gap_outline,
    log_range,
    log_ticks,
    shown,
    tick_text,
)
from redblue.show.looks import (
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
from redblue.show.looks import looks as looks_of
from redblue.show.model import Axis, Figure

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.axis import Axis as MatplotlibAxis
    from matplotlib.figure import Figure as MatplotlibFigure

# Without the date, so that one curve gives the same file every day.
METADATA: dict[str, dict[str, str | None]] = {
    "png": {},
    "svg": {"Date": None},
    "pdf": {"CreationDate": None},
}
DPI = 160
MOST_MARKED = 40  # points of a line that has markers


def draw(figure: Figure, looks: tuple[Look, ...], *, legend: bool = True) -> "MatplotlibFigure":
    """`figure` drawn by Matplotlib.

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
        draw_on(drawing.add_subplot(), figure, looks)
        if legend and figure.series:
            drawing.legend(loc="outside lower center", ncols=2, frameon=False, fontsize=9)
    return drawing


def draw_on(axes: "Axes", figure: Figure, looks: tuple[Look, ...]) -> "Axes":
    """Draw `figure` into axes of Matplotlib, whose looks are as for `draw`; return them."""
    _draw_series(axes, figure, looks)
    ranges = extents(figure)
    _set_axis(axes, "x", figure.x, None if ranges is None else ranges[0])
    _set_axis(axes, "y", figure.y, None if ranges is None else ranges[1])
    axes.set_xlabel(_plain_text(figure.x.label))
    axes.set_ylabel(_plain_text(figure.y.label))
    axes.grid(True, which="major", color=RULE, linewidth=0.6)
    axes.set_axisbelow(True)
    for series in figure.series:
        if series.label == figure.floor and series.x:
            axes.fill_between(
                series.x,
                series.y,
                axes.get_ylim()[0],
                color=GAP,
                alpha=GAP_STRENGTH,
                linewidth=0,
            )
    return axes


def draw_alone(figure: Figure, title: str) -> "MatplotlibFigure":
    """A figure of its own, with a heading."""
    (looks,) = looks_of([figure])
    drawing = draw(figure, looks)
    drawing.axes[0].set_title(_plain_text(title), fontsize=11)
    return drawing


def draw_into(axes: "Axes", figure: Figure, title: str) -> "Axes":
    """Draw a figure with its heading and its legend into axes; return them."""
    (looks,) = looks_of([figure])
    draw_on(axes, figure, looks).set_title(_plain_text(title), fontsize=11)
    if figure.series:
        axes.legend(frameon=False, fontsize=9)
    return axes


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
    """The marker of a series; a line of one point would not be seen without."""
    return MARKERS[look.symbol] * (points <= MOST_MARKED) or ("_" if points == 1 else "")


def _plain_text(text: str) -> str:
    """`text` so that Matplotlib reads no formula in it, and hides no label."""
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
    """`figure` as an SVG element of a page, whose style sheet gives the colours.

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
    """The colours of a drawing, each with the variable of the style sheet for it."""
    fixed = {INK: "ink", RULE: "rule", GAP: "gap"}
    return [
        *((re.escape(value), f"var(--{name})") for value, name in fixed.items()),
        *((re.escape(colour.light), f"var(--{colour.name})") for colour in COLOURS),
    ]


def _unique_ids(text: str, name: str) -> str:
    """An SVG with the identifiers that it refers to alone, prefixed by `name`."""
    used = set(re.findall(r'(?:url\(#|href="#)([^")]+)', text))

    def keep(match: re.Match[str]) -> str:
        return f' id="{name}-{match[1]}"' if match[1] in used else ""

    text = re.sub(r' id="([^"]*)"', keep, text)
    return re.sub(r'(url\(#|href="#)', rf"\1{name}-", text)


@checked
def save_figure(figure: "MatplotlibFigure", stem: str | Path) -> list[Path]:
    """Write `figure` as PNG, SVG and PDF beside each other, all or none; return the files.

    Raises
    ------
    FormatError
        If a file cannot be written.
    """
    from matplotlib import rc_context

    if not hasattr(figure, "savefig"):
        raise ArgumentError(f"figure is a figure of Matplotlib, not {as_text(figure)}")
    paths = [Path(stem).with_suffix(f".{kind}") for kind in METADATA]
    layout, dpi = figure.get_layout_engine(), figure.dpi
    with (
        ExitStack() as stack,
        rc_context(
            {
                "svg.hashsalt": "redblue",
                "figure.autolayout": False,  # once is enough
                "figure.constrained_layout.use": False,
            }
        ),
    ):
        stack.callback(figure.set_layout_engine, layout)
        stack.callback(figure.set_dpi, dpi)
        figure.set_dpi(DPI)
        if layout is not None:
            layout.execute(figure)
        figure.set_layout_engine(None)  # what was laid out once is at its place
        for path, metadata in zip(paths, METADATA.values(), strict=True):
            temporary = stack.enter_context(writing(path))
            figure.savefig(temporary, dpi=DPI, metadata=metadata)
    return paths
