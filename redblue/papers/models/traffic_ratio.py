"""Cycles of data transfer per cycle of computation, of products and factorizations."""

from typing import Literal

from redblue.answers.hardware.validation import require_whole
from redblue.papers.models.many_core import ManyCore

Kernel = Literal["matmul", "lu", "cholesky"]


def memory_ratio(chip: ManyCore, blocks: int, kernel: Kernel = "lu") -> float:
    """Return MCR for q x q blocks: cycles of data transfer per cycle of computation.

    It tends to P / P_max as q grows, for LU not monotonically.

    Parameters
    ----------
    chip
        The chip.
    blocks
        q = N / M, at least 2 for the factorizations, whose last block is not counted.
    kernel
        "lu" is (18). "cholesky", for which the paper states the limit only, has the same steps
        on the lower half of the blocks: one panel a column and (q-i)(q-i+1)/2 updates. "matmul"
        has q^3 steps and q^2 stores, (1) with (3) and (8).

    Source
    ------
    Many-core model (Euro-Par 2008), equation (18) and section 4.2.

    Examples
    --------
    >>> chip = ManyCore(bandwidth=4, block=256, cores=256)
    >>> [round(memory_ratio(chip, blocks), 6) for blocks in (2, 16, 4096)]
    [0.246186, 0.249921, 0.25]
    """
    if kernel == "matmul":
        require_whole(1, blocks=blocks)
        return chip.transfer_share + chip.one_block / chip.block_product / blocks
    require_whole(2, blocks=blocks)
    factors = blocks - 1
    panels, squares = blocks * (blocks - 1) / 2, (blocks - 1) * blocks * (2 * blocks - 1) / 6
    if kernel == "lu":
        sides, updates, panel = 2 * panels, squares, (chip.lower_step + chip.upper_step) / 2
    else:
        sides, updates, panel = panels, (squares + panels) / 2, chip.lower_step
    transfer = chip.one_block + chip.factor_transfer
    moving = factors * transfer + sides * chip.one_block + updates * chip.two_blocks
    computing = factors * chip.factor_step + sides * panel + updates * chip.block_product
    return moving / computing
