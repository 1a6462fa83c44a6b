"""Layouts of the orders that were tried last: other memory sizes try the same ones again."""

from collections import OrderedDict
from hashlib import blake2b
from threading import Lock

from dags import CDAG
from dags.arrays import Int32Array
from schedulers.access_order import Accesses, accesses

ROOM = 1 << 24  # accesses that are kept in all: about 200 megabytes

_recent: OrderedDict[tuple[int, bytes], Accesses] = OrderedDict()
_changing = Lock()


def laid_out(dag: CDAG, order: Int32Array) -> Accesses:
    """Return `accesses(dag, order)`, made anew only where it is not one of the last ones.

    A layout of more than a quarter of `ROOM` is not kept.
    """
    if 4 * (dag.m + order.size) > ROOM:
        return accesses(dag, order)
    # A layout refers to its DAG, so that no other DAG has this id while the layout is kept.
    key = (id(dag), blake2b(order.tobytes(), digest_size=16).digest())
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
