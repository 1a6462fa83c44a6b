"""Least points that sets see in grids that end along some axes and go on along the others (S11).

Let a grid with borders be cut into n layers across an axis along which it ends, of which X has x_i
points in layer i. With beta for a layer, and p(x) = x for stars, p = beta for boxes, layers may be
taken to grow thinner:

    |N[X]| >= sum over i = 1, ..., n of max(beta(x_i), p(x_(i-1))),

without the second term for i = 1, x_1 >= x_2 >= ...

The proof is S11 in docs/theory/sets.md.

Source
------
Derived here. The exact answers for stars are balls around a corner: D.-L.
Wang and P. Wang, Discrete isoperimetric problems, SIAM Journal on Applied Mathematics 1977, where
the axes go on behind the corner; B. Bollobas and I. Leader, Compressions and isoperimetric
inequalities, Journal of Combinatorial Theory A 1991, in cubes. They are not used; the tests find
the same numbers.
"""

from math import prod

import numpy as np

from dags.arrays import Int64Array, lock
from proofs.lemmas.isoperimetry import _kernels


def seen_in_borders(sides: tuple[int, ...], base: Int64Array, box: bool) -> Int64Array:
    """Return (most+1,) how many points so many points see at least.

    Parameters
    ----------
    sides
        Of the axes along which the grid ends, each at least 2; layers are cut across the last
        one first. Sets of more points than there are see themselves.
    base
        (most+1,) the same for the axes along which it goes on: 0, 1, ..., most if there are none.
    box
        Whether neighbourhoods are boxes; otherwise stars.
    """
    sizes = np.arange(base.size, dtype=np.int64)
    if not sides:
        return base
    *others, side = sides
    endless = base.size > 2 and base[1] > 1
    if not others and not endless:
        return np.where(sizes > 0, np.maximum(np.minimum(sizes + 1, side), sizes), 0)
    layer = base.size if endless else min(base.size, prod(others) + 1)
    beta = lock(seen_in_borders(tuple(others), base, box)[:layer].astype(np.int32))
    passed = beta if box else lock(np.arange(layer, dtype=np.int32))
    seen = np.full(base.size, 2**40, np.int64)
    _kernels.thinner_layers(beta, passed, side, seen)
    return np.maximum.accumulate(np.where(seen < 2**29, seen, sizes))
