"""Borders between windows of the Dirac operator: shared values are touched again (F3).

With B_c the points of part c that hops of other windows touch too, and L links of A hops,

    I/O >= compulsory - carry (windows - 1)
           + sum over windows of (12 (|B_1| + |B_2|) + 18 (L - A / 2)),

and a window counts at least v(A) = min(24 beta(A / 2), 12 beta(A) + 9 A), beta(A) the points that A
hops of a part share: by S12 in a box, by S13 in space.

The proof is F3 in docs/theory/families.md.
"""

from collections.abc import Callable
from fractions import Fraction
from functools import lru_cache

from dags.families.common.dirac_numbers import LINK, SPINOR, DiracNumbers
from proofs.lemmas.isoperimetry.tori import least_inner, torus_over

AXES = 4
Shared = Callable[[int], Fraction]  # beta of half so many hops


def inner_hops(numbers: DiracNumbers, *, ring: bool = False) -> int:
    """The hops of both parts between sites of the node, those around x4 only in a `ring`."""
    return 8 * numbers.sites - 6 * numbers.face - (0 if ring else 2 * numbers.k**3)


def walls(numbers: DiracNumbers) -> int:
    """The sites at the wall of the box that the node's sites are."""
    return numbers.sites - max(0, numbers.k - 2) ** 3 * max(0, numbers.n4 - 2)


def in_borders(numbers: DiracNumbers, windows: int, carry: int) -> int:
    """The words beyond the compulsory ones that windows of equal numbers of hops move.

    Parameters
    ----------
    numbers
        The lattice.
    windows
        Into how many windows hops are cut; nothing is proved by one, nor where hops are fewer.
    carry
        Words that each window but the first may find in fast memory.
    """
    in_space = _in_windows(inner_hops(numbers), windows, carry, in_space_shared)
    border_words = in_space - SPINOR * walls(numbers)
    ring = rings(numbers)
    shared = in_box_shared(numbers.k, numbers.n4, ring=ring)
    if shared is None:
        return max(0, border_words)
    return max(0, border_words, _in_windows(inner_hops(numbers, ring=ring), windows, carry, shared))


def rings(numbers: DiracNumbers) -> bool:
    """Whether x4 is a ring in the box that a part is."""
    return numbers.wrap and numbers.n4 % 2 == 0


def _in_windows(hops: int, windows: int, carry: int, shared: Shared) -> int:
    """The sum of v(A) over windows, less the values red at the cuts."""
    size, larger = divmod(hops, windows)
    if windows < 2 or not size:
        return 0
    counted = (windows - larger) * window_words(size, shared)
    counted += larger * window_words(size + 1, shared) if larger else 0
    return counted - carry * (windows - 1)


def window_words(hops: int, shared: Shared) -> int:
    """Return v(A), rounded down: the words that a window shares with others, by half, or more.

    Parameters
    ----------
    hops
        Of both parts, A.
    shared
        beta of half of a number of hops.
    """
    alike = SPINOR * shared(hops)
    by_itself = SPINOR // 2 * shared(2 * hops) + LINK // 2 * hops
    return int(min(alike, by_itself))


@lru_cache(maxsize=2**14)
def in_space_shared(halves: int) -> Fraction:
    """Beta of half so many hops in Z^4."""
    return least_inner(_points(halves, None), AXES) if halves else Fraction(0)


@lru_cache(maxsize=64)
def in_box_shared(k: int, n4: int, *, ring: bool) -> Shared | None:
    """Beta of half so many hops in a box; None for a box without a torus over it.

    Parameters
    ----------
    k, n4
        Points along three axes and the fourth.
    ring
        Whether the fourth is a ring.
    """
    torus = torus_over((k,) * 3, (n4,)) if ring else torus_over((k,) * 3 + (n4,))
    if torus is None:
        return None
    hops = inner_hops(DiracNumbers(k, n4, ring), ring=ring)

    @lru_cache(maxsize=2**14)
    def shared(halves: int) -> Fraction:
        fewer = min(halves, hops - halves)  # of a part, in halves: there are hops / 2 in each
        return (
            torus.least_shared(_points(fewer, n4 if ring else None)) if fewer > 0 else Fraction(0)
        )

    return shared


def _points(halves: int, ring: int | None) -> int:
    """The most points t with 4 t - 4 t^(3/4) + t / ring at most half so many hops; or 1.

    Parameters
    ----------
    halves
        Twice the hops.
    ring
        The length of a ring, or None.
    """
    turns = ring or 1

    def beyond(points: int) -> bool:
        above = (8 * points - halves) * turns + (2 * points if ring else 0)
        return above > 0 and above**4 > (8 * turns) ** 4 * points**3

    low, high = 1, 2
    while not beyond(high):
        low, high = high, 2 * high
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if beyond(middle) else (middle, high)
    return low
