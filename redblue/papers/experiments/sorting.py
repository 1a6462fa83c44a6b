"""Sorting: the logarithm of the memory, which small networks do not show."""

from collections.abc import Sequence

import numpy as np

from proofs.laws.problems import comparison_sort_words
from redblue.laws.fit.choice import compared, line, logarithm_residuals, power
from redblue.laws.fit.points import depth_of, widest_network_pass
from redblue.papers.experiments.bench import Bench
from redblue.papers.experiments.law_claims import (
    KUNG,
    LOGARITHM_FORMULA,
    law_claim,
    span,
    squared_claim,
)
from redblue.papers.experiments.recoveries import recovery_figure, recovery_of, recovery_table
from redblue.papers.experiments.studies import (
    CEILING,
    LINEAR_RATIO,
    MEMORY,
    RATIO,
    Study,
    ceiling,
    curve_table,
    io_figure,
    law_table,
    ratio_figure,
    study,
)
from redblue.show.model import Claim, Experiment, Figure, Series, Table, first_shown, judged
from redblue.show.rows import table
from schedulers.families.sorting import passes

SECTION = f"{KUNG}, section 3.5, equation (5)"
NAMES = {
    "bitonic_sort": "Bitonic sort",
    "odd_even_merge_sort": "Odd-even merge sort",
    "merge_sort": "Merge sort",
}
LARGE = 160  # stages of a network that is counted by its passes, for nobody can play it
BOUNDS = {"bitonic_sort": ("segments",), "odd_even_merge_sort": ("segments",)}


def experiment(bench: Bench) -> Experiment:
    """Experiment: I/O of sorting against memory.

    Source
    ------
    H. T. Kung, Memory requirements for balanced computer architectures, 1986, section 3.5; K. E.
    Batcher, Sorting networks and their applications, AFIPS 1968, for the networks.
    """
    n = bench.pick(4096, 16384)
    studies = {
        family: study(bench, f"{family}:n={4096 if family == 'merge_sort' else n}", bounds=bounds)
        for family, bounds in ((name, BOUNDS.get(name, ())) for name in NAMES)
    }
    sizes = [2**e + 2 for e in range(1, 10)]
    small = study(bench, "bitonic_sort:n=1024", sizes, bounds=BOUNDS["bitonic_sort"])
    named = [(NAMES[family], study) for family, study in studies.items()]
    recovered = recovery_of(bench, NAMES["bitonic_sort"])
    return Experiment(
        name="sorting",
        title="Sorting: the logarithm of the memory, if it is large enough",
        summary="Batcher's two networks are played in passes over their levels, and Kung's merge "
        "sort as it happened, comparison after comparison. A network hides its law well: its first "
        "pass sorts blocks of 2^m keys at once, and takes so large a part of a small network that "
        "a power of the memory describes the curve better than the logarithm.",
        claims=(
            law_claim(recovered, SECTION),
            *(small_law_claim(study, name) for name, study in named),
            *(claim for name, study in named for claim in _squared(name, study)),
            merge_slope_claim(studies["merge_sort"]),
            problem_claim(studies["merge_sort"]),
            trap_claim(small),
            refusal_claim(small),
            large_claim(),
        ),
        tables=first_shown((
            recovery_table([recovered], "sorting-recovered"),
            law_table(named, "sorting-laws", "What the small curves tell."),
            *(curve_table(study, f"{family}-curve", f"{study.spec}, by its structured schedule.")
              for family, study in studies.items()),
            trap_table(small),
        )),
        figures=first_shown((
            recovery_figure([recovered], "sorting-recovery",
            f"Operations per word of {recovered.spec}: "
                            "passes, counted, and what no schedule exceeds."),
            ratio_figure(named, "sorting-ratio", "Operations (two a comparator) per word.",
                         LINEAR_RATIO),
            *(io_figure(study, f"{family}-io", f"Words moved by {study.spec}.")
              for family, study in studies.items()),
            trap_figure(small),
        )),
        formula=LOGARITHM_FORMULA,
        references=("kung1986", "batcher1968", "aggarwal1988"),
    )  # fmt: skip


def small_law_claim(played: Study, name: str) -> Claim:
    """The claim that a small member's curve is nearer to a logarithm than to a power."""
    fitted = played.found
    models = fitted.models
    return Claim(
        f"{name}: the plays alone are nearer to log M than to any power",
        SECTION,
        "a smaller residual of log R",
        f"{models['logarithmic'].rms:.2%} for a logarithm, {models['power'].rms:.2%} for a power"
        if models
        else fitted.reason,
        "undecided" if fitted.law is None else judged(fitted.law.kind == "logarithmic"),
        f"{played.spec}, {span(played)} words",
        tolerance="1.3 times",
    )


def _squared(name: str, played: Study) -> Sequence[Claim]:
    """The claim about the smallest pass, of m levels, and one of 2m, where it was played."""
    points = played.found.points
    sizes = points.effective.astype(int).tolist()
    io = dict(zip(sizes, points.ios.astype(int).tolist(), strict=True))
    small = next((size for size in sizes if size * size in io), None)
    if small is None:
        return ()
    large = small * small
    pairs = (small, io[small]), (large, io[large])
    return (squared_claim(name, SECTION, *pairs, 2, played.spec),)


def merge_slope_claim(merging: Study) -> Claim:
    """The claim that each doubling adds half a comparison per word to a merge sort."""
    n = int(merging.dag.params["n"])
    full = n * depth_of(n)
    slope = (merging.found.slope or 0.0) * full / merging.points.work
    return Claim(
        "Merge sort: each doubling of the memory adds half a comparison per word", SECTION,
        "slope 0.5 of R against log2 M, for n log2 n comparisons", f"slope {slope:.4f}",
        judged(abs(slope - 0.5) <= 0.01),
        f"{merging.spec}: {merging.points.work:,} comparisons happened, of {full:,}, for lists run "
        f"dry; as counted the slope is {merging.found.slope or 0.0:.4f}", tolerance="0.01",
    )  # fmt: skip


def problem_claim(merging: Study) -> Claim:
    """The claim that no algorithm that compares keys does much better than a merge sort."""
    n, limit = int(merging.dag.params["n"]), 2.0
    memories = {int(memory) for memory in merging.found.points.memories}
    ratios = [
        io / comparison_sort_words(n, memory)
        for memory, io in merging.curve.envelope("upper")
        if memory in memories
    ]
    return Claim(
        "Merge sort: no algorithm that compares keys does better than a constant factor",
        "A. Aggarwal and J. S. Vitter, 1988, for blocks of one key",
        f"at most {limit:g} times n words and log_M(n! / M!) + M loads",
        f"{min(ratios):.2f} to {max(ratios):.2f} times", judged(max(ratios) <= limit, "proved"),
        f"{merging.spec}, {min(memories):,} to {max(memories):,} words of memory, schedules "
        f"replayed; the "
        "bound is on the problem, for the worst input, and not on this DAG", kind="proof",
        tolerance=f"up to {limit:g}",
    )  # fmt: skip


def trap_claim(small: Study) -> Claim:
    """The claim that a small network looks like a power, and is none."""
    models = compared(small.points)
    wrong = models["power"].rms < models["logarithmic"].rms
    return Claim(
        "Bitonic sort: at small n, with all sizes of memory, a power law wins",
        "a trap of this experiment, not of a paper", "the wrong law",
        f"R^2 {models['power'].r_squared:.4f} of the power, "
        f"{models['logarithmic'].r_squared:.4f} of the logarithm", judged(wrong),
        f"{small.spec}, passes of 1 to 9 of 10 stages; so only passes of few stages count",
    )  # fmt: skip


def refusal_claim(small: Study) -> Claim:
    """The claim that no law is reported where there is not enough range."""
    law = small.found.law
    return Claim(
        "Bitonic sort: a network that is too small is not taken for a power",
        "redblue.laws.fit, for the trap before",
        "no law",
        small.found.reason if law is None else law.name,
        judged(law is None or law.kind == "logarithmic"),
        f"{small.spec}: passes of at most {widest_network_pass(1024)} of 10 stages count",
    )


def large_claim() -> Claim:
    """The claim that the logarithm shows in a network beyond all play, by its passes."""
    widths = range(1, LARGE // 4 + 1)
    ratios = [ratio_by_passes(LARGE, width) for width in widths]
    slope = line(np.array(widths, float), np.array(ratios)).slope
    shares = [ratio / width for width, ratio in zip(widths, ratios, strict=True)]
    return Claim(
        "Bitonic sort: each doubling of the memory adds half an operation per word", SECTION,
        "slope 0.5 of R against log2 M",
        f"slope {slope:.4f}; R is {min(shares):.3f} to {max(shares):.3f} log2 M",
        judged(abs(slope - 0.5) <= 0.03),
        f"2^{LARGE} keys, passes counted, of 1 to {LARGE // 4} stages", tolerance="0.03",
    )  # fmt: skip


def ratio_by_passes(stages: int, width: int) -> float:
    """Operations per word of 2^stages keys, if all passes are of `width` levels or more.

    n d (d + 1) / 2 results of comparators for 2n words a pass.

    Examples
    --------
    >>> ratio_by_passes(20, 1), ratio_by_passes(20, 20)
    (0.5, 105.0)
    """
    bits = [bit for stage in range(1, stages + 1) for bit in reversed(range(stage))]
    return stages * (stages + 1) / (4 * len(passes(bits, width)))


def trap_table(small: Study) -> Table:
    """Return both models of the small network, for all sizes of memory and for few."""
    all_sizes = small.points
    rows = []
    for points in (all_sizes, all_sizes.where(all_sizes.memories <= all_sizes.largest)):
        models = compared(points)
        fits = (round(models[kind].r_squared, 4) for kind in ("power", "logarithmic"))
        rows.append((points.memories.size, int(points.memories[-1]), *fits))
    return table(
        "sorting-trap-models",
        f"{small.spec}: which law describes log R better, on all sizes and on the small ones.",
        rows, "sizes", "M at most [words]", "R^2, power", "R^2, logarithm",
    )  # fmt: skip


def trap_figure(small: Study) -> Figure:
    """The ratios of the small network, and both laws fitted to all of them."""
    points = small.points
    x = tuple(points.memories.tolist())
    off = {
        "power law, the wrong one": power(points)[0].residuals,
        "logarithm": logarithm_residuals(points),
    }
    return Figure(
        "sorting-trap",
        f"A network that is too small, {small.spec}: on a straight line, as a power has it.",
        MEMORY,
        RATIO,
        (
            Series("best schedule", x, tuple(points.ratios.tolist()), "upper"),
            *(
                Series(label, x, tuple((points.ratios / np.exp(residuals)).tolist()), "fit")
                for label, residuals in off.items()
            ),
            ceiling(small),
        ),
        (CEILING, "best schedule"),
    )
