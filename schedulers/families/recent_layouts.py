"""Orders and layouts that were made last: other memory sizes try the same ones again."""

from collections import OrderedDict
from collections.abc import Callable, Hashable
from hashlib import blake2b
from threading import Lock
from typing import Any, Generic, TypeVar

from dags import CDAG
from dags.arrays import Int32Array
from schedulers.access_order import Accesses, accesses

ROOM = 1 << 24  # accesses that are kept in all: about 200 megabytes
ORDERS_KEPT = 20  # at most, of DAGs that have no more accesses in all
LAYOUTS_KEPT = 1000

Order = TypeVar("Order", Int32Array, Int32Array | None)
Kept = TypeVar("Kept")


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
        """Return what is kept under `key`, which is then the last one; None without one."""
        with self._changing:
            if key not in self._kept:
                return None
            self._kept.move_to_end(key)
            return self._kept[key][0]

    def keep(self, key: Hashable, thing: Kept, size: int) -> None:
        """Keep a thing of so many accesses; the oldest ones leave for it."""
        with self._changing:
            _, before = self._kept.pop(key, (None, 0))
            self._kept[key] = thing, size
            self._size += size - before
            while self._size > ROOM or len(self._kept) > self._most:
                _, (_, gone) = self._kept.popitem(last=False)
                self._size -= gone


LAYOUTS: Shelf[Accesses] = Shelf(LAYOUTS_KEPT)
ORDERS: Shelf[tuple[CDAG, Any]] = Shelf(ORDERS_KEPT)


def digest_of(order: Int32Array) -> bytes:
    """Return what tells an order from others."""
    return blake2b(order.data, digest_size=16).digest()


def ordered(dag: CDAG, generic: Callable[[CDAG], Order]) -> Order:
    """Return `generic(dag)`, made anew only where it is not one of the last ones."""
    if 4 * (dag.m + dag.n) > ROOM:
        return generic(dag)
    key = (id(dag), generic)  # of a DAG that is kept with its order
    known = ORDERS.find(key)
    if known is not None:
        found: Order = known[1]
        return found
    order = generic(dag)
    ORDERS.keep(key, (dag, order), dag.m + dag.n)
    return order


def laid_out(dag: CDAG, order: Int32Array, digest: bytes) -> Accesses:
    """Return `accesses(dag, order)`, made anew only where it is not one of the last ones.

    A layout of more than a quarter of `ROOM` is not kept.

    Parameters
    ----------
    dag, order
        What is computed, and in which order.
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
