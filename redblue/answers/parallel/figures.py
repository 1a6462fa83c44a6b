"""Figures of several processors: speed-up and words against p, the work of each over time."""

from typing import TYPE_CHECKING

import numpy as np

from pebble import Costs, Move, Schedule
from redblue.show.looks import method_look

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from redblue.answers.parallel.comparing import Speedups

COLOURS = {
    Move.LOAD: "#0072b2",
    Move.STORE: "#d55e00",
    Move.RECEIVE: "#cc79a7",
    Move.COMPUTE: "#009e73",
}


def speedup_figure(found: "Speedups") -> "Figure":
    """Speed-up against p, and beside it the words of the busiest processor."""
    from matplotlib.figure import Figure

    figure = Figure(figsize=(9, 4), layout="constrained")
    left, right = figure.subplots(1, 2)
    for place, memory in enumerate(found.memories):
        rows = [row for row in found.rows if row.memory == memory]
        numbers, colour = [row.processors for row in rows], method_look(place).colour.light
        name = f"M = {memory:,}"
        left.plot(numbers, [row.speedup for row in rows], "o-", color=colour, label=name)
        right.plot(numbers, [row.busiest for row in rows], "o-", color=colour, label=name)
        right.plot(numbers, [row.busiest_bound for row in rows], "--", color=colour)
    every = sorted({row.processors for row in found.rows})
    left.plot(every, every, ":", color="#888888", label="p")
    for axes, label in ((left, "speed-up"), (right, "words of the busiest; dashed: bound")):
        axes.set_xscale("log", base=2)
        axes.set_yscale("log", base=2)
        axes.set_xlabel("processors p")
        axes.set_ylabel(label)
    left.legend(frameon=False)
    figure.suptitle(f"{found.dag['spec']}, {found.rules.name}, g = {found.costs.g:g}", fontsize=10)
    return figure


def utilisation_figure(schedule: Schedule, processors: int, costs: Costs, title: str) -> "Figure":
    """A row for each processor, and in it its work in each step.

    Parameters
    ----------
    schedule
        The play.
    processors
        Number of processors.
    costs
        Prices of the parts of a step: its width.
    title
        Title of the figure.
    """
    from matplotlib.figure import Figure
    from matplotlib.patches import Patch

    figure = Figure(figsize=(9, 1 + 0.35 * processors), layout="constrained")
    axes = figure.subplots()
    for move, colour in COLOURS.items():
        made = schedule.op == move
        busy = np.zeros((processors, int(schedule.steps.max(initial=0)) + 1), np.int64)
        np.add.at(busy, (schedule.places[made], schedule.steps[made]), 1)
        price = costs.compute if move is Move.COMPUTE else costs.g
        begins = _begins(schedule, costs)
        for q in range(processors):
            steps = np.flatnonzero(busy[q])
            bars = list(zip(begins[steps], busy[q, steps] * price, strict=True))
            axes.broken_barh(bars, (q - 0.4, 0.8), color=colour)
    axes.set_yticks(range(processors))
    axes.set_xlabel("cost of all steps so far")
    axes.set_ylabel("processor")
    axes.invert_yaxis()
    handles = [Patch(color=colour, label=move.name.lower()) for move, colour in COLOURS.items()]
    axes.legend(handles=handles, ncols=4, frameon=False, loc="lower right", bbox_to_anchor=(1, 1))
    axes.set_title(title, fontsize=10, loc="left")
    return figure


def _begins(schedule: Schedule, costs: Costs) -> "np.ndarray[tuple[int], np.dtype[np.float64]]":
    """(s,) when each step begins, of moves that cost the same in words."""
    steps = int(schedule.steps.max(initial=0)) + 1
    processors = max(schedule.processors, 1)
    working = schedule.op != Move.DELETE
    busy = np.zeros((processors, steps), np.int64)
    np.add.at(busy, (schedule.places[working], schedule.steps[working]), 1)
    is_compute = np.zeros(steps, bool)
    is_compute[schedule.steps[schedule.op == Move.COMPUTE]] = True
    most = busy.max(axis=0)
    width = np.where(is_compute, costs.compute * most, costs.g * most + costs.latency * (most > 0))
    return np.concatenate(([0.0], np.cumsum(width)[:-1]))
