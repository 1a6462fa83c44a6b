"""Figures and tables of the Dirac operator's plays."""

from redblue.experiments.dirac_curve import proved_local_io
from redblue.experiments.dirac_plays import REGIMES, Played, excess, room
from redblue.experiments.series import stepped
from redblue.show.model import Axis, Figure, Role, Series, Table, columns, rows_of
from schedulers.families.dirac_plans import theorem_io, theorem_memories


def slope_figure(plays: list[Played], k: int, n4: int) -> Figure:
    """Return the figure of I_lc / n - 120 against 1/s."""
    series = []
    for regime in REGIMES:
        rows = [e for e in plays if (e["regime"], e["k"], e["n4"]) == (regime, k, n4)]
        notes = tuple(f"s = {e['s']}: {e['local']:,} words, peak {e['peak']:,}" for e in rows)
        x, y = tuple(1 / e["s"] for e in rows), tuple(float(excess(e)) for e in rows)
        series.append(Series(regime, x, y, "upper", notes))
    ends = (0.0, 1.0)
    series.append(Series("66 / s", ends, (0.0, 66.0), "theorem"))
    series.append(Series("compulsory", ends, (0.0, 0.0), "lower"))
    return Figure(
        "dirac-slope",
        f"Local words a site beyond 120 against 1/s (k = {k}, n4 = {n4}). Thicknesses that divide "
        "lie on the line of slope 66; others pay for a last, thinner slab.",
        Axis("1 / s"),
        Axis("I_lc / n - 120 [words]"),
        tuple(series),
    )


def curve_figure(curve: list[Played], k: int, n4: int) -> Figure:
    """Return the figure of I_lc / n against memory: the steps of the theorem, and plays."""
    sites, corners = k**3 * n4, theorem_memories(k, n4)
    end = 2 * corners[-1]
    promised = [float(theorem_io(k, n4, memory) or 0) / sites for memory in corners]
    once = _points("best schedule", "upper", curve[:-1], sites)
    proved = tuple(proved_local_io(k, n4, point["memory"]) / sites for point in curve[:-1])
    return Figure(
        "dirac-curve",
        f"Local I/O a site against memory (k = {k}, n4 = {n4}): what theorem 1 promises, what was "
        "played, and what no play of one application can do without. The last play is one of many "
        "applications, between which all fields stay.",
        Axis("fast memory [words]", 2),
        Axis("I_lc / n [words]"),
        (
            once,
            Series("best bound", once.x, proved, "lower"),
            Series("theorem 1", *stepped(corners, promised, end), "theorem"),
            _points("between applications, all fields stay", "measured", curve[-1:], sites),
        ),
        gap=("best schedule", "best bound"),
    )


def _points(label: str, role: Role, curve: list[Played], sites: int) -> Series:
    """Return plays as points: words per site against memory."""
    return Series(
        label,
        tuple(float(point["memory"]) for point in curve),
        tuple(point["local"] / sites for point in curve),
        role,
        tuple(f"{p['tile']}: {p['local']:,} words with {p['memory']:,}" for p in curve),
    )


def plays_table(plays: list[Played]) -> Table:
    """Return the table of slabs and strips."""
    names = ("regime", "k", "n4", "s", "I_lc [words]", "I_lc / n - 120", "theorem: 66 / s",
             "I_nb [words]", "peak [words]", "theorem's memory")  # fmt: skip
    rows = (
        (e["regime"], e["k"], e["n4"], e["s"], e["local"], float(excess(e)), 66 / e["s"],
         e["neighbour"], e["peak"], room(e))
        for e in plays
        if e["regime"] != "medium"
    )  # fmt: skip
    caption = "Slabs (A) and strips (B) of s sites, with and without mirrored nodes, as played."
    return Table("dirac-slabs", caption, columns(*names), rows_of(*rows))


def curve_table(curve: list[Played], k: int, n4: int) -> Table:
    """Return the table of the best plays by rising memory."""
    sites = k**3 * n4
    names = ("memory [words]", "theorem: I_lc / n", "played: I_lc / n", "I_lc [words]",
             "peak [words]", "sites visited together")  # fmt: skip
    rows = []
    for point in curve:
        promise = theorem_io(k, n4, point["memory"])
        promised = None if promise is None else float(promise) / sites
        rows.append((point["memory"], promised, point["local"] / sites, point["local"],
                     point["peak"], point["tile"]))  # fmt: skip
    caption = f"The best of many tiles and sweeps at each memory, k = {k}, n4 = {n4}."
    return Table("dirac-memory", caption, columns(*names), rows_of(*rows))
