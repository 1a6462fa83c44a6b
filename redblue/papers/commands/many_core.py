"""``redblue papers many-core``: the cores that a bandwidth and a memory keep busy."""

from typing import TYPE_CHECKING, Any

from redblue.show.answer import Facts
from redblue.show.rows import table

if TYPE_CHECKING:
    from collections.abc import Iterator

    from redblue.papers.models import ManyCore
    from redblue.show.model import Table

STEPS = {
    "Tc,blk": "tile_product",
    "Tm,blk": "tile_transfer",
    "Tc,mm": "block_product",
    "Tm2": "two_blocks",
    "Tm1": "one_block",
    "Tc,u": "upper_step",
    "Tc,l": "lower_step",
    "Tm,u": "triangle_transfer",
    "Tc,lu": "factor_step",
    "Tm,lu": "factor_transfer",
}
RATIOS = {
    "emcr_matmul": "Matrix product: EMCR, with its limit and how it nears it",
    "mcr_lu": "LU: MCR, which tends to P / P_max",
    "mcr_cholesky": "Cholesky: MCR, which tends to P / P_max",
}
NEARS = (
    "limit <- emcr_limit",
    ("nears as", lambda chip: f"{chip['emcr_coefficient']:.4g} / q^{chip['emcr_order']}"),
    ("efficiency", lambda chip: f"{chip['efficiency_limit']:.1%}"),
)


def many_core(
    machine: str | None = None,
    bandwidth: float | None = None,
    memory: float | None = None,
    cores: tuple[float, ...] = (64, 256, 1024, 4096),
    width: float = 1.0,
    block: int | None = None,
    blocks: tuple[int, ...] = (2, 4, 8, 16, 32),
) -> Facts:
    """Print P_max, the step times of dense matrix kernels, and how their latency is hidden.

    MCR is cycles of transfer per cycle of computation. EMCR is the part of MCR that computation
    does not hide. The cores reach 1 / (1 + EMCR) of their peak.

    Parameters
    ----------
    machine
        Machine of the catalogue ('redblue machine list'); by default C64.
    bandwidth
        B, words per cycle between chip and memory; by default the machine's (C64: 4).
    memory
        C, on-chip memory in words; by default the machine's (C64: 327680).
    cores
        P, numbers of cores.
    width
        W, words per cycle of the network.
    block
        M, side of a block in elements; by default the largest of which 5 fit.
    blocks
        q = N / M, blocks along a side of the matrix.
    """
    from redblue.papers.models import ManyCore, most_cores
    from redblue.papers.models.many_core import longest_side

    rate, capacity = rate_and_memory(machine, bandwidth, memory)
    first = ManyCore.of_memory(rate, capacity, 1.0, width)
    chips = [ManyCore(rate, first.block if block is None else block, n, width) for n in cores]
    result: dict[str, Any] = {
        "bandwidth": rate,
        "memory": capacity,
        "block": chips[0].block,
        "width": width,
        "most_cores": most_cores(rate, capacity),
        "most_cores_of_block": chips[0].most_cores,
        "longest_side": longest_side(chips[0].block, width),
        "chips": [facts(chip, blocks) for chip in chips],
    }
    sentence = (
        f"B = {rate:g} words/cycle, C = {capacity:,.0f} words: "
        f"P_max = B sqrt(C / 5) = {result['most_cores']:,.6g} cores\n"
        f"Blocks of M = {result['block']}: P_max = B M = {result['most_cores_of_block']:,.6g}; "
        f"the network (W = {width:g} words/cycle) keeps up with up to "
        f"{result['longest_side']:.2f} cores a side"
    )
    return Facts(result, (sentence, *tables(result["chips"], blocks)))


def rate_and_memory(
    machine: str | None, bandwidth: float | None, memory: float | None
) -> tuple[float, float]:
    """Words per cycle and words on the chip, of the machine where they are not given.

    Words are of 8 bytes, as in the paper.

    Raises
    ------
    InvalidMachineError
        If the catalogue does not know the machine's clock.
    """
    from redblue.answers.hardware import InvalidMachineError, machine_named
    from redblue.answers.hardware.units import words_per_cycle

    if bandwidth is not None and memory is not None:
        return bandwidth, memory
    known = machine_named("C64" if machine is None else machine)
    element = known.element(word_bytes=8)
    if bandwidth is None and known.clock is None:
        raise InvalidMachineError(f"the catalogue has no clock of {known.name}: give --bandwidth")
    clock = known.clock.base if known.clock else 1.0
    rate = words_per_cycle(element.bandwidth * 8, clock) if bandwidth is None else bandwidth
    return rate, element.memory if memory is None else memory


def facts(chip: "ManyCore", sides: tuple[int, ...]) -> dict[str, Any]:
    """The times in cycles, and the ratios for each number of blocks a side."""
    from redblue.papers.models import matmul_convergence, matmul_emcr, memory_ratio

    nears = matmul_convergence(chip)
    return {
        "cores": chip.cores,
        "hides_on_chip": chip.hides_tile_transfers,
        "transfer_share": chip.transfer_share,
        "efficiency_limit": chip.efficiency_limit,
        "cycles": {name: getattr(chip, step) for name, step in STEPS.items()},
        "factor_step_critical_path": chip.factor_step_critical_path,
        "emcr_limit": nears.limit,
        "emcr_order": nears.order,
        "emcr_coefficient": nears.coefficient,
        "blocks": [
            {
                "blocks": q,
                "emcr_matmul": matmul_emcr(chip, q),
                "mcr_matmul": memory_ratio(chip, q, "matmul"),
                "mcr_lu": memory_ratio(chip, q, "lu") if q > 1 else None,
                "mcr_cholesky": memory_ratio(chip, q, "cholesky") if q > 1 else None,
            }
            for q in sides
        ],
    }


def tables(chips: list[dict[str, Any]], sides: tuple[int, ...]) -> "Iterator[Table]":
    """Yield the cycles of a step, and the ratios of each kernel."""
    steps = [f"{name} <- cycles.{name}" for name in STEPS]
    yield table("cycles", "Cycles of a step", chips, "P <- cores", *steps)
    for key, caption in RATIOS.items() if min(sides) > 1 else [*RATIOS.items()][:1]:
        ratios = [f"q = {q} <- blocks.{place}.{key}" for place, q in enumerate(sides)]
        nears = NEARS if key == "emcr_matmul" else ()
        yield table(key, caption, chips, "P <- cores", *ratios, *nears)
