"""Tiles that can be computed one after another, by the dependences of a DAG.

Tiles are drawn together to one point each, and all other vertices stay. If two tiles are then on a
circle, each waits for a value that the other makes, and neither can be computed first. A tile and
vertices that are no updates may be on one: these are computed in the midst of it. Likewise with
slices, which a tile computes one after another along its line.
"""

from collections.abc import Mapping, Sequence
from typing import Final

import numpy as np

from dags import CDAG
from dags.arrays import Int32Array, Int64Array
from proofs.lemmas.loops.program_space import STATEMENT
from proofs.tiles import Tile

SIDES: Final = (2, 3)  # of small tiles that are tried
MOST_WAITING: Final = 0.4  # of the updates of a small DAG: in slices that meet themselves
NO_TILE: Final = -1


def legal(dag: CDAG, updates: Int32Array, at: Mapping[str, Int64Array], tile: Tile) -> bool:
    """Return whether tiles of such a shape can be computed one after another, slice by slice.

    Small ones are tried, along all of their line or along as much of it as their sides; those of
    several statements as one tile or each for itself. Where a tile meets itself, as on the diagonal
    of a triangle, some slices may wait for each other.

    Parameters
    ----------
    dag
        A DAG of the program.
    updates
        (u,) vertices.
    at
        (u,) their coordinate of each index; as the index s, the number of their statement.
    tile
        The shape, in the same indices.
    """
    together = np.zeros(updates.size, np.int64)

    def waiting(side: int, *first: Int64Array) -> float:
        return share_waiting(dag, _tiles(dag.n, updates, at, tile, side, first))

    return any(
        all(waiting(side, statement, *along) == 0 for side in SIDES)
        and waiting(SIDES[0], statement, SIDES[0] * at[tile.along]) <= MOST_WAITING
        for statement in ([together, at[STATEMENT]] if STATEMENT in at else [together])
        for along in ((), (at[tile.along],))
    )


def _tiles(
    n: int,
    updates: Int32Array,
    at: Mapping[str, Int64Array],
    tile: Tile,
    side: int,
    first: Sequence[Int64Array],
) -> Int64Array:
    """Return (n,) the number of the tile of each vertex, `NO_TILE` for what is no update.

    Parameters
    ----------
    n
        Vertices of the DAG.
    updates, at, tile
        As for `legal`.
    side
        Of all sides that grow with the memory.
    first
        (u,) coordinates besides those with sides: the statement, and one along which a tile is
        as long as its sides, if it does not go on along all of it.
    """
    rows = [first[0].astype(np.float64), *(np.floor(row / side) for row in first[1:])]
    for index, power in tile.sides.items():
        row = at[index].astype(np.float64)
        for other, by in tile.leaning.get(index, {}).items():
            row = row + by / (tile.steps if other == tile.along else 1) * at[other]
        rows.append(np.floor(row / side) if power else row)
    found = np.full(n, NO_TILE, np.int64)
    found[updates] = np.unique(np.array(rows), axis=1, return_inverse=True)[1].reshape(-1)
    return found


def share_waiting(dag: CDAG, tiles: Int64Array) -> float:
    """Return the share of vertices in tiles that wait for each other, of all that are in tiles.

    Parameters
    ----------
    dag
        The DAG.
    tiles
        (n,) the number of the tile of each vertex, from 0 on; -1 for none.
    """
    from scipy.sparse import csr_matrix
    from scipy.sparse.csgraph import connected_components

    count = int(tiles.max(initial=NO_TILE)) + 1
    node = np.where(tiles == NO_TILE, count + np.arange(dag.n), tiles)
    readers = np.repeat(node, np.diff(dag.pred_indptr))
    values = node[dag.pred_indices]
    shape = (count + dag.n, count + dag.n)
    graph = csr_matrix((np.ones(readers.size, np.bool_), (values, readers)), shape)
    circle = connected_components(graph, directed=True, connection="strong")[1][:count]
    alone = np.bincount(circle, minlength=1)[circle] == 1
    inside = tiles[tiles != NO_TILE]
    return float(np.mean(np.logical_not(alone[inside]))) if inside.size else 0.0
