"""Many cores on a chip: the number that a bandwidth and a memory keep busy."""

from machines import (
    ManyCore,
    Pipeline,
    matmul_convergence,
    matmul_emcr,
    matmul_pipeline,
    memory_ratio,
    most_cores,
)
from machines.many_core import longest_side
from redblue.experiments.bench import Bench
from redblue.experiments.result import (
    Axis,
    Claim,
    Experiment,
    Figure,
    Series,
    Table,
    by_formulas,
    columns,
    judged,
    rows_of,
)

SOURCE = "A performance model of dense matrix operations on many-core architectures, Euro-Par 2008"
C64_BANDWIDTH = 4  # words a cycle: 16 GB/s at 0.5 GHz, 8 bytes each
C64_MEMORY = 5 * 2**20 // 2 // 8  # 2.5 MiB in words
CORES = (256, 1024, 2048)
BLOCKS = (2, 4, 8, 16, 32, 64, 256, 1024, 4096)


def experiment(bench: Bench) -> Experiment:
    """Experiment: cores that sqrt(M) operations per word keep busy on a chip.

    Nothing is played: the times of the model are taken as given, and its pipelines stepped through.

    Source
    ------
    A performance model of dense matrix operations on many-core architectures, Euro-Par 2008.
    """
    stepped = BLOCKS[: bench.pick(4, 5)]
    return Experiment(
        name="many-core",
        title="Many cores on a chip: how many a memory bandwidth keeps busy",
        summary=(
            "Blocks of M x M elements that fit on a chip are computed on while the next ones are "
            "loaded. As a block product does M operations for each word, P_max = B sqrt(C / 5) "
            "cores are kept busy by B words a cycle and C words of memory: 1024 for Cyclops-64. "
            "The scanned text lost operators, one sum ends too early, and the limit holds for "
            "factorizations only if the result stays on the chip."
        ),
        claims=by_formulas((*_core_claims(), *_limit_claims(stepped), *_order_claims())),
        tables=(_table(),),
        figures=(_figure(),),
        formula=r"P_\text{max} = B \sqrt{C / 5}",
        references=("manycore2008",),
    )


def _chip(cores: float) -> ManyCore:
    return ManyCore.of_memory(C64_BANDWIDTH, C64_MEMORY, cores)


def _core_claims() -> list[Claim]:
    """Return the claims on P_max and the cores that the network on the chip supports."""
    most = most_cores(C64_BANDWIDTH, C64_MEMORY)
    block, side = _chip(1024).block, longest_side(_chip(1024).block)
    times = block**0.5  # 2 b^3 >= 2 b^2 p with b = M / p
    return [
        Claim(
            "Cyclops-64 keeps P_max = B sqrt(C / 5) cores busy",
            f"{SOURCE}, equations (4) and (11), section 4.3",
            "1024 cores with blocks of 256",
            f"{most:g} cores with blocks of {block:g}",
            judged(most == 1024 and block == 256),
            f"B = 4 words a cycle, C = {C64_MEMORY:,} words; with decimal megabytes "
            f"{most_cores(C64_BANDWIDTH, 2.5e6 / 8):g}",
        ),
        Claim(
            "The network on the chip keeps no core waiting up to p = 32 cores a side",
            f"{SOURCE}, equations (6) and (7)",
            "2 b^3 >= 2 b^2 / W p for p <= 32, as scanned",
            f"p <= {times:g} with the hops as a factor, p <= {side:.4f} with them added",
            judged(times < 32 <= side, "corrected"),
            "the scanned text lost the sign: a transfer takes 2 b^2 / W + p cycles",
        ),
    ]


def _limit_claims(stepped: tuple[int, ...]) -> list[Claim]:
    """Return the claims on the limits of the ratio of transfer to computation."""
    example = Pipeline([3, 5, 2, 4], [4, 4, 4, 4], [0, 6, 0, 1])
    pairs = [(q, cores) for q in stepped for cores in CORES]
    apart = max(
        abs(matmul_pipeline(_chip(cores), q).emcr - matmul_emcr(_chip(cores), q))
        for q, cores in pairs
    )
    ratios = [memory_ratio(_chip(256), q) for q in BLOCKS]
    limits = [matmul_convergence(_chip(cores)).limit for cores in CORES]
    halves = [2 * q * matmul_emcr(_chip(1024), q) for q in BLOCKS]
    return [
        Claim(
            "EMCR is the sum of f(1) to f(n) over the time of computation",
            f"{SOURCE}, equation (2)",
            f"{example.emcr_printed:g} for the example",
            f"{example.emcr:g}: {example.cycles:g} cycles of which 16 compute",
            judged(
                abs(example.cycles / 16 - 1 - example.emcr) < 1e-12
                and example.emcr_printed < example.emcr,
                "corrected",
            ),
            "f is defined to n + 2; the printed sum leaves out the drain. The limit is the same",
        ),
        Claim(
            "MCR of LU tends to P / P_max",
            f"{SOURCE}, equation (18)",
            "0.25 with 256 cores",
            f"{ratios[-1]:.6f} for {BLOCKS[-1]} x {BLOCKS[-1]} blocks, largest {max(ratios):.6f}",
            judged(abs(ratios[-1] - 0.25) < 1e-5),
            "not monotonically",
            tolerance="1e-5",
        ),
        Claim(
            "EMCR of the product tends to 0 up to P_max, and to P / P_max - 1 beyond",
            f"{SOURCE}, equations (9) to (11)",
            "0, 0 and 1 with 256, 1024 and 2048 cores",
            ", ".join(f"{limit:g}" for limit in limits),
            judged(limits == [0, 0, 1] and apart < 1e-9 and abs(halves[-1] - 1) < 1e-2),
            f"the closed form is that of pipelines stepped through, {len(pairs)} of them; at "
            f"P_max it falls as 1 / (2 q) alone: {halves[-1]:.4f} of it for q = {BLOCKS[-1]}",
            tolerance="1e-9; 1% at P_max",
        ),
        Claim(
            "With no more than P_max cores large problems run at full speed",
            f"{SOURCE}, section 4.3",
            "efficiency min(1, P_max / P)",
            ", ".join(f"{_chip(cores).efficiency_limit:g}" for cores in CORES),
            judged([_chip(cores).efficiency_limit for cores in CORES] == [1, 1, 0.5]),
            "256, 1024 and 2048 cores",
        ),
    ]


def _order_claims() -> list[Claim]:
    """Return the claims on assumptions of the model for LU."""
    three, four = (
        most_cores(C64_BANDWIDTH, C64_MEMORY, blocks_per_step=blocks) for blocks in (3, 4)
    )
    chip = _chip(1024)
    return [
        Claim(
            "P_max is the same for LU",
            f"{SOURCE}, equation (18)",
            "1024 cores for any order",
            f"{three:.2f} where updates load what they change, {four:g} where they store it too",
            judged(four < three < 1024, "corrected"),
            "two blocks a step are right only where the result stays on the chip, left-looking",
        ),
        Claim(
            "Factorization of a block on the chip",
            f"{SOURCE}, equation (16)",
            f"{chip.factor_step:g} cycles with 1024 cores",
            f"{chip.factor_step_critical_path:g} cycles on the critical path",
            judged(
                abs(chip.factor_step - 25728) < 1e-6
                and chip.factor_step_critical_path > chip.factor_step,
                "corrected",
            ),
            "solve and Schur update follow each other: 3 b^3 an iteration, not b^3. The limit for "
            "large problems stays",
        ),
    ]


def _table() -> Table:
    names = ("blocks q", *(f"MCR of LU, {cores} cores" for cores in CORES),
             *(f"EMCR of the product, {cores} cores" for cores in CORES))  # fmt: skip
    rows = (
        (
            q,
            *(memory_ratio(_chip(cores), q) for cores in CORES),
            *(matmul_emcr(_chip(cores), q) for cores in CORES),
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
                f"{cores} cores", x, tuple(matmul_emcr(_chip(cores), q) for q in BLOCKS), "measured"
            )
            for cores in CORES
        ),
    )
