"""Pictures of memory over time: moments to the right, addresses upwards, a rectangle a buffer."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from pebble.placement import Buffer

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

# Of Okabe and Ito, which people with any sight of colours can tell apart.
FILLS = ("#56B4E9", "#E69F00", "#009E73", "#F0E442", "#0072B2", "#CC79A7")
SPILLED = "#D55E00"
NAMED = 60  # buffers: names of more would cover each other
SHORT = 14  # characters of a name in the picture


def picture(
    buffers: Sequence[Buffer],
    offsets: Sequence[int],
    capacity: int,
    *,
    title: str = "",
    unit: str = "",
    spilled: Sequence[bool] = (),
    reloaded: Sequence[bool] = (),
) -> "Figure":
    """Return the picture of a placement.

    Parameters
    ----------
    buffers, offsets
        The buffers and their addresses.
    capacity
        The size of memory, which is a line across.
    title
        A heading.
    unit
        The unit of addresses, for the axis.
    spilled
        Whether each buffer ends because its value is stored and deleted while it is still needed:
        marked by a bar at its end. Empty for none.
    reloaded
        Whether each begins because its value is brought back: marked by a bar at its beginning.
    """
    from matplotlib import rc_context
    from matplotlib.figure import Figure as MatplotlibFigure

    from redblue.show.looks import INK, STYLE

    with rc_context(STYLE):
        drawing = MatplotlibFigure(figsize=(9, 5), layout="constrained")
        axes = drawing.add_subplot()
        for place, (buffer, offset) in enumerate(zip(buffers, offsets, strict=True)):
            _rectangle(axes, buffer, offset, FILLS[place % len(FILLS)])
            marks = [(spilled, buffer.upper), (reloaded, buffer.lower)]
            for flags, moment in marks:
                if flags and flags[place]:
                    axes.plot(
                        [moment, moment],
                        [offset, offset + buffer.size],
                        color=SPILLED,
                        linewidth=2.5,
                        solid_capstyle="butt",
                    )
            if len(buffers) <= NAMED:
                middle = (buffer.lower + buffer.upper) / 2, offset + buffer.size / 2
                axes.text(*middle, buffer.name[:SHORT], ha="center", va="center", fontsize=6)
        axes.axhline(capacity, color=INK, linewidth=1.0, linestyle="--")
        axes.set_xlim(
            min((b.lower for b in buffers), default=0), max((b.upper for b in buffers), default=1)
        )
        axes.set_ylim(0, capacity * 1.03)
        axes.set_xlabel(
            "moment" + (" (orange bars: spilled or brought back)" if any(spilled) else "")
        )
        axes.set_ylabel(f"address, {unit}" if unit else "address")
        axes.set_title(title, fontsize=10)
    return drawing


def _rectangle(axes: "Axes", buffer: Buffer, offset: int, colour: str) -> None:
    """Draw a buffer."""
    from matplotlib.patches import Rectangle

    axes.add_patch(
        Rectangle(
            (buffer.lower, offset),
            buffer.upper - buffer.lower,
            buffer.size,
            facecolor=colour,
            edgecolor="white",
            linewidth=0.5,
        )
    )
