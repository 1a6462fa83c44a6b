"""Adjoint chains: a computation of some steps, and its reversal for derivatives."""

from math import comb

import numpy as np

from dags.arrays import lock
from dags.cdag.border import require_at_least, require_room
from dags.cdag.value import CDAG
from dags.families.common.family import Facts, Family, Sizes
from dags.families.common.inverse import exactly, one_of
from dags.families.common.published import Params


def adjoint(steps: int, snapshots: int = 0) -> CDAG:
    """The chain of `steps` forward steps and the reversal of each.

    States x_0 .. x_(n-1), each computed from the last; the tape t_i of step i, computed from x_i;
    adjoints b_(n-1) .. b_0, each computed from the tape of its step and the adjoint after it. The
    inputs are x_0 and the adjoint after the last step, the output is b_0. A forward step computes a
    state or a tape. Vertices are x_0, the last adjoint, x_1 .. x_(n-1), t_0 .. t_(n-1),
    b_(n-1) .. b_0.

    With M words, states that are kept from one adjoint to the next, the *snapshots*, are M - 3 at
    most: an adjoint and its two operands take three words.

    Parameters
    ----------
    steps
        Forward steps.
    snapshots
        The most snapshots that the family's own schedule keeps; 0 for as many as memory holds.

    Source
    ------
    A. Griewank and A. Walther, Algorithm 799: revolve, ACM Transactions on Mathematical Software
    26, 2000.

    Examples
    --------
    >>> adjoint(4)
    <adjoint(steps=4, snapshots=0): 13 vertices, 15 edges>
    """
    params, size = adjoint_sizes(steps, snapshots)
    require_room(size.vertices, size.edges)
    n = steps
    states = np.r_[0, np.arange(2, n + 1)]  # x_i; the last adjoint is vertex 1
    tapes = n + 1 + np.arange(n)
    adjoints = np.r_[1, 2 * n + 1 + np.arange(n)]  # b_n, b_(n-1), ..., b_0
    pairs = np.stack((adjoints[:-1], tapes[::-1]), axis=1)  # operands of b_(n-1), ..., b_0
    indegree = np.r_[0, 0, np.ones(2 * n - 1, np.int64), np.full(n, 2)]
    indices = np.concatenate((states[:-1], states, np.sort(pairs, axis=1).ravel()))
    indptr = np.concatenate(([0], np.cumsum(indegree)))
    return CDAG(
        lock(indptr.astype(np.int64)),
        lock(indices.astype(np.int32)),
        work=1,
        family="adjoint",
        params=params,
    )


def adjoint_sizes(steps: int, snapshots: int) -> tuple[Params, Sizes]:
    """The parameters and sizes of a member."""
    require_at_least(1, steps=steps)
    require_at_least(0, snapshots=snapshots)
    size = Sizes(3 * steps + 1, 4 * steps - 1, 2, 1, 3 * steps - 1, 2)
    return {"steps": steps, "snapshots": snapshots}, size


def forward_steps(steps: int, snapshots: int) -> int:
    """The least forward steps by which a chain is reversed with some snapshots.

    The initial state is one of the snapshots. With t the least number for which
    C(snapshots + t, t) >= steps, it is (t + 1) steps - C(snapshots + t, t - 1): no step is done
    more than t times and taped once (M6 in docs/theory/games.md).

    Parameters
    ----------
    steps
        Steps of the chain.
    snapshots
        States that are kept from one adjoint to the next, at least one.

    Source
    ------
    A. Griewank, Achieving logarithmic growth of temporal and spatial complexity in reverse
    automatic differentiation, Optimization Methods and Software 1, 1992: t steps -
    C(snapshots + t, t - 1), to which the steps that are taped are added here.

    Examples
    --------
    >>> forward_steps(10, 3), forward_steps(100, 5), forward_steps(100, 10)
    (25, 416, 322)
    """
    require_at_least(1, steps=steps, snapshots=snapshots)
    t = 0
    while comb(snapshots + t, t) < steps:
        t += 1
    return (t + 1) * steps - (comb(snapshots + t, t - 1) if t else 0)


def _steps(facts: Facts, arguments: object) -> tuple[int, ...]:
    """The steps of a member with so many vertices."""
    return exactly(facts.vertices - 1, 3)


FAMILIES = {
    "adjoint": Family(
        adjoint,
        "steps=10",
        "steps=3",
        adjoint_sizes,
        {"steps": _steps, "snapshots": one_of(0)},
    ),
}
