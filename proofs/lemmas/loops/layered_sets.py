"""Least numbers of items that small sets of updates touch, layer by layer, in whole numbers (N12).

A set of A updates with c base items touches at least as many operands as a sum over layers of

    h(n) = least r + s with copies r s >= n (or least d),    n <= copies c,

for numbers n that add up to A, over no more layers than k has values: a table by c and A, which
takes up to c = `REACH`.

The proof is N12 in docs/theory/nests.md.
"""

from dataclasses import dataclass
from functools import lru_cache
from math import isqrt, prod

import numpy as np

from dags.arrays import Int32Array, Int64Array, lock
from proofs.lemmas.loops import _kernels
from proofs.lemmas.loops.hbl import Shape

SHORT, REACH = 64, 1024  # updates of the largest sets of the two tables that are made
FAR = 2**20  # items: of no set


@dataclass(frozen=True)
class Layers:
    """A kind of nest with its ranges.

    Parameters
    ----------
    rows, columns
        Values of i and of j.
    depth
        Values of k, the index of layers.
    copies
        Updates with the same i, j and k; 0 where rows are paired with rows.
    indices
        The letters of i, j, k, and of the loops that all arrays have.
    """

    rows: int
    columns: int
    depth: int
    copies: int
    indices: str

    @property
    def roles(self) -> int:
        """Operands of an update."""
        return 2

    def operands(self, size: int) -> Int32Array:
        """A locked table: [c, A] operands of A updates with c base items, at least.

        Parameters
        ----------
        size
            Updates that it has to reach, up to `REACH`; sets of more are not in it.
        """
        return _table(self, SHORT if size <= SHORT else REACH)

    def of_layer(self, size: int) -> int:
        """Return h(size), `FAR` if no layer has so many updates."""
        if not self.copies:
            side = (1 + isqrt(8 * size - 7)) // 2 + 1
            return side if side <= self.rows else FAR
        places = -(-size // self.copies)
        sides = range(-(-places // self.columns), min(self.rows, places) + 1)
        return min((side + -(-places // side) for side in sides), default=FAR)


def layers_of(shape: Shape, base: str, operands: tuple[str, ...]) -> Layers | None:
    """The layers of a nest for a choice of arrays, None if these are of neither kind.

    Parameters
    ----------
    shape
        The index ranges and projections.
    base
        The array whose items go through layers.
    operands
        The two arrays of operands, or the one of pairs.
    """
    if not {base, *operands} <= {measure.name for measure in shape.measures}:
        return None
    (entry, *further) = shape.measure(base).projections
    pairs = [role for name in operands for role in shape.measure(name).projections]
    if further or len(pairs) != 2 or len({base, *operands}) != 1 + len(operands):
        return None
    common = set(entry).intersection(*pairs)
    kept = sorted(set(entry) - common)
    layer = set("".join(pairs)) - set(entry)
    if len(kept) != 2 or len(layer) != 1:
        return None
    ((k,), (i, j)) = layer, kept
    if sorted(sorted(set(role) - common) for role in pairs) != sorted(
        (sorted(i + k), sorted(j + k))
    ):
        return None
    extents, indices = shape.extents, "".join((i, j, k, *sorted(common)))
    others_extent = prod(extent for index, extent in extents.items() if index not in indices)
    sides = extents[i], extents[j], extents[k]
    if len(operands) == len(pairs):
        return Layers(*sides, others_extent, indices)
    paired = set(shape.symmetric) == {i, j} and others_extent == 1 and extents[i] == extents[j]
    symmetric = pairs[0].translate({ord(i): j, ord(j): i}) == pairs[1]
    return Layers(*sides, 0, indices) if paired and symmetric else None


@lru_cache(maxsize=16)
def _table(layers: Layers, size: int) -> Int32Array:
    """The table of one nest up to `size` updates."""
    cost = np.full(size + 1, FAR, np.int64)
    cost[1:] = [layers.of_layer(count) for count in range(1, size + 1)]
    table = np.full((size + 1, size + 1), FAR, np.int32)
    corners = lock(np.flatnonzero(np.diff(cost[1:], append=FAR + 1)) + 1)
    _kernels.least_operands(lock(cost), corners, max(layers.copies, 1), layers.depth, table)
    return lock(table)


def least_items(layers: Layers, size: int, operand: int, entry: int) -> Int64Array:
    """(size + 1,) the least that sets of 0, 1, ... updates touch, at a price for each item.

    Parameters
    ----------
    layers
        The nest.
    size
        Updates of the largest set.
    operand, entry
        Prices of an operand, and of a base item.
    """
    table = layers.operands(size)[: size + 1, : size + 1].astype(np.int64)
    counts = np.arange(size + 1, dtype=np.int64)
    costs: Int64Array = (operand * table + entry * counts[:, None]).min(axis=0)
    return costs
