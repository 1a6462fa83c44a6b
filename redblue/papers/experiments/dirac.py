"""The Dirac operator: theorem 1 of Bilardi et al. against schedules that were played."""

from redblue.papers.experiments.bench import Bench
from redblue.papers.experiments.dirac_claims import count_claims, regime_claims, slope_claims
from redblue.papers.experiments.dirac_plays import (
    REGIMES,
    Played,
    all_plays,
    best_plays,
    excess,
    proved_local_io,
    room,
)
from redblue.papers.experiments.law_claims import law_claim
from redblue.papers.experiments.recoveries import recovery_of
from redblue.papers.experiments.series import stepped
from redblue.show.model import Axis, Experiment, Figure, Role, Series, Table, first_shown
from redblue.show.rows import grouped, series, table
from schedulers.families.dirac_plans import theorem_io, theorem_memories


def experiment(bench: Bench) -> Experiment:
    """Experiment: I/O of the Dirac operator against memory, as played and by theorem 1.

    Slabs of s sites along x3 (A) or strips along x4 (B) are swept one after another, and every
    play is counted by the engine; the slope of I_lc / n - 120 against 1/s is to be 66.

    Source
    ------
    G. Bilardi, A. Pietracaprina, G. Pucci, F. Schifano, R. Tripiccione, The potential of on-chip
    multiprocessing for QCD machines, HiPC 2005, theorem 1. The paper omits the schedules.
    """
    sizes = bench.pick([(4, 8), (8, 16)], [(4, 8), (8, 16), (12, 16)])
    plays = [each for k, n4 in sizes for each in all_plays(bench, k, n4)]
    k, n4 = sizes[1]
    curve = best_plays(bench, k, n4)
    return Experiment(
        name="dirac",
        title="The Dirac operator of lattice QCD: words a site against memory",
        summary="Theorem 1 promises three regimes for the k x k x k x n4 sites of a node: all "
        "fields in fast memory, each field moved once, and slabs of s sites with 66/s words a site "
        "more. The paper gives no schedules. These were built, played move by move with Phi "
        "growing in its place, and counted: the 66 comes out to all digits, with no more than the "
        "theorem's memory, and a cut along two axes or at the seam of x4 needs far less I/O than "
        "the theorem in the same memory. Windows of hops prove that no play does with less than "
        "about 120 + 181 / M^(1/3) words a site of a large lattice, where tiles cut along three "
        "axes take 120 + 720 / M^(1/3).",
        claims=(
            *slope_claims(plays, sizes[-1]),
            *regime_claims(plays, curve, k, n4),
            *count_claims(plays),
            law_claim(
                recovery_of(bench, "Dirac operator, beyond compulsory words"),
                "theorem 1 at s = k: 66/s words beyond 120 with 96 s^3 of memory",
            ),
            law_claim(
                recovery_of(bench, "Dirac operator, applied again and again"),
                "this project, after Kung's section 3.3: M^(3/4) words a step",
            ),
        ),
        tables=first_shown((curve_table(curve, k, n4), plays_table(plays))),
        figures=first_shown((curve_figure(curve, k, n4), slope_figure(plays, k, n4))),
        formula=r"I_\text{lc} \le \left(120 + \frac{66}{s}\right) n + 132 k^2 \quad\text{with} "
        r"\quad m = (96 k^2 + 288 k) s + O(1)",
        references=("bilardi2005",),
    )


def slope_figure(plays: list[Played], k: int, n4: int) -> Figure:
    """Return the figure of I_lc / n - 120 against 1/s."""
    regimes = grouped((e for e in plays if (e["k"], e["n4"]) == (k, n4)), "regime")
    return Figure(
        "dirac-slope",
        f"Local words a site beyond 120 against 1/s (k = {k}, n4 = {n4}). Thicknesses that divide "
        "lie on the line of slope 66; others pay for a last, thinner slab.",
        Axis("1 / s"),
        Axis("I_lc / n - 120 [words]"),
        (
            *(series(regime, regimes[regime], lambda e: 1 / e["s"], excess, "upper",
                     lambda e: f"s = {e['s']}: {e['local']:,} words, peak {e['peak']:,}")
              for regime in REGIMES),
            Series("66 / s", (0.0, 1.0), (0.0, 66.0), "theorem"),
            Series("compulsory", (0.0, 1.0), (0.0, 0.0), "lower"),
        ),
    )  # fmt: skip


def curve_figure(curve: list[Played], k: int, n4: int) -> Figure:
    """Return the figure of I_lc / n against memory: the steps of the theorem, and plays."""
    sites, corners = k**3 * n4, theorem_memories(k, n4)
    end = 2 * corners[-1]
    promised = [float(theorem_io(k, n4, memory) or 0) / sites for memory in corners]

    def drawn(label: str, role: Role, points: list[Played]) -> Series:
        return series(
            label, points, "memory", lambda p: p["local"] / sites, role,
            lambda p: f"{p['tile']}: {p['local']:,} words with {p['memory']:,}",
        )  # fmt: skip

    return Figure(
        "dirac-curve",
        f"Local I/O a site against memory (k = {k}, n4 = {n4}): what theorem 1 promises, what was "
        "played, and what no play of one application can do without. The last play is one of many "
        "applications, between which all fields stay.",
        Axis("fast memory [words]", 2),
        Axis("I_lc / n [words]"),
        (
            drawn("best schedule", "upper", curve[:-1]),
            series("best bound", curve[:-1], "memory",
                   lambda p: proved_local_io(k, n4, p["memory"]) / sites, "lower"),
            Series("theorem 1", *stepped(corners, promised, end), "theorem"),
            drawn("between applications, all fields stay", "measured", curve[-1:]),
        ),
        gap=("best schedule", "best bound"),
    )  # fmt: skip


def plays_table(plays: list[Played]) -> Table:
    """Return the table of slabs and strips."""
    return table(
        "dirac-slabs",
        "Slabs (A) and strips (B) of s sites, with and without mirrored nodes, as played.",
        (each for each in plays if each["regime"] != "medium"), "regime <- regime", "k <- k",
        "n4 <- n4", "s <- s", "I_lc [words] <- local",
        ("I_lc / n - 120", lambda each: float(excess(each))),
        ("theorem: 66 / s", lambda each: 66 / each["s"]), "I_nb [words] <- neighbour",
        "peak [words] <- peak", ("theorem's memory", room),
    )  # fmt: skip


def curve_table(curve: list[Played], k: int, n4: int) -> Table:
    """Return the table of the best plays by rising memory."""
    sites = k**3 * n4

    def promised(point: Played) -> float | None:
        words = theorem_io(k, n4, point["memory"])
        return None if words is None else float(words) / sites

    return table(
        "dirac-memory", f"The best of many tiles and sweeps at each memory, k = {k}, n4 = {n4}.",
        curve, "memory [words] <- memory", ("theorem: I_lc / n", promised),
        ("played: I_lc / n", lambda point: point["local"] / sites), "I_lc [words] <- local",
        "peak [words] <- peak", "sites visited together <- tile",
    )  # fmt: skip
