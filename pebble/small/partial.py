"""The least excess of partial computation, by best-first search over states.

The first load of an input and the last store of an output cost nothing, each other word moved is
excess. The search keeps to plays of one form, for the following reasons; each is a change that
makes no play dearer and keeps it legal.

1. *What is brought is used.* A value is loaded, and an untouched one gets a place, just before the
   first aggregation that it takes part in: before that it only took room.
2. *Nothing leaves early.* A value that is still needed leaves only when an aggregation needs its
   room, and no set leaves of which one value could stay. One that nobody needs leaves at once.
3. *A value pays when it leaves*: a partly computed one for a store and a load, for it must come
   back and is another by then; a complete one for a load and, where slow memory does not have it
   and it is no output, a store. So a state is the set of edges along which operands have been
   aggregated, the values in fast memory, and the *dirty* ones, which are complete and pay twice;
   what is absent and has been touched has paid.
4. *An aggregation between two values that are there comes at once.* Let a play make it later, at
   t. Made now, at t nothing needs to be done: the value is complete no later, leaves for no more,
   and its operand is free no later.
5. *An operand may become its result.* Let u be complete and dirty with one reader v left, v
   untouched and no larger, and let there be room. Take a best play, aggregate u into v now, and let
   v sit where u sits until the play does it: v pays as much as u when it leaves, or less.
6. A play ends when all edges are done.
7. *Some states are as good as others* with the same edges done: those that turn into the other one
   by letting values leave and storing some, for no more words than the other has spent in addition.
   (What is absent has been paid for, so what only the other has comes back free.)

States come in the order of what they have paid: when a finished play comes, no play has less
excess; and when all states below a limit have been opened, no play has less than the limit.
"""

from dataclasses import dataclass

import numpy as np

from dags import CDAG
from dags.arrays import Int32Array, Int64Array, lock
from pebble.small._kernels import partial as k
from pebble.small.game import BITS, TooLargeError
from pebble.small.search import Search, words_of

STEPS = 500  # between two looks at the clock


@dataclass(frozen=True)
class PartialGame:
    """A small game of partial computation.

    Parameters
    ----------
    values
        (v,) the vertices that play a part, rising: all but inputs that nobody reads.
    operand, result
        (m,) the ends of each edge, by their places in `values`.
    words
        (v,) sizes.
    is_output
        (v,) whether a value must end in slow memory.
    memory
        Words of fast memory.
    """

    values: Int32Array
    operand: Int64Array
    result: Int64Array
    words: Int64Array
    is_output: np.ndarray
    memory: int


def partial_game(dag: CDAG, memory: int) -> PartialGame:
    """Return the game of partial computation on a small DAG.

    Raises
    ------
    TooLargeError
        If it has more than 64 values or edges.
    """
    values = np.flatnonzero(dag.is_computed | dag.is_read).astype(np.int32)
    if values.size > BITS or dag.m > BITS:
        raise TooLargeError(
            f"exact search of partial computation takes at most {BITS} values and {BITS} edges, "
            f"not {values.size} and {dag.m}"
        )
    place = np.zeros(dag.n, np.int64)
    place[values] = np.arange(values.size)
    result = np.repeat(np.arange(dag.n), dag.indegree)
    return PartialGame(
        values=lock(values),
        operand=lock(place[dag.pred_indices]),
        result=lock(place[result]),
        words=lock(dag.sizes[values]),
        is_output=lock(np.isin(values, dag.outputs)),
        memory=min(memory, int(dag.sizes.sum())),
    )


def board_of(game: PartialGame) -> k.Board:
    """Return the game as the kernels read it, with room to work in."""
    edges = np.uint64(1) << np.arange(game.operand.size, dtype=np.uint64)
    into, out = (np.zeros(game.values.size, np.uint64) for _ in range(2))
    np.bitwise_or.at(into, game.result, edges)
    np.bitwise_or.at(out, game.operand, edges)
    bits = np.uint64(1) << np.arange(game.values.size, dtype=np.uint64)
    costly = bits[(into != 0) & ~game.is_output]
    return k.Board(
        operand=game.operand,
        result=game.result,
        into=lock(into),
        out=lock(out),
        words=words_of(game.words),
        costly=np.bitwise_or.reduce(costly, initial=np.uint64(0)),
        full=np.bitwise_or.reduce(edges, initial=np.uint64(0)),
        memory=game.memory,
        choice=np.empty((3, BITS + 2), np.int64),
    )


def partial_search(game: PartialGame) -> Search:
    """Return the search of a game."""
    board = board_of(game)
    everything = (1 << game.operand.size) - 1
    return Search(
        lambda: board._replace(choice=np.empty_like(board.choice)),
        k.begin,
        k.search,
        keyed=(everything, 0),
        steps=STEPS,
    )
