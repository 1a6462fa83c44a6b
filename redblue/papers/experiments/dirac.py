"""The Dirac operator: theorem 1 of Bilardi et al. against schedules that were played."""

from statistics import linear_regression

from redblue.papers.experiments.bench import Bench
from redblue.papers.experiments.dirac_plays import (
    REGIMES,
    Played,
    all_plays,
    best_plays,
    closed_peak,
    count_play,
    dividing,
    excess,
    promise,
    proved_local_io,
    room,
)
from redblue.papers.experiments.law_claims import law_claim
from redblue.papers.experiments.recoveries import recovery_of
from redblue.papers.experiments.studies import stepped
from redblue.show.model import (
    Axis,
    Claim,
    Experiment,
    Figure,
    Role,
    Series,
    Table,
    first_shown,
    judged,
)
from redblue.show.rows import grouped, listed, series, table
from schedulers import DiracPlan
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
    plays = [play for k, n4 in sizes for play in all_plays(bench, k, n4)]
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
    """The figure of I_lc / n - 120 against 1/s."""
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
    """The figure of I_lc / n against memory: the steps of the theorem, and plays."""
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
    """The table of slabs and strips."""
    return table(
        "dirac-slabs",
        "Slabs (A) and strips (B) of s sites, with and without mirrored nodes, as played.",
        (play for play in plays if play["regime"] != "medium"), "regime <- regime", "k <- k",
        "n4 <- n4", "s <- s", "I_lc [words] <- local",
        ("I_lc / n - 120", lambda play: float(excess(play))),
        ("theorem: 66 / s", lambda play: 66 / play["s"]), "I_nb [words] <- neighbour",
        "peak [words] <- peak", ("theorem's memory", room),
    )  # fmt: skip


def curve_table(curve: list[Played], k: int, n4: int) -> Table:
    """The table of the best plays by rising memory."""
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


SOURCE = "Bilardi et al., HiPC 2005"
THEOREM = f"{SOURCE}, theorem 1"
SIX_DIGITS = 5e-7


def slope_claims(plays: list[Played], largest: tuple[int, int]) -> list[Claim]:
    """The claim of each regime that I_lc / n - 120 against 1/s is a line of slope 66."""
    k, n4 = largest
    intercepts = {"A-lockstep": 0.0, "A-reflected": -66 / k, "B-reflected": 0.0}
    return [
        _slope_claim(regime, intercept, dividing(plays, regime, k, n4), k, n4)
        for regime, intercept in intercepts.items()
    ]


def _slope_claim(regime: str, intercept: float, rows: list[Played], k: int, n4: int) -> Claim:
    line = linear_regression([1 / row["s"] for row in rows], [float(excess(row)) for row in rows])
    agrees = max(abs(line.slope - 66), abs(line.intercept - intercept)) < SIX_DIGITS
    shift = "" if regime != "A-reflected" else f" - {66 / k:.6f}: facing slabs meet at once"
    return Claim(
        f"I_lc / n = 120 + 66/s words in slabs or strips of s sites, {regime}",
        f"{THEOREM}, case 3", f"slope 66.000000, intercept {intercept:.6f}",
        f"slope {line.slope:.6f}, intercept {line.intercept + 0.0:.6f}", judged(agrees),
        f"a line through s = {listed(row['s'] for row in rows)} with k = {k}, n4 = {n4}{shift}",
        tolerance="six digits",
    )  # fmt: skip


def regime_claims(plays: list[Played], curve: list[Played], k: int, n4: int) -> list[Claim]:
    """The claims on the three regimes of the theorem, each against plays."""
    plays_here = [play for play in plays if (play["k"], play["n4"]) == (k, n4)]
    medium = next(play for play in plays_here if play["regime"] == "medium")
    small = [play for play in plays_here if play["regime"] == "A-reflected"]
    slab_plays = [play for play in plays_here if play["regime"] in ("A-lockstep", "B-reflected")]
    resident, slabs = curve[-1], [play for play in plays if play["regime"] != "medium"]
    sites, label = k**3 * n4, f"k = {k}, n4 = {n4}"
    above = [play for play in slab_plays if play["local"] > promise(play)]
    lowest, tuned = _least(curve), theorem_memories(k, n4)[0]
    promised = float(theorem_io(k, n4, tuned) or 0) / sites
    at_least = next(play for play in curve if play["memory"] == tuned)
    return [
        Claim(
            "With all fields in fast memory an application moves nothing locally",
            f"{THEOREM}, case 1",
            f"I_lc = 0 with {120 * sites:,} words",
            f"I_lc = {resident['local']:,} with {resident['peak']:,} words",
            judged(resident["local"] == 0 and resident["peak"] <= 120 * sites),
            f"{label}; Phi takes the room of Psi behind the sweep. In the game, where fields "
            "begin and end in slow memory, one application moves the compulsory 120 n",
        ),
        Claim(
            "A medium memory moves every field once",
            f"{THEOREM}, case 2",
            f"I_lc = 120 n with {96 * k**3 + 432 * k**2:,} words",
            f"I_lc = {medium['local'] / sites:.6f} n with {medium['peak']:,} words",
            judged(medium["local"] == 120 * sites and medium["peak"] == 96 * k**3 + 90),
            f"{label}; 96 k^3 + 90 words: the 432 k^2 are slack",
        ),
        Claim(
            "A small memory is enough for (120 + 66/s) n + 132 k^2 words, for every s",
            f"{THEOREM}, case 3",
            "no s above",
            f"{sum(each['local'] > promise(each) for each in small)} of {len(small)} above, with "
            f"at most {max(each['peak'] / room(each) for each in small):.3f} of its memory",
            judged(all(play["local"] <= promise(play) for play in small)),
            f"{label}, every other node mirrored. Nodes in lock step and strips exceed it for "
            f"{len(above)} thicknesses that do not divide k or n4",
        ),
        Claim(
            "Slabs of s sites need 96 k^2 s words, and a constant",
            f"{THEOREM}, case 3",
            "96 k^2 s + 288 k s + O(1)",
            f"96 k^2 s + {_beyond(plays, 'A-lockstep', 96)} in lock step, "
            f"+ {_beyond(plays, 'A-reflected', 96)} mirrored; "
            f"strips 48 k^2 s + {_beyond(plays, 'B-reflected', 48)}",
            judged(all(slab["peak"] == closed_peak(slab) for slab in slabs)),
            f"the peaks of {len(plays)} plays, exactly; strips need half of the leading term",
        ),
        Claim(
            "Words to and from the neighbours",
            THEOREM,
            "I_nb k / n = 288",
            f"I_nb k / n = {_one({e['neighbour'] * e['k'] / e['sites'] for e in plays})}",
            judged(all(play["neighbour"] * play["k"] == 288 * play["sites"] for play in plays)),
            f"all {len(plays)} plays",
        ),
        Claim(
            "The theorem is an upper bound: less is possible in its least memory",
            THEOREM,
            f"at most {promised:.3f} words a site with {tuned:,}",
            f"{at_least['local'] / sites:.3f} words a site, {at_least['tile']}",
            judged(at_least["local"] < promised * sites),
            f"{label}; plays go on down to {lowest['memory']} words, {lowest['local'] / sites:.3f} "
            "a site, where the theorem promises nothing",
        ),
    ]


def count_claims(plays: list[Played]) -> list[Claim]:
    """The claims on chi, sigma and the two special cuts."""
    work = _one({play["work"] / play["sites"] for play in plays})
    held = _one({play["held"] / play["sites"] for play in plays})
    largest = max(play["work"] / play["held"] for play in plays)
    cut = count_play(DiracPlan(8, 16, wrap=True, sweep="x2", slab=4, strip=4), "two cuts", 4)
    seam = count_play(
        DiracPlan(8, 16, wrap=True, sweep="x4", slab=8, strip=16, seam=True), "seam", 8
    )
    return [
        Claim(
            "Work of a site, chi", f"{SOURCE}, equation (8)", "2328 flop", f"{work} flop",
            judged(work == "2328", "recomputed"),
            "the work that the DAG gives each site, summed by the engine: a definition, which no "
            "play decides", kind="formulas",
        ),
        Claim(
            "Words that a node holds for a site, sigma", f"{SOURCE}, section 3.2", "120 words",
            f"{held} words", judged(held == "120", "recomputed"),
            "sizes that the DAG gives Psi, Phi and the four links forward: a definition, too",
            kind="formulas",
        ),
        Claim(
            "Flop for each word to local memory, unless all fields stay",
            f"{SOURCE}, after theorem 1", "less than 20", f"{largest:.1f}",
            judged(largest < 20, "recomputed"), kind="formulas", tolerance="less than 20",
        ),
        Claim(
            "Tiles that are cut along two axes have shorter borders",
            "this project, below theorem 1",
            "less than 187.031 words a site with less than 8,448",
            f"{cut['local'] / cut['sites']:.3f} words a site with {cut['peak']:,}",
            judged(cut["local"] == 144.75 * cut["sites"] and cut["peak"] == 6234),
            "k = 8, n4 = 16, tiles of 8 x 8 x 4 x 4 swept along x2; closed form "
            "120 n + 66 (k^2 n4 + 4 k^3)",
        ),
        Claim(
            "A cut at the seam of a periodic x4 halves the memory of the medium regime",
            "this project, below theorem 1",
            f"120 n + 66 k^3 with {48 * 512 + 90:,} words",
            f"120 n + {(seam['local'] - 120 * seam['sites']) / 512:g} k^3 with {seam['peak']:,}",
            judged(seam["local"] == 120 * 8192 + 66 * 512 and seam["peak"] == 48 * 512 + 90),
            "k = 8, n4 = 16",
        ),
    ]  # fmt: skip


def _beyond(plays: list[Played], regime: str, site: int) -> str:
    """The constant that the peaks of a regime have beyond site * k^2 s words."""
    selected = [play for play in plays if play["regime"] == regime]
    return _one({play["peak"] - site * play["k"] ** 2 * play["s"] for play in selected})


def _one(values: set[float]) -> str:
    """The one value, or all of them."""
    return listed(sorted(values), ".10g")


def _least(curve: list[Played]) -> Played:
    return min(curve, key=lambda point: point["memory"])
