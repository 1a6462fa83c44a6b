"""Local I/O of the Dirac operator against memory, beside theorem 1 of Bilardi et al.

python benchmarks/dirac_curve.py     writes docs/dirac.md and docs/images/dirac_curve.svg
"""

from dataclasses import replace
from pathlib import Path

from matplotlib.figure import Figure
from matplotlib.ticker import StrMethodFormatter

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
SIZES = [(4, 8), (8, 16)]
DRAWN = (8, 16)

PAGE = """# The Dirac operator against its theorem

Made by `python benchmarks/dirac_curve.py`; every number of words that was played is a count of
the engine.

Theorem 1 of Bilardi et al. (HiPC 2005) promises for one node's k x k x k x n4 sites, n = k^3 n4, at
most I_lc words to and from the node's own memory, and I_nb = 288 n/k words to and from its
neighbours:

| regime | fast memory m | I_lc |
|---|---|---|
| large | 120 n | 0 |
| medium | 96 k^3 + 432 k^2 + o(k^2) | 120 n |
| small, 1 <= s <= k | 96 k^2 s + 288 k s + O(1) | (120 + 66/s) n + 132 k^2 |

The paper gives no schedules. Ours slide: Phi grows in its place (`--rules one-shot-sliding`), and
every other node is mirrored, so that facing sites are visited at once. `played` is the best of
several tiles and sweeps, followed exactly where they fit (`DiracPlan`; `best_dirac_plan` is the
best that fits), and else with the values leaving that are not needed for longest
(`best_dirac_play`). A play for less memory is one for more.

- **Medium.** One sweep keeps one slice of sites, 48 words each, and the first one too if x4 is
  periodic: 96 k^3 + 90 words for 120 n. The theorem's 432 k^2 are not needed; and if
  n4 < 2 k, a sweep along another axis needs less again.
- **Small.** 48 words a site of a slice are enough, where the theorem has 96; and a
  tile that is cut along two or three axes has shorter borders than one that is cut along one. Cut
  along three and swept along the fourth, w x w x w slices of 48 w^3 words move 120 + 198/w words a
  site, 120 + 720 / M^(1/3).
- **Below the theorem.** It ends at s = 1. Plays go on down to the 66 words that a single hop takes.
- **Large.** In the game all fields begin and end in slow memory, so that one application moves the
  compulsory 120 n. The theorem speaks of an operator that is applied again and again, whose fields
  stay where they are. `resident_dirac_schedule` is that play in three parts: the fields settle
  (96 n words), are worked on, and leave (24 n words). The middle part, which is all that a
  further application costs, moves nothing locally. As Phi takes the room of Psi after the sweep,
  it needs 96 n + 24 words for each site of the front instead of 120 n. The last two rows of each
  table are this part.

`redblue papers dirac` plays all regimes, for nodes that store the links that leave their sites
forward and for nodes that store all links of their sites (54 n/k words more, and no products are
sent); and the whole lattice on all nodes at once. *pull* is the literal schedule of the theorem's
memory: three slices of Psi with what came in over their faces, and one of Phi, 96 k^3 + 432 k^2
words. It loads links along x4 for both of their ends: (138 + 48/n4) n words, not 120 n.

*proved* is a lower bound on every play of one application, whatever the order of its hops, also if
it computes values again: windows of hops touch many sites (`proofs.dirac`, with a certificate). In
the leading term that is 120 + 36 (6 / M)^(1/3) words a site: like 1/s, where M grows like s^3. What
windows share with each other is touched again by each: that proves 120 + 181 / M^(1/3) words on
lattices that are large against windows, a quarter of what the plays above move beyond 120; and it
proves that the compulsory 120 words are not enough with the theorem's own memories, down to where
two halves of the lattice share less than fits.

For a lattice and memories of one's own, of any size, `law` has the theorem, the best plan that fits
and the bound, a line for each memory, in words a site; `curve` plays what can be laid out, and
shows the theorem beside it.

```console
$ redblue law dirac:k=8,n4=16
$ redblue law dirac:k=32,n4=64 --rules one-shot-sliding --json
$ redblue curve dirac:k=2,n4=4 --memory 200,1400 --schedulers structured
```

![Local I/O of the Dirac operator](images/dirac_curve.svg)
"""

AGAIN = """
## Applied again and again

A solver applies the operator many times, to all of a lattice. `dirac_steps:shape=8x8x8x16,steps=10`
is that computation: a star stencil of spinors in four dimensions, which reads the same 72 words of
links of a site at every step. A site's sum is one vertex here, where `dirac` has nine. One
application moves 120 words a site at least, with any memory; of many, what a site moves at each
step falls as the fourth root of the memory:

| M | counted: words a site and step | proved | counted / proved |
|---|---|---|---|
{rows}

Tiles of b^4 sites keep 96 b^4 words and lean along time, so that no operand is ahead: at every
step 8 b^3 spinors come in and as many go out, and the links of 4 b^3 sites come in: 672 / b words a
site. With less memory than in the table one application after another moves less. Proved are
336 / M^(1/4) in the leading term, by windows that exchange spinors and read links
(`proofs.lemmas.families.dirac`). So a memory of M words takes in and gives out
words as M^(3/4) at each step, as the surface of the sites that it holds grows with their number. By
[the definition](laws.md) the law M^(1/4) is recovered.

```console
$ redblue law dirac_steps:shape=10000x10000x10000x10000,steps=10000 --memory 1e5:1e9:9
$ redblue plan dirac_steps:shape=1000x1000x1000x1000,steps=1000 --memory 1e6
```
"""
STEPS = "dirac_steps:shape=10000x10000x10000x10000,steps=10000"


def memories(k: int, n4: int) -> list[int]:
    """Return the corners of the theorem, those of the plans, and sizes below them."""
    plans = [dirac_plan(k, n4, regime="B-reflected", s=s) for s in range(1, n4 + 1)]
    corners = [*theorem_memories(k, n4)[:-1], dirac_plan(k, n4).peak, *(p.peak for p in plans)]
    least, front = 66, 48 * k + 90
    cut_twice = [48 * k * (1 << side) + 90 for side in range((k * k).bit_length())]
    return sorted({least, 90, 128, 192, 256, 384, front, *cut_twice, *corners})


def table(k: int, n4: int, points: tuple[DiracPoint, ...]) -> str:
    """Return the table of all points."""
    n = k**3 * n4
    lines = [
        f"\n## k = {k}, n4 = {n4}\n",
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
    return "\n".join(lines) + "\n"


def again() -> str:
    """Return the section on the operator that is applied again and again."""
    known = Computation(STEPS)
    curve, visits = counted_curve(known, [10**e for e in range(5, 10)]), known.sizes.outputs
    visits *= known.params["steps"]
    proved = dict(curve.envelope("lower"))
    rows = [
        f"| {memory:,} | {io / visits:.2f} | {proved[memory] / visits:.2f} | "
        f"{io / proved[memory]:.2f} |"
        for memory, io in curve.envelope("upper")
    ]
    return AGAIN.format(rows="\n".join(rows))


def main() -> None:
    """Write the page and the picture."""
    from matplotlib import rc_context

    page = PAGE
    for k, n4 in SIZES:
        resident = resident_point(k, n4)
        large = resident, replace(resident, memory=theorem_memories(k, n4)[-1])
        points = (*dirac_curve(k, n4, memories(k, n4)), *large)
        page += table(k, n4, points)
        if (k, n4) == DRAWN:
            with rc_context({"svg.hashsalt": "redblue"}):
                figure = dirac_figure(k, n4, points)
                figure.savefig(DOCS / "images" / "dirac_curve.svg", metadata=METADATA["svg"])
    (DOCS / "dirac.md").write_text(page + again())


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
