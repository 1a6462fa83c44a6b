"""The Fourier transform: the logarithm of the memory, in passes of equally many levels."""

from math import ceil

from redblue.laws.fit.points import OVERHEAD
from redblue.papers.experiments.bench import Bench
from redblue.papers.experiments.law_claims import (
    KUNG,
    LOGARITHM_FORMULA,
    gap_claim,
    law_claim,
    span,
    squared_claim,
)
from redblue.papers.experiments.recoveries import recovery_figure, recovery_of, recovery_table
from redblue.papers.experiments.studies import (
    LINEAR_RATIO,
    MEMORY,
    WORDS,
    Study,
    curve_table,
    io_figure,
    law_table,
    played,
    proved,
    ratio_figure,
    study,
)
from redblue.show.model import Claim, Experiment, Figure, Series, Table, first_shown, judged
from redblue.show.rows import table

NAME = "Fourier transform"
SECTION = f"{KUNG}, section 3.4, equation (4)"
PROVED_FACTOR = 3.0
SLOPE = 0.5
BOUNDS = ("dominators", "segments")
SEARCHED = ("exact-pieces",)  # where few levels make a pass, complete search proves more


def experiment(bench: Bench) -> Experiment:
    """Experiment: I/O of a Fourier transform against memory.

    Source
    ------
    H. T. Kung, Memory requirements for balanced computer architectures, 1986, section 3.4; J.-W.
    Hong and H. T. Kung, STOC 1981, for n log n / log M words in order of magnitude.
    """
    levels, fewer = bench.pick((12, 12), (18, 14))
    spec = f"fft:n={2**levels}"
    divided = study(bench, spec, bounds=(*BOUNDS, *SEARCHED))
    between = study(bench, f"fft:n={2**fewer}", all_memories(fewer), bounds=BOUNDS)
    recovered, undivided = (
        recovery_of(bench, name) for name in (NAME, f"{NAME}, memories between")
    )
    return Experiment(
        name="fft",
        title="Fourier transforms: the logarithm of the memory",
        summary="With 2^m words for values m levels of a butterfly can be played in one pass over "
        f"all points, so that {levels} levels take ceil({levels} / m) passes: a staircase, through "
        "which a fit finds a slope that nobody should believe. The law is read where there are "
        "many passes, at all m and not only at those that divide the levels.",
        claims=(
            law_claim(recovered, SECTION),
            law_claim(undivided, SECTION),
            slope_claim(divided),
            *_squared(divided, levels),
            gap_claim(divided, NAME, "J.-W. Hong and H. T. Kung, 1981", PROVED_FACTOR),
            passes_claim(divided, levels),
            kernels_claim(between, fewer),
        ),
        tables=first_shown((
            recovery_table([recovered, undivided], "fft-recovered"),
            curve_table(divided, "fft-curve", f"{spec}, where passes divide the levels."),
            law_table([(NAME, divided)], "fft-law", "The law that the small curve tells."),
            kernels_table(between, fewer),
        )),
        figures=first_shown((
            kernels_figure(between, fewer),
            recovery_figure([recovered], "fft-recovery",
            f"Operations per word of {recovered.spec}: "
                            "passes, counted, and what no schedule exceeds."),
            io_figure(divided, "fft-io", f"Words moved by {spec}, where passes divide the levels.",
                      "2 n ceil(levels / m)", lambda memory: by_passes(levels, memory)),
            ratio_figure([(NAME, divided)], "fft-ratio", f"Operations per word of {spec}.",
                         LINEAR_RATIO),
        )),
        formula=LOGARITHM_FORMULA,
        references=("kung1986", "hong1981", "savage1998"),
    )  # fmt: skip


def by_passes(levels: int, memory: int) -> int:
    """The words of passes of m levels each, 2^m + 2 words of memory."""
    m = (memory - OVERHEAD).bit_length() - 1
    passes = ceil(levels / min(m, levels))
    return (2 << levels) * passes


def all_memories(levels: int) -> list[int]:
    """Memories for m levels a pass, and between them such for half as much again."""
    memories = [2**m + OVERHEAD for m in range(1, levels + 1)]
    return sorted([*memories, *(3 * 2 ** (m - 1) + OVERHEAD for m in range(1, levels))])


def slope_claim(divided: Study) -> Claim:
    """The claim that operations per word are half the logarithm of the memory."""
    slope = divided.found.slope
    return Claim(
        f"{NAME}: each doubling of the memory adds half an operation per word", SECTION,
        f"slope {SLOPE} of R against log2 M", "no slope" if slope is None else f"slope {slope:.6f}",
        "undecided" if slope is None else judged(abs(slope - SLOPE) <= 0.01),
        f"{divided.spec}, {span(divided)} words, chosen so that passes divide the levels: the "
        "slope of so few numbers is that of the passes, by construction", tolerance="0.01",
    )  # fmt: skip


def _squared(divided: Study, levels: int) -> list[Claim]:
    """The claims about the smallest pass, and passes of twice and three times its levels."""
    io = dict(divided.curve.envelope("upper"))
    by_levels = {(m - OVERHEAD).bit_length() - 1: words for m, words in io.items()}
    smallest = min(by_levels)
    return [
        squared_claim(NAME, f"{KUNG}, section 3.4", (2**smallest, by_levels[smallest]),
                      (2 ** (alpha * smallest), by_levels[alpha * smallest]), alpha,
                      f"{divided.spec}, {levels} levels")
        for alpha in (2, 3) if alpha * smallest in by_levels
    ]  # fmt: skip


def passes_shares(played: Study, levels: int) -> dict[int, float]:
    """The words moved in those of whole passes, by memory."""
    return {m: io / by_passes(levels, m) for m, io in played.curve.envelope("upper")}


def passes_claim(divided: Study, levels: int) -> Claim:
    """The claim that passes move 2 n ceil(levels / m) words."""
    shares = passes_shares(divided, levels)
    return Claim(
        f"{NAME}: passes of m levels move 2 n ceil(levels / m) words",
        "J. E. Savage, 1998, after J.-W. Hong and H. T. Kung, 1981",
        "that many",
        f"{min(shares.values()):.5f} to {max(shares.values()):.5f} times",
        judged(all(0.99 <= share <= 1 for share in shares.values())),
        f"{divided.spec}, M = {', '.join(map(str, shares))}; some values stay between",
        tolerance="1% fewer",
    )


def kernels_claim(between: Study, levels: int) -> Claim:
    """The claim on sizes that whole passes do not divide, where schedules move less."""
    shares = passes_shares(between, levels)
    best = min(shares, key=lambda memory: shares[memory])
    return Claim(
        f"{NAME}: between the powers of two, no more words than by whole passes are needed",
        "this project, against the count of whole passes",
        "at most 2 n ceil(levels / m)",
        f"{shares[best]:.3f} times with {best:,} words, at most {max(shares.values()):.3f} times",
        judged(max(shares.values()) <= 1),
        f"{between.spec}, {len(shares)} sizes: between powers of two the passes are no optimum",
        tolerance="at most 1",
    )


def kernels_table(between: Study, levels: int) -> Table:
    """The table of the best schedule against whole passes, at all sizes."""
    floor = dict(between.curve.envelope("lower"))
    shares, moved = passes_shares(between, levels), dict(between.curve.envelope("upper"))
    return table(
        "fft-passes",
        f"{between.spec}: the best schedule against whole passes, at powers of two and between.",
        ((m, io, by_passes(levels, m), round(shares[m], 4), floor[m]) for m, io in moved.items()),
        "M [words]", "moved [words]", "whole passes [words]", "ratio", "at least [words]",
    )  # fmt: skip


def kernels_figure(between: Study, levels: int) -> Figure:
    """The figure of the best schedule against the steps of whole passes."""
    upper, lower = played(between.curve), proved(between.curve)
    stairs = tuple(float(by_passes(levels, memory)) for memory in between.curve.memories)
    label = "whole passes: 2 n ceil(levels / m)"
    return Figure(
        "fft-stairs", f"Words moved by {between.spec} at powers of two and between them.", MEMORY,
        WORDS, (upper, lower, Series(label, upper.x, stairs, "theorem")),
        (upper.label, lower.label),
    )  # fmt: skip
