"""Kung's balance condition: when neither arithmetic nor I/O waits for the other."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import inf

from machines.errors import InvalidMachineError


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
    memory: int

    def __post_init__(self) -> None:
        for name in ("compute", "bandwidth", "memory"):
            value = getattr(self, name)
            if not 0 < value < inf:
                raise InvalidMachineError(f"{name} must be positive and finite, not {value}")

    @property
    def balance(self) -> float:
        """C / IO: operations it can do in the time that a word takes to move."""
        return self.compute / self.bandwidth

    def seconds(self, work: int, io: int) -> float:
        """Return how long `work` operations and `io` words take where they overlap fully."""
        return max(work / self.compute, io / self.bandwidth)


def balancing_memory(
    element: ProcessingElement, work: int, memories: Sequence[int], io: Sequence[int]
) -> int | None:
    """Return the smallest of `memories` with which `element` does not wait for words.

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
