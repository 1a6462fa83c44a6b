"""Figures of curves, by Matplotlib."""

from collections.abc import Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, Protocol

from dags.cdag.files import writing
from redblue.looks import (
    COLOURS_OF,
    GAP,
    GAP_STRENGTH,
    INK,
    LINES,
    MARKERS,
    RULE,
    Look,
    method_look,
)
from redblue.ticks import tick_text

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from redblue.references import Reference

# Without the date, so that one curve gives the same file every day.
METADATA: dict[str, dict[str, str | None]] = {
    "png": {},
    "svg": {"Date": None},
    "pdf": {"CreationDate": None},
}
DPI = 160
LONG = 10**6  # words from which numbers are long
MOST_MARKED = 100  # points of a line that has markers
FLOOR = COLOURS_OF["lower"][0]

Kind = Literal["upper", "lower"]
Point = tuple[int, int]


class Curve(Protocol):
    """The parts of an `redblue.IOCurve` that a figure draws."""

    @property
    def title(self) -> str:
        """Heading of the figure."""

    @property
    def memories(self) -> tuple[int, ...]:
        """The memory sizes, rising."""

    @property
    def effort(self) -> object:
        """Results of the searches; None where nothing was searched."""

    @property
    def references(self) -> "tuple[Reference, ...]":
        """Published statements on the same computation."""

    def methods(self, kind: Kind) -> tuple[str, ...]:
        """Return the methods of a kind."""

    def points(self, kind: Kind, method: str) -> tuple[Point, ...]:
        """Return (memory, io) of a method."""

    def envelope(self, kind: Kind) -> tuple[Point, ...]:
        """Return (memory, io) of the best of a kind."""


def curve_figure(curve: Curve) -> "Figure":
    """Return the figure of `curve`: words moved against words of memory, both axes logarithmic.

    One line a scheduler; the best proved bound is the floor, and no play enters the grey below.
    """
    from matplotlib.figure import Figure

    figure = Figure(figsize=(7.2, 5.2), layout="constrained")
    axes = draw_curve(curve, figure.add_subplot(), legend=False)
    if axes.lines:
        figure.legend(loc="outside lower center", ncols=3, frameon=False, fontsize=9)
    return figure


def draw_curve(curve: Curve, axes: "Axes", *, legend: bool = True) -> "Axes":
    """Draw `curve` into axes, in the colours of the report; return them.

    Parameters
    ----------
    curve
        The curve.
    axes
        Axes of Matplotlib.
    legend
        Whether the legend stands inside the axes.
    """
    axes.set(xscale="linear", yscale="log")
    axes.set_xscale("log", base=2)
    for place, method in enumerate(curve.methods("upper")):
        _draw_method(axes, method_look(place), method, curve.points("upper", method))
    _draw_best(axes, curve)
    _draw_references(axes, curve)
    _draw_floor(axes, curve)
    axes.set_xlabel("fast memory M (words)")
    axes.set_ylabel("I/O: loads + stores (words)")
    axes.set_title(curve.title, fontsize=11)
    set_ticks(axes, curve.memories)
    axes.grid(True, which="major", color=RULE, linewidth=0.6)
    axes.set_axisbelow(True)
    axes.spines[["top", "right"]].set_visible(False)
    axes.spines[["left", "bottom"]].set_color(INK)
    for text in (axes.xaxis.label, axes.yaxis.label, axes.title):
        text.set_color(INK)
    axes.tick_params(colors=INK)
    if legend and axes.lines:
        axes.legend(frameon=False, fontsize=9)
    return axes


def _draw_method(axes: "Axes", look: Look, method: str, points: tuple[Point, ...]) -> None:
    """Draw a scheduler: with markers, unless its points are too many to be told apart."""
    axes.plot(
        [memory for memory, _ in points],
        [io for _, io in points],
        color=look.colour.light,
        linestyle=LINES[look.dash],
        marker=MARKERS[look.symbol] if len(points) <= MOST_MARKED else "",
        markersize=4,
        linewidth=1.5,
        label=method,
    )


def _draw_best(axes: "Axes", curve: Curve) -> None:
    """Draw the best schedule where a search found a better one than every method's."""
    if curve.effort is not None:
        look = method_look(len(curve.methods("upper")))
        _draw_method(axes, look, "best found", curve.envelope("upper"))


def _draw_references(axes: "Axes", curve: Curve) -> None:
    """Draw what publications promise, which falls in steps."""
    for one in curve.references:
        memories, words = zip(*one.points, strict=True)
        axes.step(memories, words, where="post", color=INK, linestyle=":", label=one.name)


def _draw_floor(axes: "Axes", curve: Curve) -> None:
    """Draw the best bound, and grey below it."""
    floor = [(memory, io) for memory, io in curve.envelope("lower") if io > 0]
    if not floor:
        return
    memories, io = zip(*floor, strict=True)
    names = curve.methods("lower")
    label = names[0] if len(names) == 1 else "best bound"
    mark = "_" if len(floor) == 1 else None
    line: dict[str, Any] = {"color": FLOOR.light, "linestyle": LINES["dash"], "linewidth": 1.5}
    axes.plot(memories, io, marker=mark, markersize=12, label=label, **line)
    bottom = min(io) / 1.3
    axes.fill_between(memories, io, bottom, color=GAP, alpha=GAP_STRENGTH, linewidth=0)
    axes.set_ylim(bottom=bottom)


def set_ticks(axes: "Axes", memories: Sequence[int]) -> None:
    """Label powers of two across and 1, 2, 5, 10 up, or what is there in a range too narrow."""
    from matplotlib.ticker import (
        FixedLocator,
        FuncFormatter,
        LogLocator,
        MaxNLocator,
        NullFormatter,
    )

    whole = FuncFormatter(lambda words, _: tick_text(words))
    narrow_across = memories[-1] < 4 * memories[0]
    if narrow_across:
        axes.xaxis.set_major_locator(FixedLocator(memories[:: -(-len(memories) // 8)]))
    else:
        few = memories[-1] >= LONG  # labels that would run into each other
        axes.xaxis.set_major_locator(LogLocator(base=2, numticks=6 if few else 12))
    low, high = axes.get_ylim()
    if high < 6 * low:
        axes.yaxis.set_major_locator(MaxNLocator(nbins=7, integer=True))
    else:
        axes.yaxis.set_major_locator(LogLocator(base=10, subs=(1, 2, 5), numticks=12))
    for axis in (axes.xaxis, axes.yaxis):
        axis.set_major_formatter(whole)
        axis.set_minor_formatter(NullFormatter())


def save_figure(figure: "Figure", stem: Path) -> list[Path]:
    """Write `figure` as PNG, SVG and PDF beside each other, all or none; return the files.

    Raises
    ------
    FormatError
        If a file cannot be written.
    """
    from matplotlib import rc_context

    paths = [stem.with_suffix(f".{kind}") for kind in METADATA]
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
