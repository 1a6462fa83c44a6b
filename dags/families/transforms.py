"""Fourier transforms and prefix scans."""

from collections.abc import Callable, Iterator
from typing import Literal

import numpy as np

from dags.arrays import Int32Array, lock
from dags.cdag.border import require_at_least, require_room
from dags.cdag.value import CDAG
from dags.errors import InvalidSpecError
from dags.families.common.family import Family, Sizes
from dags.families.common.inverse import fact
from dags.families.common.published import DERIVED, LOGARITHM, Params, Trend, bits
from dags.families.common.row_writer import RowWriter


def fft(n: int, radix: int = 2) -> CDAG:
    """The butterfly of an n-point Fourier transform.

    Vertex l*n + i is value i after level l; level 0 holds the inputs. At level l = 1..d,
    d = log n to the base r = `radix`, value i is computed from the r values of the level before
    whose numbers differ from i at most in digit l - 1 to the base r; for r = 2 from i and
    i xor 2^(l-1). The work is r - 1 additions; twiddle factors go with them, as in one operation
    of radix 2.

    Parameters
    ----------
    n
        Number of points, a power of `radix`.
    radix
        Number of operands of a vertex.

    Source
    ------
    J.-W. Hong and H. T. Kung, I/O complexity: the red-blue pebble game, STOC 1981, section 4.

    Examples
    --------
    >>> fft(8)
    <fft(n=8, radix=2): 32 vertices, 48 edges>
    >>> fft(9, radix=3)
    <fft(n=9, radix=3): 27 vertices, 54 edges>
    """
    params, size = fft_sizes(n, radix)
    require_room(size.vertices, size.edges)
    depth = size.vertices // n - 1
    i = np.arange(n, dtype=np.int32)
    indices = np.empty(size.edges, np.int32)
    rows = indices.reshape(depth, n, radix)
    for level in range(depth):
        stride = radix**level
        smallest = level * n + i - (i // stride % radix) * stride
        for digit in range(radix):
            rows[level, :, digit] = smallest + digit * stride
    indptr = np.zeros((depth + 1) * n + 1, np.int64)
    np.multiply(radix, np.arange(depth * n + 1), out=indptr[n:])
    return CDAG(lock(indptr), lock(indices), work=radix - 1, family="fft", params=params)


def fft_sizes(n: int, radix: int) -> tuple[Params, Sizes]:
    """The parameters and sizes of a member."""
    require_at_least(2, radix=radix)
    depth = depth_of(n, radix)
    edges, work = radix * depth * n, (radix - 1) * depth * n
    return {"n": n, "radix": radix}, Sizes((depth + 1) * n, edges, n, n, work, radix)


def depth_of(n: int, radix: int) -> int:
    """Return log n to the base `radix`; raise InvalidSpecError if that is not 1, 2, ..."""
    require_at_least(radix, n=n)
    depth, power = 0, 1
    while power < n:
        depth, power = depth + 1, power * radix
    if power > n:
        named = "two" if radix == 2 else f"the radix {radix}"
        raise InvalidSpecError(f"n must be a power of {named}, not {n}")
    return depth


def prefix_scan(
    n: int, network: Literal["kogge-stone", "brent-kung", "sklansky"] = "kogge-stone"
) -> CDAG:
    """The sums y_i = x_0 + ... + x_i of n inputs for all i, by a parallel prefix network.

    Inputs are 0..n-1; then the sums level by level, from left to right in a level. A sum is
    computed from the sum that stood at its position and one further left; a position where
    nothing is added keeps its vertex. The last sum at each position but 0 is an output, also
    where others read it. With d = ceil(log2 n), for any n from 2 on, c of n + c vertices are sums:

    - "kogge-stone": position i adds i - 2^l at level l = 0..d-1; c = n d - 2^d + 1.
    - "sklansky": at level l = 0..d-1, where bit l of i is 1, position i adds the last position
      before its block of 2^l; c = n d / 2 for n = 2^d.
    - "brent-kung": up a binary tree at positions 2^l k - 1, and down again to the others; c =
      2n - 2 - d for n = 2^d.

    Parameters
    ----------
    n
        Number of inputs, from 2 on.
    network
        Which network.

    Source
    ------
    J. Sklansky, Conditional-sum addition logic, 1960; P. M. Kogge and H. S. Stone, A parallel
    algorithm for the efficient solution of a general class of recurrence equations, 1973;
    R. P. Brent and H. T. Kung, A regular layout for parallel adders, 1982 (2n - 2 - log2 n).

    Examples
    --------
    >>> prefix_scan(8)
    <prefix_scan(n=8, network=kogge-stone): 25 vertices, 34 edges>
    >>> prefix_scan(8, "brent-kung")
    <prefix_scan(n=8, network=brent-kung): 19 vertices, 22 edges>
    """
    params, size = prefix_scan_sizes(n, network)
    writer = RowWriter(n, size.vertices, size.edges)
    latest = np.arange(n, dtype=np.int32)
    for position, further_left in SCANS[network][1](n):
        sums = writer.upcoming(position.size)
        standing, added = latest[position], latest[further_left]
        writer.add(np.minimum(standing, added), np.maximum(standing, added))
        latest[position] = sums
    indptr, indices = writer.finish()
    return CDAG(indptr, indices, work=1, outputs=latest[1:], family="prefix_scan", params=params)


def prefix_scan_sizes(n: int, network: str) -> tuple[Params, Sizes]:
    """The parameters and sizes of a member."""
    require_at_least(2, n=n)
    if network not in SCANS:
        raise InvalidSpecError(f"network must be one of {', '.join(SCANS)}, not {network!r}")
    additions = SCANS[network][0](n)
    sizes = Sizes(n + additions, 2 * additions, n, n - 1, additions, 2)
    return {"n": n, "network": network}, sizes


Levels = Iterator[tuple[Int32Array, Int32Array]]  # positions, and those that they add


def _kogge_stone(n: int) -> Levels:
    distance = 1
    while distance < n:
        position = np.arange(distance, n, dtype=np.int32)
        yield position, position - distance
        distance *= 2


def _sklansky(n: int) -> Levels:
    block = 1
    while block < n:
        position = np.arange(n, dtype=np.int32)
        position = position[position & block > 0]
        yield position, (position & -block) - 1
        block *= 2


def _brent_kung(n: int) -> Levels:
    half = 1
    while 2 * half <= n:
        position = np.arange(2 * half - 1, n, 2 * half, dtype=np.int32)
        yield position, position - half
        half *= 2
    while half > 1:
        half //= 2
        position = np.arange(3 * half - 1, n, 2 * half, dtype=np.int32)
        yield position, position - half


def _ones_below(n: int) -> int:
    """How many bits are 1 in the numbers 0..n-1, also where n has many thousand digits."""
    if n < 2:
        return 0
    half = n.bit_length() // 2
    high, low = n >> half, n & ((1 << half) - 1)
    # `high` runs through all low halves, and one more through `low` of them.
    in_full_runs = (_ones_below(high) << half) + (high * half << half >> 1)
    return in_full_runs + high.bit_count() * low + _ones_below(low)


def _kogge_stone_additions(n: int) -> int:
    depth = (n - 1).bit_length()
    return int(n * depth - 2**depth + 1)


SCANS: dict[str, tuple[Callable[[int], int], Callable[[int], Levels]]] = {
    "kogge-stone": (_kogge_stone_additions, _kogge_stone),
    "brent-kung": (lambda n: 2 * n - n.bit_length() - n.bit_count(), _brent_kung),
    "sklansky": (_ones_below, _sklansky),
}


FFT = (
    Trend(
        "lower", "2 n log2(n) / log2(M)", lambda p, memory: 2 * p["n"] * bits(p, memory), DERIVED
    ),
    Trend(
        "lower",
        "n log2(n) / log2(M)",
        lambda p, memory: p["n"] * bits(p, memory),
        DERIVED + "; half as much: J.-W. Hong and H. T. Kung, 1981",
        recompute=True,
    ),
    Trend(
        "upper",
        "2 n log2(n) / log2(M)",
        lambda p, memory: 2 * p["n"] * bits(p, memory),
        "J. E. Savage, Models of Computation, 1998, theorem 11.5.4",
    ),
)
FFT_FROM = {"n": fact("inputs"), "radix": fact("widest")}
FAMILIES = {
    "fft": Family(fft, "n=64", "n=4", fft_sizes, FFT_FROM, law=LOGARITHM, trends=FFT),
    "prefix_scan": Family(prefix_scan, "n=32", "n=6", prefix_scan_sizes, {"n": fact("inputs")}),
}
