"""Kung's arrays of processing elements: the memory each needs so that the array stays balanced."""

from dataclasses import dataclass
from math import isclose
from typing import Literal

from proofs.laws import Law
from redblue.answers.hardware.balance import ProcessingElement
from redblue.answers.hardware.validation import require_whole

Verdict = Literal["balanced", "memory to spare", "memory must grow", "impossible"]


@dataclass(frozen=True)
class ProcessorArray:
    """p^j mesh-connected elements in place of one; only those at the border have outside links.

    Parameters
    ----------
    element
        The one element that they take the place of.
    side
        p, elements along each dimension.
    dimensions
        j: 1 for a linear array, 2 for a square one.

    Raises
    ------
    InvalidMachineError
        If `side` or `dimensions` is no whole number of at least 1.

    Source
    ------
    H. T. Kung, Memory requirements for balanced computer architectures, 1986, section 5. He counts
    the 4p - 4 boundary elements of a square array (here p^j - (p-2)^j); the I/O bandwidth grows by
    p^(j-1) by the links that leave the array, 2j p^(j-1) against the 2j of one element.

    Examples
    --------
    >>> warp_cell = ProcessingElement(compute=10e6, bandwidth=20e6, memory=65536)
    >>> warp = ProcessorArray(warp_cell, side=10, dimensions=1)
    >>> warp.balance, warp.memory_per_element(Law("power", 0.5))
    (5.0, 655360.0)
    """

    element: ProcessingElement
    side: int
    dimensions: int

    def __post_init__(self) -> None:
        require_whole(1, side=self.side, dimensions=self.dimensions)

    @property
    def elements(self) -> int:
        """p^j."""
        return int(self.side**self.dimensions)

    @property
    def boundary_elements(self) -> int:
        """Elements with a link that leaves the array."""
        return self.elements - int(max(self.side - 2, 0) ** self.dimensions)

    @property
    def boundary_links(self) -> int:
        """Links that leave the array, 2j p^(j-1)."""
        return int(2 * self.dimensions * self.side ** (self.dimensions - 1))

    @property
    def alpha(self) -> int:
        """Growth of C / IO, p: p^j times the arithmetic and p^(j-1) times the bandwidth."""
        return self.side

    @property
    def compute(self) -> float:
        """Operations per second of the whole array."""
        return self.element.compute * self.elements

    @property
    def bandwidth(self) -> float:
        """Words per second between the array and the outside."""
        return self.element.bandwidth * float(self.side) ** (self.dimensions - 1)

    @property
    def balance(self) -> float:
        """C / IO of the whole array, in operations per word."""
        return self.compute / self.bandwidth

    def memory(self, law: Law) -> float:
        """The words that the whole array needs for a computation of this law.

        That the one element was balanced for it is taken for granted. Infinity where no memory
        is enough.
        """
        return law.rebalance(self.alpha, self.element.memory)

    def memory_per_element(self, law: Law) -> float:
        """The words that each element needs: p^(d-j) M for the law M^(1/d), M^p / p^j."""
        return self.memory(law) / self.elements

    def verdict(self, law: Law) -> Verdict:
        """The balance if every element keeps the memory of the one.

        "balanced": the array balances itself, which is so if d = j; "memory to spare" if d < j,
        "memory must grow" if d > j or the law is logarithmic, "impossible" if it is constant.
        """
        if law.kind == "constant" and self.side > 1:
            return "impossible"
        needed, there = self.memory_per_element(law), self.element.memory
        if isclose(needed, there, rel_tol=1e-9):
            return "balanced"
        return "memory to spare" if needed < there else "memory must grow"

    def as_element(self, law: Law) -> ProcessingElement:
        """The array as the one new element that Kung views it as, balanced again.

        Raises
        ------
        InvalidMachineError
            If no memory balances it.
        """
        return ProcessingElement(self.compute, self.bandwidth, self.memory(law))
