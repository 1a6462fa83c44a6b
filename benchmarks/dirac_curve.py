"""Local I/O of the Dirac operator against memory, beside theorem 1 of Bilardi et al.

python benchmarks/dirac_curve.py     writes tables of docs/dirac.md and docs/images/dirac_curve.svg
"""

from dataclasses import replace
from pathlib import Path

from matplotlib.figure import Figure
from matplotlib.ticker import StrMethodFormatter

from benchmarks.marked import write_marked
from dags import Computation
from redblue.answers.counted import counted_curve
from redblue.papers.experiments.dirac_plays import (
    DiracPoint,
    dirac_curve,
    proved_local_io,
    resident_point,
)
from redblue.show.drawing import METADATA
from schedulers import dirac_plan
from schedulers.families.dirac_plans import theorem_io, theorem_memories

DOCS = Path(__file__).resolve().parents[1] / "docs"
PAGE = DOCS / "dirac.md"
SIZES = [(4, 8), (8, 16)]
DRAWN = (8, 16)

STEPS = "dirac_steps:shape=10000x10000x10000x10000,steps=10000"


def memories(k: int, n4: int) -> list[int]:
    """The corners of the theorem, those of the plans, and sizes below them."""
    plans = [dirac_plan(k, n4, regime="B-reflected", s=s) for s in range(1, n4 + 1)]
    corners = [*theorem_memories(k, n4)[:-1], dirac_plan(k, n4).peak, *(p.peak for p in plans)]
    minimum, front = 66, 48 * k + 90
    cut_twice = [48 * k * (1 << side) + 90 for side in range((k * k).bit_length())]
    return sorted({minimum, 90, 128, 192, 256, 384, front, *cut_twice, *corners})


def table(k: int, n4: int, points: tuple[DiracPoint, ...]) -> str:
    """The table of all points."""
    n = k**3 * n4
    lines = [
        "| m | theorem: I_lc / n | played: I_lc / n | proved: I_lc / n "
        "| I_nb k / n | peak | sites visited together |",
        "|---|---|---|---|---|---|---|",
    ]
    for point in points:
        promised = theorem_io(k, n4, point.memory)
        shown = "" if promised is None else f"{float(promised) / n:.3f}"
        resident = point.tile == "all"
        proved = "" if resident else f"{proved_local_io(k, n4, point.memory) / n:.3f}"
        lines.append(
            f"| {point.memory:,} | {shown} | {point.local_io / n:.3f} | {proved} "
            f"| {point.neighbour_io * k / n:g} | {point.peak:,} | {point.tile} |"
        )
    return "\n".join(lines)


def again() -> str:
    """The table of the operator that is applied again and again."""
    known = Computation(STEPS)
    curve, visits = counted_curve(known, [10**e for e in range(5, 10)]), known.sizes.outputs
    visits *= known.params["steps"]
    proved = dict(curve.envelope("lower"))
    head = [
        "| M | counted: words a site and step | proved | counted / proved |",
        "|---|---|---|---|",
    ]
    rows = [
        f"| {memory:,} | {io / visits:.2f} | {proved[memory] / visits:.2f} | "
        f"{io / proved[memory]:.2f} |"
        for memory, io in curve.envelope("upper")
    ]
    return "\n".join([*head, *rows])


def main() -> None:
    """Write the tables and the picture."""
    from matplotlib import rc_context

    for k, n4 in SIZES:
        resident = resident_point(k, n4)
        large = resident, replace(resident, memory=theorem_memories(k, n4)[-1])
        points = (*dirac_curve(k, n4, memories(k, n4)), *large)
        write_marked(PAGE, f"k = {k}, n4 = {n4}", table(k, n4, points))
        if (k, n4) == DRAWN:
            with rc_context({"svg.hashsalt": "redblue"}):
                figure = dirac_figure(k, n4, points)
                figure.savefig(DOCS / "images" / "dirac_curve.svg", metadata=METADATA["svg"])
    write_marked(PAGE, "again and again", again())


def dirac_figure(k, n4, points):
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


if __name__ == "__main__":
    main()
