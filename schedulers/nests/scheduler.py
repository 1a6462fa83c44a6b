"""The scheduler that tiles a loop nest."""

from collections.abc import Iterator
from weakref import WeakKeyDictionary

from dags import CDAG
from dags.arrays import Int32Array
from dags.cdag.origin import Origin
from pebble import ONE_SHOT, Rules, Schedule, placing_memory, require_memory
from schedulers.eviction.moves import joined
from schedulers.families.plays import plays_in_orders
from schedulers.families.recent_layouts import digest_of
from schedulers.nests.coordinates import coordinates
from schedulers.nests.shapes import TilingSearch
from schedulers.nests.tilings import Tiling, tiled_order
from schedulers.nests.words import tiling_text
from schedulers.orders import ORDERS
from schedulers.partial import aggregating

PLAYED = 3  # tilings of which plays are counted under the rules in force
# What searches found that were not cut short: several schedulers ask, and several sets of rules.
_known: WeakKeyDictionary[CDAG, dict[tuple[Origin, int, int], list[Tiling]]] = WeakKeyDictionary()
# The tilings of the orders that were handed out, by the digest of the order.
_tilings: WeakKeyDictionary[CDAG, dict[tuple[Origin, bytes], Tiling]] = WeakKeyDictionary()


@aggregating
def tiled_schedule(
    dag: CDAG,
    memory: int,
    *,
    rules: Rules = ONE_SHOT,
    seed: int = 0,
    time_limit: float | None = None,
) -> Schedule:
    """Return a schedule that computes the points of a loop nest in tiles.

    Shapes, order and slant of the tiles are searched for. Whatever they are, the order respects
    the dependences of the DAG: a vertex waits for the last tile of its operands. A DAG that comes
    from no program has no points to tile; of it the best generic order is played.

    Parameters
    ----------
    dag, memory, rules
        The game.
    seed
        Decides which tilings are tried.
    time_limit
        Seconds for trying; None for as many tilings as the size of the DAG allows.

    Raises
    ------
    MemoryTooSmallError
        If some vertex cannot be computed with `memory` words.
    """
    require_memory(dag, memory, rules=rules)
    orders = tiled_orders(dag, memory, rules=rules, seed=seed, time_limit=time_limit)
    if dag.origin is None:
        orders = (order(dag) for order in ORDERS.values())
    plays = plays_in_orders(dag, orders, memory, rules)
    return joined(min(plays, key=lambda play: play.io).blocks())


def tiled_orders(
    dag: CDAG,
    memory: int,
    *,
    rules: Rules = ONE_SHOT,
    seed: int = 0,
    time_limit: float | None = None,
) -> Iterator[Int32Array]:
    """Yield the best orders of tiles that are found, none for a DAG that comes from no program.

    Parameters
    ----------
    dag, memory, rules, seed, time_limit
        As for `tiled_schedule`.
    """
    if dag.origin is None:
        return
    where = coordinates(dag.origin)
    known = _known.setdefault(dag, {})
    question = dag.origin, placing_memory(dag, memory, rules=rules), seed
    tilings = known.get(question)
    if tilings is None:
        search = TilingSearch(dag, where, question[1], seed=seed, time_limit=time_limit)
        tilings = search.best(PLAYED)
        if not search.over():
            known[question] = tilings
    made = _tilings.setdefault(dag, {})
    for tiling in tilings:
        order = tiled_order(dag, where, tiling)
        made.setdefault((dag.origin, digest_of(order)), tiling)
        yield order


def tiling_of(dag: CDAG, order: Int32Array) -> str | None:
    """Return tiles and loops, in words, of an order that `tiled_orders` yielded; None of others.

    Parameters
    ----------
    dag
        The DAG of a program.
    order
        (N,) the computed vertices.
    """
    if dag.origin is None:
        return None
    tiling = _tilings.get(dag, {}).get((dag.origin, digest_of(order)))
    return None if tiling is None else tiling_text(tiling, dag.origin)
