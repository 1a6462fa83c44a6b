"""Small butterflies played as well as search can, and which of them make up a large one."""

from functools import cache
from typing import NamedTuple

from dags import fft
from dags.arrays import Int32Array, lock
from pebble import Move, min_memory

MOST_POINTS = 32
CHANGES = 300  # of the order for each vertex, in the search for a kernel's play


class Kernel(NamedTuple):
    """A play of a butterfly of few points.

    Attributes
    ----------
    io
        Words that it moves, all its inputs and outputs among them.
    order
        Its computed vertices, in the numbering of `dags.fft`, in the order of play.
    """

    io: int
    order: Int32Array


def kernel_widths(memory: int, depth: int, widest: int, radix: int) -> list[int]:
    """Return the levels of a cheapest way to cut `depth` levels into passes.

    A pass of up to `widest` levels, which fit into memory, moves each point in and out; one of
    more levels moves what the kernel of as many levels moves, and may be cheaper for each level:
    with 8 words 8 points take 20 words for 3 levels, where two levels alone take 16.
    """
    price = dict.fromkeys(range(1, widest + 1), 2.0)
    for width in range(widest + 1, min(widest + 3, depth - 1) + 1):
        if radix**width <= MOST_POINTS:
            price[width] = kernel(radix**width, radix, memory).io / radix**width
    cheapest: list[tuple[float, list[int]]] = [(0.0, [])]
    for levels in range(1, depth + 1):
        ways = (
            (cheapest[levels - width][0] + words, [*cheapest[levels - width][1], width])
            for width, words in price.items()
            if width <= levels
        )
        cheapest.append(min(ways))
    return sorted(cheapest[depth][1])


@cache
def kernel(points: int, radix: int, memory: int) -> Kernel:
    """Return a good play of the butterfly of so many points, the same one every time."""
    from schedulers.search import best  # here, for search knows structured schedules too

    dag = fft(points, radix=radix)
    found = best(dag, max(memory, min_memory(dag)), time_limit=None, iterations=CHANGES * dag.n)
    assert found.schedule is not None
    assert found.io is not None
    order = found.schedule.vertex[found.schedule.op == Move.COMPUTE]
    return Kernel(found.io, lock(order.astype("int32")))
