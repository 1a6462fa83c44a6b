"""Small figures side by side: SVG for the page, one drawing for files."""

from math import ceil, log
from typing import TYPE_CHECKING, Any

from markupsafe import Markup, escape

from redblue.show.axes import Point, gap_outline, log_ticks, shown, tick_text
from redblue.show.looks import GAP, GAP_STRENGTH, LINES, RULE, STYLE, Look, looks
from redblue.show.model import Axis, Figure, Multiples
from redblue.show.reporting.colours import DASHES, swatch
from redblue.show.rows import exact

if TYPE_CHECKING:
    from matplotlib.figure import Figure as MatplotlibFigure

WIDTH, HEIGHT = 200, 132  # of a panel, in units of its drawing
LEFT, BOTTOM, EDGE = 26, 18, 6  # room for the numbers of the axes, and on the other sides
FEW = 5  # numbers at an axis
COLUMNS = 5  # of the drawing for files
MARGIN = 0.03  # of the range of an axis, left free at both ends


def multiples_entry(several: Multiples, number: int) -> dict[str, Any]:
    """The entry of small figures in the page.

    Parameters
    ----------
    several
        The figures as data.
    number
        Of the figure in the page.
    """
    figures, styles = several.figures(), _styles(several)
    ends = _ends(figures)
    return {
        "id": f"figure-{number}",
        "number": number,
        "caption": several.caption,
        "x": several.x.label,
        "y": several.y.label,
        "gap": several.gap is not None,
        "legend": [
            (series.label, swatch(look))
            for series, look in zip(figures[0].series, styles, strict=True)
        ]
        if figures
        else [],
        "panels": [
            {
                "title": panel.title,
                "note": panel.note,
                "svg": panel_svg(figure, styles, ends),
                "points": [
                    (series.label, exact(x), exact(y), note)
                    for series in panel.series
                    for x, y, note in shown(series, several.x, several.y)
                ],
            }
            for panel, figure in zip(several.panels, figures, strict=True)
        ],
    }


def panel_svg(figure: Figure, styles: tuple[Look, ...], ends: tuple[Point, Point]) -> Markup:
    """A small figure as SVG; the style sheet of the page gives the colours.

    Parameters
    ----------
    figure
        The panels.
    styles
        The look of each of its series.
    ends
        The least and the largest x, and y, of all panels.
    """
    parts = [*_grid(figure, ends)]
    if outline := gap_outline(figure):
        parts.append(f'<path class="gap" d="M{_path(outline, figure, ends)}z"/>')
    for series, look in zip(figure.series, styles, strict=True):
        points = [(x, y) for x, y, _ in shown(series, figure.x, figure.y)]
        if points:
            dash = DASHES[look.dash] or "none"
            style = f"stroke: var(--{look.colour.name}); stroke-dasharray: {dash}"
            parts.append(f'<path d="M{_path(points, figure, ends)}" style="{style}"/>')
    box, label = f"0 0 {WIDTH} {HEIGHT}", escape(figure.name)
    return Markup(f'<svg viewBox="{box}" role="img" aria-label="{label}">{"".join(parts)}</svg>')


def draw_multiples(several: Multiples) -> "MatplotlibFigure":
    """Small figures drawn by Matplotlib, all in one."""
    from matplotlib import rc_context
    from matplotlib.figure import Figure as MatplotlibFigure

    figures, styles = several.figures(), _styles(several)
    ends = _ends(figures)
    lines = ceil(len(figures) / COLUMNS)
    with rc_context({**STYLE, "font.size": 7}):
        drawing = MatplotlibFigure(figsize=(7.2, 1.25 * lines + 0.5), layout="constrained")
        for place, (panel, figure) in enumerate(zip(several.panels, figures, strict=True)):
            axes = drawing.add_subplot(lines, COLUMNS, place + 1)
            axes.set_title(panel.title.replace("$", r"\$"), fontsize=8)
            _fill(axes, figure, styles, ends)
        drawing.supxlabel(several.x.label)
        drawing.supylabel(several.y.label)
    return drawing


def _fill(axes: Any, figure: Figure, styles: tuple[Look, ...], ends: tuple[Point, Point]) -> None:
    """Draw a panel into axes of Matplotlib."""
    if outline := gap_outline(figure):
        axes.fill(*zip(*outline, strict=True), color=GAP, alpha=GAP_STRENGTH, linewidth=0)
    for series, look in zip(figure.series, styles, strict=True):
        points = list(shown(series, figure.x, figure.y))
        x, y = [x for x, _, _ in points], [y for _, y, _ in points]
        axes.plot(x, y, color=look.colour.light, linestyle=LINES[look.dash], linewidth=1)
    for side, axis, (low, high) in zip("xy", (figure.x, figure.y), ends, strict=True):
        if axis.base is not None:
            axes.set(**{f"{side}scale": "log"})
        ticks = _ticks(axis, low, high)
        axes.set(**{f"{side}lim": (low, high), f"{side}ticks": ticks})
        axes.set(**{f"{side}ticklabels": [tick_text(tick, axis.base or 10) for tick in ticks]})
        getattr(axes, f"{side}axis").minorticks_off()
    axes.grid(visible=True, color=RULE, linewidth=0.5)


def _styles(several: Multiples) -> tuple[Look, ...]:
    """The look of each series, the same in all panels."""
    return looks(several.figures()[:1])[0] if several.panels else ()


def _ends(figures: tuple[Figure, ...]) -> tuple[Point, Point]:
    """The least and the largest x, and y, of all panels, with a margin."""
    points = [
        (x, y)
        for figure in figures
        for series in figure.series
        for x, y, _ in shown(series, figure.x, figure.y)
    ]
    if not points:
        return (1.0, 2.0), (1.0, 2.0)
    return (
        _wider(min(x for x, _ in points), max(x for x, _ in points), figures[0].x),
        _wider(min(y for _, y in points), max(y for _, y in points), figures[0].y),
    )


def _wider(low: float, high: float, axis: Axis) -> Point:
    """The ends of an axis with a margin on both sides."""
    if axis.base is None:
        margin = MARGIN * ((high - low) or 1.0)
        return low - margin, high + margin
    factor = max((high / low) ** MARGIN, 1.02)
    return low / factor, high * factor


def _ticks(axis: Axis, low: float, high: float) -> list[float]:
    """Return some numbers between the ends of an axis."""
    if axis.base is not None:
        return log_ticks(low, high, axis.base, FEW)
    step = (high - low) / (FEW - 1)
    return [low + place * step for place in range(FEW)]


def _grid(figure: Figure, ends: tuple[Point, Point]) -> list[str]:
    """The lines behind a panel, with their numbers."""
    parts = []
    for tick in _ticks(figure.x, *ends[0]):
        x, text = _x(tick, figure.x, ends[0]), tick_text(tick, figure.x.base or 10)
        parts.append(f'<path class="rule" d="M{x:.1f} {EDGE}V{HEIGHT - BOTTOM}"/>')
        parts.append(f'<text x="{x:.1f}" y="{HEIGHT - 5}" class="across">{text}</text>')
    for tick in _ticks(figure.y, *ends[1]):
        y, text = _y(tick, figure.y, ends[1]), tick_text(tick, figure.y.base or 10)
        parts.append(f'<path class="rule" d="M{LEFT} {y:.1f}H{WIDTH - EDGE}"/>')
        parts.append(f'<text x="{LEFT - 4}" y="{y + 3:.1f}" class="up">{text}</text>')
    return parts


def _path(points: list[Point], figure: Figure, ends: tuple[Point, Point]) -> str:
    """Points as the data of a path."""
    return "L".join(
        f"{_x(x, figure.x, ends[0]):.1f} {_y(y, figure.y, ends[1]):.1f}" for x, y in points
    )


def _x(value: float, axis: Axis, ends: Point) -> float:
    """How far right a value is drawn."""
    return LEFT + _share(value, axis, ends) * (WIDTH - LEFT - EDGE)


def _y(value: float, axis: Axis, ends: Point) -> float:
    """How far down a value is drawn."""
    return HEIGHT - BOTTOM - _share(value, axis, ends) * (HEIGHT - BOTTOM - EDGE)


def _share(value: float, axis: Axis, ends: Point) -> float:
    """The part of an axis that is before a value."""
    low, high = ends
    if axis.base is None:
        return (value - low) / (high - low)
    return log(value / low) / log(high / low)
