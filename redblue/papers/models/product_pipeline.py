"""The product of q x q blocks on a many-core chip, step by step and in closed form."""

from dataclasses import dataclass

import numpy as np

from redblue.answers.hardware.validation import require_whole
from redblue.papers.models.latency_hiding import Pipeline
from redblue.papers.models.many_core import ManyCore


def matmul_pipeline(chip: ManyCore, blocks: int) -> Pipeline:
    """Return the q^3 steps of the product, the result staying on the chip until it is done.

    Every step loads two blocks; every q-th one stores one.

    Source
    ------
    Many-core model (Euro-Par 2008), section 4.1.
    """
    require_whole(1, blocks=blocks)
    steps = np.arange(1, blocks**3 + 1)
    load = np.full(steps.size, chip.two_blocks)
    compute = np.full(steps.size, chip.block_product)
    return Pipeline(load, compute, np.where(steps % blocks == 0, chip.one_block, 0.0))


def matmul_emcr(chip: ManyCore, blocks: int) -> float:
    """Return the EMCR of `matmul_pipeline`, without going through its steps.

    Only the fill Tm2 and the drain Tm1 are exposed for certain; besides, q^3 - q^2 loads alone
    stand against a step's computation, and q^2 - 1 with a store.

    Source
    ------
    Many-core model (Euro-Par 2008), equations (2), summed to n + 2, and (9).

    Examples
    --------
    >>> chip = ManyCore(bandwidth=4, block=256, cores=1024)
    >>> [matmul_emcr(chip, blocks) for blocks in (2, 4, 8)]
    [0.375, 0.140625, 0.064453125]
    """
    require_whole(1, blocks=blocks)
    load, compute, store = chip.two_blocks, chip.block_product, chip.one_block
    alone = (blocks**3 - blocks**2) * max(0.0, load - compute)
    beside = (blocks**2 - 1) * max(0.0, load + store - compute)
    return (load + alone + beside + store) / (blocks**3 * compute)


@dataclass(frozen=True)
class Convergence:
    """The limit of EMCR and its approach to it: limit + coefficient / q^order, for large q.

    Parameters
    ----------
    limit
        max(0, P / P_max - 1).
    coefficient, order
        The leading term of the difference.
    """

    limit: float
    coefficient: float
    order: int


def matmul_convergence(chip: ManyCore) -> Convergence:
    """Return the limit of the EMCR of the product, and its leading term.

    As q^-3 where a step's computation covers two loads and a store, for then only fill and drain
    are exposed; as q^-1 else, for every store then is: at P = P_max as 1 / (2q).

    Source
    ------
    The leading terms of `matmul_emcr`.

    Examples
    --------
    >>> matmul_convergence(ManyCore(bandwidth=4, block=256, cores=1024))
    Convergence(limit=0.0, coefficient=0.5, order=1)
    """
    load, compute, store = chip.two_blocks, chip.block_product, chip.one_block
    if load + store <= compute:
        return Convergence(0.0, (load + store) / compute, 3)
    limit = max(0.0, load / compute - 1)
    return Convergence(limit, (load + store) / compute - 1 - limit, 1)
