"""Least points that sets see in grids that end along some axes and go on along the others.

Let a grid with borders be cut into n layers across an axis along which it ends, and let X have x_i
points in layer i. With beta for a layer, which has one dimension less, N[X] has there at least

    star neighbourhood: max(beta(x_i), x_(i-1), x_(i+1)) points,
    box neighbourhood: beta(max(x_i, x_(i-1), x_(i+1))),

as a layer sees the points (with boxes, all that is seen of them) of the layers beside it. Either is
max(beta(x_i), p(x_(i-1)), p(x_(i+1))) with p(x) = x, or p = beta; both do not fall, and p <= beta.

**Layers may be taken to grow thinner.** The sum over i is, over all t >= 1, the number of layers i
with beta(x_i) >= t or with a layer beside them where p(x) >= t. If r layers have beta >= t, and s
of them p >= t, these are r at least, and, if s > 0, min(n, s + 1), for any s < n layers have
another one beside them. If the same numbers stand in falling order, x_1 >= x_2 >= ..., these are
all: the first r layers, and the first s + 1. So

    |N[X]| >= sum over i = 1, ..., n of max(beta(x_i), p(x_(i-1))),

without the second term for i = 1, and the least of these sums over all falling sequences is found
layer by layer. For a path beta(x) = min(n, x + 1). Where all axes end no points beyond the borders
need be waived, but a set that lies in a corner sees half of what it would see without borders.

Source
------
Derived here; the argument is complete. The exact answers for stars are balls around a corner: D.-L.
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
