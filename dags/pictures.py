"""Pictures of DAGs by Matplotlib: the graph of a small one, the levels of a large one."""

from typing import TYPE_CHECKING

import numpy as np

from dags.arrays import Int32Array, Int64Array

if TYPE_CHECKING:
    from matplotlib.axes import Axes

MOST_EDGES = 3000  # of a DAG that is drawn as a graph
INPUT, COMPUTED, EDGE = "#20262e", "#1668b8", "#8c96a3"


def own_axes(ax: "Axes | None", width: float = 7.2, height: float = 4.5) -> "Axes":
    """Return `ax`, or new axes in a figure of their own where it is None.

    Parameters
    ----------
    ax
        Axes to draw into.
    width, height
        Inches of the new figure.
    """
    if ax is not None:
        return ax
    from matplotlib.figure import Figure

    return Figure(figsize=(width, height), layout="constrained").add_subplot()


def draw_graph(
    pred_indptr: Int64Array, pred_indices: Int32Array, level: Int32Array, ax: "Axes"
) -> None:
    """Draw a DAG level by level, from the inputs at the bottom upwards.

    Parameters
    ----------
    pred_indptr, pred_indices
        Predecessor rows, as a DAG has them.
    level
        (n,) level of each vertex.
    ax
        Axes to draw into.
    """
    n = level.size
    places = np.empty(n)
    for height in range(int(level.max(initial=0)) + 1):
        own = np.flatnonzero(level == height)
        places[own] = (np.arange(own.size) + 0.5) / own.size
    readers = np.repeat(np.arange(n), np.diff(pred_indptr))
    gap = np.full(readers.size, np.nan)  # ends a line
    across = np.column_stack((places[pred_indices], places[readers], gap)).ravel()
    up = np.column_stack((level[pred_indices], level[readers], gap)).ravel()
    ax.plot(across, up, color=EDGE, linewidth=0.6, zorder=1)
    colours = np.where(np.diff(pred_indptr) == 0, INPUT, COMPUTED)
    ax.scatter(places, level, s=max(4.0, 60.0 - n / 8), c=colours.tolist(), zorder=2)
    ax.set_axis_off()


def draw_levels(level: Int32Array, ax: "Axes") -> None:
    """Draw how many vertices each level of a DAG has.

    Parameters
    ----------
    level
        (n,) level of each vertex.
    ax
        Axes to draw into.
    """
    counts = np.bincount(level)
    ax.fill_between(np.arange(counts.size), counts, step="mid", color=COMPUTED, alpha=0.7)
    ax.set_xlabel("level")
    ax.set_ylabel("vertices")
