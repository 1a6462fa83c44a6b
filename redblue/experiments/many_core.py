"""Many cores on a chip: the number that a bandwidth and a memory keep busy."""

from machines import matmul_emcr, memory_ratio
from redblue.experiments.bench import Bench
from redblue.experiments.core_claims import (
    CORES,
    cyclops,
    example_claim,
    factor_claim,
    most_cores_claim,
    network_claim,
    orders_claim,
    product_claims,
    ratio_claim,
    work_claim,
)
from redblue.experiments.played_steps import lu_steps, product_steps
from redblue.show.model import Axis, Experiment, Figure, Series, Table, columns, rows_of

BLOCKS = (2, 4, 8, 16, 32, 64, 256, 1024, 4096)


def experiment(bench: Bench) -> Experiment:
    """Experiment: cores that sqrt(M) operations per word keep busy on a chip.

    Small chips play the steps of products and factorizations; the paper's own is by its formulas.

    Source
    ------
    A performance model of dense matrix operations on many-core architectures, Euro-Par 2008.
    """
    products = {
        (block, q): product_steps(block, q)
        for block, q in bench.pick(
            ((4, 2), (4, 4), (8, 4)), ((4, 2), (4, 4), (4, 8), (8, 4), (8, 8))
        )
    }
    left, right = (
        {q: lu_steps(4, q, order) for q in bench.pick((4, 8, 16), (4, 8, 16, 32))}
        for order in ("left-looking", "right-looking")
    )
    return Experiment(
        name="many-core",
        title="Many cores on a chip: how many a memory bandwidth keeps busy",
        summary=(
            "Blocks of M x M elements that fit on a chip are computed on while the next ones are "
            "loaded. As a block product does M operations for each word, P_max = B sqrt(C / 5) "
            "cores are kept busy by B words a cycle and C words of memory: 1024 for Cyclops-64. "
            "Plays of small chips do exactly what the model counts. The scanned text lost "
            "operators, one sum ends too early, and the limit holds for factorizations only if "
            "the result stays on the chip."
        ),
        claims=(
            most_cores_claim(products),
            network_claim(),
            example_claim(),
            work_claim(left),
            ratio_claim(left),
            *product_claims(products),
            orders_claim(left, right),
            factor_claim(),
        ),
        tables=(_table(),),
        figures=(_figure(),),
        formula=r"P_\text{max} = B \sqrt{C / 5}",
        references=("manycore2008",),
    )


def _table() -> Table:
    names = ("blocks q", *(f"MCR of LU, {cores} cores" for cores in CORES),
             *(f"EMCR of the product, {cores} cores" for cores in CORES))  # fmt: skip
    rows = (
        (
            q,
            *(memory_ratio(cyclops(cores), q) for cores in CORES),
            *(matmul_emcr(cyclops(cores), q) for cores in CORES),
        )
        for q in BLOCKS
    )
    caption = "Cycles of transfer for each of computation, in q x q blocks, all and unhidden."
    return Table("many-core", caption, columns(*names), rows_of(*rows))


def _figure() -> Figure:
    """Return the figure of EMCR against the number of blocks."""
    x = tuple(float(q) for q in BLOCKS)
    return Figure(
        "many-core",
        "Cycles in which the product waits for memory for each cycle of computation, against the "
        "blocks a side: below, at and above P_max = 1024.",
        Axis("blocks a side q", 2),
        Axis("EMCR", 10),
        tuple(
            Series(
                f"{cores} cores",
                x,
                tuple(matmul_emcr(cyclops(cores), q) for q in BLOCKS),
                "measured",
            )
            for cores in CORES
        ),
    )
