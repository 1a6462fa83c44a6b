"""Plays that a structured scheduler chooses among: of known cost, made only when chosen."""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import partial

from dags import CDAG
from dags.arrays import Int32Array, lock
from pebble import Rules, Schedule
from schedulers.access_order import Accesses
from schedulers.eviction import belady_clean, belady_cost, blocks, traffic_within
from schedulers.eviction.moves import moves_of, unrecorded
from schedulers.eviction.policies import NOBODY, UNLIMITED
from schedulers.families.recent_layouts import digest_of, laid_out
from schedulers.sliding import sliding_schedule, sliding_traffic
from schedulers.streaming import streamed, streamed_traffic

STREAMED = 1 << 26  # edges from which plays are made a block at a time: a gigabyte of accesses
RECORDED = 1 << 24  # accesses up to which who leaves is kept with a play: 128 megabytes at most
POLICIES = {1: belady_clean, 2: belady_cost}  # by the price of a value that must be stored


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


def plays_in_orders(
    dag: CDAG, orders: Iterable[Int32Array], memory: int, rules: Rules, *, most: int = UNLIMITED
) -> Iterator[Play]:
    """Yield plays that compute every value once, each of which moves less than those before.

    Parameters
    ----------
    dag, memory, rules
        The game; results slide onto operands if the rules allow it.
    orders
        The orders to try; one that comes again is passed over.
    most
        Words that the first of the plays moves at most.
    """
    tried = set()
    for order in orders:
        digest = digest_of(order)
        if digest in tried:
            continue
        tried.add(digest)
        for play in _in_order(dag, order, digest, memory, rules, most):
            if play.io <= most:
                most = play.io - 1
                yield play


def _in_order(
    dag: CDAG, order: Int32Array, digest: bytes, memory: int, rules: Rules, most: int
) -> Iterator[Play]:
    """Yield plays that compute in an order, with all policies that may move at most `most`."""
    if rules.sliding:
        layout = laid_out(dag, order, digest)
        return (_sliding(layout, memory, price) for price in POLICIES)
    if dag.m > STREAMED:
        return (_streaming(dag, order, memory, price) for price in POLICIES)
    return _placing(laid_out(dag, order, digest), memory, most)


def relabelled(play: Play, vertex: Int32Array) -> Play:
    """Return a play of the DAG whose vertex[i] is what `play` calls i."""

    def moves() -> Iterator[Schedule]:
        for block in play.blocks():
            yield Schedule(block.op, lock(vertex[block.vertex]))

    return Play(play.io, moves)


def _placing(layout: Accesses, memory: int, most: int) -> Iterator[Play]:
    """Yield the plays under each policy that move at most `most`, each less than those before."""
    for price, policy in POLICIES.items():
        victims = unrecorded(layout) if layout.touched.size <= RECORDED else NOBODY
        traffic = traffic_within(layout, memory, victims, price=price, most=most)
        if traffic.io <= most:
            most = traffic.io - 1
            if victims is NOBODY:
                yield Play(traffic.io, partial(blocks, layout, memory, policy))
            else:
                yield Play(traffic.io, partial(moves_of, layout, victims))
        if traffic.alike:
            return


def _streaming(dag: CDAG, order: Int32Array, memory: int, price: int) -> Play:
    io = streamed_traffic(dag, (order,), memory, price=price).io
    return Play(io, partial(streamed, dag, (order,), memory, price=price))


def _sliding(layout: Accesses, memory: int, price: int) -> Play:
    def moves() -> Iterator[Schedule]:
        yield sliding_schedule(layout, memory, price=price)

    return Play(sliding_traffic(layout, memory, price=price).io, moves)
