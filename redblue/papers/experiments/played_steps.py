"""Products and factorizations of blocks on a chip, played: loads and stores of each step.

A product has two buffers: the blocks of the next step are loaded before a step is computed. In a
factorization they may be the step's own results, so that each step begins with its loads.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise, product, zip_longest
from typing import Literal

import numpy as np
import numpy.typing as npt

from dags import CDAG, lu, matmul
from dags.arrays import lock
from pebble import Move, Schedule, play

Numbers = npt.NDArray[np.int64]
Order = Literal["left-looking", "right-looking"]
Where = tuple[int, int, int]  # block row, block column, block step of the elimination


@dataclass(frozen=True, eq=False)
class BlockStep:
    """A step on one block: loads, pairs of a computation and the value it replaces, stores."""

    loads: Numbers
    computed: Numbers
    replaced: Numbers
    stores: Numbers
    dropped: Numbers


@dataclass(frozen=True, eq=False)
class PlayedSteps:
    """Words and operations of the s steps of a play."""

    loads: Numbers  # (s,) words
    stores: Numbers  # (s,) words
    work: Numbers  # (s,) operations
    updates: npt.NDArray[np.bool_]  # (s,) whether it is one of the products of most of the work
    peak: int  # most words on the chip


def product_steps(block: int, blocks: int) -> PlayedSteps:
    """The steps of a product of q x q blocks of M x M, each result staying until it is done.

    Source
    ------
    Many-core model (Euro-Par 2008), section 4.1.
    """
    n = block * blocks
    dag = matmul(n)
    steps = [
        _product_step(n, block, blocks, (i, j, k)) for i, j, k in product(range(blocks), repeat=3)
    ]
    return _played(dag, steps, np.ones(len(steps), bool), ahead=True)


def lu_steps(block: int, blocks: int, order: Order) -> PlayedSteps:
    """The steps of a factorization of q x q blocks of M x M.

    Left-looking a block stays until all updates are made to it; right-looking each block step
    updates all blocks that are left, which are loaded and stored for it.

    Source
    ------
    Many-core model (Euro-Par 2008), section 4.2.
    """
    wheres = list(_left_looking(blocks) if order == "left-looking" else _right_looking(blocks))
    steps = [_lu_step(block * blocks, block, place, order) for place in wheres]
    updates = np.array([k < min(i, j) for i, j, k in wheres])
    return _played(lu(block * blocks), steps, updates, ahead=False)


def _product_step(n: int, block: int, blocks: int, place: Where) -> BlockStep:
    """The step that adds a product of two blocks to a block of the result."""
    row, column, inner = (range(position * block, (position + 1) * block) for position in place)
    i, j, k = (np.array(list(index)) for index in (row, column, inner))
    a = (i[:, None] * n + k).ravel()
    b = (n * n + k[:, None] * n + j).ravel()
    entries = 2 * n * n + (i[:, None, None] * n + j[:, None]) * n + k
    replaced = np.where(k > 0, entries - 1, -1)
    is_last = place[2] == blocks - 1
    last = entries[:, :, -1].ravel()
    return BlockStep(
        loads=np.concatenate((a, b)),
        computed=entries.ravel(),
        replaced=replaced.ravel(),
        stores=last if is_last else last[:0],
        dropped=np.concatenate((a, b)),
    )


def _left_looking(blocks: int) -> Iterator[Where]:
    """Yield blocks with the steps of elimination that are made to each, block after block."""
    for first in range(blocks):
        line = [(i, first) for i in range(first, blocks)]
        for i, j in [*line, *((first, j) for j in range(first + 1, blocks))]:
            yield from ((i, j, k) for k in range(first + 1))


def _right_looking(blocks: int) -> Iterator[Where]:
    """Yield blocks with the steps of elimination, step after step."""
    for k in range(blocks):
        left = range(k + 1, blocks)
        yield k, k, k
        yield from ((i, k, k) for i in left)
        yield from ((k, j, k) for j in left)
        yield from ((i, j, k) for i, j in product(left, repeat=2))


def _lu_step(n: int, block: int, place: Where, order: Order) -> BlockStep:
    """The step that makes a block step of elimination to a block."""
    row, column, step = place
    values = _values(n, block, (row, column, step))
    begins = step == 0 or order == "right-looking"
    ends = step == min(row, column) or order == "right-looking"
    operands = [
        _values(n, block, (place[0], place[1], step + 1))
        for place in {(row, step), (step, column)} - {(row, column)}
    ]
    other_values = np.concatenate([np.zeros(0, np.int64), *operands])
    versions = [_values(n, block, place, steps_done) for steps_done in range(block + 1)]
    computed, replaced = (
        np.concatenate([pair[place][pair[0] != pair[1]] for pair in pairwise(versions)])
        for place in (1, 0)
    )
    result = versions[-1]
    fresh = result >= n * n if order == "left-looking" else result != values
    return BlockStep(
        loads=np.concatenate((other_values, values if begins else values[:0])),
        computed=computed,
        replaced=replaced,
        stores=result[fresh & ends],
        dropped=np.concatenate((other_values, result[~fresh & ends])),
    )


@lru_cache(maxsize=1 << 12)  # steps that follow each other have values in common
def _values(n: int, block: int, place: Where, steps: int = 0) -> Numbers:
    """The values of a block after `steps` steps and whole block steps of elimination."""
    row, column, step = place
    i = np.arange(row * block, (row + 1) * block)[:, None]
    j = np.arange(column * block, (column + 1) * block)
    steps_made = np.minimum(step * block + steps, np.where(i <= j, i, j + 1))
    k = steps_made - 1
    left = n - k
    begins = n * n + (n**3 - n - left**3 + left) // 3
    values: Numbers = np.where(
        steps_made == 0, i * n + j, begins + (i - k - 1) * left + j - k
    ).ravel()
    return lock(values)


def _played(
    dag: CDAG, steps: list[BlockStep], updates: npt.NDArray[np.bool_], *, ahead: bool
) -> PlayedSteps:
    """The steps of a play; `ahead`: operands are loaded before the step before theirs."""
    moves = _Moves()
    late = steps[1:] if ahead else steps
    if ahead:
        moves.add(Move.LOAD, steps[0].loads)
    for step, coming in zip_longest(steps, late):
        if coming is not None:
            moves.add(Move.LOAD, coming.loads)
        moves.compute(step)
        moves.add(Move.DELETE, step.dropped)
        moves.add(Move.STORE, step.stores)
        moves.add(Move.DELETE, step.stores)
    count = play(dag, moves.schedule(), dag.n)
    work = dag.work
    assert work is not None
    return PlayedSteps(
        loads=np.array([step.loads.size for step in steps]),
        stores=np.array([step.stores.size for step in steps]),
        work=np.array([work[step.computed].sum() for step in steps]),
        updates=updates,
        peak=count.peak,
    )


class _Moves:
    """Moves of a schedule, as they are added."""

    def __init__(self) -> None:
        self.op: list[Numbers] = []
        self.vertex: list[Numbers] = []

    def add(self, move: Move, vertices: Numbers) -> None:
        """Add a move of each vertex."""
        self.op.append(np.full(vertices.size, move))
        self.vertex.append(vertices)

    def compute(self, step: BlockStep) -> None:
        """Add the computations of a step, each followed by that of the value it replaces."""
        pairs = np.stack((step.computed, step.replaced), axis=1).ravel()
        kept = pairs >= 0
        self.op.append(np.tile([Move.COMPUTE, Move.DELETE], step.computed.size)[kept])
        self.vertex.append(pairs[kept])

    def schedule(self) -> Schedule:
        """The schedule."""
        return Schedule(np.concatenate(self.op).astype(np.uint8), np.concatenate(self.vertex))
