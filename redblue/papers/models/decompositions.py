"""Operations and words of the decompositions by which Kung argues, with all their terms.

Each divided gives a law's ratio: its limit for large problems is c sqrt(M), c M^(1/d), c log2 M
or c.
"""

from dataclasses import dataclass
from math import ceil, log2

from redblue.answers.hardware.validation import require_no_less, require_whole


@dataclass(frozen=True)
class Costs:
    """Operations and words of a computation on one processing element.

    Parameters
    ----------
    compute
        Operations, C_comp.
    io
        Words to and from outside, C_io.
    """

    compute: float
    io: float

    @property
    def ratio(self) -> float:
        """C_comp / C_io, in operations per word."""
        return self.compute / self.io


def matmul_costs(n: int, memory: float) -> Costs:
    """The costs of one step of an n x n matrix product: a sqrt(M) x sqrt(M) block of it.

    2 n M operations for 2 n sqrt(M) + M words, so that the ratio is
    sqrt(M) / (1 + sqrt(M) / (2n)), all steps being equal.

    Source
    ------
    H. T. Kung, 1986, section 3.1, equation (2), with its lower-order terms; a multiplication and
    an addition are two operations.

    Examples
    --------
    >>> round(matmul_costs(1_000_000, memory=4096).ratio, 2)
    64.0
    """
    require_whole(1, n=n)
    require_no_less(1, memory=memory)
    return Costs(2 * n * memory, 2 * n * memory**0.5 + memory)


def grid_costs(dimensions: int, memory: float) -> Costs:
    """The costs of one iteration on a cube of M points of a d-dimensional grid.

    M updates for the 2d faces of M^((d-1)/d) points that are sent and the 2d that are received,
    as for windows of radius 1; the ratio is M^(1/d) / (4d).

    Source
    ------
    H. T. Kung, 1986, section 3.3.

    Examples
    --------
    >>> grid_costs(2, memory=4096).ratio
    8.0
    """
    require_whole(1, dimensions=dimensions)
    require_no_less(1, memory=memory)
    return Costs(memory, 4 * dimensions * memory ** ((dimensions - 1) / dimensions))


def fft_costs(levels: int, block_levels: int) -> Costs:
    """The costs of an FFT of 2^levels points by blocks of 2^block_levels points.

    n N vertices of the butterfly for 2 N ceil(n / m) words; where m divides n the ratio is
    log2(M) / 2 with M = 2^m.

    Source
    ------
    H. T. Kung, 1986, section 3.4, equation (4).

    Examples
    --------
    >>> fft_costs(levels=20, block_levels=10).ratio
    5.0
    """
    require_whole(1, levels=levels, block_levels=block_levels)
    points = 2.0**levels
    return Costs(levels * points, 2 * points * ceil(levels / block_levels))


def merge_sort_costs(levels: int, block_levels: int) -> Costs:
    """The costs of sorting 2^levels keys: runs of M = 2^block_levels, then M-way merges.

    N log2 N comparisons for 2 N words in each of 1 + ceil(log_M(N / M)) passes; where m divides
    n the ratio is log2(M) / 2.

    Source
    ------
    H. T. Kung, 1986, section 3.5, before equation (5).

    Examples
    --------
    >>> merge_sort_costs(levels=20, block_levels=10).ratio
    5.0
    """
    require_whole(1, levels=levels, block_levels=block_levels)
    keys = 2.0**levels
    merges = max(ceil(levels / block_levels) - 1, 0)
    return Costs(keys * log2(keys), 2 * keys * (1 + merges))


def matvec_costs(n: int) -> Costs:
    """The least costs of an n x n matrix times a vector, which no memory improves.

    2 n^2 operations for n^2 + 2 n words: the ratio stays below 2.

    Source
    ------
    H. T. Kung, 1986, section 3.6.

    Examples
    --------
    >>> matvec_costs(126).ratio
    1.96875
    """
    require_whole(1, n=n)
    return Costs(2 * n**2, n**2 + 2 * n)


def triangular_solve_costs(n: int) -> Costs:
    """The least costs of solving an n x n triangular system, which no memory improves.

    n^2 operations (a division, and a multiplication and a subtraction for each entry off the
    diagonal) for n (n + 1) / 2 + 2 n words: the ratio stays below 2.

    Source
    ------
    H. T. Kung, 1986, section 3.6.

    Examples
    --------
    >>> triangular_solve_costs(128).io
    8512.0
    """
    require_whole(1, n=n)
    return Costs(n**2, n * (n + 1) / 2 + 2 * n)
