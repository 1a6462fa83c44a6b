"""The moves of a play by tiles, where the DAG is laid out: for the engine to count the same."""

import numpy as np
import numpy.typing as npt

from dags import CDAG
from dags.arrays import Int32Array, Int64Array, lock
from dags.programs.box_nests import Access, Assignment
from pebble import Schedule
from schedulers.tilings.parts import part_of
from schedulers.tilings.pieces import array_of
from schedulers.tilings.plan import Counts, Level, Tiling
from schedulers.tilings.residences import reads_of, residing
from schedulers.tilings.skewed.cuts import Skewed
from schedulers.tilings.skewed.laid import Points, stays, tiles_and_order
from schedulers.tilings.skewed.layers import Layers, layers_in

Bools = npt.NDArray[np.bool_]


def moves(dag: CDAG, counts: Counts, tiling: Tiling) -> Schedule:
    """The moves of a play on the DAG of its nest.

    Parameters
    ----------
    dag
        The DAG by `dags.programs.instantiate` of the program at the sizes of the nest.
    counts, tiling
        The nest, and its play.
    """
    laid, left = Laid(dag, counts, tiling), np.zeros(dag.n, bool)
    left[dag.outputs] = True
    if not tiling.parts:
        return _moves(laid, left)
    part = np.full(dag.n, -1)
    for number, each in enumerate(tiling.parts):
        for name in each.paths.keys() & laid.vertices.keys():
            part[laid.vertices[name]] = number
    place, operand = reads_of(dag, dag.computed)
    left[operand[part[operand] != part[dag.computed[place]]]] = True
    some = [_moves(laid.part(each), left.copy()) for each in tiling.parts]
    op = np.concatenate([each.op for each in some])
    return Schedule(lock(op), lock(np.concatenate([each.vertex for each in some])))


def _moves(laid: "Laid", left: Bools) -> Schedule:
    """The moves of a play, or of a part of one, where some values are stored anyway."""
    dag, counts, tiling = laid.dag, laid.counts, laid.tiling
    if tiling.skewed is not None:
        return laid.skewed_moves(tiling.skewed, left)
    order = laid.order()
    made_in = np.full(dag.n, -1, np.int64)
    for key, by in tiling.depths.items():
        for name in by.keys() & laid.vertices.keys():
            mine, some = laid.vertices[name], counts.accesses[key][name]
            if any(one is counts.assignments[name].item for one in some):
                made_in[mine] = laid.residence(key, name)
    place, operand = reads_of(dag, order)
    here = np.zeros(place.size, np.int64)
    for reader in laid.vertices:
        by_array = np.flatnonzero(laid.maker[order[place]] == reader)
        for key, by in tiling.depths.items():
            mine = by_array[laid.maker[operand[by_array]] == array_of(key)]
            if mine.size and reader in by:
                mine = mine[laid.touch(key, reader, order[place[mine]], operand[mine])]
                here[mine] = laid.residence(key, reader)[laid.place[order[place[mine]]]]
    made = made_in[operand] >= 0
    left[operand[made & (made_in[operand] != here)]] = True
    for name in laid.vertices:
        if name in tiling.depths and counts.spills_all(tiling, name):
            left[operand[laid.maker[operand] == name]] = True
    return residing(dag, order, (place, operand, here), made_in[order], made_in, left)


class Laid:
    """The instances of a nest as vertices, and a play by tiles.

    Parameters
    ----------
    dag, counts, tiling
        As for `moves`.
    """

    def __init__(self, dag: CDAG, counts: Counts, tiling: Tiling) -> None:
        origin = dag.origin
        assert origin is not None  # the DAG is of a program
        self.dag, self.counts, self.tiling = dag, counts, tiling
        names = [f"A_{name}" for name, _ in origin.arrays]
        by_number = np.array(
            [*(f"S{each.statement}" for each in origin.operators), *reversed(names)]
        )
        self.maker = by_number[origin.made_by]  # -1 - a is the last but a
        points = self.cells = origin.points.astype(np.int64)
        computed = dag.indegree > 0
        self.vertices: dict[str, Int64Array] = {}
        self.points: dict[str, Int64Array] = {}
        self.place = np.zeros(dag.n, np.int64)
        for name in counts.assignments:
            mine = np.flatnonzero((self.maker == name) & computed)
            if mine.size:
                self.vertices[name] = mine
                self.place[mine] = np.arange(mine.size)
                self.points[name] = _in_loops(counts.assignments[name], points[mine])

    def part(self, tiling: Tiling) -> "Laid":
        """Return some assignments alone, to which what others make is given."""
        part = Laid(self.dag, Counts(part_of(self.counts.nest, [*tiling.paths])), tiling)
        items = {
            name: _items(self.counts.assignments[name].item, self.points[name])
            for name in self.vertices
        }
        width = max(each.shape[1] for each in (self.cells, *items.values()))
        part.cells = np.pad(self.cells, ((0, 0), (0, width - self.cells.shape[1])))
        for name, some in items.items():
            part.cells[self.vertices[name], : some.shape[1]] = some
        return part

    def order(self) -> Int32Array:
        """(N,) the computed vertices in the order of the tree, or of tiles that lean."""
        if self.tiling.skewed is not None:
            return self._skewed(self.tiling.skewed)[-1]
        if self.tiling.parts:
            orders = [self.part(each).order() for each in self.tiling.parts]
            return np.concatenate(orders).astype(np.int32)
        longest = max(len(path) for path in self.tiling.paths.values())
        keys = np.zeros((longest, self.dag.n), np.int64)
        for name, mine in self.vertices.items():
            for row, step in enumerate(self.tiling.paths[name]):
                is_level = isinstance(step, Level)
                keys[row, mine] = self._chunk(name, (row + 1) // 2) if is_level else step
        every: Int32Array = np.sort(np.concatenate([*self.vertices.values()])).astype(np.int32)
        order: Int32Array = every[np.lexsort(keys[::-1, every])]
        return order

    def skewed_moves(self, tiles: Skewed, left: Bools) -> Schedule:
        """The moves of a play by tiles that lean over, where some values are stored."""
        layers, points, tile, order = self._skewed(tiles)
        place, operand, here = stays(
            self.dag, layers, points, (tile, order), (self.maker, self.cells)
        )
        left[operand[(tile[operand] >= 0) & (tile[operand] != here)]] = True
        return residing(self.dag, order, (place, operand, here), tile[order], tile, left)

    def _skewed(self, tiles: Skewed) -> tuple[Layers, Points, Int64Array, Int32Array]:
        layers = layers_in(self.counts.nest, tiles)
        points = {name: (mine, self.points[name]) for name, mine in self.vertices.items()}
        return layers, points, *tiles_and_order(self.dag, layers, tiles, points)

    def _chunk(self, name: str, depth: int) -> Int64Array:
        """The chunk of each instance of an assignment in the last of some levels."""
        loop, chunk = self.tiling.levels(name)[depth - 1]
        first = self.counts.first(self.tiling, name, depth)
        found: Int64Array = (self.points[name][:, loop] - first) // chunk
        return found

    def residence(self, array: str, name: str) -> Int64Array:
        """Return for each instance of an assignment the number of its visit to an array.

        Numbers of different arrays, and of accesses with holds of their own, are different.
        """
        holds = self.counts.holds(self.tiling, array)
        ((number, hold),) = ((at, one) for at, one in enumerate(holds) if name in one.members)
        members = [each for each in hold.members if each in self.vertices]
        visits = np.concatenate([self._visits(each, hold.depth - 1) for each in members])
        known = np.unique(visits, axis=0, return_inverse=True)[1].reshape(-1)
        ends = np.cumsum([self.vertices[each].size for each in members])
        mine: Int64Array = np.split(known, ends[:-1])[members.index(name)]
        apart = list(self.tiling.depths)
        return (mine * len(holds) + number) * len(apart) + apart.index(array)

    def touch(self, key: str, name: str, readers: Int64Array, operands: Int64Array) -> Bools:
        """Whether each of some instances has a value by an access of a key of holds."""
        if key == array_of(key):
            return np.ones(readers.size, bool)
        points, found = self.points[name][self.place[readers]], np.zeros(readers.size, bool)
        for access in self.counts.accesses[key][name]:
            low, high = np.array(access.box, np.int64).reshape(-1, 2).T
            here: Bools = np.all((low <= points) & (points < high), axis=1)
            for tie in access.ties:
                here &= points @ np.array(tie.row, np.int64) + tie.constant >= 0
            maker = self.counts.assignments.get(access.array)
            if maker is None:
                items = self.cells[operands, : len(access.rows)]
            else:
                items = _items(maker.item, self.points[maker.name][self.place[operands]])
            found |= here & np.all(_items(access, points) == items, axis=1)
        return found

    def _visits(self, name: str, levels: int) -> Int64Array:
        """(instances, levels) the chunks in which instances of an assignment are."""
        columns = [self._chunk(name, depth) for depth in range(1, levels + 1)]
        none = np.zeros(self.vertices[name].size, np.int64)
        return np.stack([none, *columns], axis=1)


def _items(access: Access, points: Int64Array) -> Int64Array:
    """(k, indices) the item that an access has at each of some points."""
    rows = np.array(access.rows, np.int64).reshape(len(access.rows), points.shape[1])
    items: Int64Array = points @ rows.T + np.array(access.offset, np.int64)
    return items


def _in_loops(assignment: Assignment, points: Int64Array) -> Int64Array:
    """Values of the loops of the text as those of the loops of the nest."""
    depth, width = len(assignment.text_loops), len(assignment.box)
    rows = np.array([row for row, _ in assignment.text_loops], np.int64).reshape(depth, width)
    text = points[:, :depth] - np.array([more for _, more in assignment.text_loops], np.int64)
    extents = [high - low for low, high in assignment.box]
    low = np.array([low for low, _ in assignment.box], np.int64)
    varied = np.flatnonzero(np.array(extents) > 1)
    inner = rows[:, varied]
    found = np.repeat(low[None], len(text), axis=0)
    if not varied.size:
        return found
    if int(np.linalg.matrix_rank(inner)) == varied.size:
        solved = (text - found @ rows.T) @ np.linalg.pinv(inner).T
        found[:, varied] += np.rint(solved).astype(np.int64)
        return found
    every: Int64Array = np.indices(extents).reshape(width, -1).T.astype(np.int64) + low
    together = np.concatenate((every @ rows.T, text))
    numbers = np.unique(together, axis=0, return_inverse=True)[1].reshape(-1)
    place = np.zeros(numbers.size, np.int64)
    place[numbers[: len(every)]] = np.arange(len(every))
    return every[place[numbers[len(every) :]]]
