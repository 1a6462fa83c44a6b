"""Explicit latency hiding: computation overlapped with the loads and stores of other steps.

Step i loads for TM_i cycles, computes for TC_i, stores for TS_i. While it computes, one data
transfer agent loads for step i + 1 and stores the results of step i - 1; both end before step i + 1
begins.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt

from redblue.answers.hardware.validation import InvalidMachineError, require_whole
from redblue.papers.models.many_core import ManyCore

FloatArray = npt.NDArray[np.float64]


class Pipeline:
    """Steps that load, compute and store, in cycles.

    Parameters
    ----------
    load, compute, store
        (n,) cycles of each step: TM, TC, TS.
    stalls
        (n,) cycles of each TC in which cores wait for each other or for the on-chip network, the
        paper's intra-step latency ISEL; by default none. They are a part of `compute`.

    Raises
    ------
    InvalidMachineError
        If the lengths differ, there is no step, a number is negative or not finite, nothing is
        computed, or a stall is longer than its step.

    Source
    ------
    Many-core model (Euro-Par 2008), section 3, equations (1) and (2). Two corrections: f is
    defined for i up to n + 2, but (2) sums it to n and so leaves out the drain; and TC contains
    ISEL, so that ISEL counts in both halves of (2), as printed.

    Examples
    --------
    >>> pipeline = Pipeline(load=[3, 5, 2, 4], compute=[4, 4, 4, 4], store=[0, 6, 0, 1])
    >>> pipeline.effective_latencies.tolist()
    [3.0, 1.0, 0.0, 6.0, 0.0, 1.0]
    >>> pipeline.cycles, pipeline.mcr, pipeline.emcr_printed, pipeline.emcr
    (27.0, 1.3125, 0.625, 0.6875)
    """

    def __init__(
        self,
        load: Sequence[float] | FloatArray,
        compute: Sequence[float] | FloatArray,
        store: Sequence[float] | FloatArray,
        stalls: Sequence[float] | FloatArray | None = None,
    ) -> None:
        self.load, self.compute, self.store = _cycles(load), _cycles(compute), _cycles(store)
        self.stalls = np.zeros(self.compute.size) if stalls is None else _cycles(stalls)
        sizes = [part.size for part in (self.load, self.compute, self.store, self.stalls)]
        if len({*sizes}) > 1 or sizes[0] == 0:
            raise InvalidMachineError(f"a pipeline of {sizes} loads, computes, stores and stalls")
        if not self.compute.any() or (self.stalls > self.compute).any():
            raise InvalidMachineError("steps must compute, and stall no longer than they take")

    @cached_property
    def effective_latencies(self) -> FloatArray:
        """(n + 2,) cycles f(1), ..., f(n + 2) in which transfers keep the computation waiting.

        f(i) = max(0, TM_i + TS_(i-2) - TC_(i-1)), where terms outside 1..n are 0.
        """
        idle = np.zeros(1)
        loading = np.concatenate((self.load, idle, idle))
        storing = np.concatenate((idle, idle, self.store))
        computing = np.concatenate((idle, self.compute, idle))
        return np.maximum(0.0, loading + storing - computing)

    @property
    def cycles(self) -> float:
        """The time of all: sum of TC_i plus f(1) + ... + f(n + 2), exactly."""
        return float(self.compute.sum() + self.effective_latencies.sum())

    @property
    def mcr(self) -> float:
        """Memory to computation ratio, equation (1)."""
        return float((self.load.sum() + self.store.sum()) / self.compute.sum())

    @property
    def emcr_printed(self) -> float:
        """Effective memory to computation ratio, equation (2) with the sum to n."""
        return self._exposed(self.effective_latencies[:-2])

    @property
    def emcr(self) -> float:
        """Equation (2) with the sum to n + 2: without stalls, cycles / sum of TC_i - 1."""
        return self._exposed(self.effective_latencies)

    def _exposed(self, latencies: FloatArray) -> float:
        return float((latencies.sum() + self.stalls.sum()) / self.compute.sum())


def _cycles(values: Any) -> FloatArray:
    cycles = np.array(values, dtype=np.float64)
    if cycles.ndim != 1 or not (np.isfinite(cycles) & (cycles >= 0)).all():
        raise InvalidMachineError("cycles must be finite and not negative, one number a step")
    cycles.flags.writeable = False
    return cycles


def matmul_pipeline(chip: ManyCore, blocks: int) -> Pipeline:
    """The q^3 steps of the product, the result staying on the chip until it is done.

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
    """The EMCR of `matmul_pipeline`, without going through its steps.

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
    uncovered = (blocks**3 - blocks**2) * max(0.0, load - compute)
    beside = (blocks**2 - 1) * max(0.0, load + store - compute)
    return (load + uncovered + beside + store) / (blocks**3 * compute)


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
    """The limit of the EMCR of the product, and its leading term.

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
