"""Kung's arrays that hold a block of a larger computation, played: what keeps them balanced.

A block of a grid, or a transform of some points, is spread over an array of elements. What the
block exchanges with the rest of the computation passes the ports of the array, which are at its
border, and is handed on between neighbours.
"""

from collections.abc import Callable
from dataclasses import dataclass, field
from itertools import count, product
from math import prod

import numpy as np
import numpy.typing as npt

from dags import CDAG, fft
from pebble import Links, Machine, MachineCount, play_on
from schedulers.parallel import Placement, staged
from schedulers.parallel.grids import block_owners

ROOM = 2**40  # words: what is held is measured, not limited
Numbers = npt.NDArray[np.int64]


@dataclass(frozen=True)
class Share:
    """Work, traffic and memory of an array that holds a block."""

    points: int  # of the block
    computes: int  # of the busiest element, in a step of a grid or in all of a transform
    loads: int  # words that enter the array meanwhile
    stores: int  # words that leave it
    links: int  # between its border and the memory outside
    memory: int  # most words that some element held at once

    @property
    def balance(self) -> float:
        """Computations of an element for each word on a link that leaves the array."""
        return self.computes * self.links / (self.loads + self.stores)


def balanced_share(played: Callable[[int], Share], balance: float) -> Share:
    """Return the first play, of sizes 1, 2, 3, ..., that computes so much for each word."""
    return next(share for share in map(played, count(1)) if share.balance >= balance)


def grid_share(dimensions: int, array: tuple[int, ...], side: int) -> Share:
    """Return what an array does in a step of a grid of which it holds a block.

    The block of `side` points a dimension stays on the array. In each step the points around its
    faces come in, and those on its faces go out, for the neighbours of the block.

    Source
    ------
    H. T. Kung, Memory requirements for balanced computer architectures, 1986, sections 3.3 and 5.
    """
    # what a step adds: loading the block and ending the play are no part of it
    before, after = (_grid_play(dimensions, array, side, steps) for steps in (1, 2))
    pairs = list(zip(before.each, after.each, strict=True))
    return Share(
        points=side**dimensions,
        computes=max(two.computes - one.computes for one, two in pairs),
        loads=after.loads - before.loads,
        stores=after.stores - before.stores,
        links=_leaving(array),
        memory=max(one.peak for one in after.each),
    )


def transform_share(elements: int, levels: int) -> Share:
    """Return what a linear array does in a Fourier transform of 2^levels points that it holds.

    Source
    ------
    H. T. Kung, Memory requirements for balanced computer architectures, 1986, sections 3.4 and 5.
    """
    points, dag = 2**levels, fft(2**levels)
    point = np.arange(dag.n) % points
    owner = block_owners((points,), (elements,))[point]
    links = Links((elements,))
    port = _ports(links)[owner]
    home = np.where(dag.is_computed, owner, port)
    machine = Machine.parallel(elements, ROOM, links, ports=links.border)
    placement = Placement(home, np.arange(dag.n) // points, port)
    found = play_on(dag, staged(dag, placement, machine), machine)
    busiest = max(one.computes for one in found.each)
    memory = max(one.peak for one in found.each)
    return Share(points, busiest, found.loads, found.stores, _leaving(links.shape), memory)


def _grid_play(dimensions: int, array: tuple[int, ...], side: int, steps: int) -> MachineCount:
    """Return the count of a play of some steps of a block of a grid."""
    links = Links(array)
    shape = (side,) * dimensions
    owner = block_owners(shape, (*array, *(1,) * (dimensions - len(array))))
    values = _Values()
    outputs = _grow_block(values, shape, steps, owner)
    dag, user = values.dag(outputs), np.concatenate(values.users)
    port = _ports(links)[user]
    machine = Machine.parallel(links.processors, ROOM, links, ports=links.border)
    home = np.where(dag.is_computed, user, port)
    placement = Placement(home, np.concatenate(values.stages), port)
    return play_on(dag, staged(dag, placement, machine), machine)


@dataclass(eq=False)
class _Values:
    """Values in the order in which they are made: operands, who makes or reads them, stages."""

    rows: list[Numbers] = field(default_factory=list)
    users: list[Numbers] = field(default_factory=list)
    stages: list[Numbers] = field(default_factory=list)
    made: int = 0

    def add(self, reads: Numbers, user: Numbers, stage: int) -> Numbers:
        """Add (k,) values of (k, r) operands, and return their numbers."""
        numbers = self.made + np.arange(len(reads))
        self.rows.append(np.sort(reads, axis=1))
        self.users.append(user)
        self.stages.append(np.full(numbers.size, stage))
        self.made += numbers.size
        return numbers

    def dag(self, outputs: Numbers) -> CDAG:
        """Return the DAG of all values."""
        degrees = np.concatenate([np.full(len(row), row.shape[1]) for row in self.rows])
        indptr = np.concatenate(([0], np.cumsum(degrees)))
        indices = np.concatenate([row.ravel() for row in self.rows])
        return CDAG(indptr, indices.astype(np.int32), outputs=outputs)


def _grow_block(values: _Values, shape: tuple[int, ...], steps: int, owner: Numbers) -> Numbers:
    """Add the values of a block of a grid in some steps, and return which of them go out.

    The block begins with values made of one word that comes in, and ends with a value of each
    element made of all of its points, so that loading and storing the block do not count.
    """
    faces = np.ones(shape, bool)
    faces[(slice(1, -1),) * len(shape)] = False
    values.add(np.zeros((1, 0), np.int64), np.zeros(1, np.int64), 0)
    block = values.add(np.zeros((owner.size, 1), np.int64), owner, 0)
    outputs = []
    for step in range(1, steps + 1):
        block = values.add(_operands(values, shape, block, owner, step), owner, step)
        outputs.append(block[faces.ravel()])
    for element in np.unique(owner):
        points = block[owner == element].reshape(1, -1)
        outputs.append(values.add(points, np.array([element]), steps))
    return np.concatenate(outputs)


def _operands(
    values: _Values, shape: tuple[int, ...], block: Numbers, owner: Numbers, step: int
) -> Numbers:
    """Return the operands of each point: itself, and neighbours in the block or from outside."""
    axes, held = range(len(shape)), owner.reshape(shape)
    around = np.full([side + 2 for side in shape], -1)
    around[(slice(1, -1),) * len(shape)] = block.reshape(shape)
    for axis, end in product(axes, (0, -1)):
        reader = held.take(end, axis)
        outside = values.add(np.zeros((reader.size, 0), np.int64), reader.ravel(), step)
        face = tuple(end if a == axis else slice(1, -1) for a in axes)
        around[face] = outside.reshape(reader.shape)
    inner = (slice(1, -1),) * len(shape)
    beside = [np.roll(around, by, axis)[inner].ravel() for axis, by in product(axes, (1, -1))]
    return np.stack([block, *beside], axis=1)


def _ports(links: Links) -> Numbers:
    """Return the port of each element: itself, or the nearer end of its line inside an array."""
    places = np.stack(np.unravel_index(np.arange(links.processors), links.shape))
    ends = np.array(links.shape)[:, None] - 1
    inner = ((places > 0) & (places < ends)).all(axis=0)
    nearer = np.where(2 * places[0] <= ends[0], 0, ends[0])
    places[0] = np.where(inner, nearer, places[0])
    port: Numbers = np.ravel_multi_index(tuple(places), links.shape).astype(np.int64)
    return port


def _leaving(array: tuple[int, ...]) -> int:
    """Return the links that leave an array: two for each line of elements along a dimension."""
    return sum(2 * prod(array) // side for side in array)
