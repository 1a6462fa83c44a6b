"""Plays of known cost, made only when chosen; orders and layouts that were made last are kept."""

from collections import OrderedDict
from collections.abc import Callable, Hashable, Iterable, Iterator
from dataclasses import dataclass
from functools import partial
from hashlib import blake2b
from threading import Lock
from typing import Any, Generic, TypeVar

from dags import CDAG
from dags.arrays import Int32Array, lock
from dags.work import charge
from pebble import Rules, Schedule
from schedulers.eviction import belady_clean, belady_cost, blocks, traffic_within
from schedulers.eviction.policies import MOST_WORDS, NOBODY, moves_of, unrecorded
from schedulers.eviction.sliding import sliding_schedule, sliding_traffic
from schedulers.eviction.streaming import streamed, streamed_traffic
from schedulers.orders.access_order import Accesses, accesses

ROOM = 1 << 24  # accesses that are kept in all: about 200 megabytes
ORDERS_KEPT = 20  # at most, of DAGs that have no more accesses in all
LAYOUTS_KEPT = 1000

Order = TypeVar("Order", Int32Array, Int32Array | None)
Kept = TypeVar("Kept")
STREAMED = 1 << 26  # edges from which plays are made a block at a time: a gigabyte of accesses
RECORDED = 1 << 24  # accesses up to which who leaves is kept with a play: 128 megabytes at most
POLICIES = {1: belady_clean, 2: belady_cost}  # by the price of a value that must be stored


class Shelf(Generic[Kept]):
    """The last ones of some things, as many as there is room for.

    Parameters
    ----------
    most
        How many at most.
    """

    def __init__(self, most: int) -> None:
        self._most = most
        self._kept: OrderedDict[Hashable, tuple[Kept, int]] = OrderedDict()
        self._size = 0  # accesses of all
        self._changing = Lock()

    def find(self, key: Hashable) -> Kept | None:
        """The value kept under `key`, which is then the last one; None without one."""
        with self._changing:
            if key not in self._kept:
                return None
            self._kept.move_to_end(key)
            return self._kept[key][0]

    def keep(self, key: Hashable, value: Kept, size: int) -> None:
        """Keep a thing of a given number of accesses; the oldest ones leave for it."""
        with self._changing:
            _, before = self._kept.pop(key, (None, 0))
            self._kept[key] = value, size
            self._size += size - before
            while self._size > ROOM or len(self._kept) > self._most:
                _, (_, removed_size) = self._kept.popitem(last=False)
                self._size -= removed_size


LAYOUTS: Shelf[Accesses] = Shelf(LAYOUTS_KEPT)
ORDERS: Shelf[tuple[CDAG, Any]] = Shelf(ORDERS_KEPT)


def digest_of(order: Int32Array) -> bytes:
    """A key that tells an order from others."""
    return blake2b(order.data, digest_size=16).digest()


def ordered(dag: CDAG, generic: Callable[[CDAG], Order]) -> Order:
    """`generic(dag)`, made anew only where it is not one of the last ones."""
    if 4 * (dag.m + dag.n) > ROOM:
        return generic(dag)
    key = (id(dag), generic)  # of a DAG that is kept with its order
    known = ORDERS.find(key)
    if known is not None:
        cached: Order = known[1]
        return cached
    order = generic(dag)
    ORDERS.keep(key, (dag, order), dag.m + dag.n)
    return order


def laid_out(dag: CDAG, order: Int32Array, digest: bytes) -> Accesses:
    """`accesses(dag, order)`, made anew only where it is not one of the last ones.

    A layout of more than a quarter of `ROOM` is not kept.

    Parameters
    ----------
    dag, order
        The DAG, and the order.
    digest
        That of the order.
    """
    if 4 * (dag.m + order.size) > ROOM:
        return accesses(dag, order)
    # A layout refers to its DAG, so that no other DAG has this id while the layout is kept.
    key = (id(dag), digest)
    known = LAYOUTS.find(key)
    if known is not None:
        return known
    layout = accesses(dag, order)
    LAYOUTS.keep(key, layout, layout.touched.size)
    return layout


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
    dag: CDAG, orders: Iterable[Int32Array], memory: int, rules: Rules, *, limit: int = MOST_WORDS
) -> Iterator[Play]:
    """Yield plays that compute every value once, each of which moves less than those before.

    Parameters
    ----------
    dag, memory, rules
        The game; results slide onto operands if the rules allow it.
    orders
        The orders to try; one that comes again is passed over.
    limit
        Words that the first of the plays moves at most.
    """
    tried = set()
    for order in orders:
        digest = digest_of(order)
        if digest in tried:
            continue
        tried.add(digest)
        charge("step", len(POLICIES) * (dag.n + dag.m))
        for play in _in_order(dag, order, digest, memory, rules, limit):
            if play.io <= limit:
                limit = play.io - 1
                yield play


def _in_order(
    dag: CDAG, order: Int32Array, digest: bytes, memory: int, rules: Rules, limit: int
) -> Iterator[Play]:
    """Yield plays that compute in an order, with all policies that may move at most `limit`."""
    if rules.sliding:
        layout = laid_out(dag, order, digest)
        return (_sliding(layout, memory, price) for price in POLICIES)
    if dag.m > STREAMED:
        return (_streaming(dag, order, memory, price) for price in POLICIES)
    return _placing(laid_out(dag, order, digest), memory, limit)


def relabelled(play: Play, vertex: Int32Array) -> Play:
    """A play of the DAG whose vertex[i] is called i by `play`."""

    def moves() -> Iterator[Schedule]:
        for block in play.blocks():
            yield Schedule(block.op, lock(vertex[block.vertex]))

    return Play(play.io, moves)


def _placing(layout: Accesses, memory: int, limit: int) -> Iterator[Play]:
    """Yield the plays under each policy that move at most `limit`, each less than those before."""
    for price, policy in POLICIES.items():
        victims = unrecorded(layout) if layout.touched.size <= RECORDED else NOBODY
        traffic = traffic_within(layout, memory, victims, price=price, most=limit)
        if traffic.io <= limit:
            limit = traffic.io - 1
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
