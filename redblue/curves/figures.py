"""Figures of curves, by Matplotlib."""

from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING

from dags.atomic import writing
from redblue.results import IOCurve

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

# Without the date, so that one curve gives the same file every day.
METADATA: dict[str, dict[str, str | None]] = {
    "png": {},
    "svg": {"Date": None},
    "pdf": {"CreationDate": None},
}
MARKERS = "osDv^<>pPX*"


def curve_figure(curve: IOCurve) -> "Figure":
    """Return the figure of `curve`: words moved against words of memory, both axes logarithmic.

    One line a scheduler; the best proved bound is the floor, and no play enters the grey below.
    """
    from matplotlib.figure import Figure

    figure = Figure(figsize=(7.2, 5.2), layout="constrained")
    axes = figure.add_subplot(yscale="log")
    axes.set_xscale("log", base=2)
    for place, method in enumerate(curve.methods("upper")):
        points = curve.points("upper", method)
        axes.plot(
            [memory for memory, _ in points],
            [io for _, io in points],
            marker=MARKERS[place % len(MARKERS)],
            markersize=4,
            linewidth=1.4,
            label=method,
        )
    _draw_floor(axes, curve)
    axes.set_xlabel("fast memory M (words)")
    axes.set_ylabel("I/O: loads + stores (words)")
    axes.set_title(curve.title, fontsize=11)
    _set_ticks(axes, curve.memories)
    axes.grid(True, which="major", color="0.88", linewidth=0.6)
    if axes.lines:
        figure.legend(loc="outside lower center", ncols=3, frameon=False, fontsize=9)
    return figure


def _draw_floor(axes: "Axes", curve: IOCurve) -> None:
    """Draw the best bound, and grey below it."""
    floor = [(memory, io) for memory, io in curve.envelope("lower") if io > 0]
    if not floor:
        return
    memories, io = zip(*floor, strict=True)
    names = curve.methods("lower")
    label = names[0] if len(names) == 1 else "best bound"
    mark = "_" if len(floor) == 1 else None
    axes.plot(memories, io, "k--", linewidth=1.2, marker=mark, markersize=12, label=label)
    bottom = min(io) / 1.3
    axes.fill_between(memories, io, bottom, color="0.9", linewidth=0)
    axes.set_ylim(bottom=bottom)


def _set_ticks(axes: "Axes", memories: tuple[int, ...]) -> None:
    """Label powers of two across and 1, 2, 5, 10 up, or what is there in a range too narrow."""
    from matplotlib.ticker import (
        FixedLocator,
        FuncFormatter,
        LogLocator,
        MaxNLocator,
        NullFormatter,
    )

    whole = FuncFormatter(lambda words, _: f"{words:,.0f}")
    narrow_across = memories[-1] < 4 * memories[0]
    if narrow_across:
        axes.xaxis.set_major_locator(FixedLocator(memories[:: -(-len(memories) // 8)]))
    else:
        axes.xaxis.set_major_locator(LogLocator(base=2, numticks=12))
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
    with ExitStack() as stack, rc_context({"svg.hashsalt": "redblue"}):
        for path, metadata in zip(paths, METADATA.values(), strict=True):
            temporary = stack.enter_context(writing(path))
            figure.savefig(temporary, dpi=160, metadata=metadata)
    return paths
