"""I/O of the Dirac operator against memory, as played and as theorem 1 of Bilardi et al. says."""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from dags import dirac
from pebble import Rules, play
from proofs import dirac as dirac_bound
from schedulers import dirac_plan
from schedulers.families.dirac_choice import best_dirac_play
from schedulers.families.dirac_plans import theorem_io, theorem_memories
from schedulers.families.dirac_resident import resident_dirac_schedule, resident_peak

if TYPE_CHECKING:
    from matplotlib.figure import Figure

SLIDING = Rules(sliding=True)


@dataclass(frozen=True)
class DiracPoint:
    """Counts of a play of the Dirac operator of one node, made by the engine.

    Parameters
    ----------
    memory
        Words of fast memory.
    local_io
        Words between fast memory and the node's own: channel 0.
    neighbour_io
        Words to and from other nodes: channel 1.
    peak
        Words of fast memory that were in use.
    tile
        The sites that are visited together, and along which axis.
    """

    memory: int
    local_io: int
    neighbour_io: int
    peak: int
    tile: str


def dirac_curve(
    k: int, n4: int, memories: Iterable[int], *, wrap: bool = True
) -> tuple[DiracPoint, ...]:
    """Return the best plays of one application with each of `memories` words, by rising memory.

    A play for less memory is one for more, so local I/O falls.
    """
    points: list[DiracPoint] = []
    for memory in sorted(set(memories)):
        best = best_dirac_play(k, n4, memory, wrap=wrap)
        count = play(best.dag, best.play.blocks(), memory, rules=SLIDING)
        plan = best.plan
        sides = f"{k} x {plan.width} x {plan.slab} x {plan.strip}"
        tile = f"{sides}, {plan.sweep}{', seam' * plan.seam}"
        local, neighbour = count.channels[0].io, count.channels[1].io
        point = DiracPoint(memory, local, neighbour, count.peak, tile)
        if points and points[-1].local_io <= local:
            point = replace(points[-1], memory=memory)
        points.append(point)
    return tuple(points)


def resident_point(k: int, n4: int, *, wrap: bool = True) -> DiracPoint:
    """Return the point where all fields stay in fast memory from application to application.

    Its local I/O is that between the arrival of the fields and the departure of the result.
    """
    plans = [dirac_plan(k, n4, wrap=wrap), dirac_plan(k, n4, regime="B-reflected", s=n4, wrap=wrap)]
    plan = min(plans, key=resident_peak)
    memory = resident_peak(plan)
    dag = dirac(**plan.params)
    settle, work, leave = resident_dirac_schedule(dag)
    whole = play(dag, (settle, work, leave), memory, rules=SLIDING)
    outside = sum(dag.words_of(part.vertex) for part in (settle, leave))
    local = whole.channels[0].io - outside
    return DiracPoint(memory, local, whole.channels[1].io, whole.peak, "all")


def proved_local_io(k: int, n4: int, memory: int, *, wrap: bool = True) -> int:
    """Return a lower bound on the local I/O of one application by any play, in words.

    Sweeps and tiles change the order of the hops, which the proof does not ask for.
    """
    dag = dirac(k, n4, wrap)
    assert dag.channel is not None
    ends = np.concatenate([dag.inputs, dag.outputs])
    # the proof counts each word that travels between nodes once, as every play must
    return dirac_bound(dag, memory, rules=SLIDING).io - dag.words_of(ends[dag.channel[ends] == 1])


def dirac_figure(k: int, n4: int, points: tuple[DiracPoint, ...]) -> "Figure":
    """Return the figure of I_lc / n against memory: `points`, and theorem 1."""
    from matplotlib.figure import Figure
    from matplotlib.ticker import StrMethodFormatter

    n = k**3 * n4
    figure = Figure(figsize=(7.2, 4.6), layout="constrained")
    axes = figure.add_subplot()
    axes.set_xscale("log", base=2)
    end = 2 * points[-1].memory
    corners = theorem_memories(k, n4)
    promised = [float(theorem_io(k, n4, memory) or 0) / n for memory in corners]
    axes.step([*corners, end], [*promised, promised[-1]], "k--", where="post", label="theorem 1")
    memories = [point.memory for point in points]
    played = [point.local_io / n for point in points]
    axes.step([*memories, end], [*played, played[-1]], where="post", label="played")
    axes.plot(memories, played, "C0o", markersize=3)
    once = [memory for memory in memories if memory < corners[-1]]
    proved = [proved_local_io(k, n4, memory) / n for memory in once]
    axes.plot(once, proved, "C3.-", linewidth=1, markersize=3, label="proved, one application")
    axes.xaxis.set_major_formatter(StrMethodFormatter("{x:,.0f}"))
    axes.set_ylim(bottom=-10)
    axes.set_xlabel("fast memory m (words)")
    axes.set_ylabel("local I/O a site: I_lc / n (words)")
    axes.set_title(f"Dirac operator, k = {k}, n4 = {n4}: one-shot-sliding", fontsize=11)
    axes.grid(True, which="major", color="0.88", linewidth=0.6)
    axes.legend(frameon=False)
    return figure
