"""Orders that come again: layouts of the last ones are kept, and of equal ones one is tried."""

from collections import OrderedDict
from collections.abc import Iterable, Iterator
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
    key = (id(dag), _digest(order))
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


def distinct(orders: Iterable[Int32Array]) -> Iterator[Int32Array]:
    """Yield `orders` without those that came before."""
    seen = set()
    for order in orders:
        digest = _digest(order)
        if digest not in seen:
            seen.add(digest)
            yield order


def _digest(order: Int32Array) -> bytes:
    return blake2b(order.tobytes(), digest_size=16).digest()
