"""Kung's arrays of processing elements, played: the memory that keeps each one balanced."""

from dataclasses import dataclass
from itertools import count

import numpy as np

from dags import matmul
from pebble import Links, Machine, MachineCount, play_on
from schedulers.parallel import Placement, staged
from schedulers.parallel.grids import block_owners

TERMS = 3  # steps along k that are played: each is like the one before
ROOM = 2**40  # words: what is held is measured, not limited


@dataclass(frozen=True)
class Element:
    """One element of an array that computes a product, as it was played."""

    side: int  # rows and columns of the block of C that the array holds
    computes: int  # of the element that makes most
    words: int  # that the port loads which loads most
    memory: int  # most words that some element held at once

    @property
    def balance(self) -> float:
        """Computations for each word that comes in."""
        return self.computes / self.words


def balanced_element(shape: tuple[int, ...], balance: float) -> Element:
    """Return an element of the smallest array that computes so much for each word."""
    sides = count(max(shape), max(shape))
    return next(one for side in sides if (one := played_element(shape, side)).balance >= balance)


def played_element(shape: tuple[int, ...], side: int) -> Element:
    """Return what the elements of an array do that computes a block of C = AB.

    Only elements on the border reach the memory outside; in a linear array, only the first. A
    block of `side` rows and columns stays, spread over the array; columns of A and rows of B come
    in at the border and are passed on from neighbour to neighbour.

    Source
    ------
    H. T. Kung, Memory requirements for balanced computer architectures, 1986, sections 5.1, 5.2.
    """
    elements = _played(shape, side).each
    return Element(
        side,
        computes=max(one.computes for one in elements),
        words=max(one.loads for one in elements),
        memory=max(one.peak for one in elements),
    )


def _played(shape: tuple[int, ...], side: int) -> MachineCount:
    """Return the count of the play."""
    dag, linear = matmul(side, k=TERMS), len(shape) == 1
    grid = (1, *shape) if linear else shape
    links = Links(shape)
    entry = block_owners((side, side), grid)
    rows = np.zeros(side, np.int64) if linear else entry.reshape(side, side)[:, 0]
    columns = np.zeros(side, np.int64) if linear else entry.reshape(side, side)[0]
    owner = np.concatenate(
        (np.repeat(rows, TERMS), np.tile(columns, TERMS), np.repeat(entry, TERMS))
    )
    stage = np.concatenate(
        (np.zeros(2 * side * TERMS, np.int64), np.tile(np.arange(TERMS), side**2))
    )
    ports = (0,) if linear else links.border
    machine = Machine.parallel(links.processors, ROOM, links, ports=ports)
    sink = np.zeros(dag.n, np.int64) if linear else _nearest_border(owner, shape)
    placement = Placement(owner, stage, sink, _leaves(side))
    return play_on(dag, staged(dag, placement, machine), machine)


def _leaves(side: int) -> np.ndarray:
    """Return the stage in which each value leaves, as many in each as words come in before."""
    row, column = np.divmod(np.arange(side * side), side)
    after = TERMS + (row + column) % side // 2
    return np.concatenate((np.zeros(2 * side * TERMS, np.int64), np.repeat(after, TERMS)))


def _nearest_border(owner: np.ndarray, shape: tuple[int, ...]) -> np.ndarray:
    """Return the first element of the row of the array that each owner is in."""
    first: np.ndarray = owner // shape[1] * shape[1]
    return first
