"""A play to begin with."""

from dags import CDAG
from pebble import Move, Rules, Schedule, min_memory, play
from schedulers.eviction import belady_cost, schedule
from schedulers.orders import ORDERS
from schedulers.orders.access_order import accesses


def first_play(dag: CDAG, memory: int) -> Schedule:
    """The best play of a few orders, legal under all rules that allow any play."""
    plays = [one_at_a_time(dag)]
    if memory >= min_memory(dag):
        plays += [
            schedule(accesses(dag, order(dag)), memory, belady_cost) for order in ORDERS.values()
        ]
    # Sliding does not change what moves cost, and one at a time may need it.
    return min(
        plays, key=lambda schedule: play(dag, schedule, memory, rules=Rules(sliding=True)).io
    )


def one_at_a_time(dag: CDAG) -> Schedule:
    """The play that keeps nothing: every vertex fetches all its operands and is stored.

    It slides where the game allows it and memory is full: the operand that goes first is the
    largest.
    """
    sizes = dag.sizes.tolist()
    outputs = set(dag.outputs.tolist())
    moves: list[tuple[Move, int]] = []
    for v in dag.computed.tolist():
        row = dag.pred_indices[dag.pred_indptr[v] : dag.pred_indptr[v + 1]].tolist()
        row.sort(key=lambda u: -sizes[u])
        moves += [(Move.LOAD, u) for u in row]
        moves.append((Move.COMPUTE, v))
        moves += [(Move.DELETE, u) for u in row]
        if dag.outdegree[v] or v in outputs:
            moves.append((Move.STORE, v))
        moves.append((Move.DELETE, v))
    return Schedule.from_moves(moves)
