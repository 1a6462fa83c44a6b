"""Plays that a structured scheduler chooses among: of known cost, made only when chosen."""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import partial

from dags import CDAG
from dags.arrays import Int32Array, lock
from pebble import Rules, Schedule
from schedulers.access_order import Accesses
from schedulers.eviction import Policy, belady_clean, belady_cost, blocks
from schedulers.eviction.moves import moves_of, recorded
from schedulers.families.recent_layouts import laid_out
from schedulers.sliding import sliding_schedule, sliding_traffic
from schedulers.streaming import streamed, streamed_traffic

STREAMED = 1 << 26  # edges from which plays are made a block at a time: a gigabyte of accesses
RECORDED = 1 << 24  # accesses up to which who leaves is kept with a play: 128 megabytes at most
POLICIES: tuple[Policy, ...] = (belady_clean, belady_cost)
PRICES = (1, 2)  # of a value that must be stored: what the two policies reckon with


@dataclass(frozen=True)
class Play:
    """A play that can be made.

    Parameters
    ----------
    io
        Words that it moves.
    blocks
        Makes its moves, a block at a time.
    """

    io: int
    blocks: Callable[[], Iterable[Schedule]]


# The plays of a family that are more than an order: for a DAG, the memory, and the rules.
FamilyPlays = Callable[[CDAG, int, Rules], Iterator[Play]]


def plays_in_order(dag: CDAG, order: Int32Array, memory: int, rules: Rules) -> Iterator[Play]:
    """Yield plays that compute every value once, in `order`; they slide if `rules` allow it."""
    if dag.m > STREAMED and not rules.sliding:
        yield from (_streaming(dag, order, memory, price) for price in PRICES)
        return
    layout = laid_out(dag, order)
    if rules.sliding:
        yield from (_sliding(layout, memory, price) for price in PRICES)
    else:
        yield from (_placing(layout, memory, policy) for policy in POLICIES)


def relabelled(play: Play, vertex: Int32Array) -> Play:
    """Return a play of the DAG whose vertex[i] is what `play` calls i."""

    def moves() -> Iterator[Schedule]:
        for block in play.blocks():
            yield Schedule(block.op, lock(vertex[block.vertex]))

    return Play(play.io, moves)


def _placing(layout: Accesses, memory: int, policy: Policy) -> Play:
    if layout.touched.size > RECORDED:
        return Play(policy(layout, memory).io, partial(blocks, layout, memory, policy))
    traffic, victims = recorded(layout, memory, policy)
    return Play(traffic.io, partial(moves_of, layout, victims))


def _streaming(dag: CDAG, order: Int32Array, memory: int, price: int) -> Play:
    io = streamed_traffic(dag, (order,), memory, price=price).io
    return Play(io, partial(streamed, dag, (order,), memory, price=price))


def _sliding(layout: Accesses, memory: int, price: int) -> Play:
    def moves() -> Iterator[Schedule]:
        yield sliding_schedule(layout, memory, price=price)

    return Play(sliding_traffic(layout, memory, price=price).io, moves)
