"""Claims of theorem 1 of Bilardi et al. on the Dirac operator, compared with plays."""

from statistics import linear_regression

from redblue.papers.experiments.dirac_plays import (
    Played,
    closed_peak,
    count_play,
    dividing,
    excess,
    promise,
    room,
)
from redblue.show.model import Claim, judged
from redblue.show.rows import listed
from schedulers import DiracPlan
from schedulers.families.dirac_plans import theorem_io, theorem_memories

SOURCE = "Bilardi et al., HiPC 2005"
THEOREM = f"{SOURCE}, theorem 1"
SIX_DIGITS = 5e-7


def slope_claims(plays: list[Played], largest: tuple[int, int]) -> list[Claim]:
    """Return the claim of each regime that I_lc / n - 120 against 1/s is a line of slope 66."""
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
        f"{THEOREM}, case 3",
        f"slope 66.000000, intercept {intercept:.6f}",
        f"slope {line.slope:.6f}, intercept {line.intercept + 0.0:.6f}",
        judged(agrees),
        f"a line through s = {listed(row['s'] for row in rows)} with k = {k}, n4 = {n4}{shift}",
        tolerance="six digits",
    )


def regime_claims(plays: list[Played], curve: list[Played], k: int, n4: int) -> list[Claim]:
    """Return the claims on the three regimes of the theorem, each against plays."""
    here = [each for each in plays if (each["k"], each["n4"]) == (k, n4)]
    medium = next(each for each in here if each["regime"] == "medium")
    small = [each for each in here if each["regime"] == "A-reflected"]
    other = [each for each in here if each["regime"] in ("A-lockstep", "B-reflected")]
    whole, slabs = curve[-1], [each for each in plays if each["regime"] != "medium"]
    sites, where = k**3 * n4, f"k = {k}, n4 = {n4}"
    above = [each for each in other if each["local"] > promise(each)]
    least, tuned = _least(curve), theorem_memories(k, n4)[0]
    promised = float(theorem_io(k, n4, tuned) or 0) / sites
    at_least = next(each for each in curve if each["memory"] == tuned)
    return [
        Claim(
            "With all fields in fast memory an application moves nothing locally",
            f"{THEOREM}, case 1",
            f"I_lc = 0 with {120 * sites:,} words",
            f"I_lc = {whole['local']:,} with {whole['peak']:,} words",
            judged(whole["local"] == 0 and whole["peak"] <= 120 * sites),
            f"{where}; Phi takes the room of Psi behind the sweep. In the game, where fields "
            "begin and end in slow memory, one application moves the compulsory 120 n",
        ),
        Claim(
            "A medium memory moves every field once",
            f"{THEOREM}, case 2",
            f"I_lc = 120 n with {96 * k**3 + 432 * k**2:,} words",
            f"I_lc = {medium['local'] / sites:.6f} n with {medium['peak']:,} words",
            judged(medium["local"] == 120 * sites and medium["peak"] == 96 * k**3 + 90),
            f"{where}; 96 k^3 + 90 words: the 432 k^2 are slack",
        ),
        Claim(
            "A small memory is enough for (120 + 66/s) n + 132 k^2 words, for every s",
            f"{THEOREM}, case 3",
            "no s above",
            f"{sum(each['local'] > promise(each) for each in small)} of {len(small)} above, with "
            f"at most {max(each['peak'] / room(each) for each in small):.3f} of its memory",
            judged(all(each["local"] <= promise(each) for each in small)),
            f"{where}, every other node mirrored. Nodes in lock step and strips exceed it for "
            f"{len(above)} thicknesses that do not divide k or n4",
        ),
        Claim(
            "Slabs of s sites need 96 k^2 s words, and a constant",
            f"{THEOREM}, case 3",
            "96 k^2 s + 288 k s + O(1)",
            f"96 k^2 s + {_beyond(plays, 'A-lockstep', 96)} in lock step, "
            f"+ {_beyond(plays, 'A-reflected', 96)} mirrored; "
            f"strips 48 k^2 s + {_beyond(plays, 'B-reflected', 48)}",
            judged(all(each["peak"] == closed_peak(each) for each in slabs)),
            f"the peaks of {len(plays)} plays, exactly; strips need half of the leading term",
        ),
        Claim(
            "Words to and from the neighbours",
            THEOREM,
            "I_nb k / n = 288",
            f"I_nb k / n = {_one({e['neighbour'] * e['k'] / e['sites'] for e in plays})}",
            judged(all(each["neighbour"] * each["k"] == 288 * each["sites"] for each in plays)),
            f"all {len(plays)} plays",
        ),
        Claim(
            "The theorem is an upper bound: less is possible in its least memory",
            THEOREM,
            f"at most {promised:.3f} words a site with {tuned:,}",
            f"{at_least['local'] / sites:.3f} words a site, {at_least['tile']}",
            judged(at_least["local"] < promised * sites),
            f"{where}; plays go on down to {least['memory']} words, {least['local'] / sites:.3f} "
            "a site, where the theorem promises nothing",
        ),
    ]


def count_claims(plays: list[Played]) -> list[Claim]:
    """Return the claims on chi, sigma and the two special cuts."""
    work = _one({each["work"] / each["sites"] for each in plays})
    held = _one({each["held"] / each["sites"] for each in plays})
    most = max(each["work"] / each["held"] for each in plays)
    cut = count_play(DiracPlan(8, 16, wrap=True, sweep="x2", slab=4, strip=4), "two cuts", 4)
    seam = count_play(
        DiracPlan(8, 16, wrap=True, sweep="x4", slab=8, strip=16, seam=True), "seam", 8
    )
    return [
        Claim(
            "Work of a site, chi",
            f"{SOURCE}, equation (8)",
            "2328 flop",
            f"{work} flop",
            judged(work == "2328", "recomputed"),
            "the work that the DAG gives each site, summed by the engine: a definition, which no "
            "play decides",
            kind="formulas",
        ),
        Claim(
            "Words that a node holds for a site, sigma",
            f"{SOURCE}, section 3.2",
            "120 words",
            f"{held} words",
            judged(held == "120", "recomputed"),
            "sizes that the DAG gives Psi, Phi and the four links forward: a definition, too",
            kind="formulas",
        ),
        Claim(
            "Flop for each word to local memory, unless all fields stay",
            f"{SOURCE}, after theorem 1",
            "less than 20",
            f"{most:.1f}",
            judged(most < 20, "recomputed"),
            kind="formulas",
            tolerance="less than 20",
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
    ]


def _beyond(plays: list[Played], regime: str, site: int) -> str:
    """Return the constant that the peaks of a regime have beyond site * k^2 s words."""
    here = [each for each in plays if each["regime"] == regime]
    return _one({each["peak"] - site * each["k"] ** 2 * each["s"] for each in here})


def _one(values: set[float]) -> str:
    """Return the one value, or all of them."""
    return listed(sorted(values), ".10g")


def _least(curve: list[Played]) -> Played:
    return min(curve, key=lambda point: point["memory"])
