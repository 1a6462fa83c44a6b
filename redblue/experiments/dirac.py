"""The Dirac operator: theorem 1 of Bilardi et al. against schedules that were played."""

from redblue.experiments.bench import Bench
from redblue.experiments.dirac_claims import count_claims, regime_claims, slope_claims
from redblue.experiments.dirac_figures import curve_figure, curve_table, plays_table, slope_figure
from redblue.experiments.dirac_plays import all_plays, best_plays
from redblue.experiments.law_claims import law_claim
from redblue.experiments.recoveries import recovery_of
from redblue.show.model import Experiment, first_shown


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
        summary=(
            "Theorem 1 promises three regimes for the k x k x k x n4 sites of a node: all fields "
            "in fast memory, each field moved once, and slabs of s sites with 66/s words a site "
            "more. The paper gives no schedules. These were built, played move by move with Phi "
            "growing in its place, and counted: the 66 comes out to all digits, with no more "
            "than the theorem's memory, and a cut along two axes or at the seam of x4 needs far "
            "less I/O than the theorem in the same memory. Windows of hops prove that no play does "
            "with less than about 120 + 181 / M^(1/3) words a site of a large lattice, where tiles "
            "cut along three axes take 120 + 720 / M^(1/3)."
        ),
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
