"""Relaxation on grids: the d-th root of the memory in d dimensions."""

from typing import NamedTuple

from proofs import TRENDS
from redblue.papers.experiments.bench import Bench
from redblue.papers.experiments.law_claims import (
    KUNG,
    POWER_FORMULA,
    gap_claim,
    law_claim,
    memory_claims,
)
from redblue.papers.experiments.recoveries import recovery_figure, recovery_of, recovery_table
from redblue.papers.experiments.studies import (
    Study,
    curve_table,
    io_figure,
    law_table,
    ratio_figure,
    study,
)
from redblue.show.model import Experiment, Figure, first_shown

SECTION = f"{KUNG}, section 3.3"
PROVED_FACTOR = 8.0


class Grid(NamedTuple):
    """A relaxation that is large enough to show its law, and every other memory; None for all."""

    spec: str
    memories: tuple[int, ...] | None = None


QUICK = {
    1: Grid("stencil:shape=160,steps=160"),
    2: Grid("stencil:shape=40x40,steps=40"),
    3: Grid("stencil:shape=16x16x16,steps=16"),
    4: Grid("stencil:shape=16x16x16x16,steps=8", (28, 57, 113, 226)),
}
FULL = {
    1: Grid("stencil:shape=320,steps=320"),
    2: Grid("stencil:shape=60x60,steps=60"),
    3: Grid("stencil:shape=24x24x24,steps=24"),
    4: Grid("stencil:shape=16x16x16x16,steps=16"),
}


def experiment(bench: Bench) -> Experiment:
    """Experiment: I/O of relaxation on grids of one to four dimensions against memory.

    Source
    ------
    H. T. Kung, Memory requirements for balanced computer architectures, 1986, section 3.3.
    """
    studies = {d: relaxation(bench, grid) for d, grid in bench.pick(QUICK, FULL).items()}
    named = [(title(d), study) for d, study in studies.items()]
    recoveries = [recovery_of(bench, title(d)) for d in studies]
    return Experiment(
        name="grids",
        title="Relaxation on grids: the d-th root of the memory",
        summary="A grid of d dimensions is relaxed for about as many steps as it is wide, every "
        "point from its 2d neighbours and itself. Kung gives a machine M points and counts what "
        "passes through their faces; on one machine with M words of fast memory the same follows "
        "from tiles that are cut through space and time. Small grids end before the law shows: "
        "only large ones, counted without a DAG, tell 1/3 from 1/4.",
        claims=(
            *(law_claim(law, SECTION) for law in recoveries),
            *memory_claims(recoveries, SECTION),
            *(gap_claim(study, name, "proved here", PROVED_FACTOR) for name, study in named),
        ),
        tables=first_shown((
            recovery_table(recoveries, "grids-recovered"),
            law_table(named, "grids-laws", "What the small curves tell, dimension by dimension."),
            *(curve_table(study, f"grid-{d}d-curve", f"{study.spec}, by its structured schedule.")
              for d, study in studies.items()),
        )),
        figures=first_shown((
            recovery_figure(recoveries, "grids-recovery", "Operations per word in one to four "
                            "dimensions, and what no schedule exceeds."),
            ratio_figure(named, "grids-ratio", "Operations per word of small grids, replayed."),
            *(_figure(d, study) for d, study in studies.items()),
        )),
        formula=POWER_FORMULA % ("d", "d"),
        references=("kung1986",),
    )  # fmt: skip


def relaxation(bench: Bench, grid: Grid) -> Study:
    """The study of a grid."""
    return study(bench, grid.spec, grid.memories, bounds=("dominators", "segments"))


def title(d: int) -> str:
    """The name of a grid of `d` dimensions, to begin a sentence with."""
    return f"Relaxation in {d} dimension{'s' if d > 1 else ''}"


def _figure(d: int, played: Study) -> Figure:
    """The figure of words against memory, with dilated tiles, the leading term."""
    tiles = TRENDS["stencil"][0]
    return io_figure(
        played,
        f"grid-{d}d-io",
        f"Words moved by {played.spec}.",
        f"large tiles: {tiles.formula}",
        lambda memory: tiles.of(played.dag, memory),
    )
