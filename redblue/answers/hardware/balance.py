"""Kung's balance condition: neither arithmetic nor I/O waits for the other."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import inf

from proofs.laws import Law
from redblue.answers.hardware.validation import InvalidMachineError, require_positive


@dataclass(frozen=True)
class ProcessingElement:
    """A processing element with its own memory.

    Parameters
    ----------
    compute
        Operations per second, C.
    bandwidth
        Words per second to and from outside, IO.
    memory
        Words of local memory, M.

    Raises
    ------
    InvalidMachineError
        If one of them is not positive and finite.

    Source
    ------
    H. T. Kung, Memory requirements for balanced computer architectures, 1986, section 2.
    """

    compute: float
    bandwidth: float
    memory: float

    def __post_init__(self) -> None:
        require_positive(compute=self.compute, bandwidth=self.bandwidth, memory=self.memory)

    @property
    def balance(self) -> float:
        """C / IO: operations it can do in the time that a word takes to move."""
        return self.compute / self.bandwidth

    def seconds(self, work: int, io: int) -> float:
        """How long `work` operations and `io` words take where they overlap fully."""
        return max(work / self.compute, io / self.bandwidth)


def balancing_memory(
    element: ProcessingElement, work: int, memories: Sequence[int], io: Sequence[int]
) -> int | None:
    """The smallest of `memories` with which `element` does not wait for words.

    That is Kung's equation (1): the element is balanced where C / IO = C_comp / C_io, and waits
    for words wherever C_comp / C_io is smaller. None if it is with all of `memories`.

    Parameters
    ----------
    element
        The machine; its own memory does not count here.
    work
        Operations of the computation, C_comp.
    memories, io
        Words of fast memory, and the words that the computation moves with each, C_io.

    Source
    ------
    H. T. Kung, Memory requirements for balanced computer architectures, 1986, equation (1).

    Examples
    --------
    >>> cell = ProcessingElement(compute=10e6, bandwidth=20e6, memory=65536)  # Warp
    >>> cell.balance
    0.5
    >>> balancing_memory(cell, work=1000, memories=[16, 64], io=[2500, 1200])
    64
    """
    enough = (
        memory
        for memory, words in sorted(zip(memories, io, strict=True))
        if work * element.bandwidth >= words * element.compute
    )
    return next(enough, None)


def law_memory(element: ProcessingElement, law: Law) -> float:
    """The words of memory with which a computation of this law balances `element`.

    Where the law's operations per word equal C / IO; infinity where more operations a word are
    needed than a constant law has. The law's coefficient counts: take a fitted one.

    Source
    ------
    H. T. Kung, Memory requirements for balanced computer architectures, 1986, equation (1).

    Examples
    --------
    >>> law_memory(ProcessingElement(compute=64.0, bandwidth=1.0, memory=1), Law("power", 0.5))
    4096.0
    """
    wanted = element.balance / law.coefficient
    if law.kind == "constant":
        return 1.0 if wanted <= 1 else inf
    try:
        return float(wanted ** (1 / law.exponent) if law.kind == "power" else 2.0**wanted)
    except OverflowError:
        return inf


def rebalanced(element: ProcessingElement, law: Law, alpha: float) -> ProcessingElement:
    """`element` with `alpha` times the arithmetic and the memory that balances it again.

    Parameters
    ----------
    element
        Balanced for a computation of this law.
    law
        Its operations per word; the coefficient does not count.
    alpha
        Growth of C / IO, with IO as it is.

    Raises
    ------
    InvalidMachineError
        If no memory does it: the law is constant (Kung, section 3.6), or the memory is beyond
        floating-point numbers.

    Source
    ------
    H. T. Kung, Memory requirements for balanced computer architectures, 1986, sections 2 and 3:
    M_new = alpha^2 M_old (equation 3, whose label the scanned text lost), alpha^d M_old,
    M_old^alpha (after equation 4, and equation 5).

    Examples
    --------
    >>> old = ProcessingElement(compute=32.0, bandwidth=1.0, memory=1024)
    >>> rebalanced(old, Law("power", 0.5), alpha=2).memory
    4096.0
    """
    memory = law.rebalance(alpha, element.memory)
    if memory == inf:
        raise InvalidMachineError(
            f"no memory rebalances {alpha:g} times the arithmetic for the law {law.name}"
        )
    return ProcessingElement(alpha * element.compute, element.bandwidth, memory)
