"""Relaxation on grids: the d-th root of the memory in d dimensions."""

from dataclasses import dataclass

from proofs import TRENDS
from redblue.experiments.bench import Bench
from redblue.experiments.law_claims import KUNG, gap_claim, power_claim, rebalance_claim
from redblue.experiments.law_figures import curve_table, io_figure, law_table, ratio_figure
from redblue.experiments.result import Claim, Experiment, Figure
from redblue.experiments.studies import Study, study

SECTION = f"{KUNG}, section 3.3"
HONG_KUNG = "J.-W. Hong and H. T. Kung, 1981, section 5"
PROVED_FACTOR = 8.0


@dataclass(frozen=True)
class Grid:
    """A relaxation that is large enough to show its law.

    Parameters
    ----------
    spec
        The DAG.
    bounded_to
        The largest memory at which the bound by segments takes seconds, not minutes.
    memories
        Words of fast memory, every other tuned one; None for all of them.
    """

    spec: str
    bounded_to: int
    memories: tuple[int, ...] | None = None


QUICK = {
    1: Grid("stencil:shape=160,steps=160", 64),
    2: Grid("stencil:shape=40x40,steps=40", 140),
    3: Grid("stencil:shape=16x16x16,steps=16", 64),
    4: Grid("stencil:shape=16x16x16x16,steps=8", 120, (28, 57, 113, 226, 453, 811)),
}
FULL = {
    1: Grid("stencil:shape=320,steps=320", 110),
    2: Grid("stencil:shape=60x60,steps=60", 140),
    3: Grid("stencil:shape=24x24x24,steps=24", 90),
    4: Grid("stencil:shape=16x16x16x16,steps=16", 60),
}


def experiment(bench: Bench) -> Experiment:
    """Experiment: I/O of relaxation on grids of one to four dimensions against memory.

    Source
    ------
    H. T. Kung, Memory requirements for balanced computer architectures, 1986, section 3.3.
    """
    chosen = bench.pick(QUICK, FULL)
    studies = {d: relaxation(bench, grid) for d, grid in chosen.items()}
    named = [(title(d), each) for d, each in studies.items()]
    return Experiment(
        name="grids",
        title="Relaxation on grids: the d-th root of the memory",
        summary=(
            "A grid of d dimensions is relaxed for about as many steps as it is wide, every point "
            "from its 2d neighbours and itself. Kung gives a machine M points and counts what "
            "passes through their faces; on one machine with M words of fast memory the same "
            "follows from tiles that are cut through space and time. Narrow tiles make the "
            "exponents look larger than 1/d, faces of the grid, where nothing passes, too: the "
            "reading is corrected for both, and the interval covers what is left."
        ),
        claims=tuple(
            claim for d, each in studies.items() for claim in _claims(d, each, chosen[d].bounded_to)
        ),
        tables=(
            law_table(named, "grids-laws", "What the curves tell, dimension by dimension."),
            *(
                curve_table(each, f"grid-{d}d-curve", f"{each.spec}, by its structured schedule.")
                for d, each in studies.items()
            ),
        ),
        figures=(
            ratio_figure(named, "grids-ratio", "Operations per word in one to four dimensions."),
            *(_figure(d, each) for d, each in studies.items()),
        ),
    )


def relaxation(bench: Bench, grid: Grid) -> Study:
    """Return the study of a grid."""
    slow = {"segments": grid.bounded_to}
    return study(bench, grid.spec, grid.memories, bounds=("dominators",), slow=slow)


def title(d: int) -> str:
    """Return the name of a grid of `d` dimensions, to begin a sentence with."""
    return f"Grid of {d} dimension{'s' if d > 1 else ''}"


def _claims(d: int, played: Study, bounded_to: int) -> tuple[Claim, ...]:
    return (
        power_claim(played, 1 / d, title(d), SECTION),
        rebalance_claim(played, 1 / d, title(d), SECTION),
        gap_claim(played, title(d), HONG_KUNG, PROVED_FACTOR, bounded_to),
    )


def _figure(d: int, played: Study) -> Figure:
    """Return the figure of words against memory, with dilated tiles, the leading term."""
    tiles = TRENDS["stencil"][0]
    return io_figure(
        played,
        f"grid-{d}d-io",
        f"Words moved by {played.spec}.",
        f"large tiles: {tiles.formula}",
        lambda memory: tiles.of(played.dag, memory),
    )
