"""Orders and layouts that were made last: other memory sizes try the same ones again."""

from collections import OrderedDict
from collections.abc import Callable
from hashlib import blake2b
from threading import Lock
from typing import Any, TypeVar

from dags import CDAG
from dags.arrays import Int32Array
from schedulers.access_order import Accesses, accesses

ROOM = 1 << 24  # accesses that are kept in all: about 200 megabytes
ORDERS_KEPT = 20  # at most, of DAGs that have no more accesses in all

Order = TypeVar("Order", Int32Array, Int32Array | None)

_recent: OrderedDict[tuple[int, bytes], Accesses] = OrderedDict()
_orders: OrderedDict[tuple[int, object], tuple[CDAG, Any]] = OrderedDict()
_changing = Lock()


def digest_of(order: Int32Array) -> bytes:
    """Return what tells an order from others."""
    return blake2b(order.data, digest_size=16).digest()


def ordered(dag: CDAG, generic: Callable[[CDAG], Order]) -> Order:
    """Return `generic(dag)`, made anew only where it is not one of the last ones."""
    if 4 * (dag.m + dag.n) > ROOM:
        return generic(dag)
    key = (id(dag), generic)  # of a DAG that is kept with its order
    with _changing:
        if key in _orders:
            _orders.move_to_end(key)
            known: Order = _orders[key][1]
            return known
    order = generic(dag)
    with _changing:
        _orders[key] = dag, order
        while len(_orders) > ORDERS_KEPT or sum(d.m + d.n for d, _ in _orders.values()) > ROOM:
            _orders.popitem(last=False)
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
    with _changing:
        if key in _recent:
            _recent.move_to_end(key)
            return _recent[key]
    layout = accesses(dag, order)
    with _changing:
        _recent[key] = layout
        while sum(kept.touched.size for kept in _recent.values()) > ROOM:
            _recent.popitem(last=False)
    return layout
