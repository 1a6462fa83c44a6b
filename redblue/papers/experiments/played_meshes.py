"""Elements that hold a part of a grid and exchange its faces, played on a torus."""

from dataclasses import dataclass

import numpy as np

from dags import stencil
from pebble import Links, Machine, MachineCount, play_on
from schedulers.parallel import Placement, staged
from schedulers.parallel.grids import block_owners

STEPS = 2
ROOM = 2**40  # words: what is held is measured, not limited
LEAST = 3  # elements along a wrapped side, so that those before and behind are different ones


@dataclass(frozen=True)
class Part:
    """The work and traffic of an element that holds a part of a grid, in each step."""

    side: int  # points of the part along each dimension
    computes: int  # points
    face: int  # words on each of its links
    received: int  # words
    memory: int  # most words that it holds at once


def played_part(dimensions: int, side: int, elements: int = LEAST) -> Part:
    """Return what each element of a torus does; all of them do the same, or it raises.

    Source
    ------
    H. T. Kung, Memory requirements for balanced computer architectures, 1986, section 3.3; J. E.
    Moreira, Conditions for scalability of mesh-connected massively parallel processors.
    """
    count = played_torus(dimensions, side, elements)
    links = set(count.links.values())
    (alike,) = {(one.computes, one.received, one.loads) for one in count.each}
    (face,) = links
    return Part(
        side=side,
        computes=alike[0] // STEPS,
        face=face // STEPS,
        received=alike[1] // STEPS,
        memory=max(one.peak for one in count.each),
    )


def played_torus(dimensions: int, side: int, elements: int) -> MachineCount:
    """Return the count of a play of a periodic stencil, a part of the grid on each element."""
    shape, links = (side * elements,) * dimensions, Links((elements,) * dimensions, wrapped=True)
    dag = stencil(shape, STEPS, periodic=True)
    owner = np.tile(block_owners(shape, links.shape), STEPS + 1)
    machine = Machine.parallel(links.processors, ROOM, links, "own")
    placement = Placement(owner, dag.level.astype(np.int64))
    return play_on(dag, staged(dag, placement, machine), machine)


def step_seconds(part: Part, latency: float, word: float, point: float) -> float:
    """Return the seconds of a time step: all links at once, and then all points of a part.

    `latency`, `word` and `point` are seconds of a message, of a word on a link, and of a point.
    """
    return latency + word * part.face + point * part.computes
