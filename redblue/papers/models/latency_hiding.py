"""Explicit latency hiding: computation overlapped with the loads and stores of other steps.

Step i loads for TM_i cycles, computes for TC_i, stores for TS_i. While it computes, one data
transfer agent loads for step i + 1 and stores what step i - 1 made; both end before step i + 1
begins.
"""

from collections.abc import Sequence
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt

from redblue.answers.hardware.validation import InvalidMachineError

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

        f(i) = max(0, TM_i + TS_(i-2) - TC_(i-1)), where what is outside 1..n is 0.
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
