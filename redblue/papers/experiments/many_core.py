"""Many cores on a chip: the number that a bandwidth and a memory keep busy."""

from collections.abc import Mapping
from functools import partial
from math import isclose

import numpy as np
import numpy.typing as npt

from dags import CDAG, lu
from pebble import Links, Machine, Move, Schedule, play_on
from redblue.papers.experiments.bench import Bench
from redblue.papers.experiments.played_steps import PlayedSteps, lu_steps, product_steps
from redblue.papers.models import (
    ManyCore,
    Pipeline,
    matmul_convergence,
    matmul_emcr,
    memory_ratio,
    most_cores,
)
from redblue.papers.models.many_core import longest_side
from redblue.show.model import Axis, Claim, Experiment, Figure, judged
from redblue.show.rows import listed, series, table
from schedulers.parallel import Placement, staged

SOURCE = "Many-core model, Euro-Par 2008"
C64_BANDWIDTH = 4  # words a cycle: 16 GB/s at 0.5 GHz, 8 bytes each
C64_MEMORY = 5 * 2**20 // 2 // 8  # 2.5 MiB in words
BLOCKS = (2, 4, 8, 16, 32, 64, 256, 1024, 4096)
CORES = (256, 1024, 2048)
WORD = 1  # by which a play may hold more than five blocks: a sum before and after an addition
NEAR = 0.02  # relative distance of what is extrapolated to many blocks
Products = Mapping[tuple[int, int], PlayedSteps]  # by rows of a block and blocks a side
Factorizations = Mapping[int, PlayedSteps]  # by blocks a side


def experiment(bench: Bench) -> Experiment:
    """Experiment: cores that sqrt(M) operations per word keep busy on a chip.

    Small chips play the steps of products and factorizations; the paper's own is by its formulas.

    Source
    ------
    A performance model of dense matrix operations on many-core architectures, Euro-Par 2008.
    """
    sizes = bench.pick(((4, 2), (4, 4), (8, 4)), ((4, 2), (4, 4), (4, 8), (8, 4), (8, 8)))
    products = {(block, q): product_steps(block, q) for block, q in sizes}
    left, right = (
        {q: lu_steps(4, q, order) for q in bench.pick((4, 8, 16), (4, 8, 16, 32))}
        for order in ("left-looking", "right-looking")
    )
    return Experiment(
        name="many-core",
        title="Many cores on a chip: how many a memory bandwidth keeps busy",
        summary="Blocks of M x M elements that fit on a chip are computed on while the next ones "
        "are loaded. As a block product does M operations for each word, P_max = B sqrt(C / 5) "
        "cores are kept busy by B words a cycle and C words of memory: 1024 for Cyclops-64. Plays "
        "of small chips do exactly what the model counts. The scanned text lost operators, one sum "
        "ends too early, and the limit holds for factorizations only if the result stays on the "
        "chip.",
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
        tables=(
            table("many-core", "Cycles of transfer for each of computation, in q x q blocks, all "
                  "and unhidden.",
                  ((q, *(memory_ratio(cyclops(cores), q) for cores in CORES),
                    *(matmul_emcr(cyclops(cores), q) for cores in CORES)) for q in BLOCKS),
                  "blocks q", *(f"MCR of LU, {cores} cores" for cores in CORES),
                  *(f"EMCR of the product, {cores} cores" for cores in CORES)),
        ),
        figures=(
            Figure("many-core", "Cycles in which the product waits for memory for each cycle of "
                   "computation, against the blocks a side: below, at and above P_max = 1024.",
                   Axis("blocks a side q", 2), Axis("EMCR", 10),
                   tuple(series(f"{cores} cores", BLOCKS, float,
                                partial(matmul_emcr, cyclops(cores)))
                         for cores in CORES)),
        ),
        formula=r"P_\text{max} = B \sqrt{C / 5}",
        references=("manycore2008",),
    )  # fmt: skip


def cyclops(cores: float) -> ManyCore:
    """Cyclops-64 with so many cores."""
    return ManyCore.of_memory(C64_BANDWIDTH, C64_MEMORY, cores)


def played_pipeline(steps: PlayedSteps, bandwidth: float, cores: float) -> Pipeline:
    """The pipeline of played steps, at so many words and operations a cycle."""
    return Pipeline(
        load=steps.loads / bandwidth, compute=steps.work / cores, store=steps.stores / bandwidth
    )


def most_cores_claim(products: Products) -> Claim:
    """The claim on P_max, by the words that a step of a product loads and holds."""
    cores, block = most_cores(C64_BANDWIDTH, C64_MEMORY), cyclops(1024).block
    played = {side: steps for (side, _), steps in products.items()}
    agrees = all(
        set(steps.loads) == {2 * side**2}
        and set(steps.work) == {2 * side**3}
        and steps.peak == 5 * side**2 + WORD
        for side, steps in played.items()
    )
    sentence = (
        f"M = {side}: {steps.work[0]:,} for {steps.loads[0]:,}, {steps.peak:,} held"
        for side, steps in played.items()
    )
    return Claim(
        "Cyclops-64 keeps P_max = B sqrt(C / 5) cores busy",
        f"{SOURCE}, equations (3) to (5), (10) and (11), section 4.3",
        "2 M^3 operations for 2 M^2 words, five blocks on the chip; 1024 cores, blocks of 256",
        f"{listed(sentence, joint='; ')}; so {cores:g} cores, blocks of {block:g}",
        judged(agrees and cores == 1024 and block == 256),
        f"in every step of the plays; B = 4 words a cycle, C = {C64_MEMORY:,} words; with decimal "
        f"megabytes {most_cores(C64_BANDWIDTH, 2.5e6 / 8):g}",
        tolerance="one word more than five blocks",
    )


def network_claim() -> Claim:
    """The claim on the cores that the network on the chip supports."""
    chip = cyclops(1024)
    tile, side = round(chip.tile), round(chip.side)
    relayed = transfer_steps(2 * tile**2, side)
    kept = transfer_steps(2 * tile**2, side, at_once=True)
    longest, product_time = longest_side(chip.block), round(chip.tile_product)
    return Claim(
        "The network on the chip keeps no core waiting up to p = 32 cores a side",
        f"{SOURCE}, equations (6) and (7)",
        f"2 b^3 = {product_time:,} >= 2 b^2 / W p, as scanned",
        f"two tiles reach {side} cores in {relayed} cycles; in {kept:,} if each core passes them "
        "on when it has all",
        judged(relayed <= product_time < kept and side < longest, "corrected"),
        f"M = 256, b = {tile}, W = 1. The scanned text lost the sign: a transfer takes "
        f"2 b^2 / W + p = {chip.tile_transfer:g} cycles, not {kept:,} "
        f"as with the factor; true up to p = {longest:.4f}",
    )


def example_claim() -> Claim:
    """The claim on the sum that EMCR is, of which the end is missing."""
    example = Pipeline([3, 5, 2, 4], [4, 4, 4, 4], [0, 6, 0, 1])
    return Claim(
        "EMCR is the sum of f(1) to f(n) over the time of computation",
        f"{SOURCE}, equation (2)",
        f"{example.emcr_printed:g} for the example",
        f"{example.emcr:g}: {example.cycles:g} cycles of which 16 compute",
        judged(
            abs(example.cycles / 16 - 1 - example.emcr) < 1e-12
            and example.emcr_printed < example.emcr,
            "corrected",
        ),
        "f is defined to n + 2; the printed sum leaves out the drain. The limit is the same. An "
        "example of given times: there is nothing to play",
        kind="formulas",
    )


def ratio_claim(left: Factorizations) -> Claim:
    """The claim on the limit of the ratio of transfer to computation in LU."""
    quarter = {q: _shares(steps)[0] / 4 for q, steps in left.items()}
    limit = extrapolated(quarter)
    model = memory_ratio(cyclops(256), 4096)
    return Claim(
        "MCR of LU tends to P / P_max",
        f"{SOURCE}, equation (18)",
        "0.25 with P_max / 4 cores",
        listed(
            [
                *(f"{ratio:.4f} for {q} x {q} blocks" for q, ratio in quarter.items()),
                f"{limit:.4f} beyond all",
            ]
        ),
        judged(abs(limit / 0.25 - 1) < NEAR and abs(model - 0.25) < 1e-5),
        "words loaded in left-looking plays, blocks of 4 x 4; a line in 1 / q through the last two "
        f"gives the limit. By (18) itself {model:.6f} for 4096 x 4096 blocks, not monotonically",
        tolerance=f"{NEAR:.0%}",
    )


def work_claim(left: Factorizations) -> Claim:
    """The claim on the operations of the steps of LU."""
    steps = left[min(left)]
    side = round((steps.work[steps.updates].max() / 2) ** (1 / 3))
    expected = {2 * side**3, side**3, side**3 - side**2}
    factor = min(steps.work)
    works = {int(work) for work in steps.work if work != factor}
    return Claim(
        "Steps of LU make 2 M^3, M^3 and M^3 - M^2 operations",
        f"{SOURCE}, equations (5), (8), (12) and (14)",
        f"Schur, Upper and Lower: {listed(sorted(expected, reverse=True), ',')}",
        listed(sorted(works, reverse=True), ","),
        judged(works == expected),
        f"in every step of a play with blocks of {side} x {side}; divided by P where cores share "
        f"them evenly. A Factor-step makes {factor}",
    )


def product_claims(products: Products) -> list[Claim]:
    """The claims on cycles in which a product waits, and on its speed."""
    difference, waits, rates = 0.0, {}, (0.25, 1, 2)
    for (side, q), steps in products.items():
        for rate in rates:  # a word a cycle: P_max = M
            chip = ManyCore(1, side, rate * side)
            played = played_pipeline(steps, 1, chip.cores).emcr
            difference = max(difference, abs(played - matmul_emcr(chip, q)))
            waits[side, q, rate] = played
    side, cores = max(products)
    waits_of_rate = {rate: waits[side, cores, rate] for rate in rates}
    speeds = {rate: 1 / (1 + wait) for rate, wait in waits_of_rate.items()}
    limits = [matmul_convergence(cyclops(cores)).limit for cores in CORES]
    return [
        Claim(
            "EMCR of the product tends to 0 up to P_max, and to P / P_max - 1 beyond",
            f"{SOURCE}, equations (9) to (11)",
            "0, 0 and 1 with P_max / 4, P_max and 2 P_max cores",
            f"{listed(waits_of_rate.values(), '.4f')} with {cores} x {cores} blocks; in the limit "
            f"{listed(limits, 'g')}", judged(limits == [0, 0, 1] and difference < 1e-9),
            f"{len(waits)} played pipelines wait as the closed form says; at P_max it falls as "
            "1 / (2 q), for every store then is exposed", tolerance="1e-9",
        ),
        Claim(
            "With no more than P_max cores large problems run at full speed",
            f"{SOURCE}, section 4.3", "efficiency min(1, P_max / P)",
            f"{listed(speeds.values(), '.3f')} with {cores} x {cores} blocks, "
            f"{listed((cyclops(cores).efficiency_limit for cores in CORES), 'g')} in the limit",
            judged(all(0 <= min(1, 1 / rate) - speed < 1 / cores for rate,
            speed in speeds.items())),
            "P_max / 4, P_max and 2 P_max cores, played", tolerance=f"1 / {cores} below",
        ),
    ]  # fmt: skip


def orders_claim(left: Factorizations, right: Factorizations) -> Claim:
    """The claim on P_max of LU, which depends on the order of the updates."""
    shares = [extrapolated({q: _shares(steps)[0] for q, steps in left.items()})]
    shares += [
        extrapolated({q: _shares(steps)[stores] for q, steps in right.items()}) for stores in (0, 1)
    ]
    agrees = all(abs(a / b - 1) < NEAR for a, b in zip(shares, (1, 1.5, 2), strict=True))
    three, four = (
        most_cores(C64_BANDWIDTH, C64_MEMORY, blocks_per_step=blocks) for blocks in (3, 4)
    )
    return Claim(
        "P_max is the same for LU", f"{SOURCE}, equation (18)", "1024 cores for any order",
        f"{1 / shares[0]:.3f} of B M left-looking; right-looking {1 / shares[1]:.3f}, and "
        f"{1 / shares[2]:.3f} with its stores", judged(agrees, "corrected"),
        "played; two blocks a step are right only where the result stays on the chip. Of 1024 "
        f"cores {three:.2f} and {four:g} are left; blocks of 4 x 4, by lines in 1 / q",
        tolerance=f"{NEAR:.0%}",
    )  # fmt: skip


def factor_claim() -> Claim:
    """The claim on the time of a block's own factorization."""
    small = ManyCore(C64_BANDWIDTH, block=32, cores=16)
    played, chip = factor_cycles(4, 8), cyclops(1024)
    return Claim(
        "Factorization of a block on the chip",
        f"{SOURCE}, equation (16)",
        f"{small.factor_step:g} cycles for 32 x 32 elements on 16 cores",
        f"{played:,} cycles, played",
        judged(
            isclose(played, small.factor_step_critical_path) and played > small.factor_step,
            "corrected",
        ),
        "solve and Schur update follow each other: 3 b^3 an iteration, not b^3; Cyclops-64 takes "
        f"{chip.factor_step_critical_path:,.0f} cycles, not {chip.factor_step:,.0f}. The limit for "
        "large problems stays",
    )


def extrapolated(waits: Mapping[int, float]) -> float:
    """The value for endless q of a line in 1 / q through the last two."""
    first, last = sorted(waits)[-2:]
    return (last * waits[last] - first * waits[first]) / (last - first)


def _shares(steps: PlayedSteps) -> tuple[float, float]:
    """MCR in units of P / (B M): of loads alone, and with the stores."""
    block = round(steps.peak**0.5 / 3**0.5)  # three blocks, and a word
    loads, stores = int(steps.loads.sum()), int(steps.stores.sum())
    work = int(steps.work.sum())
    return loads * block / work, (loads + stores) * block / work


Numbers = npt.NDArray[np.int64]
ROOM = 2**40  # words: what is held is no question here
FACTOR, SOLVE, UPDATE = range(3)


def factor_cycles(side: int, tile: int) -> int:
    """The cycles in which p x p cores factor a block, a tile of it on each.

    A core makes an operation a cycle. Tiles on the diagonal are factored, those beside and below
    are solved, and the rest is updated, p times; each phase takes as long as its busiest core.

    Source
    ------
    Many-core model (Euro-Par 2008), section 4.2, equation (16).
    """
    dag = lu(side * tile)
    owner, stage = _tiles(dag, side, tile)
    links = Links((side, side))
    machine = Machine.parallel(links.processors, ROOM, links)
    play_on(dag, staged(dag, Placement(owner, stage), machine), machine)
    work = dag.work
    assert work is not None
    share = np.zeros((int(stage.max()) + 1, links.processors), np.int64)
    np.add.at(share, (stage, owner), work)
    return int(share.max(axis=1).sum())


def transfer_steps(words: int, cores: int, *, at_once: bool = False) -> int:
    """The steps in which words from one end reach all cores of a line, by a played relay.

    Cores pass words on as they come, or `at_once`: when they have all of them.

    Source
    ------
    Many-core model (Euro-Par 2008), equation (6).
    """
    dag = _shared(words, cores)
    word, hop = (index.ravel() for index in np.indices((words, cores)))
    begins = hop * words + word if at_once else hop + word
    order = np.argsort(begins, kind="stable")
    computed, core = words + np.arange(cores), 1 + np.arange(cores)
    last = int(begins.max()) + 1
    schedule = Schedule(
        op=np.repeat(
            [Move.LOAD, Move.RECEIVE, Move.COMPUTE, Move.STORE],
            [words, words * cores, cores, cores],
        ),
        vertex=np.concatenate((np.arange(words), word[order], computed, computed)),
        place=np.concatenate((np.zeros(words, int), hop[order] + 1, core, core)),
        step=np.repeat([0, 1, 0, last + 1, last + 2], [words, 0, 0, 0, 0]).tolist()
        + (begins[order] + 1).tolist()
        + [last + 1] * cores
        + [last + 2] * cores,
        source=np.concatenate((np.full(words, -1), hop[order], np.full(2 * cores, -1))),
    )
    count = play_on(dag, schedule, Machine.parallel(cores + 1, words + 1, Links((cores + 1,))))
    received = count.steps.kind == Move.RECEIVE
    return int(count.steps.most[received].sum())


def _shared(words: int, cores: int) -> CDAG:
    """The DAG in which each core makes a value of all words."""
    indptr = np.concatenate((np.zeros(words, np.int64), np.arange(cores + 1) * words))
    return CDAG(indptr, np.tile(np.arange(words, dtype=np.int32), cores))


def _tiles(dag: CDAG, side: int, tile: int) -> tuple[Numbers, Numbers]:
    """The core and the stage of each value of a factorization."""
    n = side * tile
    rows, columns, steps = [np.indices((n, n))[0].ravel()], [np.indices((n, n))[1].ravel()], []
    steps.append(np.zeros(n * n, np.int64))
    for k in range(n - 1):
        i, j = (index.ravel() for index in np.mgrid[k + 1 : n, k:n])
        rows.append(i)
        columns.append(j)
        steps.append(np.full(i.size, k))
    row, column, step = (np.concatenate(index) // tile for index in (rows, columns, steps))
    beside = (row > step).astype(np.int64) + (column > step)
    phase = np.array([FACTOR, SOLVE, UPDATE])[beside]
    return row * side + column, 3 * step + phase
