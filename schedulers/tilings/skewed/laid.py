"""Plays by tiles that lean over, laid out: tiles of instances, their order, and stays."""

from collections.abc import Mapping

import numpy as np
import numpy.typing as npt

from dags import CDAG
from dags.arrays import Int32Array, Int64Array
from dags.programs.box_nests import Access
from schedulers.tilings.residences import Reads, reads_of
from schedulers.tilings.skewed.cuts import Skewed
from schedulers.tilings.skewed.layers import Layers

Points = Mapping[str, tuple[Int64Array, Int64Array]]  # of assignments: vertices, and their loops


def tiles_and_order(
    dag: CDAG, layers: Layers, tiles: Skewed, points: Points
) -> tuple[Int64Array, Int32Array]:
    """(n,) the tile of each computed vertex, and (N,) their order.

    Parameters
    ----------
    dag
        The DAG of the nest.
    layers, tiles
        The nest, and its tiles.
    points
        Of each assignment its vertices, and the values of their loops.
    """
    begin = min(each.box[0][0] for each in layers.nest.assignments)
    keys = np.zeros((1 + layers.axes, dag.n), np.int64)
    inside = np.zeros((3 + layers.axes, dag.n), np.int64)
    for turn, name in enumerate(layers.names):
        mine, loops = points[name] if name in points else (np.zeros(0, np.int64), None)
        if loops is None:
            continue
        keys[0, mine] = (loops[:, 0] - begin) // tiles.height
        inside[1, mine], inside[2, mine] = loops[:, 0], turn
        inside[3:, mine] = loops[:, 1:].T
        if tiles.along is not None:
            inside[3 + tiles.along] = 0
        for axis, (side, lean) in enumerate(zip(tiles.sides, tiles.leans, strict=True)):
            if lean is None:
                continue
            place = loops[:, 1:] @ np.array(lean.axes) + lean.slope * loops[:, 0]
            place += lean.shifts[turn]
            if side:
                keys[1 + axis, mine] = place // side
            if axis == tiles.along:
                inside[0, mine] = place
    tile = np.unique(keys, axis=1, return_inverse=True)[1].reshape(-1).astype(np.int64)
    every: Int32Array = np.sort(np.concatenate([some for some, _ in points.values()])).astype("i4")
    order: Int32Array = every[np.lexsort((*inside[::-1, every], tile[every]))]
    given = np.ones(dag.n, bool)
    given[every] = False
    tile[given] = -1
    return tile, order


def stays(
    dag: CDAG,
    layers: Layers,
    points: Points,
    play: tuple[Int64Array, Int32Array],
    items: tuple[npt.NDArray[np.str_], Int64Array],
) -> Reads:
    """Return of each read the place in the order, the operand, and where it stays for it.

    Values stay in a tile, copies of inputs in one for their layer, other inputs for an instance.

    Parameters
    ----------
    dag, layers, points
        As for `tiles_and_order`.
    play
        What it returns.
    items
        (n,) the array of each vertex, and (n, ...) its indices.
    """
    (tile, order), (arrays, cells) = play, items
    loops = np.zeros((dag.n, 1 + layers.axes), np.int64)
    turns = np.full(dag.n, -1, np.int64)
    for turn, name in enumerate(layers.names):
        if name in points:
            mine, where = points[name]
            loops[mine], turns[mine] = where, turn
    place, operand = reads_of(dag, order)
    reader = order[place]
    here = tile[reader]
    span = 2 * int(np.abs(loops[:, 0]).max()) + 1 + max(each.step for each in layers.reads)
    given = tile[operand] < 0
    first = (int(tile.max()) + 1) * span
    here[given] = first + place[given]
    kept = np.zeros(place.size, bool)
    for each in (*layers.copied, *(one for some in layers.kept.values() for one in some)):
        turn = layers.names.index(each.read.reader)
        some = (turns[reader] == turn) & (arrays[operand] == each.access.array)
        some[some] = _has(each.access, loops[reader[some]], cells[operand[some]])
        layer = loops[reader[some], 0] - each.read.step
        here[some] = tile[reader[some]] * span + layer % span
        kept |= some & (each.read.source == each.access.array)
    runs = _runs(tile[reader[kept]], operand[kept], loops[reader[kept], 0])
    here[kept] = first + place.size + runs
    here[np.isin(arrays[operand], [*layers.always])] = 0
    return place, operand, here


def _runs(tile: Int64Array, operand: Int64Array, step: Int64Array) -> Int64Array:
    """Return of each read the number of the run of steps in which a tile reads the operand."""
    order = np.lexsort((step, operand, tile))
    begins = np.diff(tile[order], prepend=-1) != 0
    begins |= np.diff(operand[order], prepend=-1) != 0
    begins |= np.diff(step[order], prepend=0) > 1
    found = np.zeros(tile.size, np.int64)
    found[order] = np.cumsum(begins)
    return found


def _has(access: Access, loops: Int64Array, items: Int64Array) -> npt.NDArray[np.bool_]:
    """Whether instances have an access to items."""
    ends = np.array(access.box)
    inside = ((loops >= ends[:, 0]) & (loops < ends[:, 1])).all(axis=1)
    at = loops @ np.array(access.rows).T + np.array(access.offset)
    same: npt.NDArray[np.bool_] = inside & (at == items[:, : at.shape[1]]).all(axis=1)
    return same
