"""Figures of hierarchies: words across a boundary, against the memory below it."""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, Protocol

from redblue.curves.figures import set_ticks
from redblue.looks import COLOURS_OF, INK, RULE, method_look

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

FLOOR = COLOURS_OF["lower"][0]


class Play(Protocol):
    """The parts of a play on a hierarchy that a figure draws."""

    @property
    def method(self) -> str:
        """Name of the play."""

    @property
    def words(self) -> tuple[int, ...]:
        """Words across each boundary."""

    @property
    def curve(self) -> tuple[int, tuple[int, ...]] | None:
        """The smallest memory, and the words from it on; None where they are not known."""


class Hierarchy(Protocol):
    """The parts of a `redblue.Levels` that a figure draws."""

    @property
    def dag(self) -> Mapping[str, Any]:
        """Sizes of the DAG, and its label."""

    @property
    def memories(self) -> tuple[int, ...]:
        """Words of each level but the last."""

    @property
    def names(self) -> tuple[str, ...]:
        """Names of the levels."""

    @property
    def plays(self) -> Sequence[Play]:
        """Plays of the hierarchy."""

    @property
    def lower(self) -> tuple[int, ...]:
        """Words across each boundary at least."""


def levels_figure(levels: Hierarchy) -> "Figure":
    """Return the figure of a hierarchy: one line a play, a vertical line a level, bounds below."""
    from matplotlib.figure import Figure

    figure = Figure(figsize=(7.2, 5.2), layout="constrained")
    axes = draw_levels(levels, figure.add_subplot(), legend=False)
    figure.legend(
        *axes.get_legend_handles_labels(),
        loc="outside lower center",
        ncols=2,
        frameon=False,
        fontsize=9,
    )
    return figure


def draw_levels(levels: Hierarchy, axes: "Axes", *, legend: bool = True) -> "Axes":
    """Draw a hierarchy into axes; return them.

    Parameters
    ----------
    levels
        The words across each boundary.
    axes
        Axes of Matplotlib.
    legend
        Whether the legend stands inside the axes.
    """
    axes.set(xscale="linear", yscale="log")
    axes.set_xscale("log", base=2)
    for place, play in enumerate(levels.plays):
        look = method_look(place)
        if play.curve is not None:
            first, words = play.curve
            last = min(len(words), 2 * levels.memories[-1] - first)
            sizes = range(first, first + last)
            axes.plot(sizes, words[:last], color=look.colour.light, linewidth=1.2, alpha=0.7)
        axes.plot(
            levels.memories,
            play.words,
            linestyle="",
            marker="osD^v"[place % 5],
            color=look.colour.light,
            label=play.method,
        )
    axes.plot(
        levels.memories,
        levels.lower,
        marker="_",
        markersize=14,
        markeredgewidth=2,
        linestyle="",
        color=FLOOR.light,
        label="bound of each boundary",
    )
    _name_levels(levels, axes)
    set_ticks(axes, levels.memories)
    axes.set_xlabel("memory of the level below a boundary (words)")
    axes.set_ylabel("words across the boundary")
    axes.set_title(f"{levels.dag['spec']}: {len(levels.memories)} boundaries", fontsize=11)
    axes.grid(True, which="major", color=RULE, linewidth=0.6)
    axes.set_axisbelow(True)
    axes.spines[["top", "right"]].set_visible(False)
    axes.tick_params(colors=INK)
    if legend:
        axes.legend(frameon=False, fontsize=9)
    return axes


def _name_levels(levels: Hierarchy, axes: "Axes") -> None:
    """Draw a vertical line at the size of each level, with its name."""
    for words, name in zip(levels.memories, levels.names, strict=False):
        axes.axvline(words, color=RULE, linewidth=1.0, zorder=0)
        axes.annotate(
            name,
            (words, 1.0),
            xycoords=("data", "axes fraction"),
            xytext=(3, -10),
            textcoords="offset points",
            fontsize=8,
            color=INK,
        )
