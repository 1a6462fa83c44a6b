"""Values that leave an item of the base array and are operands of a later layer (N13).

A value that leaves a base item and is an operand of a later layer has a pair more, a *link*. With
n_k updates, r_k and s_k operands and m_k links of layer k, c base items in all,

    n_k <= r_k s_k,    m_k <= s_k,    n_k + sum of m over layers up to k <= c,

so that the least of p (sum of r_k + s_k) + b (D + sum of m_k) - q (sum of m_k) is found in the
order of how many updates there are so far, and of the room D for base items.

The proof is N13 in docs/theory/nests.md.
"""

from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from dags import CDAG
from dags.arrays import Int64Array, lock
from proofs.core.records import CertificateError
from proofs.lemmas.loops import _kernels
from proofs.lemmas.loops.iteration_space import IterationSpace
from proofs.lemmas.loops.layered_sets import Layers

MOST_LINKED = 128  # updates of the largest sets with links that are known
FAR = 2**60  # price of no set


@dataclass(frozen=True)
class Crossing:
    """The largest numbers of operands of a layer, where those of one array are links.

    Parameters
    ----------
    others, linked
        Of the array without links, and of the one with them.
    """

    others: int
    linked: int


def least_linked(sides: Crossing, size: int, operand: int, entry: int, link: int) -> Int64Array:
    """(size + 1,) the least that sets of 0, 1, ... updates touch, less their links.

    Parameters
    ----------
    sides
        Operands of a layer.
    size
        Updates of the largest set.
    operand, entry, link
        Prices of an operand, of a base item, and of a link.

    Raises
    ------
    CertificateError
        If the set is larger than `MOST_LINKED`, or a link costs more than a base item.
    """
    if link > entry:
        raise CertificateError("link", f"has a price of {link}, more than {entry} of base items")
    if size > MOST_LINKED:
        raise CertificateError("size", f"is {size}, more than {MOST_LINKED} where there are links")
    common = int(np.gcd.reduce([operand, entry, link]))
    prices = operand // common, entry // common, link // common
    costs = _table(sides, *prices)[: size + 1]
    if costs[-1] >= FAR:
        raise CertificateError("size", f"is {size}, more than there are")
    return common * costs


@lru_cache(maxsize=64)
def _table(sides: Crossing, operand: int, entry: int, link: int) -> Int64Array:
    """The least costs of sets of up to `MOST_LINKED` updates."""
    cost = np.full((MOST_LINKED + 1, MOST_LINKED + 1), FAR)
    cost[0] = entry * np.arange(MOST_LINKED + 1)
    costs = np.full(MOST_LINKED + 1, FAR)
    costs[0] = 0
    prices = lock(np.array([operand, entry, link]))
    _kernels.least_linked(prices, sides.others, sides.linked, FAR, cost, costs)
    return lock(np.minimum.accumulate(costs[::-1])[::-1].copy())  # fewer updates cost no more


def links_of(
    dag: CDAG,
    space: IterationSpace,
    layers: Layers,
    makers: Int64Array,
    names: tuple[str, ...],
    belonging: list[tuple[Int64Array, Int64Array, Int64Array]],
    chosen: Int64Array,
) -> tuple[Crossing | None, Int64Array]:
    """The operands in layers, and (values, 2) the readers' pairs and T of links.

    Those of one array of operands, whichever has more; None, and no rows, where there are none.

    Parameters
    ----------
    dag, space, layers
        The DAG, its updates, and the nest.
    makers
        (1 or 2, u) the vertices that count as each update.
    names
        The base array and those of operands.
    belonging
        Of each array (n,) the item of a value, the update of that item that makes it, or -1, and
        how many updates touch it.
    chosen
        (n,) the array of which a value counts, -1 for none.
    """
    best: tuple[Crossing | None, Int64Array] = None, np.zeros((0, 2), np.int64)
    if layers.copies != 1 or len(layers.indices) != len("ijk"):
        return best
    vertices = _read_later(dag, space, layers, makers, names[0])
    for place, name in enumerate(names[1:], 1):
        item, maker, touching = (values[vertices] for values in belonging[place])
        is_own = (item >= 0) & (maker < 0) & np.isin(chosen[vertices], (-1, place))
        items, positions = np.unique(item[is_own], return_index=True)
        if items.size > len(best[1]):
            linked, pairs = vertices[is_own][positions], touching[is_own][positions] - 1
            stored = ~np.isin(linked, dag.outputs)
            best = (
                _crossing(layers, space.shape.measure(name).projections[0]),
                np.stack((pairs, pairs + 1 + stored), axis=1),
            )
    return best


def _crossing(layers: Layers, role: str) -> Crossing:
    """The operands in a layer if links are those that keep the indices of `role`."""
    sides = layers.rows, layers.columns
    return Crossing(*sides) if layers.indices[1] in role else Crossing(*sides[::-1])


def _read_later(
    dag: CDAG, space: IterationSpace, layers: Layers, makers: Int64Array, base: str
) -> Int64Array:
    """Vertices that updates make and that later layers read than any of their base item.

    No two of one base item.
    """
    number, last = np.full(dag.n, -1, np.int64), space.shape.extents[layers.indices[2]]
    for maker in makers:
        number[maker] = np.arange(space.updates.size)
    layer = space.at[layers.indices[2]].astype(np.int64)
    items = space.images(space.shape.measure(base).projections[0]).astype(np.int64)
    top = np.full(int(items.max(initial=-1)) + 1, -1, np.int64)
    np.maximum.at(top, items, layer)
    first = np.full(dag.n, last, np.int64)  # no layer
    begin, sizes = dag.pred_indptr[space.updates], dag.indegree[space.updates]
    edges = np.arange(int(sizes.sum())) + np.repeat(begin - np.cumsum(sizes) + sizes, sizes)
    np.minimum.at(first, dag.pred_indices[edges], np.repeat(layer, sizes))
    vertices = np.flatnonzero((number >= 0) & (first < last))
    vertices = vertices[first[vertices] > top[items[number[vertices]]]]
    single: Int64Array = vertices[np.unique(items[number[vertices]], return_index=True)[1]]
    return single
